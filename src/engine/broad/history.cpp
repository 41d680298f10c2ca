#include "engine/broad/broad.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

SCREE_HD void copy_contact(const ContactView& to, Index p, const ContactView& from, Index q) {
    to.stretch.set(p, from.stretch[q]);
    to.force.set(p, from.force[q]);
    to.twist.set(p, from.twist[q]);
}

/// Position of `key` in the ascending range [first, last), or -1.
SCREE_HD Index find_sorted(const std::uint32_t* values, Index first, Index last, std::uint32_t key) {
    Index low = first, high = last;
    while (low < high) {
        const Index middle = (low + high) / 2;
        if (values[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < last && values[low] == key ? low : -1;
}

void carry_body_pairs(State& state, Workspace& work) {
    const Slot* a = state.pairs.a.data();
    const Slot* b = state.pairs.b.data();
    const std::uint32_t* id = state.bodies.id.data();
    const Slot* old_slot = work.old_slot_of_id.data();
    const Index* old_start = work.old_row_start.data();
    const std::uint32_t* old_entry = work.old_entry.data();
    const std::uint32_t* old_partner = work.old_partner.data();
    const ContactView to = state.pairs.contacts.view();
    const ContactView from = work.old_contacts.view();
    for_each(
        work.exec, "broad/carry_pairs", state.pairs.size(), SCREE_LAMBDA(Index p)->void {
            const Slot was = old_slot[id[a[p]]];
            if (was < 0) return;
            const Index k = find_sorted(old_partner, old_start[was], old_start[was + 1], id[b[p]]);
            if (k >= 0) copy_contact(to, p, from, static_cast<Index>(old_entry[k] >> 1));
        });
}

void carry_wall_pairs(Bodies& bodies, WallPairs& pairs, WallPairs& old, Workspace& work) {
    const Slot* body = pairs.body.data();
    const std::int32_t* surface = pairs.surface.data();
    const std::uint32_t* id = bodies.id.data();
    const Slot* old_slot = work.old_slot_of_id.data();
    const Index* old_start = old.row_start.data();
    const std::int32_t* old_surface = old.surface.data();
    const ContactView to = pairs.contacts.view();
    const ContactView from = old.contacts.view();
    for_each(
        work.exec, "broad/carry_walls", pairs.size(), SCREE_LAMBDA(Index p)->void {
            const Slot was = old_slot[id[body[p]]];
            if (was < 0) return;
            for (Index q = old_start[was]; q < old_start[was + 1]; ++q) {
                if (old_surface[q] == surface[p]) copy_contact(to, p, from, q);
            }
        });
}

/// Patches keep their last gap too, so that contact records hold between two evaluations.
void carry_patch_gaps(Bodies& bodies, MeshPairs& pairs, MeshPairs& old, Workspace& work) {
    const Slot* body = pairs.body.data();
    const std::int32_t* surface = pairs.surface.data();
    const std::uint32_t* id = bodies.id.data();
    const Slot* old_slot = work.old_slot_of_id.data();
    const Index* old_start = old.row_start.data();
    const std::int32_t* old_surface = old.surface.data();
    const Vec3View<double> normal = pairs.normal.view(), old_normal = old.normal.view();
    double* distance = pairs.distance.data();
    const double* old_distance = old.distance.data();
    for_each(
        work.exec, "broad/carry_patch_gaps", pairs.size(), SCREE_LAMBDA(Index p)->void {
            distance[p] = no_contact;  // not evaluated yet
            const Slot was = old_slot[id[body[p]]];
            if (was < 0) return;
            for (Index q = old_start[was]; q < old_start[was + 1]; ++q) {
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

}  // namespace

void set_contacts_aside(State& state, Workspace& work) {
    work.old_contacts.swap(state.pairs.contacts);
    work.old_row_start.swap(state.pairs.row_start);
    work.old_entry.swap(state.pairs.entry);
    work.old_partner.swap(state.pairs.partner);
    set_aside(state.plane_pairs, work.old_planes);
    set_aside(state.cylinder_pairs, work.old_cylinders);
    set_aside(state.mesh_pairs, work.old_meshes);
    work.old_meshes.normal.swap(state.mesh_pairs.normal);
    work.old_meshes.distance.swap(state.mesh_pairs.distance);
}

void carry_history(State& state, Workspace& work) {
    if (work.old_row_start.size() == 0) return;  // the first list has nothing to carry
    carry_body_pairs(state, work);
    carry_wall_pairs(state.bodies, state.plane_pairs, work.old_planes, work);
    carry_wall_pairs(state.bodies, state.cylinder_pairs, work.old_cylinders, work);
    carry_wall_pairs(state.bodies, state.mesh_pairs, work.old_meshes, work);
    carry_patch_gaps(state.bodies, state.mesh_pairs, work.old_meshes, work);
}

}  // namespace scree::SCREE_FLAVOR
