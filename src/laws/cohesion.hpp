// The list of laws of cohesion: pulls between round bodies, and of walls on them, beside what the normal law gives. To add one: a header
// with its declaration and the five functions that the others have, and its place in the list below.
//   reach(q, R)         gap up to which it pulls [m]; of laws with bonds, those that surfaces which have touched keep
//   pull(q, R, gap)     [N], positive; gap [m], negative where surfaces overlap
//   energy(q, R, gap)   [J], negative; zero at the reach
//   steepest(q, R)      bound of |d pull / d gap| [N/m], for the step, or where it has none the slope that a step has to follow
//   bonds               it begins as surfaces touch, and ends at its reach
// R effective radius [m].
#pragma once

#include "laws/cohesion/capillary.hpp"
#include "laws/cohesion/constant.hpp"
#include "laws/cohesion/dmt.hpp"
#include "laws/cohesion/jkr.hpp"
#include "laws/cohesion/sjkr.hpp"
#include "laws/cohesion/van_der_waals.hpp"
#include "laws/list.hpp"

namespace scree {

using CohesionLaws = LawList<ConstantPull, SimplifiedJkr, Dmt, Jkr, Capillary, VanDerWaals, SharedCapillary>;

inline constexpr LawPart no_cohesion[] = {{"none", "not at all", false, 0, {}}};

/// Of scenes whose pairs have different laws: the one that their row names.
struct CohesionByPair {
    static constexpr bool bonds = true;  // some may
    static constexpr int number = CohesionLaws::count + 1;

    template <class T>
    SCREE_HD static T reach(const LawValuesOf<T>& q, T R) {
        return reach_of(CohesionLaws{}, q, R);
    }
    template <class T>
    SCREE_HD static T pull(const LawValuesOf<T>& q, T R, T gap) {
        return pull_of(CohesionLaws{}, q, R, gap);
    }
    SCREE_HD static double energy(const LawValues& q, double R, double gap) { return energy_of(CohesionLaws{}, q, R, gap); }
    static double steepest(const LawValues& q, double R) {
        double slope = 0;
        CohesionLaws::with(static_cast<int>(q.law), [&](auto law) { slope = decltype(law)::steepest(q, R); });
        return slope;
    }
    template <class T>
    SCREE_HD static bool bonds_of(const LawValuesOf<T>& q) {
        return bonds_of(CohesionLaws{}, q);
    }

private:
    // Every law is evaluated and one is taken, so that loops over pairs have no branch.
    template <class T, class... Laws>
    SCREE_HD static T reach_of(LawList<Laws...>, const LawValuesOf<T>& q, T R) {
        T found = T(0), at = T(0);
        ((at += T(1), found = q.law == at ? Laws::reach(q, R) : found), ...);
        return found;
    }
    template <class T, class... Laws>
    SCREE_HD static T pull_of(LawList<Laws...>, const LawValuesOf<T>& q, T R, T gap) {
        T found = T(0), at = T(0);
        ((at += T(1), found = q.law == at ? Laws::pull(q, R, gap) : found), ...);
        return found;
    }
    template <class... Laws>
    SCREE_HD static double energy_of(LawList<Laws...>, const LawValues& q, double R, double gap) {
        double found = 0, at = 0;
        ((at += 1, found = q.law == at ? Laws::energy(q, R, gap) : found), ...);
        return found;
    }
    template <class T, class... Laws>
    SCREE_HD static bool bonds_of(LawList<Laws...>, const LawValuesOf<T>& q) {
        T at = T(0);
        bool found = false;
        ((at += T(1), found = found | (Laws::bonds & (q.law == at))), ...);
        return found;
    }
};

/// use(Law{}) of a law by its number, CohesionByPair's too; nothing for 0.
template <class Use>
void with_cohesion(int number, Use use) {
    if (number == CohesionByPair::number) return use(CohesionByPair{});
    CohesionLaws::with(number, use);
}

/// The row of a contact whose bridge has this volume, where its law shares liquid.
template <class Law, class T>
SCREE_HD LawValuesOf<T> with_liquid(LawValuesOf<T> q, const T* volume) {
    if constexpr (std::is_same_v<Law, SharedCapillary>) q.value[1] = *volume;
    if constexpr (std::is_same_v<Law, CohesionByPair>)
        if (volume != nullptr && q.law == T(CohesionLaws::number<SharedCapillary>())) q.value[1] = *volume;
    return q;
}

/// Do contacts of a row have bonds?
template <class Law, class T>
SCREE_HD bool bonds_of(const LawValuesOf<T>& q) {
    if constexpr (std::is_same_v<Law, CohesionByPair>) return CohesionByPair::bonds_of(q);
    return Law::bonds;
}

}  // namespace scree
