// Linear spring and dashpot (Cundall & Strack 1979). Symbols: delta overlap, R effective radius, S stiffness.
#pragma once

#include "base/macros.hpp"

namespace scree {

/// part / whole, not divided yet.
template <class T>
struct Fraction {
    T part, whole;
};

/// F_n = k_n delta;  S_n = k_n, S_t = k_t [N/m], independent of overlap and radius.
struct LinearLaw {
    template <class T>
    struct Stiffness {
        T normal, tangential;  // S_n, S_t [N/m]
        T elastic;             // elastic normal force [N]
        T secant;              // over the overlap [N/m]
    };
    template <class T>
    SCREE_HD static Stiffness<T> stiffness(T k_n, T k_t, T /*R_eff*/, T delta) {
        return {k_n, k_t, k_n * delta, k_n};
    }
    /// S_t / S_n.
    static double stiffness_ratio(double k_n, double k_t) { return k_t / k_n; }
    /// Square of the share of the stretch that stays when the overlap goes from delta_old to delta, as part / whole: all of it, S_t is
    /// constant.
    template <class T>
    SCREE_HD static Fraction<T> stretch_kept2(T /*delta_old*/, T /*delta*/) {
        return {T(1), T(1)};
    }
    /// 1/2 k_n delta^2 [J].
    template <class T>
    SCREE_HD static T elastic_energy(T k_n, T /*R_eff*/, T delta) {
        return T(0.5) * k_n * delta * delta;
    }
};

}  // namespace scree
