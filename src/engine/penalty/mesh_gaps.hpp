// Pairs of a sphere and mesh patches where kernels read them, and the gaps of all patches near one sphere. Shared by all methods.
#pragma once

#include "engine/narrow/sphere_mesh.hpp"
#include "engine/state/wall_motion.hpp"

namespace scree::SCREE_FLAVOR {

struct MeshPairView {
    const Slot* near_body;
    const RowStart* row_start;
    const std::int32_t* patch;
    const std::int32_t* law;
    const Index* triangle_start;
    const Index* triangle_end;
    const std::int32_t* triangle;
    Vec3View<double> normal;
    double* distance;
    ContactView contact;
};

inline MeshPairView view_of(ContactList& list) {
    return {list.near_body.data(),    list.row_start.data(), list.b.data(),      list.law.data(),      list.triangle_start.data(),
            list.triangle_end.data(), list.triangle.data(),  list.normal.view(), list.distance.data(), list.contacts.view()};
}

/// A contact that begins on one patch takes what one of the same wall remembers that has just ended, the nearest in normal; of another wall
/// where they are flush.
template <class History>
SCREE_HD void pass_history(const MeshView& mesh, const MeshPairView& pairs, const History& history, Index first, Index last,
                           double radius) {
    for (Index p = first; p < last; ++p) {
        if (pairs.distance[p] >= radius || history.any(p)) continue;
        Index from = -1;
        double nearest = 0.5;  // normals more than 60 degrees apart belong to different contacts
        for (Index q = first; q < last; ++q) {
            if (pairs.distance[q] < radius) continue;
            if (!history.any(q)) continue;
            const double alike = dot(pairs.normal[p], pairs.normal[q]);
            constexpr double flush = 0.999;
            if (alike < flush && mesh.patch_wall[pairs.patch[q]] != mesh.patch_wall[pairs.patch[p]]) continue;
            if (alike > nearest) {
                nearest = alike;
                from = q;
            }
        }
        if (from < 0) continue;
        history.move(from, p);
    }
}

/// The same of a vector, and of what a normal law with a memory keeps.
struct VectorHistory {
    Vec3View<Real> value;
    SCREE_HD bool any(Index p) const { return norm2(value[p]) > Real(0); }
    SCREE_HD void move(Index from, Index to) const {
        value.set(to, value[from]);
        value.set(from, {Real(0), Real(0), Real(0)});
    }
};
SCREE_HD void pass_on(const MeshView& mesh, const MeshPairView& pairs, const Vec3View<Real>& history, Index first, Index last,
                      double radius) {
    pass_history(mesh, pairs, VectorHistory{history}, first, last, radius);
}
struct PlasticHistory {
    Real *deepest, *softened;
    SCREE_HD bool any(Index p) const { return deepest[p] > Real(0); }
    SCREE_HD void move(Index from, Index to) const {
        deepest[to] = deepest[from];
        softened[to] = softened[from];
        deepest[from] = softened[from] = Real(0);
    }
};

/// Gaps of all patches near one body, into normal and distance. places: null where no wall moves.
SCREE_HD void find_patch_gaps(const MeshView& mesh, const MeshPairView& pairs, const WallPlace* places, Index first, Index last,
                              Vec3 centre, double radius) {
    for (Index p = first; p < last; ++p) {
        const Pose* pose = places == nullptr ? nullptr : &places[mesh.patch_wall[pairs.patch[p]]].pose;
        const Vec3 c = pose == nullptr ? centre : in_frame(*pose, centre);
        const PatchGap gap = patch_gap(mesh, pairs.patch[p], pairs.triangle, pairs.triangle_start[p], pairs.triangle_end[p], c, radius);
        pairs.normal.set(p, pose == nullptr ? gap.normal : rotate(pose->turn, gap.normal));
        pairs.distance[p] = gap.owns ? gap.distance : no_contact;
    }
}

}  // namespace scree::SCREE_FLAVOR
