// Pairs of polyhedra -> the patch of their contact, of held ones that lie flush with others or with walls from all that is shared with the
// surface that they make; each bears its share.
#pragma once

#include "engine/penalty/convex_walls.hpp"

namespace scree::SCREE_FLAVOR {

/// The patch of pair p, one of whose bodies goes on in others or in patches of walls. Of what pairs remember its own alone is read: others
/// may be writing theirs.
template <int Capacity>
SCREE_HD_SHARED PatchGeometry<Real> flush_patch(const BodyView& body, const ConvexPairView& v, const MeshPatches<Capacity>& walls, Index p,
                                                const PatchSettings& s) {
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
        const Overlap<Real> o = find_region<Capacity>(moving, placed(body, s.shapes, other, cast<Real>(d)), axis, feature, along);
        if (!(o.volume > Real(0))) continue;
        add_to(all, o);
        if (q != p) continue;
        own = o.volume;
        n = along;
    }
    if (!(own > Real(0))) return {};
    if (s.flush.walls) walls.add_joined(m, body.id[h], all);
    const Vec3T<Real> to = cast<Real>(relative_position(x, body.position[h]));
    PatchGeometry<Real> found = a_held ? patch_of(seen_from_b(all, to), -n) : patch_of(all, n);
    found.share = own / all.volume;
    return found;
}

/// The patch of pair p by itself; `feature` as in find_patch.
template <int Capacity>
SCREE_HD PatchGeometry<Real> lone_patch(const BodyView& body, const ConvexPairView& v, Index p, const PatchSettings& s,
                                        std::int32_t& feature) {
    const Index i = v.a[p], j = v.b[p];
    const Vec3 d = relative_position(body.position[i], body.position[j]);
    const double reach = body.radius[i] + body.radius[j];
    if (!(norm2(d) < reach * reach)) return {};
    if (is_smooth(body, s.shapes, i) && is_smooth(body, s.shapes, j)) return smooth_pair_patch(body, s, i, j, d, v.patch.axis[p], feature);
    const PlacedConvex<Real> A = placed(body, s.shapes, i, {}), B = placed(body, s.shapes, j, cast<Real>(d));
    return find_patch<Capacity>(A, B, v.patch.axis[p], s, feature);
}

/// The patch of pair p, whether it lies flush with more or not.
template <int Capacity>
SCREE_HD PatchGeometry<Real> pair_patch(const BodyView& body, const ConvexPairView& v, const MeshPatches<Capacity>& walls, Index p,
                                        const PatchSettings& s, std::int32_t& feature) {
    if (s.mode != Patch::Vertices && is_flush(body, s, v.a[p], v.b[p])) return flush_patch<Capacity>(body, v, walls, p, s);
    return lone_patch<Capacity>(body, v, p, s, feature);
}

}  // namespace scree::SCREE_FLAVOR
