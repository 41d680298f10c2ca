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

/// The patch of pair p, one of whose bodies goes on in others. Of what pairs remember its own alone is read: others may be writing theirs.
template <int Room>
SCREE_HD_SHARED PatchGeometry<Real> flush_patch(const BodyView& body, const ConvexPairView& v, Index p, const PatchSettings& s) {
    const bool a_held = s.flush.joins(body.id[v.a[p]]);
    const Index m = a_held ? v.b[p] : v.a[p], h = a_held ? v.a[p] : v.b[p];
    const Vec3 x = body.position[m];
    const PlacedConvex<Real> moving = placed(body, s.shapes, m, {});
    const Vec3T<Real> axis = a_held ? -v.patch.axis[p] : v.patch.axis[p];
    Overlap<Real> all;
    Real own = Real(0);
    Vec3T<Real> n;
    for (Index k = v.row_start[m]; k < v.row_start[m + 1]; ++k) {
        const Index q = static_cast<Index>(v.entry[k] >> 1);
        const Index other = (v.entry[k] & 1u) != 0 ? v.a[q] : v.b[q];
        if (q != p && !s.flush.joined_before(body.id[h], body.id[other], x)) continue;
        const Vec3 d = relative_position(x, body.position[other]);
        const double reach = body.radius[m] + body.radius[other];
        if (!(norm2(d) < reach * reach)) continue;
        std::int32_t feature = Patches::none;
        Vec3T<Real> along;
        const Overlap<Real> o = find_region<Room>(moving, placed(body, s.shapes, other, cast<Real>(d)), axis, feature, along);
        if (!(o.volume > Real(0))) continue;
        add_to(all, o);
        if (q != p) continue;
        own = o.volume;
        n = along;
    }
    if (!(own > Real(0))) return {};
    const Vec3T<Real> to = cast<Real>(relative_position(x, body.position[h]));
    PatchGeometry<Real> found = a_held ? patch_of(seen_from_b(all, to), -n) : patch_of(all, n);
    found.share = own / all.volume;
    return found;
}

/// The patch of pair p by itself; `feature` as in find_patch.
template <int Room>
SCREE_HD PatchGeometry<Real> lone_patch(const BodyView& body, const ConvexPairView& v, Index p, const PatchSettings& s,
                                        std::int32_t& feature) {
    const Index i = v.a[p], j = v.b[p];
    const Vec3 d = relative_position(body.position[i], body.position[j]);
    const double reach = body.radius[i] + body.radius[j];
    if (!(norm2(d) < reach * reach)) return {};
    const PlacedConvex<Real> A = placed(body, s.shapes, i, {}), B = placed(body, s.shapes, j, cast<Real>(d));
    return find_patch<Room>(A, B, v.patch.axis[p], s, feature);
}

/// The patch of pair p, whether it lies flush with more or not.
template <int Room>
SCREE_HD PatchGeometry<Real> pair_patch(const BodyView& body, const ConvexPairView& v, Index p, const PatchSettings& s,
                                        std::int32_t& feature) {
    if (s.mode != Patch::Vertices && is_flush(body, s, v.a[p], v.b[p])) return flush_patch<Room>(body, v, p, s);
    return lone_patch<Room>(body, v, p, s, feature);
}

/// Is the place where sphere m touches polyhedron h no edge but within a face of another one, or touched there too?
SCREE_HD bool is_covered(const BodyView& body, const ConvexPairView& v, Index p, const PatchSettings& s, Index m, Index h) {
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
