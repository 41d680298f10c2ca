#include "engine/broad/broad.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

SCREE_HD void copy_contact(const ContactView& to, Index p, const ContactView& from, Index q) {
    to.stretch.set(p, from.stretch[q]);
    if (from.force.x == nullptr) return;
    to.force.set(p, from.force[q]);
    to.twist.set(p, from.twist[q]);
}

/// Pairs of a list set aside, by their lower slot.
struct OldRows {
    const RowStart* first;
    const Slot *higher, *crossing;
    Index inner, all;

    SCREE_HD Index find(Index from, Index to, Slot high) const {
        for (Index p = from; p < to; ++p) {
            if (higher[p] == high) return p;
        }
        return -1;
    }
    /// The first pair from `inner` on whose lower slot is not below `low`.
    SCREE_HD Index first_crossing(Slot low) const {
        Index from = inner, to = all;
        while (from < to) {
            const Index middle = (from + to) / 2;
            if (crossing[middle - inner] < low) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }
    /// The pair of two slots, or -1.
    SCREE_HD Index find(Slot low, Slot high) const {
        const Index p = find(first[low], first[low + 1], high);
        if (p >= 0 || inner == all) return p;
        return find(first_crossing(low), first_crossing(low + 1), high);
    }
};

SCREE_HD void copy_patch(const PatchView& to, Index p, const PatchView& from, Index q) {
    to.axis.set(p, from.axis[q]);
    to.turn[p] = from.turn[q];
    to.feature[p] = from.feature[q];
    if (to.torque_b.x != nullptr && from.torque_b.x != nullptr) to.torque_b.set(p, from.torque_b[q]);
}

SCREE_HD void copy_points(const PointsView& to, Index p, const PointsView& from, Index q) {
    if (to.key[0] == nullptr || from.key[0] == nullptr) return;
    for (int k = 0; k < 4; ++k) {
        to.key[k][p] = from.key[k][q];
        to.push[k].set(p, from.push[k][q]);
    }
    if (to.kept != nullptr && from.kept != nullptr) to.kept[p] = from.kept[q];
}

/// What pairs of polyhedra keep beside; null views for spheres.
struct PatchHistory {
    PatchView patch;
    PointsView points;
};
PatchHistory history_of(Patches& patches) {
    return {patches.view(), patches.points.view()};
}
constexpr PatchHistory no_patch{};

SCREE_HD void copy_history(const PatchHistory& to, Index p, const PatchHistory& from, Index q) {
    if (to.patch.turn != nullptr) copy_patch(to.patch, p, from.patch, q);
    copy_points(to.points, p, from.points, q);
}

void carry_body_pairs(const Bodies& bodies, BodyPairs& pairs, PatchHistory now, OldBodyPairs& old, Workspace& work) {
    if (old.first.size() == 0) return;
    const Slot* a = pairs.a.data();
    const Slot* b = pairs.b.data();
    const std::uint32_t* id = bodies.id.data();
    const Slot* old_slot = work.old_slot_of_id.data();
    const OldRows rows{old.first.data(), old.higher.data(), old.crossing.data(), old.higher.size() - old.crossing.size(),
                       old.higher.size()};
    const ContactView to = pairs.contacts.view();
    const ContactView from = old.contacts.view();
    const PatchHistory before = history_of(old.patches);
    for_each(
        work.exec, "broad/carry_pairs", pairs.size(), SCREE_LAMBDA(Index p)->void {
            const Slot s = old_slot[id[a[p]]], t = old_slot[id[b[p]]];
            if (s < 0 || t < 0) return;
            const Index q = s < t ? rows.find(s, t) : rows.find(t, s);
            if (q < 0) return;
            copy_contact(to, p, from, q);
            copy_history(now, p, before, q);
        });
}

void carry_wall_pairs(const Bodies& bodies, WallPairs& pairs, PatchHistory now, WallPairs& old, PatchHistory before, Workspace& work) {
    if (old.row_start.size() == 0) return;
    const Slot* body = pairs.body.data();
    const std::int32_t* surface = pairs.surface.data();
    const std::uint32_t* id = bodies.id.data();
    const Slot* old_slot = work.old_slot_of_id.data();
    const RowStart* old_start = old.row_start.data();
    const std::int32_t* old_surface = old.surface.data();
    const ContactView to = pairs.contacts.view();
    const ContactView from = old.contacts.view();
    for_each(
        work.exec, "broad/carry_walls", pairs.size(), SCREE_LAMBDA(Index p)->void {
            const Slot was = old_slot[id[body[p]]];
            if (was < 0) return;
            for (Index q = old_start[was]; q < old_start[was + 1]; ++q) {
                if (old_surface[q] != surface[p]) continue;
                copy_contact(to, p, from, q);
                copy_history(now, p, before, q);
            }
        });
}

/// Patches keep their last gap too, so that contact records hold between two evaluations.
void carry_patch_gaps(Bodies& bodies, MeshPairs& pairs, MeshPairs& old, Workspace& work) {
    const Slot* body = pairs.body.data();
    const std::int32_t* surface = pairs.surface.data();
    const std::uint32_t* id = bodies.id.data();
    const Slot* old_slot = work.old_slot_of_id.data();
    const RowStart* old_start = old.row_start.size() > 0 ? old.row_start.data() : nullptr;
    const std::int32_t* old_surface = old.surface.data();
    const Vec3View<double> normal = pairs.normal.view(), old_normal = old.normal.view();
    double* distance = pairs.distance.data();
    const double* old_distance = old.distance.data();
    for_each(
        work.exec, "broad/carry_patch_gaps", pairs.size(), SCREE_LAMBDA(Index p)->void {
            distance[p] = no_contact;  // not evaluated yet
            const Slot was = old_slot[id[body[p]]];
            if (was < 0) return;
            const PairRow row = row_of(old_start, was);
            for (Index q = row.first; q < row.last; ++q) {
                if (old_surface[q] != surface[p]) continue;
                normal.set(p, old_normal[q]);
                distance[p] = old_distance[q];
            }
        });
}

void set_aside(WallPairs& pairs, WallPairs& old) {
    old.body.swap(pairs.body);
    old.surface.swap(pairs.surface);
    old.contacts.swap(pairs.contacts);
    old.row_start.swap(pairs.row_start);
}

void set_aside(const Exec& exec, BodyPairs& pairs, OldBodyPairs& old, bool forces) {
    if (forces) {
        old.contacts.swap(pairs.contacts);
    } else {
        old.contacts.stretch.swap(pairs.contacts.stretch);
    }
    old.first.swap(pairs.first);
    const Index inner = pairs.inner, crossing = pairs.size() - inner;
    old.higher.resize(pairs.size());
    old.crossing.resize(crossing);
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    Slot *higher = old.higher.data(), *lower = old.crossing.data();
    for_each(
        exec, "broad/higher_slots", pairs.size(), SCREE_LAMBDA(Index p)->void { higher[p] = a[p] < b[p] ? b[p] : a[p]; });
    for_each(
        exec, "broad/crossing_slots", crossing,
        SCREE_LAMBDA(Index k)->void { lower[k] = a[inner + k] < b[inner + k] ? a[inner + k] : b[inner + k]; });
}

void set_aside(const Exec& exec, ConvexPairs& pairs, OldBodyPairs& old) {
    set_aside(exec, pairs, old, true);
    old.patches.swap(pairs.patches);
}

void set_aside_mesh(MeshPairs& pairs, MeshPairs& old) {
    set_aside(pairs, old);
    old.normal.swap(pairs.normal);
    old.distance.swap(pairs.distance);
}

template <class Pairs>
void carry_patches(const Bodies& bodies, Pairs& pairs, Pairs& old, Workspace& work) {
    carry_wall_pairs(bodies, pairs, history_of(pairs.patches), old, history_of(old.patches), work);
}

}  // namespace

void set_contacts_aside(State& state, Workspace& work, bool forces) {
    set_aside(work.exec, state.pairs, work.old_pairs, forces);
    set_aside(state.plane_pairs, work.old_planes);
    set_aside(state.cylinder_pairs, work.old_cylinders);
    set_aside_mesh(state.mesh_pairs, work.old_meshes);
    if (!state.has_polyhedra) return;
    set_aside(work.exec, state.mixed_pairs, work.old_mixed);
    set_aside(work.exec, state.convex_pairs, work.old_convex);
    set_aside(state.convex_planes, work.old_convex_planes);
    set_aside(state.convex_cylinders, work.old_convex_cylinders);
    set_aside_mesh(state.convex_meshes, work.old_convex_meshes);
    work.old_convex_planes.patches.swap(state.convex_planes.patches);
    work.old_convex_cylinders.patches.swap(state.convex_cylinders.patches);
    work.old_convex_meshes.patches.swap(state.convex_meshes.patches);
}

void carry_history(State& state, Workspace& work) {
    const Bodies& bodies = state.bodies;
    carry_body_pairs(bodies, state.pairs, no_patch, work.old_pairs, work);
    carry_wall_pairs(bodies, state.plane_pairs, no_patch, work.old_planes, no_patch, work);
    carry_wall_pairs(bodies, state.cylinder_pairs, no_patch, work.old_cylinders, no_patch, work);
    carry_wall_pairs(bodies, state.mesh_pairs, no_patch, work.old_meshes, no_patch, work);
    carry_patch_gaps(state.bodies, state.mesh_pairs, work.old_meshes, work);
    if (!state.has_polyhedra) return;
    carry_body_pairs(bodies, state.mixed_pairs, history_of(state.mixed_pairs.patches), work.old_mixed, work);
    carry_body_pairs(bodies, state.convex_pairs, history_of(state.convex_pairs.patches), work.old_convex, work);
    carry_patches(bodies, state.convex_planes, work.old_convex_planes, work);
    carry_patches(bodies, state.convex_cylinders, work.old_convex_cylinders, work);
    carry_patches(bodies, state.convex_meshes, work.old_convex_meshes, work);
}

}  // namespace scree::SCREE_FLAVOR
