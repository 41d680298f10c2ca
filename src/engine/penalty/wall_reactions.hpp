// Contacts with walls, for sums over walls: what a body gives to each that is asked for.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Contacts of one class of surfaces. per_radius: twist is a torque over the body's radius.
struct WallContactRows {
    const RowStart* row_start;  // null where there are none
    const std::int32_t *surface, *wall;
    ContactView contact;
    Vec3View<Real> couple;  // against rolling; null without
    bool per_radius;
};

inline constexpr int surface_classes = kPairLists - kBodyPairLists;
inline constexpr Index wall_block = 64;  // ids whose contacts with walls are summed one after the other; then so many sums of these

struct WallContacts {
    WallContactRows rows[surface_classes];
    BodyView body;
};

inline WallContacts wall_contacts(State& state, Workspace& work) {
    WallContacts all{{}, state.bodies.view()};
    for (int l = kBodyPairLists; l < kPairLists; ++l) {
        const ListLayout& layout = list_layouts[l];
        ContactList& pairs = state.lists[l];
        if (pairs.size() == 0) continue;
        all.rows[l - kBodyPairLists] = {
            pairs.row_start.data(),       pairs.b.data(),     work.walls.walls_of(layout.partner).data(), pairs.contacts.view(),
            pairs.contacts.couple.view(), !layout.has_patch()};
    }
    return all;
}

/// use(wall, force on body i, couple on it about its centre) for contacts that act, in the order of lists and surfaces.
template <class Use>
SCREE_HD void each_wall_reaction(const WallContacts& s, Index i, Use use) {
    for (int k = 0; k < surface_classes; ++k) {
        const WallContactRows& rows = s.rows[k];
        if (rows.row_start == nullptr) continue;
        for (Index p = rows.row_start[i]; p < rows.row_start[i + 1]; ++p) {
            const Vec3 f = cast<double>(rows.contact.force[p]), t = cast<double>(rows.contact.twist[p]);
            if (norm2(f) == 0 && norm2(t) == 0) continue;
            Vec3 couple = rows.per_radius ? s.body.radius[i] * t : t;
            if (rows.couple.x != nullptr) couple += cast<double>(rows.couple[p]);
            use(rows.wall[rows.surface[p]], f, couple);
        }
    }
}

/// Blocks of ids whose contacts with walls are summed one after the other.
inline Index wall_parts(const Workspace& work) {
    return (work.slot_of_id.size() + wall_block - 1) / wall_block;
}

/// part: `columns` sums for each block of ids, from add(slot, sums of its block) of the bodies in it, by ascending id: the pair list does
/// not show.
template <class Sum, class Add>
void sum_wall_parts(Workspace& work, const char* label, Index columns, Sum* part, Add add) {
    const Slot* slot = work.slot_of_id.data();
    const Index ids = work.slot_of_id.size();
    for_each(
        work.exec, label, wall_parts(work),
        SCREE_LAMBDA(Index b)->void {
            Sum* sums = part + b * columns;
            for (Index n = 0; n < columns; ++n) sums[n] = {};
            const Index last = (b + 1) * wall_block < ids ? (b + 1) * wall_block : ids;
            for (Index id = b * wall_block; id < last; ++id) {
                if (slot[id] >= 0) add(Index{slot[id]}, sums);
            }
        },
        work.flags.gate());
}

}  // namespace scree::SCREE_FLAVOR
