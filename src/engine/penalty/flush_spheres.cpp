#include "engine/penalty/flush_spheres.hpp"

#include "engine/penalty/convex_walls.hpp"
#include "engine/penalty/flush_patches.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Does sphere i touch a face of a held body that goes on in others, on or behind whose plane `at` lies, seen from the sphere's centre? Of
/// the patches that meet in an edge the one that has its contact need not be the one that goes on in the body.
SCREE_HD bool is_within_held(const BodyView& body, const ConvexPairView& v, const PatchSettings& s, Index i, Vec3 at) {
    const Vec3 x = body.position[i];
    for (Index k = v.row_start[i]; k < v.row_start[i + 1]; ++k) {
        const Index q = static_cast<Index>(v.entry[k] >> 1), held = (v.entry[k] & 1u) != 0 ? v.a[q] : v.b[q];
        const std::uint32_t id = body.id[held];
        if (!s.flush.joins(id)) continue;
        const Vec3T<Real> to = cast<Real>(relative_position(x, body.position[held]));
        const NearestPoint<Real> near = nearest_to(placed(body, s.shapes, held, to), Vec3T<Real>{});
        if (!(static_cast<double>(near.distance) < body.radius[i])) continue;
        const double rounding = 8 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * body.radius[held];
        const double flush = 1e-4 * body.radius[i] + rounding;
        for (std::int32_t f = s.flush.start[id]; f < s.flush.start[id + 1]; ++f) {
            const FlushFace& face = s.flush.face[f];
            if (!s.flush.before(face, x)) continue;
            const Vec3 foot = -dot(x - face.point, face.normal) * face.normal;
            if (norm2(cast<double>(near.point) - foot) < flush * flush && dot(at - foot, face.normal) < flush) return true;
        }
    }
    return false;
}

/// What pair p, which has no history, takes from a contact with a held body that joins its patch.
SCREE_HD void take_history(const BodyView& body, const ConvexPairView& v, const PatchSettings& s, const MeshPairView& pairs, Index p,
                           std::int32_t group, Index i) {
    for (Index k = v.row_start[i]; k < v.row_start[i + 1]; ++k) {
        const Index q = static_cast<Index>(v.entry[k] >> 1);
        const bool second = (v.entry[k] & 1u) != 0;
        const Vec3T<Real> stretch = v.contact.stretch[q];
        if (!(norm2(stretch) > Real(0)) || !s.flush.has_before(body.id[second ? v.a[q] : v.b[q]], group, body.position[i])) continue;
        pairs.contact.stretch.set(p, second ? -stretch : stretch);
        return;
    }
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
                if (!(pairs.distance[p] < body.radius[i])) continue;
                const std::int32_t own = group[pairs.patch[p]];
                if (!touches_face(mesh, pairs, places, p)) {
                    if (is_within_held(body, v, s, i, pairs.distance[p] * pairs.normal[p])) pairs.distance[p] = no_contact;
                } else if (own >= 0 && !(norm2(pairs.contact.stretch[p]) > Real(0))) {
                    take_history(body, v, s, pairs, p, own, i);
                }
            }
        },
        work.flags.gate());
    return true;
}

}  // namespace scree::SCREE_FLAVOR
