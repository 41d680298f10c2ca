// Bodies and pairs -> the patch of a contact with a polyhedron and the input of its law. Shared by the force kernels, energies and records.
// Positions are relative to the centre of A, differences formed in double.
#pragma once

#include "engine/laws/patch.hpp"
#include "engine/narrow/convex_axis.hpp"
#include "engine/narrow/convex_manifold.hpp"
#include "engine/narrow/convex_overlap.hpp"
#include "engine/narrow/convex_sphere.hpp"
#include "engine/narrow/smooth_features.hpp"
#include "engine/state/bodies.hpp"
#include "engine/state/flush_bodies.hpp"
#include "engine/state/inertia.hpp"
#include "engine/contacts/lists.hpp"
#include "engine/state/relative.hpp"
#include "engine/state/shapes.hpp"
#include "engine/state/wall_motion.hpp"
#include "model/model.hpp"

namespace scree::SCREE_FLAVOR {

/// What searches for a patch read beside the bodies.
struct PatchSettings {
    ShapeView shapes;
    Patch mode;
    double overlap_limit;         // of the bounding radius: as thick are walls that are surfaces
    bool gradient;                // the normal is to be that of the vector area: the volume law
    const Slot* slot_of;          // by id
    const WallCarrier* carriers;  // by wall; null where no wall is carried
    FlushView flush;
    Law law;
};

/// Polyhedron i placed at `at` with this turn, or with its own.
SCREE_HD PlacedConvex<Real> placed(const BodyView& body, const ShapeView& shapes, Index i, Vec3T<Real> at, const Mat3& turn) {
    return {shapes[body.shape[i]], at, cast<Real>(turn), static_cast<Real>(body.radius[i])};
}
SCREE_HD PlacedConvex<Real> placed(const BodyView& body, const ShapeView& shapes, Index i, Vec3T<Real> at) {
    return placed(body, shapes, i, at, rotation_matrix(body.orientation[i]));
}

/// The searches, once for all kernels of a file.
template <int Capacity>
SCREE_HD_SHARED Overlap<Real> shared_region(const PlacedConvex<Real>& a, const PlacedConvex<Real>& b, Vec3T<Real> axis) {
    return overlap<Capacity>(a, b, axis);
}
template <int Capacity>
SCREE_HD_SHARED Overlap<Real> region_below(const PlacedConvex<Real>& a, Vec3T<Real> point, Vec3T<Real> normal) {
    return overlap_below_plane<Capacity>(a, point, normal);
}
SCREE_HD_SHARED Axis<Real> axis_of(const PlacedConvex<Real>& a, const PlacedConvex<Real>& b) {
    return separating_axis(a, b);
}

/// The paper's patch: mean of the penetrating vertices and of their depths. The area stands in for what that law does not need.
SCREE_HD PatchGeometry<Real> patch_of(const VertexPatch<Real>& v, Vec3T<Real> normal) {
    PatchGeometry<Real> g;
    if (v.count == 0 || !(v.depth > Real(0))) return g;
    g.touching = true;
    g.normal = normal;
    g.depth = v.depth;
    g.area = v.depth * v.depth;
    g.volume = g.area * v.depth;
    g.point = v.point;
    return g;
}

/// The power of the overlap as which the force of smooth surfaces grows.
SCREE_HD double exponent_of(Law law) {
    return law == Law::Linear ? 1 : 1.5;
}

/// A contact of smooth surfaces as a patch: its depth and area are such that the laws of patches have the force and stiffness of two balls
/// of radius R, `weight` times, and its extent such that they have the energy and damp as these do (laws/patch.hpp: q = 2/7 for Hertz, 0
/// where the force is linear). The volume law does not take smooth bodies.
SCREE_HD PatchGeometry<Real> patch_of(const SmoothTouch& t, Law law) {
    constexpr double pi = 3.14159265358979324;
    PatchGeometry<Real> g;
    g.touching = true;
    g.normal = cast<Real>(t.normal);
    g.point = cast<Real>(t.point);
    const double disc = pi * t.radius * t.overlap;  // of the contact's circle
    double depth = t.weight * t.overlap, area = disc, extent = t.overlap;
    if (law == Law::Hertz) {
        const double share = t.weight * t.share;
        depth = 2.0 / 3 * t.overlap;
        area = share * share * disc;
        extent = 9.0 / 7 * depth;
    } else if (law == Law::Power && t.weight != 1) {
        depth = std::cbrt(t.weight * t.weight) * t.overlap;
    }
    g.depth = static_cast<Real>(depth);
    g.area = static_cast<Real>(area);
    g.extent = static_cast<Real>(extent);
    g.volume = static_cast<Real>(depth * area);
    return g;
}
/// The overlap of smooth surfaces that such a patch is of [m].
SCREE_HD double smooth_overlap(Law law, double extent) {
    return law == Law::Hertz ? 7.0 / 6 * extent : extent;
}

/// What two polyhedra share; no volume where nothing. `axis`: history (laws/patch.hpp), zero where they did not touch; `feature`: what
/// separated them last. A pair that touched is asked for its volume only; else a feature must fail to separate the two first. n: out, from
/// A to B.
template <int Capacity>
SCREE_HD Overlap<Real> find_region(const PlacedConvex<Real>& a, const PlacedConvex<Real>& b, Vec3T<Real> axis, std::int32_t& feature,
                                   Vec3T<Real>& n) {
    const Real size = norm(axis);
    n = axis / (size > Real(0) ? size : Real(1));
    if (!(size > Real(0))) {
        if (feature != Patches::none && test_feature(a, b, feature).gap > Real(0)) return {};
        const Axis<Real> found = axis_of(a, b);
        if (found.gap > Real(0)) {
            feature = found.feature;
            return {};
        }
        n = found.normal;
    }
    Overlap<Real> region = shared_region<Capacity>(a, b, n);
    if (!(region.volume > Real(0)) && size > Real(0)) {
        // An old normal may be a bad axis; it does not end a contact by itself.
        const Axis<Real> found = axis_of(a, b);
        if (found.gap > Real(0)) {
            feature = found.feature;
            return {};
        }
        n = found.normal;
        region = shared_region<Capacity>(a, b, n);
    }
    return region;
}

SCREE_HD bool is_smooth(const BodyView& body, const ShapeView& shapes, Index i) {
    return shapes.entry[body.shape[i]].smooth.any();
}
SCREE_HD PlacedSmooth placed_smooth(const BodyView& body, const ShapeView& shapes, Index i, Vec3 at) {
    return {shapes.entry[body.shape[i]].smooth, at, rotation_matrix(body.orientation[i]), body.radius[i]};
}
/// The patch of two smooth bodies, `to` from A to B. feature: of those found apart a direction that showed it, rounded; as long as it parts
/// them they are not searched.
SCREE_HD PatchGeometry<Real> smooth_pair_patch(const BodyView& body, const PatchSettings& s, Index i, Index j, Vec3 to, Vec3T<Real> axis,
                                               std::int32_t& feature) {
    SmoothTouch touch{};
    const PlacedSmooth a = placed_smooth(body, s.shapes, i, {}), b = placed_smooth(body, s.shapes, j, to);
    const bool curved = !a.capsule() && !b.capsule(), fresh = !(norm2(axis) > Real(0));
    if (curved && fresh && feature >= 0 && depth_along(a, b, direction_of(feature)).value < 0) return {};
    if (smooth_pair(a, b, cast<double>(axis), 0, touch)) return patch_of(touch, s.law);
    if (curved) feature = rounded_direction(touch.normal);
    return {};
}

/// The patch of two bodies with shapes of which one at most is smooth.
template <int Capacity>
SCREE_HD PatchGeometry<Real> find_patch(const PlacedConvex<Real>& a, const PlacedConvex<Real>& b, Vec3T<Real> axis, const PatchSettings& s,
                                        std::int32_t& feature) {
    const bool curved_a = a.shape.smooth != nullptr, curved_b = b.shape.smooth != nullptr;
    if (curved_a || curved_b) {
        SmoothTouch touch;
        const bool found = curved_a ? smooth_with_convex(smooth_of(a), b, 0, touch) : smooth_with_convex(smooth_of(b), a, 0, touch);
        if (!found) return {};
        if (curved_b) turn_round(touch);
        return patch_of(touch, s.law);
    }
    if (s.mode == Patch::Vertices) {
        if (feature != Patches::none && test_feature(a, b, feature).gap > Real(0)) return {};
        const Axis<Real> found = axis_of(a, b);
        if (!(found.gap > Real(0))) return patch_of(penetrating_vertices(a, b, found), found.normal);
        feature = found.feature;
        return {};
    }
    Vec3T<Real> n;
    Overlap<Real> region = find_region<Capacity>(a, b, axis, feature, n);
    if (s.gradient) region.direction = region.area;
    return patch_of(region, n);
}

/// The patch of polyhedron i and a plane in the world.
template <int Capacity>
SCREE_HD PatchGeometry<Real> find_plane_patch(const BodyView& body, const PatchSettings& s, Index i, Vec3 point, Vec3 normal) {
    const Vec3 to = relative_position(body.position[i], point);
    if (-dot(to, normal) > body.radius[i]) return {};
    const PlacedConvex<Real> a = placed(body, s.shapes, i, {});
    const Vec3T<Real> n = cast<Real>(normal);
    // The nearest point of the plane: a far one would cost digits.
    const Vec3T<Real> near = cast<Real>(dot(to, normal) * normal);
    if (a.shape.smooth != nullptr) {
        const SmoothTouches found = smooth_with_plane(smooth_of(a), cast<double>(near), -normal, 0);
        return found.count > 0 ? patch_of(as_one(found, exponent_of(s.law)), s.law) : PatchGeometry<Real>{};
    }
    if (s.mode == Patch::Vertices) return patch_of(penetrating_vertices(a, near, n), -n);
    return patch_of(region_below<Capacity>(a, near, n), -n);
}

SCREE_HD double volume_of(const BodyView& body, const ShapeView& shapes, Index i) {
    const double r = body.radius[i];
    return shapes.entry[body.shape[i]].volume * r * r * r;
}

/// Farthest corner of polyhedron i along n, from its centre [m].
SCREE_HD Real support(const BodyView& body, const ShapeView& shapes, Index i, Vec3T<Real> n) {
    const ConvexView<Real> shape = shapes[body.shape[i]];
    const Vec3T<Real> m = transposed_times(cast<Real>(rotation_matrix(body.orientation[i])), n);
    Real top = shape.x[0] * m.x + shape.y[0] * m.y + shape.z[0] * m.z;
    for (std::int32_t k = 1; k < shape.vertices; ++k) {
        const Real here = shape.x[k] * m.x + shape.y[k] * m.y + shape.z[k] * m.z;
        top = here > top ? here : top;
    }
    return static_cast<Real>(body.radius[i]) * top;
}

/// 1/m + (r x n) . I^-1 (r x n) of the body that carries a wall, at a point of the world; 0 where the wall's motion is prescribed.
SCREE_HD double wall_mobility(const BodyView& body, const PatchSettings& s, std::int32_t wall, Vec3 point, Vec3 n) {
    if (s.carriers == nullptr || s.carriers[wall].body < 0) return 0;
    const Slot at = s.slot_of[s.carriers[wall].body];
    return at < 0 ? 0.0 : mobility_along(body, s.shapes, s.slot_of, at, point - body.position[at], n);
}

/// What of a contact's history a law reads.
SCREE_HD void read_history(PatchInput<Real>& in, Vec3T<Real> stretch, Vec3T<Real> axis, Real turn) {
    in.stretch = stretch;
    in.axis = axis;
    in.turn = turn;
}

/// Polyhedra i (A) and j (B) that touch in `patch`.
SCREE_HD PatchInput<Real> pair_input(const BodyView& body, const PatchSettings& s, Index i, Index j, const PatchGeometry<Real>& patch) {
    PatchInput<Real> in;
    in.patch = patch;
    in.to_b = cast<Real>(relative_position(body.position[i], body.position[j]));
    in.w_a = cast<Real>(body.angular_velocity[i]);
    in.w_b = cast<Real>(body.angular_velocity[j]);
    in.velocity = cast<Real>(relative_velocity(body.velocity[i], body.velocity[j])) + cross(in.w_b, patch.point - in.to_b) -
                  cross(in.w_a, patch.point);
    const Vec3 n = cast<double>(patch.normal);
    in.m_eff = static_cast<Real>(1.0 / (mobility_along(body, s.shapes, s.slot_of, i, cast<double>(patch.point), n) +
                                        mobility_along(body, s.shapes, s.slot_of, j, cast<double>(patch.point - in.to_b), n)));
    if (!(patch.extent > Real(0)))
        in.patch.extent = support(body, s.shapes, i, patch.normal) + support(body, s.shapes, j, -patch.normal) - dot(in.to_b, patch.normal);
    const double a = volume_of(body, s.shapes, i), b = volume_of(body, s.shapes, j);
    in.volume_ref = static_cast<Real>(a * b / (a + b));
    return in;
}

/// Polyhedron i (A) and a wall (B) that moves as `motion` says.
SCREE_HD PatchInput<Real> wall_input(const BodyView& body, const PatchSettings& s, Index i, const PatchGeometry<Real>& patch,
                                     std::int32_t wall, const RigidVelocity& motion) {
    PatchInput<Real> in;
    in.patch = patch;
    in.to_b = {};
    in.w_a = cast<Real>(body.angular_velocity[i]);
    in.w_b = cast<Real>(motion.angular);
    const Vec3 n = cast<double>(patch.normal), point = cast<double>(patch.point), at = body.position[i] + point;
    const Vec3 surface = velocity_at(motion, at);
    in.velocity = cast<Real>(relative_velocity(body.velocity[i], surface)) - cross(in.w_a, patch.point);
    in.m_eff = static_cast<Real>(1.0 / (mobility_along(body, s.shapes, s.slot_of, i, point, n) + wall_mobility(body, s, wall, at, n)));
    in.volume_ref = static_cast<Real>(volume_of(body, s.shapes, i));
    return in;
}

/// A sphere and a polyhedron, i (A) and j (B) in either order: an ordinary contact at the nearest point of the polyhedron, R_eff = r; of a
/// smooth body in the middle of what they share, with the R_eff of both.
struct MixedContact {
    ContactInput<Real> in;
    Vec3T<Real> arm_a, arm_b;  // from the centres to the contact [m]
};
SCREE_HD MixedContact mixed_contact(const BodyView& body, const PatchSettings& settings, Index i, Index j, Vec3T<Real> stretch) {
    const bool first = body.is_sphere(i);  // A is the sphere
    const Index s = first ? i : j, c = first ? j : i;
    const Vec3T<Real> d = cast<Real>(relative_position(body.position[c], body.position[s]));
    const Real r = static_cast<Real>(body.radius[s]);
    MixedContact m{};
    m.in.stretch = stretch;
    const Real reach = static_cast<Real>(body.radius[c]) + r;
    if (!(norm2(d) < reach * reach)) {
        m.in.delta = Real(-1);
        return m;
    }
    const PlacedConvex<Real> convex = placed(body, settings.shapes, c, {});
    NearestPoint<Real> near;
    m.in.R_eff = r;
    if (convex.shape.smooth != nullptr) {
        SmoothTouch touch;
        if (!smooth_with_ball(smooth_of(convex), {cast<double>(d), body.radius[s]}, 0, touch)) {
            m.in.delta = Real(-1);
            return m;
        }
        near = {cast<Real>(touch.point), cast<Real>(touch.normal), static_cast<Real>(body.radius[s] - touch.overlap)};
        m.in.R_eff = static_cast<Real>(touch.share * touch.share * touch.radius);
    } else {
        near = nearest_to(convex, d);
    }
    const Vec3T<Real> arm_c = near.point, arm_s = near.point - d;
    m.arm_a = first ? arm_s : arm_c;
    m.arm_b = first ? arm_c : arm_s;
    m.in.normal = first ? -near.normal : near.normal;
    m.in.delta = r - near.distance;
    const Vec3T<Real> w_a = cast<Real>(body.angular_velocity[i]), w_b = cast<Real>(body.angular_velocity[j]);
    m.in.velocity = cast<Real>(relative_velocity(body.velocity[i], body.velocity[j])) + cross(w_b, m.arm_b) - cross(w_a, m.arm_a);
    m.in.spin = Real(0.5) * dot(w_a + w_b, m.in.normal);
    const Vec3 n = cast<double>(near.normal);
    m.in.m_eff = static_cast<Real>(1.0 / (mobility_along(body, settings.shapes, settings.slot_of, s, cast<double>(arm_s), n) +
                                          mobility_along(body, settings.shapes, settings.slot_of, c, cast<double>(arm_c), n)));
    return m;
}

}  // namespace scree::SCREE_FLAVOR
