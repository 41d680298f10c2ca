// Wrenches of contacts -> force and torque on each body, in an order that depends on ids alone.
// Order: partners by id, then planes, cylinders and mesh patches by their number. A row past 64 entries is summed in chunks of 64
// touching contacts, then by chunk; contacts that do not touch give zero and count for nothing, so the skin does not show.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

struct WallRowView {
    const RowStart* row_start;  // null where the list is empty
    ContactView contact;
};

/// Rows of pairs with polyhedra; row_start is null where there are none.
struct ConvexRowView {
    const RowStart* row_start;
    const std::uint32_t* entry;
    ContactView contact;
    Vec3View<Real> torque_b;
};

struct IncidenceView {
    const RowStart* row_start;
    const std::uint32_t* entry;
    ContactView contact;
    WallRowView walls[3];
    bool polyhedra;
    ConvexRowView convex[2];  // with spheres, with each other
    WallRowView convex_walls[3];
};

inline WallRowView wall_rows(ContactList& pairs) {
    return {pairs.size() > 0 ? pairs.row_start.data() : nullptr, pairs.contacts.view()};
}

inline ConvexRowView convex_rows(ContactList& pairs) {
    return {pairs.row_start.data(), pairs.entry.data(), pairs.contacts.view(), pairs.patches.torque_b.view()};
}

inline IncidenceView incidence(State& s) {
    ContactList& spheres = s.lists[kSpheres];
    IncidenceView in{};
    in.row_start = spheres.row_start.data();
    in.entry = spheres.entry.data();
    in.contact = spheres.contacts.view();
    in.polyhedra = s.has_polyhedra;
    for (int k = 0; k < 3; ++k) in.walls[k] = wall_rows(s.lists[kPlanes + k]);
    if (!s.has_polyhedra) return in;
    in.convex[0] = convex_rows(s.lists[kMixed]);
    in.convex[1] = convex_rows(s.lists[kConvex]);
    for (int k = 0; k < 3; ++k) in.convex_walls[k] = wall_rows(s.lists[kConvexPlanes + k]);
    return in;
}

/// Force [N], torque per radius [N], and torque about the centre [N m].
struct Gathered {
    Vec3 force, twist, torque;
};

/// Adds one contact. In a plane x and y of forces and the twist about z are all there is, or all that counts.
template <bool Planar>
SCREE_HD void add_contact(Gathered& sum, const ContactView& c, Index p, double sign) {
    if (Planar) {
        sum.force.x += sign * static_cast<double>(c.force.x[p]);
        sum.force.y += sign * static_cast<double>(c.force.y[p]);
        sum.twist.z += static_cast<double>(c.twist.z[p]);
        return;
    }
    sum.force += sign * cast<double>(c.force[p]);
    sum.twist += cast<double>(c.twist[p]);
}

template <bool Planar>
SCREE_HD void add_walls(Gathered& sum, const WallRowView& rows, Index i) {
    const PairRow row = row_of(rows.row_start, i);
    for (Index p = row.first; p < row.last; ++p) add_contact<Planar>(sum, rows.contact, p, 1.0);
}

/// Called for few rows; inlined it takes the registers of all others.
SCREE_HD_ONCE Gathered gather_chunked(const IncidenceView& in, Index first, Index last) {
    constexpr int chunk = 64;
    Gathered total{}, part{};
    int touching = 0;
    for (Index k = first; k < last; ++k) {
        const std::uint32_t e = in.entry[k];
        const Index p = static_cast<Index>(e >> 1);
        const Vec3 force = cast<double>(in.contact.force[p]), twist = cast<double>(in.contact.twist[p]);
        if (norm2(force) == 0 && norm2(twist) == 0) continue;
        part.force += (e & 1u) != 0 ? -force : force;
        part.twist += twist;
        if (++touching < chunk) continue;
        total.force += part.force;
        total.twist += part.twist;
        part = {};
        touching = 0;
    }
    return {total.force + part.force, total.twist + part.twist, {}};
}

/// Rows of polyhedra, in chunks of 64 that touch, whatever the length: such contacts cost far more than their sum.
SCREE_HD void add_convex(Gathered& sum, const ConvexRowView& in, Index i) {
    constexpr int chunk = 64;
    Vec3 force{}, torque{};
    int touching = 0;
    for (Index k = in.row_start[i]; k < in.row_start[i + 1]; ++k) {
        const std::uint32_t e = in.entry[k];
        const Index p = static_cast<Index>(e >> 1);
        const bool is_b = (e & 1u) != 0;
        const Vec3 f = cast<double>(in.contact.force[p]);
        const Vec3 t = cast<double>(is_b ? in.torque_b[p] : in.contact.twist[p]);
        if (norm2(f) == 0 && norm2(t) == 0) continue;
        force += is_b ? -f : f;
        torque += t;
        if (++touching < chunk) continue;
        sum.force += force;
        sum.torque += torque;
        force = {};
        torque = {};
        touching = 0;
    }
    sum.force += force;
    sum.torque += torque;
}

SCREE_HD void add_convex_walls(Gathered& sum, const WallRowView& rows, Index i) {
    const PairRow row = row_of(rows.row_start, i);
    for (Index p = row.first; p < row.last; ++p) {
        sum.force += cast<double>(rows.contact.force[p]);
        sum.torque += cast<double>(rows.contact.twist[p]);
    }
}

/// All contacts of slot i; Planar: of a plane model; Round: without polyhedra.
template <bool Planar = false, bool Round = false>
SCREE_HD Gathered gather(const IncidenceView& in, Index i) {
    const Index first = in.row_start[i], last = in.row_start[i + 1];
    Gathered sum{};
    if (last - first > 64) {
        sum = gather_chunked(in, first, last);
    } else {
        for (Index k = first; k < last; ++k) {
            const std::uint32_t e = in.entry[k];
            const Index p = static_cast<Index>(e >> 1);
            add_contact<Planar>(sum, in.contact, p, (e & 1u) != 0 ? -1.0 : 1.0);
        }
    }
    // Written out: as loops they cost a step of disks a tenth, and a device the views in local memory.
    add_walls<Planar>(sum, in.walls[0], i);
    add_walls<Planar>(sum, in.walls[1], i);
    add_walls<Planar>(sum, in.walls[2], i);
    if (Round || !in.polyhedra) return sum;
    add_convex(sum, in.convex[0], i);
    add_convex(sum, in.convex[1], i);
    add_convex_walls(sum, in.convex_walls[0], i);
    add_convex_walls(sum, in.convex_walls[1], i);
    add_convex_walls(sum, in.convex_walls[2], i);
    return sum;
}

}  // namespace scree::SCREE_FLAVOR
