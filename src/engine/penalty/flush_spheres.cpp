#include "engine/penalty/flush_spheres.hpp"

#include "engine/penalty/convex_walls.hpp"
#include "engine/penalty/flush_patches.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Is the contact of sphere i with an edge of pair p's patch within a face of a held body that joins the patch?
SCREE_HD bool is_within_held(const BodyView& body, const ConvexPairView& v, const PatchSettings& s, const MeshView& mesh,
                             std::int32_t patch, std::int32_t group, Index i) {
    const Vec3 x = body.position[i], normal = mesh.patch_normal[patch];
    const Vec3 foot = -dot(x - mesh.patch_point[patch], normal) * normal;
    const double flush = 1e-4 * body.radius[i];
    for (Index k = v.row_start[i]; k < v.row_start[i + 1]; ++k) {
        const Index q = static_cast<Index>(v.entry[k] >> 1), other = (v.entry[k] & 1u) != 0 ? v.a[q] : v.b[q];
        if (!s.flush.has_before(body.id[other], group, x)) continue;
        const Vec3T<Real> to = cast<Real>(relative_position(x, body.position[other]));
        const NearestPoint<Real> near = nearest_to(placed(body, s.shapes, other, to), Vec3T<Real>{});
        const double buffers = flush + 8 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * body.radius[other];
        if (norm2(cast<double>(near.point) - foot) < buffers * buffers) return true;
    }
    return false;
}

}  // namespace

void mark_covered(const Model& model, State& state, Workspace& work) {
    ContactList& pairs = state.lists[kMixed];
    const PatchSettings s = patch_settings(model, work);
    if (!s.flush.any() || pairs.size() == 0) return;
    const BodyView body = state.bodies.view();
    const ConvexPairView v = convex_pair_view(pairs);
    ContactList& meshes = state.lists[kMeshes];
    const TouchedPatches walls{meshes.size() > 0 ? meshes.row_start.data() : nullptr,
                               meshes.b.data(),
                               work.tiles.view().group,
                               meshes.normal.view(),
                               work.walls.patch_normal.view(),
                               meshes.distance.data()};
    for_each(
        work.exec, "penalty/mark_covered", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = v.a[p], j = v.b[p];
            const bool first = body.is_sphere(i);
            const bool covered = is_flush(body, s, i, j) && is_covered(body, v, walls, p, s, first ? i : j, first ? j : i);
            v.patch.feature[p] = covered ? covered_contact : Patches::none;
        },
        work.flags.gate());
}

bool find_covered_gaps(const Model& model, State& state, Workspace& work) {
    const PatchSettings s = patch_settings(model, work);
    const std::int32_t* group = work.tiles.view().group;
    ContactList& list = state.lists[kMeshes];
    if (!s.flush.walls || group == nullptr || list.size() == 0 || state.lists[kMixed].size() == 0) return false;
    const BodyView body = state.bodies.view();
    const MeshView mesh = work.walls.mesh_view();
    const MeshPairView pairs = view_of(list);
    const ConvexPairView v = convex_pair_view(state.lists[kMixed]);
    const WallPlace* places = work.walls.motions.places();
    for_each(
        work.exec, "penalty/covered_gaps", list.near_body.size(),
        SCREE_LAMBDA(Index k)->void {
            const Index i = pairs.near_body[k], first = pairs.row_start[i], last = pairs.row_start[i + 1];
            find_touched_patches(mesh, pairs, places, first, last, body.position[i], body.radius[i]);
            for (Index p = first; p < last; ++p) {
                const std::int32_t patch = pairs.patch[p];
                if (group[patch] < 0 || !(pairs.distance[p] < body.radius[i]) || touches_face(mesh, pairs, places, p)) continue;
                if (is_within_held(body, v, s, mesh, patch, group[patch], i)) pairs.distance[p] = no_contact;
            }
        },
        work.flags.gate());
    return true;
}

}  // namespace scree::SCREE_FLAVOR
