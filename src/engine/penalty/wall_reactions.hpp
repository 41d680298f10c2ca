// Contacts with walls and bonds to them, for sums over walls: what a body gives to each that is asked for.
#pragma once

#include "engine/bonds/bonds.hpp"
#include "engine/state/id_sums.hpp"
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

/// Bonds to walls, by the ids of their bodies.
struct WallBondRows {
    const Index* start;  // null where there are none
    const std::uint32_t* entry;
    const Slot* slot;
    const std::int32_t* wall;
    Vec3View<double> force, torque_a;
};

struct WallContacts {
    WallContactRows rows[surface_classes];
    BodyView body;
    WallBondRows bonds;
};

inline WallContacts wall_contacts(State& state, Workspace& work) {
    WallContacts all{{}, state.bodies.view(), {}};
    if (work.bonds && work.bonds->to_walls) {
        Bonds& b = *work.bonds;
        all.bonds = {b.row_start.data(), b.entry.data(), b.a.data(), b.wall.data(), b.force.view(), b.torque_a.view()};
    }
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

/// use(wall, force on body i, couple on it about its centre) for contacts that act, in the order of lists and surfaces, then for bonds.
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
    const WallBondRows& bonds = s.bonds;
    if (bonds.start == nullptr) return;
    const std::uint32_t id = s.body.id[i];
    for (Index e = bonds.start[id]; e < bonds.start[id + 1]; ++e) {
        const Index k = static_cast<Index>(bonds.entry[e] >> 1);
        if (bonds.wall[k] >= 0 && bonds.slot[k] >= 0) use(bonds.wall[k], -bonds.force[k], bonds.torque_a[k]);
    }
}

}  // namespace scree::SCREE_FLAVOR
