// Pairs with polyhedra -> the geometry of their contacts, as forces, energies and records find it. What is held and lies flush counts as
// one surface (state/flush_bodies.hpp): of polyhedra that touch it the region shared with all of it makes the contact, each pair bears its
// share; of spheres an edge that another face covers is not there.
#pragma once

#include <limits>

#include "engine/penalty/patch_input.hpp"

namespace scree::SCREE_FLAVOR {

struct ConvexPairView {
    const Slot *a, *b;
    const std::int32_t* law;
    ContactView contact;
    PatchView patch;
    const RowStart* row_start;
    const std::uint32_t* entry;
};

inline ConvexPairView convex_pair_view(ContactList& pairs) {
    return {pairs.a.data(),       pairs.b.data(),         pairs.law.data(),  pairs.contacts.view(),
            pairs.patches.view(), pairs.row_start.data(), pairs.entry.data()};
}

SCREE_HD void add_to(Overlap<Real>& sum, const Overlap<Real>& o) {
    sum.volume += o.volume;
    sum.area += o.area;
    sum.direction += o.area;  // sides of a piece are no surface: those of neighbours cancel in the area
    sum.moment += o.moment;
    sum.couple += o.couple;
}

/// A seen as B: about B's centre, which is at `to` from A's.
SCREE_HD Overlap<Real> seen_from_b(const Overlap<Real>& o, Vec3T<Real> to) {
    return {o.volume, -o.area, o.moment - o.volume * to, cross(to, o.area) - o.couple, -o.direction};
}

/// Does the pair have one body, and one only, whose faces go on in others?
SCREE_HD bool is_flush(const BodyView& body, const PatchSettings& s, Index i, Index j) {
    return s.flush.any() && s.flush.joins(body.id[i]) != s.flush.joins(body.id[j]);
}

/// Where a sphere touches patches of meshes, as its forces found it this step.
struct TouchedPatches {
    const RowStart* row_start;  // null: there are none
    const std::int32_t *patch, *group;
    Vec3View<double> normal, patch_normal;
    const double* distance;

    /// Is the foot of the sphere on the plane of pair q's patch touched, and is it of this group?
    SCREE_HD bool touches_face(Index q, std::int32_t of, double radius) const {
        if (group[patch[q]] != of || !(distance[q] < radius)) return false;
        const double along = dot(normal[q], patch_normal[patch[q]]);
        return along * along > 1 - 1e-12;
    }
};

/// Is the place where sphere m touches polyhedron h no edge but within a face of another one or of a wall, or touched there too?
SCREE_HD bool is_covered(const BodyView& body, const ConvexPairView& v, const TouchedPatches& walls, Index p, const PatchSettings& s,
                         Index m, Index h) {
    const Vec3 x = body.position[m];
    // Nearest points are as exact as the numbers that corners of the larger body have.
    const double rounding = 8 * static_cast<double>(std::numeric_limits<Real>::epsilon());
    const double flush = 1e-4 * body.radius[m] + rounding * body.radius[h];
    const auto nearest = [&](Index c) {
        return nearest_to(placed(body, s.shapes, c, cast<Real>(relative_position(x, body.position[c]))), Vec3T<Real>{});
    };
    const NearestPoint<Real> own = nearest(h);
    for (Index k = v.row_start[m]; k < v.row_start[m + 1]; ++k) {
        const Index q = static_cast<Index>(v.entry[k] >> 1), other = (v.entry[k] & 1u) != 0 ? v.a[q] : v.b[q];
        if (q == p || !s.flush.joined_before(body.id[h], body.id[other], x)) continue;
        const NearestPoint<Real> there = nearest(other);
        if (!(static_cast<double>(there.distance) < body.radius[m])) continue;
        for (std::int32_t f = s.flush.start[body.id[h]]; f < s.flush.start[body.id[h] + 1]; ++f) {
            const FlushFace& face = s.flush.face[f];
            if (!s.flush.before(face, x) || !s.flush.has(body.id[other], face.group)) continue;
            // The place on the face's plane below the sphere: what is touched there is touched as a face.
            const Vec3 foot = -dot(x - face.point, face.normal) * face.normal;
            if (!(norm2(cast<double>(there.point) - foot) < flush * flush)) continue;
            if (norm2(cast<double>(own.point) - foot) < flush * flush) {
                if (body.id[other] < body.id[h]) return true;
            } else if (dot(cast<double>(own.point) - foot, face.normal) < flush) {
                return true;
            }
        }
    }
    if (!s.flush.walls || walls.row_start == nullptr) return false;
    for (std::int32_t f = s.flush.start[body.id[h]]; f < s.flush.start[body.id[h] + 1]; ++f) {
        const FlushFace& face = s.flush.face[f];
        if (!s.flush.before(face, x)) continue;
        const Vec3 foot = -dot(x - face.point, face.normal) * face.normal;
        if (dot(cast<double>(own.point) - foot, face.normal) >= flush) continue;
        for (Index q = walls.row_start[m]; q < walls.row_start[m + 1]; ++q) {
            if (walls.touches_face(q, face.group, body.radius[m])) return true;
        }
    }
    return false;
}

/// In place of a feature, which spheres have none of: the contact of the sphere is covered.
inline constexpr std::int32_t covered_contact = -2;

/// The contact of pair p of a sphere and a polyhedron, once what is covered has been marked; delta < 0 where there is none.
SCREE_HD MixedContact mixed_contact(const BodyView& body, const ConvexPairView& v, Index p, const PatchSettings& s) {
    MixedContact found = mixed_contact(body, s, v.a[p], v.b[p], v.contact.stretch[p]);
    if (s.flush.any() && v.patch.feature[p] == covered_contact) found.in.delta = Real(-1);
    return found;
}

}  // namespace scree::SCREE_FLAVOR
