// Hertz normal and Mindlin no-slip tangential stiffness (Hertz 1882; Mindlin 1949). Symbols: a = sqrt(R_eff delta) contact radius.
#pragma once

#include <cmath>

#include "base/macros.hpp"
#include "engine/laws/linear.hpp"

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
        T secant;              // over the overlap [N/m]
    };
    template <class T>
    SCREE_HD static Stiffness<T> stiffness(T k_n, T k_t, T R_eff, T delta) {
        const T a = std::sqrt(R_eff * delta);
        return {T(1.5) * k_n * a, k_t * a, k_n * a * delta, k_n * a};
    }
    /// S_t / S_n, the same for all contacts of a pair of materials.
    static double stiffness_ratio(double k_n, double k_t) { return k_t / (1.5 * k_n); }
    /// Square of the share of the stretch that stays when the overlap goes from delta_old to delta, as part / whole:
    /// S_t(delta_old)^2 / S_t(delta)^2, at most 1.
    template <class T>
    SCREE_HD static Fraction<T> stretch_kept2(T delta_old, T delta) {
        const T bounded = delta_old < T(0) ? T(0) : (delta_old > delta ? delta : delta_old);
        return {bounded, delta};
    }
    /// 2/5 k_n sqrt(R_eff) delta^{5/2} [J].
    template <class T>
    SCREE_HD static T elastic_energy(T k_n, T R_eff, T delta) {
        return T(0.4) * k_n * std::sqrt(R_eff * delta) * delta * delta;
    }
};

}  // namespace scree
