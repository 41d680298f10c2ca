// Liquid of films and bridges (laws/cohesion/capillary.hpp): which bridges form and break at the positions at hand, and what they take of
// bodies and leave to them, before their pulls are found (penalty/cohesion.hpp). In: positions, bonds, Contacts::liquid, Bodies::film.
// Out: the last two. The sum of both never changes but by rounding.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Volumes of a list's bridges; null where none is shared.
inline Real* liquid_of(ContactList& list) {
    return list.contacts.liquid.size() > 0 ? list.contacts.liquid.data() : nullptr;
}

/// Patches that one sphere is near, of which those under one law that face it nearly alike count as one surface: the nearest of them pulls.
/// So a ball that rolls from facet to facet, or from wall to flush wall, has one bond, which passes on where both are equally far.
struct NearPatches {
    Vec3View<double> normal;
    const double* distance;
    Real* bond;
    Real* liquid;  // of bridges that share it, else null
    const std::int32_t* law;
    const LawValues* rows;
    Index first, last;
    double far;  // from the centre, up to which one pulls [m]

    static constexpr double alike = 0.86602540378443865;  // 30 degrees

    SCREE_HD bool before(Index q, Index p) const { return distance[q] < distance[p] || (distance[q] == distance[p] && q < p); }
    /// The nearest that faces the sphere as p does; -1: none.
    SCREE_HD Index nearest_like(Index p) const {
        Index nearest = -1;
        for (Index q = first; q < last; ++q) {
            if (!(distance[q] < far) || dot(normal[p], normal[q]) < alike || rows[law[q]].law != rows[law[p]].law) continue;
            if (nearest < 0 || before(q, nearest)) nearest = q;
        }
        return nearest;
    }
    /// Bonds with patches that others stand for pass on to those.
    SCREE_HD void pass_bonds() const {
        for (Index p = first; p < last; ++p) {
            if (bond[p] == Real(kNoBond) || (distance[p] < no_contact && !(distance[p] < far))) continue;  // ends where it is out of reach
            const Index to = nearest_like(p);
            if (to < 0 || to == p) continue;
            if (bond[to] == Real(kNoBond)) bond[to] = bond[p];
            bond[p] = Real(kNoBond);
            if (liquid == nullptr) continue;
            liquid[to] += liquid[p];
            liquid[p] = Real(0);
        }
    }
};

/// O(bodies + pairs). Nothing where no liquid is shared.
void share_liquid(State& state, Workspace& work);

/// Before contacts are set aside, or slots of bodies change, and after they are carried over: what bridges held that are no longer listed
/// goes back to the bodies, as where they break. O(bodies + pairs). Nothing where no liquid is shared.
void note_held_liquid(State& state, Workspace& work);
void return_lost_liquid(State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
