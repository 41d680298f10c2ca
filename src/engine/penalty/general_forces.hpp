// The forces of contacts of round bodies under laws that are not plain (engine/laws/general.hpp), and what those remember.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// What the contacts of a list remember and spend under a normal law with a memory.
struct PlasticView {
    Real *deepest, *softened;  // null without one
    double* spent;             // [W]; null where energy is not accounted for

    SCREE_HD PlasticMemory<Real> memory(Index p) const {
        return deepest == nullptr ? PlasticMemory<Real>{Real(0), Real(0)} : PlasticMemory<Real>{deepest[p], softened[p]};
    }
};
inline PlasticView plastic_view(ContactList& list) {
    Contacts& c = list.contacts;
    return {c.deepest.size() > 0 ? c.deepest.data() : nullptr, c.softened.data(), c.spent.size() > 0 ? c.spent.data() : nullptr};
}

/// As contact_forces of penalty/forces.hpp; `bodies`: of pairs of bodies too. gaps_found: those to patches of meshes have been.
void general_forces(const Model& model, State& state, Workspace& work, double dt, bool bodies, bool gaps_found);

}  // namespace scree::SCREE_FLAVOR
