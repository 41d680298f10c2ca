// Polyhedra against walls: planes as half-spaces; cylinders and meshes in pieces, each with a slab behind it (narrow/prism.hpp).
// Overlaps of the pieces of one surface add up, so a patch of triangles acts as one face whatever its triangulation, and a cylinder as one
// surface whatever its facets. Walls that are surfaces without inside are as thick as the overlap limit allows a body to sink.
#pragma once

#include "engine/narrow/points_arc.hpp"
#include "engine/narrow/prism.hpp"
#include "engine/narrow/smooth_mesh.hpp"
#include "engine/penalty/convex_pairs.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

inline PatchSettings patch_settings(const Model& model, const Workspace& work) {
    return {work.shapes.view(),          model.penalty.patch,
            model.penalty.overlap_limit, model.penalty.law == Law::Volume,
            work.slot_of_id.data(),      work.walls.motions.any_carried ? work.walls.motions.carrier.data() : nullptr,
            work.flush_bodies.view(),    model.penalty.law};
}

/// A body as seen from a wall's frame, with the centre of the body as origin.
struct SeenBody {
    Vec3 centre;                // in the wall's frame [m]
    PlacedConvex<Real> convex;  // at the origin
    Mat3 frame;                 // wall's frame -> world
    double radius;
};

SCREE_HD SeenBody seen_from(const BodyView& body, const ShapeView& shapes, Index i, const WallPlace* place) {
    if (place == nullptr) return {body.position[i], placed(body, shapes, i, {}), rotation_matrix(Quat{}), body.radius[i]};
    const Pose pose = pose_in(place);
    const Mat3 turn = rotation_matrix(conjugate(pose.turn) * body.orientation[i]);
    return {in_frame(pose, body.position[i]), placed(body, shapes, i, {}, turn), rotation_matrix(pose.turn), body.radius[i]};
}

SCREE_HD void weigh(Overlap<Real>& o, Real share) {
    o.volume *= share;
    o.area *= share;
    o.direction *= share;
    o.moment *= share;
    o.couple *= share;
}

/// Turns sums from a wall's frame to the world; the normal points from the body into the wall, `fallback` where it is not defined.
SCREE_HD PatchGeometry<Real> world_patch(const SeenBody& seen, const Overlap<Real>& sum, Vec3 fallback) {
    const Mat3T<Real> turn = cast<Real>(seen.frame);
    return patch_of(Overlap<Real>{sum.volume, turn * sum.area, turn * sum.moment, turn * sum.couple, turn * sum.direction},
                    cast<Real>(seen.frame * fallback));
}

/// The patch of what a smooth body touches of a surface in a wall's frame.
SCREE_HD PatchGeometry<Real> smooth_patch(const SeenBody& seen, SmoothTouch touch, Law law) {
    touch.normal = seen.frame * touch.normal;
    touch.point = seen.frame * touch.point;
    return patch_of(touch, law);
}

/// Overlap of a body with the slab of a piece; unit normal n to the free side, corners relative to the body's centre.
template <int Capacity>
SCREE_HD_SHARED void add_piece(const SeenBody& seen, Slab& slab, Vec3 n, double depth, Overlap<Real>& sum) {
    const double height = -dot(slab.corner[0], n);  // of the centre over the piece
    if (height > seen.radius || height < -(seen.radius + depth)) return;
    if (!cut_to_reach(slab, n, 1.5 * seen.radius + depth)) return;
    Prism<Real> prism;
    prism.set(slab, n, depth, seen.radius);
    add_to(sum, shared_region<Capacity>(seen.convex, prism.placed(static_cast<Real>(seen.radius)), cast<Real>(-n)));
}

template <int Capacity>
struct PlanePatches {
    BodyView body;
    PatchSettings s;
    PlaneView planes;
    const std::int32_t* surface;
    const WallPlace* places;

    SCREE_HD std::int32_t wall(Index p) const { return planes.wall[surface[p]]; }
    SCREE_HD PatchGeometry<Real> patch(Index i, Index p) const {
        const std::int32_t k = surface[p];
        if (places == nullptr) return find_plane_patch<Capacity>(body, s, i, planes.point[k], planes.normal[k]);
        const Pose pose = pose_in(&places[wall(p)]);
        return find_plane_patch<Capacity>(body, s, i, placed(pose, planes.point[k]), rotate(pose.turn, planes.normal[k]));
    }
    /// How deep the deepest corner lies below the surface along n, the patch's normal [m]; PatchGeometry::extent.
    SCREE_HD Real extent(Index i, Index p, Vec3T<Real> n) const {
        const std::int32_t k = surface[p];
        const Vec3 point = places == nullptr ? planes.point[k] : placed(pose_in(&places[wall(p)]), planes.point[k]);
        return support(body, s.shapes, i, n) - static_cast<Real>(dot(point - body.position[i], cast<double>(n)));
    }
};

/// A cylinder as a prism of many facets, half of each outside the circle and half inside; for bodies of the smallest size the circle is
/// missed by a thousandth of their radius at most.
template <int Capacity>
struct CylinderPatches {
    BodyView body;
    PatchSettings s;
    CylinderView cylinders;
    const std::int32_t* surface;
    const WallPlace* places;
    double min_radius;  // of all bodies [m]

    SCREE_HD std::int32_t wall(Index p) const { return cylinders.wall[surface[p]]; }

    struct Facets {
        double radius;      // of the corners [m]
        double half_angle;  // [rad]
        int count;
        double depth;
        bool outwards;  // slabs go away from the axis: the body is inside
    };
    SCREE_HD Facets facets_of(double radius, double depth, bool outwards) const {
        const double share = 1e-3 * min_radius / radius;
        double wanted = share < 1 ? 3.14159265358979324 / std::acos(1 - share) : 0;
        wanted = wanted < 24 ? 24 : (wanted > 1e5 ? 1e5 : wanted);
        Facets f;
        f.count = static_cast<int>(wanted) + 1;
        f.half_angle = 3.14159265358979324 / f.count;
        f.radius = 2 * radius / (1 + std::cos(f.half_angle));
        f.outwards = outwards;
        f.depth = f.outwards || depth < 0.9 * radius ? depth : 0.9 * radius;
        return f;
    }

    SCREE_HD PatchGeometry<Real> patch(Index i, Index p) const {
        const std::int32_t k = surface[p];
        const SeenBody seen = seen_from(body, s.shapes, i, places == nullptr ? nullptr : &places[wall(p)]);
        const Vec3 axis = cylinders.axis[k], from = seen.centre - cylinders.point[k];
        const double along = dot(from, axis), length = cylinders.length[k], r = seen.radius;
        const Vec3 radial = from - along * axis;
        const double rho = norm(radial);
        const bool tube = cylinders.inside[k] != 0, endless = length > 1e300;
        const bool beside = endless || (along >= -r && along <= length + r);
        if (!beside) return {};
        // Slabs of the two ends, and of opposite sides, must not meet.
        const double wanted = s.overlap_limit * r, thickness = tube || wanted < 0.45 * length ? wanted : 0.45 * length;
        const bool part = cylinders.cosine != nullptr && cylinders.cosine[k] > -1.5, inside = tube && rho < cylinders.radius[k];
        const bool within = part ? within_arc(seen.convex, arc_of(k, -radial)) : inside;  // a rod is solid
        if (PatchGeometry<Real> found; !part && find_smooth(seen, k, inside, found)) return found;
        const Facets f = facets_of(cylinders.radius[k], thickness, within);
        if (tube && f.outwards && rho + r < f.radius * std::cos(f.half_angle)) return {};
        if (!f.outwards && rho - r > f.radius) return {};
        // Ends of the piece of the cylinder beside the body, from the body's centre along the axis.
        const double low = endless || -along < -2 * r ? -2 * r : -along, high = endless || length - along > 2 * r ? 2 * r : length - along;
        const Vec3 helper = std::fabs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        // Facets follow the body, one of them in its middle: a turned scene, and a body that rolls round, sees the same ones.
        const Vec3 e1 = rho > 1e-9 * r ? radial / rho : normalized(cross(axis, helper)), e2 = cross(axis, e1);
        const Vec3 to_axis = -radial;
        const Vec3 fallback = inside ? radial / (rho > 0 ? rho : 1.0) : -radial / (rho > 0 ? rho : 1.0);
        if (part) return world_patch(seen, arc_overlap(seen, f, k, radial, rho, low, high), fallback);
        // Facets under the body: those that its bounding sphere, seen from the axis, covers.
        int first = 0, last = f.count - 1;
        if (rho > 1.001 * r) {
            const double half = std::asin(r / rho) + f.half_angle;
            last = static_cast<int>(std::floor((half + f.half_angle) / (2 * f.half_angle)));
            first = -last;
            if (last - first >= f.count) last = first + f.count - 1;
        }
        Overlap<Real> sum;
        const bool low_end = !endless && low > -2 * r, high_end = !endless && high < 2 * r;
        for (int m = first; m <= last; ++m) {
            const double a0 = (2 * m - 1) * f.half_angle, a1 = (2 * m + 1) * f.half_angle;
            const Vec3 u0 = std::cos(a0) * e1 + std::sin(a0) * e2, u1 = std::cos(a1) * e1 + std::sin(a1) * e2;
            add_facet(seen, f, to_axis, axis, u0, u1, low, high, !tube && low_end, !tube && high_end, sum);
            if (tube) continue;
            if (low_end) add_slice(seen, f, to_axis + low * axis, -axis, u0, u1, sum);
            if (high_end) add_slice(seen, f, to_axis + high * axis, axis, u0, u1, sum);
        }
        return world_patch(seen, sum, fallback);
    }

    /// Is it a smooth body? Then that is all.
    SCREE_HD bool find_smooth(const SeenBody& seen, std::int32_t k, bool inside, PatchGeometry<Real>& found) const {
        if (seen.convex.shape.smooth == nullptr) return false;
        const CylinderWall wall{cylinders.point[k] - seen.centre,
                                cylinders.axis[k],
                                cylinders.radius[k],
                                cylinders.length[k],
                                cylinders.inside[k] == 0,
                                inside};
        SmoothTouches touches;
        smooth_with_cylinder(smooth_of(seen.convex), wall, 0, touches);
        if (touches.count > 0) found = smooth_patch(seen, as_one(touches, exponent_of(s.law)), s.law);
        return true;
    }

    /// As PlanePatches::extent, below the plane with the normal n that touches the cylinder; 0 at its ends.
    SCREE_HD Real extent(Index i, Index p, Vec3T<Real> n) const {
        const std::int32_t k = surface[p];
        Vec3 x = body.position[i], m = cast<double>(n);
        if (places != nullptr) {
            const Pose pose = pose_in(&places[wall(p)]);
            x = in_frame(pose, x);
            m = rotate(conjugate(pose.turn), m);
        }
        if (std::fabs(dot(m, cylinders.axis[k])) > 0.1) return Real(0);
        const double out = dot(x - cylinders.point[k], m), R = cylinders.radius[k];
        return support(body, s.shapes, i, n) - static_cast<Real>(out > 0 ? R - out : -out - R);
    }

    SCREE_HD PlacedArc arc_of(std::int32_t k, Vec3 centre) const {
        return {{centre.x, centre.y, 0}, cylinders.radius[k], cylinders.middle[k], cylinders.cosine[k], cylinders.sine[k]};
    }

    /// Facets of an arc of a plane model, as many as fill its angle evenly; those that the body's bounding circle, seen from the centre,
    /// covers, all the way round.
    SCREE_HD Overlap<Real> arc_overlap(const SeenBody& seen, Facets f, std::int32_t k, Vec3 radial, double rho, double low,
                                       double high) const {
        constexpr double pi = 3.14159265358979324;
        const Vec3 axis = cylinders.axis[k], middle = cylinders.middle[k], side{-middle.y, middle.x, 0};
        const double most = std::atan2(cylinders.sine[k], cylinders.cosine[k]);  // half the arc's angle
        f.count = static_cast<int>(most / f.half_angle) + 1;
        f.half_angle = most / f.count;
        f.radius = 2 * cylinders.radius[k] / (1 + std::cos(f.half_angle));
        const bool all = !(rho > 1.001 * seen.radius);
        const double centre = all ? 0 : std::atan2(dot(radial, side), dot(radial, middle));
        const double half = all ? pi : std::asin(seen.radius / rho) + f.half_angle;
        Overlap<Real> sum;
        for (int turn = all ? 0 : -1; turn <= (all ? 0 : 1); ++turn) {
            const double from = centre + 2 * pi * turn + most;  // from the arc's first end
            double first = std::floor((from - half) / (2 * f.half_angle)), last = std::floor((from + half) / (2 * f.half_angle));
            first = first > 0 ? first : 0;
            last = last < f.count - 1 ? last : f.count - 1;
            for (int m = static_cast<int>(first); m <= static_cast<int>(last); ++m) {
                const double a0 = 2 * m * f.half_angle - most, a1 = a0 + 2 * f.half_angle;
                const Vec3 u0 = std::cos(a0) * middle + std::sin(a0) * side, u1 = std::cos(a1) * middle + std::sin(a1) * side;
                add_facet(seen, f, -radial, axis, u0, u1, low, high, false, false, sum);
            }
        }
        return sum;
    }

    /// The facet between directions u0 and u1; at an end with a cap its slab is cut along the bisector.
    SCREE_HD void add_facet(const SeenBody& seen, const Facets& f, Vec3 to_axis, Vec3 axis, Vec3 u0, Vec3 u1, double low, double high,
                            bool low_cap, bool high_cap, Overlap<Real>& sum) const {
        const double sign = f.outwards ? 1.0 : -1.0, stretch = sign / std::cos(f.half_angle);
        Slab slab;
        slab.corners = 4;
        const Vec3 in_low = low_cap ? axis : Vec3{}, in_high = high_cap ? -axis : Vec3{};
        const Vec3 u[4] = {u0, u0, u1, u1};
        for (int k = 0; k < 4; ++k) {
            const bool at_low = k == 0 || k == 3;
            slab.corner[k] = to_axis + (at_low ? low : high) * axis + f.radius * u[k];
            slab.way[k] = stretch * u[k] + (at_low ? in_low : in_high);
        }
        add_piece<Capacity>(seen, slab, -sign * normalized(u0 + u1), f.depth, sum);
    }

    /// The slice of a cap between u0 and u1; `centre` is the cap's, n its outward normal.
    SCREE_HD void add_slice(const SeenBody& seen, const Facets& f, Vec3 centre, Vec3 n, Vec3 u0, Vec3 u1, Overlap<Real>& sum) const {
        Slab slab;
        slab.corners = 3;
        slab.corner[0] = centre;
        slab.corner[1] = centre + f.radius * u0;
        slab.corner[2] = centre + f.radius * u1;
        const double stretch = 1 / std::cos(f.half_angle);
        slab.way[0] = -n;
        slab.way[1] = -n - stretch * u0;
        slab.way[2] = -n - stretch * u1;
        add_piece<Capacity>(seen, slab, n, f.depth, sum);
    }
};

template <int Capacity>
struct MeshPatches {
    BodyView body;
    PatchSettings s;
    MeshView mesh;
    TileView tiles;
    const std::int32_t* surface;
    const RowStart* row_start;
    const Index *triangle_start, *triangle_end;
    const std::int32_t* triangle;
    const WallPlace* places;
    ConvexPairView pairs;  // with polyhedra, of which some may be held and lie flush with patches

    SCREE_HD std::int32_t wall(Index p) const { return mesh.patch_wall[surface[p]]; }

    /// Is the body on the side of the component that its signed normals point to? Asked of the nearest triangle; where an edge or corner is
    /// nearest, of the triangle there that faces the body most.
    SCREE_HD bool in_front(Index i, Index p, std::int32_t component, Vec3 centre) const {
        double nearest = 1e300, facing = 0;
        const std::int32_t own = wall(p);
        for (Index q = row_start[i]; q < row_start[i + 1]; ++q) {
            if (mesh.patch_wall[surface[q]] != own) continue;
            const Vec3 normal = mesh.patch_normal[surface[q]];
            const double height = dot(centre - mesh.patch_point[surface[q]], normal);
            for (Index k = triangle_start[q]; k < triangle_end[q]; ++k) {
                const std::int32_t t = triangle[k];
                if (tiles.component[t] != component) continue;
                const double d2 = nearest_feature(mesh, t, centre).distance2;
                const double toward = tiles.sign[t] * height;
                const bool nearer = d2 < nearest * (1 - 1e-9);
                const bool same = !nearer && d2 <= nearest * (1 + 1e-9);
                if (nearer || (same && std::fabs(toward) > std::fabs(facing))) facing = toward;
                if (nearer) nearest = d2;
            }
        }
        return facing >= 0;
    }

    /// Is the body before patch p, not behind that face of a wall?
    SCREE_HD bool faces(const SeenBody& seen, Index i, Index p) const {
        if (triangle_start[p] == triangle_end[p]) return false;
        const std::int32_t k = surface[p], t = triangle[triangle_start[p]];
        const double height = dot(seen.centre - mesh.patch_point[k], mesh.patch_normal[k]);
        const bool front = in_front(i, p, tiles.component[t], seen.centre);
        return ((tiles.sign[t] > 0) == front) == (height >= 0);
    }

    /// Where a smooth body touches patch p, in the wall's frame.
    SCREE_HD bool smooth_touch(const SeenBody& seen, Index i, Index p, double margin, SmoothTouch& touch) const {
        const std::int32_t k = surface[p];
        const SmoothMesh own{mesh, smooth_of(seen.convex), seen.centre, margin};
        const OnPatch place = own.on_patch(k, triangle, triangle_start[p], triangle_end[p], touch);
        if (place == OnPatch::Apart) return false;
        if (place == OnPatch::Over && faces(seen, i, p)) return true;
        // Of patches that join flush the one below has the contact.
        const std::int32_t group = tiles.group == nullptr ? -1 : tiles.group[k];
        for (Index q = row_start[i]; group >= 0 && q < row_start[i + 1]; ++q)
            if (q != p && tiles.group[surface[q]] == group &&
                own.on_patch(surface[q], triangle, triangle_start[q], triangle_end[q], touch) == OnPatch::Over)
                return false;
        return own.at_rim(k, triangle, triangle_start[p], triangle_end[p], touch);
    }

    /// What body i shares with the slabs of pair p, in the wall's frame; n: their normal, towards the body.
    SCREE_HD Overlap<Real> overlap_with(const SeenBody& seen, Index i, Index p, Vec3& n) const {
        const std::int32_t k = surface[p];
        const Vec3 normal = mesh.patch_normal[k];
        const double height = dot(seen.centre - mesh.patch_point[k], normal);
        if (std::fabs(height) > seen.radius) return {};
        std::int32_t component = -1;
        bool front = true;
        Overlap<Real> sum;
        n = height >= 0 ? normal : -normal;
        for (Index q = triangle_start[p]; q < triangle_end[p]; ++q) {
            const std::int32_t t = triangle[q];
            if (tiles.component[t] != component) {
                component = tiles.component[t];
                front = in_front(i, p, component, seen.centre);
            }
            const bool along = (tiles.sign[t] > 0) == front;  // the free side is the one the patch's normal points to
            if (along != (height >= 0)) continue;             // the body is behind this face of the wall
            n = along ? normal : -normal;
            Slab slab;
            slab.corners = 3;
            for (int c = 0; c < 3; ++c) {
                slab.corner[c] = mesh.vertex[mesh.triangle[3 * t + c]] - seen.centre;
                slab.way[c] = front ? tiles.way[3 * t + c] : -tiles.way[3 * t + c];
            }
            const double most = tiles.depth[2 * t + (front ? 0 : 1)], wanted = s.overlap_limit * seen.radius;
            add_piece<Capacity>(seen, slab, n, most < wanted ? most : wanted, sum);
        }
        // A body whose centre has just come round an edge of the wall is let in by degrees, so that the force stays continuous; one that
        // lies on the face has its centre an inradius away.
        const double whole = 0.5 * s.shapes.entry[body.shape[i]].inradius * seen.radius, share = std::fabs(height) / whole;
        if (share < 1) weigh(sum, static_cast<Real>(share));
        return sum;
    }

    /// Does patch k begin behind a surface of joined patches before which the body lies?
    SCREE_HD bool buried(std::int32_t k, Vec3 centre) const {
        for (int m = 0; m < 4 && tiles.behind[4 * k + m] >= 0; ++m) {
            const std::int32_t g = tiles.behind[4 * k + m];
            const Vec3 normal = mesh.patch_normal[g];
            if (dot(centre - mesh.patch_point[g], normal) * dot(mesh.patch_point[k] - mesh.patch_point[g], normal) < 0) return true;
        }
        return false;
    }

    /// Adds what body i shares with held bodies that have a face of this group before it. n: the patch's normal, towards the body.
    SCREE_HD void add_held(const SeenBody& seen, Index i, std::int32_t group, Vec3 n, Overlap<Real>& all) const {
        if (pairs.row_start == nullptr) return;
        for (Index k = pairs.row_start[i]; k < pairs.row_start[i + 1]; ++k) {
            const Index q = static_cast<Index>(pairs.entry[k] >> 1), other = (pairs.entry[k] & 1u) != 0 ? pairs.a[q] : pairs.b[q];
            if (!s.flush.has_before(body.id[other], group, seen.centre)) continue;
            const Vec3 d = relative_position(seen.centre, body.position[other]);
            const double reach = seen.radius + body.radius[other];
            if (!(norm2(d) < reach * reach)) continue;
            add_to(all, shared_region<Capacity>(seen.convex, placed(body, s.shapes, other, cast<Real>(d)), cast<Real>(-n)));
        }
    }
    /// Adds what body i shares with patches that join a face of held body `id` before it.
    SCREE_HD void add_joined(Index i, std::uint32_t id, Overlap<Real>& all) const {
        if (row_start == nullptr || tiles.group == nullptr) return;
        const SeenBody seen = seen_from(body, s.shapes, i, nullptr);
        Vec3 n;
        for (Index q = row_start[i]; q < row_start[i + 1]; ++q) {
            const std::int32_t group = tiles.group[surface[q]];
            if (group >= 0 && s.flush.has_before(id, group, seen.centre) && !buried(surface[q], seen.centre))
                add_to(all, overlap_with(seen, i, q, n));
        }
    }

    /// Of patches that join flush the whole surface counts, and the share of it that is this one's.
    SCREE_HD PatchGeometry<Real> patch(Index i, Index p) const {
        const SeenBody seen = seen_from(body, s.shapes, i, places == nullptr ? nullptr : &places[wall(p)]);
        if (tiles.group != nullptr && buried(surface[p], seen.centre)) return {};
        if (seen.convex.shape.smooth != nullptr) {
            SmoothTouch touch;
            return smooth_touch(seen, i, p, 0, touch) ? smooth_patch(seen, touch, s.law) : PatchGeometry<Real>{};
        }
        Vec3 n, unused;
        const Overlap<Real> own = overlap_with(seen, i, p, n);
        if (!(own.volume > Real(0))) return {};
        const std::int32_t group = tiles.group == nullptr ? -1 : tiles.group[surface[p]];
        if (group < 0) return world_patch(seen, own, -n);
        Overlap<Real> all;
        for (Index q = row_start[i]; q < row_start[i + 1]; ++q) {
            if (q == p) {
                add_to(all, own);
            } else if (tiles.group[surface[q]] == group) {
                add_to(all, overlap_with(seen, i, q, unused));
            }
        }
        if (s.flush.walls && s.mode != Patch::Vertices) add_held(seen, i, group, n, all);
        PatchGeometry<Real> found = world_patch(seen, all, -n);
        found.share = own.volume / all.volume;
        return found;
    }
    /// As PlanePatches::extent, below the patch's plane; 0 where the normal is that of a rim.
    SCREE_HD Real extent(Index i, Index p, Vec3T<Real> n) const {
        Vec3 point = mesh.patch_point[surface[p]], normal = mesh.patch_normal[surface[p]];
        if (places != nullptr) {
            const Pose pose = pose_in(&places[wall(p)]);
            point = placed(pose, point);
            normal = rotate(pose.turn, normal);
        }
        const Vec3 m = cast<double>(n);
        if (std::fabs(dot(m, normal)) < 0.99) return Real(0);
        return support(body, s.shapes, i, n) - static_cast<Real>(dot(point - body.position[i], m));
    }
};

template <int Capacity>
PlanePatches<Capacity> plane_patches(State& state, Workspace& work, const PatchSettings& s) {
    return {state.bodies.view(), s, work.walls.plane_view(), state.lists[kConvexPlanes].b.data(), work.walls.motions.places()};
}
template <int Capacity>
CylinderPatches<Capacity> cylinder_patches(State& state, Workspace& work, const PatchSettings& s) {
    return {state.bodies.view(), s, work.walls.cylinder_view(), state.lists[kConvexCylinders].b.data(), work.walls.motions.places(),
            work.min_radius};
}
template <int Capacity>
MeshPatches<Capacity> mesh_patches(State& state, Workspace& work, const PatchSettings& s) {
    ContactList& m = state.lists[kConvexMeshes];
    ContactList& pairs = state.lists[kConvex];
    return {state.bodies.view(),
            s,
            work.walls.mesh_view(),
            work.tiles.view(),
            m.b.data(),
            m.size() > 0 ? m.row_start.data() : nullptr,
            m.triangle_start.data(),
            m.triangle_end.data(),
            m.triangle.data(),
            work.walls.motions.places(),
            pairs.size() > 0 ? convex_pair_view(pairs) : ConvexPairView{}};
}

}  // namespace scree::SCREE_FLAVOR
