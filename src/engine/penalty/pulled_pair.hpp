// The pull between two round bodies, or of a wall on one. Shared by the kernels of penalty/cohesion.hpp and the fused step, which must
// round alike.
#pragma once

#include "engine/penalty/sphere_pairs.hpp"
#include "laws/cohesion.hpp"

namespace scree::SCREE_FLAVOR {

template <class T>
struct Pull {
    T force, bond;  // [N]; BondState
};

/// gap [m]; was: BondState of the step before; starts: no step follows.
template <class Law, class T>
SCREE_HD Pull<T> pull_at(const LawValuesOf<T>& q, T R_eff, T gap, T was, bool starts) {
    const T none = T(kNoBond), reach = Law::reach(q, R_eff);
    const bool touches = gap < T(0), near = gap < reach, bound = was != none;
    const bool bonds = bonds_of<Law>(q), holds = bonds ? touches | (bound & near) : touches | near;
    const T begun = (bound | starts) ? T(kBond) : T(kNewBond), next = holds ? begun : none;
    const T force = Law::pull(q, R_eff, gap);
    return {holds ? force : T(0), bonds ? ((starts & bound) ? was : next) : none};
}

/// Of a pair of bodies, as vector code: the contact is read of its packs.
struct PulledPair {
    Vec3T<Real> normal;  // from A to B
    Pull<Real> pull;
};
template <class Law>
SCREE_HD PulledPair pulled_pair(const StageSlot<Real>& slot, const LawValuesOf<Real>& q, Real was, bool starts) {
    Real lever;
    const ContactInput<Real> c = packed_contact(slot, packed_distance(slot), {}, lever);
    return {c.normal, pull_at<Law, Real>(q, c.R_eff, -c.delta, was, starts)};
}

}  // namespace scree::SCREE_FLAVOR
