// Van der Waals' pull of two spheres close to each other, A R_eff / (6 S^2) at the separation S (Hamaker 1937, Physica 4:1058-1072), with
// the least separation that surfaces in touch have, and cut off where it no longer counts.
#pragma once

#include "base/macros.hpp"
#include "laws/cohesion/parameters.hpp"

namespace scree {

struct VanDerWaals {
    static constexpr LawPart part{"van_der_waals",
                                  "hamaker R_eff / (6 gap^2), from vdw_separation to vdw_cutoff (Hamaker 1937)",
                                  false,
                                  3,
                                  {&hamaker, &vdw_separation, &vdw_cutoff}};
    static constexpr bool bonds = false;

    template <class T>
    SCREE_HD static T reach(const LawValuesOf<T>& q, T) {
        return q.value[0] > T(0) ? q.value[2] : T(0);
    }
    template <class T>
    SCREE_HD static T pull(const LawValuesOf<T>& q, T R_eff, T gap) {
        // Over the separation, twice, as the square of one is none that a float holds.
        const T s = gap > q.value[1] ? gap : q.value[1];
        return gap < q.value[2] ? q.value[0] * R_eff / s / (T(6) * s) : T(0);
    }
    SCREE_HD static double energy(const LawValues& q, double R_eff, double gap) {
        if (!(gap < q.value[2])) return 0.0;
        const double least = q.value[1], s = gap > least ? gap : least, of = q.value[0] * R_eff / 6;
        return -of * (1 / s - 1 / q.value[2] + (s - gap) / (least * least));
    }
    static double steepest(const LawValues& q, double R_eff) { return q.value[0] * R_eff / (3 * q.value[1] * q.value[1] * q.value[1]); }
};

}  // namespace scree
