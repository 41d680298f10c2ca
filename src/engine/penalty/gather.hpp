// Wrenches of contacts -> force and torque on each body, in an order that depends on ids alone.
// Order: partners by id, then planes, cylinders and mesh patches by their number. A row past 64 entries is summed in chunks of 64
// touching contacts, then by chunk; contacts that do not touch give zero and count for nothing, so the skin does not show.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

struct WallRowView {
    const Index* row_start;
    ContactView contact;
};

struct IncidenceView {
    const Index* row_start;
    const std::uint32_t* entry;
    ContactView contact;
    WallRowView planes, cylinders, meshes;
};

inline WallRowView wall_rows(WallPairs& pairs) {
    return {pairs.row_start.data(), pairs.contacts.view()};
}

inline IncidenceView incidence(State& s) {
    return {s.pairs.row_start.data(), s.pairs.entry.data(),        s.pairs.contacts.view(),
            wall_rows(s.plane_pairs), wall_rows(s.cylinder_pairs), wall_rows(s.mesh_pairs)};
}

/// Force [N] and torque per radius [N].
struct Gathered {
    Vec3 force, twist;
};

SCREE_HD void add_walls(Gathered& sum, const WallRowView& rows, Index i) {
    for (Index p = rows.row_start[i]; p < rows.row_start[i + 1]; ++p) {
        sum.force += cast<double>(rows.contact.force[p]);
        sum.twist += cast<double>(rows.contact.twist[p]);
    }
}

SCREE_HD Gathered gather_chunked(const IncidenceView& in, Index first, Index last) {
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
    return {total.force + part.force, total.twist + part.twist};
}

/// All contacts of slot i.
SCREE_HD Gathered gather(const IncidenceView& in, Index i) {
    const Index first = in.row_start[i], last = in.row_start[i + 1];
    Gathered sum{};
    if (last - first > 64) {
        sum = gather_chunked(in, first, last);
    } else {
        for (Index k = first; k < last; ++k) {
            const std::uint32_t e = in.entry[k];
            const Index p = static_cast<Index>(e >> 1);
            const double sign = (e & 1u) != 0 ? -1.0 : 1.0;
            sum.force += sign * cast<double>(in.contact.force[p]);
            sum.twist += cast<double>(in.contact.twist[p]);
        }
    }
    add_walls(sum, in.planes, i);
    add_walls(sum, in.cylinders, i);
    add_walls(sum, in.meshes, i);
    return sum;
}

}  // namespace scree::SCREE_FLAVOR
