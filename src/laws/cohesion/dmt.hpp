// Derjaguin, Muller & Toporov 1975 (J. Colloid Interface Sci. 53:314-326): the pull 4 pi gamma R_eff of surfaces that touch, over an area
// that it does not change.
#pragma once

#include "base/macros.hpp"
#include "laws/cohesion/parameters.hpp"

namespace scree {

struct Dmt {
    static constexpr LawPart part{
        "dmt", "4 pi surface_energy R_eff while surfaces touch (Derjaguin, Muller & Toporov 1975)", false, 1, {&surface_energy}};
    static constexpr bool bonds = false;

    template <class T>
    SCREE_HD static T reach(const LawValuesOf<T>&, T) {
        return T(0);
    }
    template <class T>
    SCREE_HD static T pull(const LawValuesOf<T>& q, T R_eff, T gap) {
        return gap < T(0) ? T(4 * law_pi) * q.value[0] * R_eff : T(0);
    }
    SCREE_HD static double energy(const LawValues& q, double R_eff, double gap) {
        return gap < 0 ? 4 * law_pi * q.value[0] * R_eff * gap : 0.0;
    }
    static double steepest(const LawValues&, double) { return 0.0; }
};

}  // namespace scree
