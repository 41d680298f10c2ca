// Simplified JKR: a pull in proportion to the area of contact, which is the circle in which two spheres cut, 2 pi R_eff times the overlap
// to first order in it.
#pragma once

#include "base/macros.hpp"
#include "laws/cohesion/parameters.hpp"

namespace scree {

struct SimplifiedJkr {
    static constexpr LawPart part{
        "sjkr", "a pull in proportion to the area in which spheres overlap, 2 pi R_eff delta", false, 1, {&cohesion_energy_density}};
    static constexpr bool bonds = false;

    template <class T>
    SCREE_HD static T reach(const LawValuesOf<T>&, T) {
        return T(0);
    }
    template <class T>
    SCREE_HD static T pull(const LawValuesOf<T>& q, T R_eff, T gap) {
        return gap < T(0) ? T(-2 * law_pi) * q.value[0] * R_eff * gap : T(0);
    }
    SCREE_HD static double energy(const LawValues& q, double R_eff, double gap) {
        return gap < 0 ? -law_pi * q.value[0] * R_eff * gap * gap : 0.0;
    }
    static double steepest(const LawValues& q, double R_eff) { return 2 * law_pi * q.value[0] * R_eff; }
};

}  // namespace scree
