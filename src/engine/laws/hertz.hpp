// Hertz normal and Mindlin no-slip tangential stiffness (Hertz 1882; Mindlin 1949). Symbols: a = sqrt(R_eff delta) contact radius.
#pragma once

#include "base/macros.hpp"

#include <cmath>

namespace scree {

/// F_n = 4/3 E_eff a delta;  S_n = 2 E_eff a, S_t = 8 G_eff a [N/m].  k_n = 4/3 E_eff, k_t = 8 G_eff [Pa].
/// The tangential force is incremental: while the contact grows the force stays and the stretch shrinks with S_t; while it
/// shrinks the stretch stays and the force falls with S_t (Walton & Braun 1986; Thornton, Cummins & Cleary 2013), so that a change
/// of overlap alone never creates energy.
struct HertzLaw {
    template <class T>
    struct Stiffness {
        T normal, tangential;  // S_n, S_t [N/m]
        T elastic;             // elastic normal force [N]
    };
    template <class T>
    SCREE_HD static Stiffness<T> stiffness(T k_n, T k_t, T R_eff, T delta) {
        const T a = std::sqrt(R_eff * delta);
        return {T(1.5) * k_n * a, k_t * a, k_n * a * delta};
    }
    /// Share of the stretch that stays when the overlap goes from delta_old to delta: S_t(delta_old) / S_t(delta), at most 1.
    template <class T>
    SCREE_HD static T stretch_kept(T delta_old, T delta) {
        const T ratio = delta_old / (delta > T(0) ? delta : T(1));
        const T bounded = ratio < T(0) ? T(0) : (ratio > T(1) ? T(1) : ratio);
        return std::sqrt(bounded);
    }
    /// 2/5 k_n sqrt(R_eff) delta^{5/2} [J].
    template <class T>
    SCREE_HD static T elastic_energy(T k_n, T R_eff, T delta) {
        return T(0.4) * k_n * std::sqrt(R_eff * delta) * delta * delta;
    }
};

}  // namespace scree
