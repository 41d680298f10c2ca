// A pull of constant size while two surfaces touch.
#pragma once

#include "base/macros.hpp"
#include "laws/cohesion/parameters.hpp"

namespace scree {

struct ConstantPull {
    static constexpr LawPart part{"constant", "a pull of constant size while surfaces touch", false, 1, {&cohesion_pull}};
    static constexpr bool bonds = false;

    template <class T>
    SCREE_HD static T reach(const LawValuesOf<T>&, T) {
        return T(0);
    }
    template <class T>
    SCREE_HD static T pull(const LawValuesOf<T>& q, T, T gap) {
        return gap < T(0) ? q.value[0] : T(0);
    }
    SCREE_HD static double energy(const LawValues& q, double, double gap) { return gap < 0 ? q.value[0] * gap : 0.0; }
    static double steepest(const LawValues&, double) { return 0.0; }
};

}  // namespace scree
