// Power-law spring and dashpot with viscous friction (BLAZE-DEM: Govender, Wilke & Kok 2015, eqs. 6-8). Symbols: delta overlap or mean
// depth.
#pragma once

#include <cmath>

#include "base/macros.hpp"
#include "engine/laws/linear.hpp"

namespace scree {

/// F_n = K_r delta^{3/2} - K_D delta^{1/2} v_n, f_t = min(mu |F_n|, K_T |v_t|) against v_t; nothing is remembered. As published, the force
/// may pull towards the end of a damped contact. A law row holds K_r as k_n [N/m^1.5], K_D as zeta [N s/m^1.5], K_T as k_t [N s/m].
struct PowerLaw {
    template <class T>
    struct Stiffness {
        T normal, tangential;  // S_n, S_t [N/m]
        T elastic;             // elastic normal force [N]
        T secant;              // over the overlap [N/m]
    };
    template <class T>
    SCREE_HD static Stiffness<T> stiffness(T k_n, T /*k_t*/, T /*R_eff*/, T delta) {
        const T root = std::sqrt(delta);
        return {T(1.5) * k_n * root, T(0), k_n * root * delta, k_n * root};
    }
    /// The dashpot along the surface has a constant of its own.
    static double stiffness_ratio(double /*k_n*/, double /*k_t*/) { return 0; }
    template <class T>
    SCREE_HD static Fraction<T> stretch_kept2(T /*delta_old*/, T /*delta*/) {
        return {T(1), T(1)};
    }
    /// 2/5 K_r delta^{5/2} [J].
    template <class T>
    SCREE_HD static T elastic_energy(T k_n, T /*R_eff*/, T delta) {
        return T(0.4) * k_n * std::sqrt(delta) * delta * delta;
    }
};

}  // namespace scree
