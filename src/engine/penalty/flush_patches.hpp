// Edges of walls that lie flush against other walls do not exist: which of the patches that one sphere touches are left out.
// In: the gaps of all patches near the sphere, edges within a wall sorted out. Out: distances, no_contact where a patch is left out.
#pragma once

#include "engine/penalty/mesh_gaps.hpp"

namespace scree::SCREE_FLAVOR {

/// Is the contact of pair p one of the patch's face, not of its edges or corners?
SCREE_HD bool touches_face(const MeshView& mesh, const MeshPairView& pairs, const WallPlace* places, Index p) {
    const std::int32_t patch = pairs.patch[p];
    const Vec3 normal = mesh.patch_normal[patch];
    const Vec3 now = places == nullptr ? normal : rotate(places[mesh.patch_wall[patch]].pose.turn, normal);
    const double along = dot(pairs.normal[p], now);
    return along * along > 1 - 1e-12;
}

/// A point on or behind the plane of another wall's face that is touched is no edge: a flush seam, a corner below a floor. Of two faces
/// that are touched at one point, where they join, the first stays. Points within 1e-4 radius of a plane count as on it. Pairs first … last
/// - 1 belong to one body.
SCREE_HD void drop_flush_edges(const MeshView& mesh, const MeshPairView& pairs, const WallPlace* places, Index first, Index last,
                               double radius) {
    const double flush = 1e-4 * radius;
    for (Index p = first; p < last; ++p) {
        if (!(pairs.distance[p] < radius)) continue;
        const std::int32_t wall = mesh.patch_wall[pairs.patch[p]];
        for (Index q = first; q < last && pairs.distance[p] < radius; ++q) {
            if (q == p || !(pairs.distance[q] < radius) || mesh.patch_wall[pairs.patch[q]] == wall) continue;
            if (!touches_face(mesh, pairs, places, q)) continue;
            const Vec3 n = pairs.normal[q];
            // How far p's point is behind the plane of q's face.
            const double behind = pairs.distance[p] * dot(pairs.normal[p], n) - pairs.distance[q];
            if (touches_face(mesh, pairs, places, p)) {
                if (q < p && norm2(pairs.distance[p] * pairs.normal[p] - pairs.distance[q] * n) < flush * flush)
                    pairs.distance[p] = no_contact;
            } else if (behind > -flush) {
                pairs.distance[p] = no_contact;
            }
        }
    }
}

/// Gaps of all patches near one body, less what others of them stand for.
SCREE_HD void find_touched_patches(const MeshView& mesh, const MeshPairView& pairs, const WallPlace* places, Index first, Index last,
                                   Vec3 centre, double radius) {
    find_patch_gaps(mesh, pairs, places, first, last, centre, radius);
    keep_one_of_equals(mesh, pairs.patch, pairs.normal, pairs.distance, first, last, radius);
    drop_flush_edges(mesh, pairs, places, first, last, radius);
}

}  // namespace scree::SCREE_FLAVOR
