// One frictional contact in a plane: what laws/contact.hpp computes with vectors, here with numbers along the normal n and along the
// tangent t = z x n. Symbols as there; the torque n x f_t is the tangential force itself, about z.
// Invariant: branch-free, no attraction but under the power law, |f_t| <= mu |f_n|. A stretch along t turns with the contact by itself.
#pragma once

#include <cmath>
#include <type_traits>

#include "base/macros.hpp"
#include "engine/laws/power.hpp"

namespace scree {

template <class T>
struct PlanarInput {
    T delta;         // overlap [m]; negative: apart
    T v_n, v_t;      // of B against A at the contact [m/s]
    T R_eff, m_eff;  // [m], [kg]
    T stretch;       // xi of the last step, along t [m]
};

template <class T>
struct PlanarOutput {
    T f_n, f_t;  // on A: f_t t - f_n n [N]
    T stretch;   // [m]
};

/// The power law: viscous friction, no history (laws/power.hpp).
template <class T, class Row>
SCREE_HD PlanarOutput<T> planar_viscous(const Row& q, const PlanarInput<T>& in) {
    const T zero = T(0);
    const bool touching = in.delta > zero;
    const T delta = touching ? in.delta : zero, root = std::sqrt(delta);
    const T f_n = touching ? q.k_n * delta * root - q.zeta * root * in.v_n : zero;
    const T limit = q.mu * std::fabs(f_n), viscous = touching ? q.k_t * in.v_t : zero;
    const T size = std::fabs(viscous);
    return {f_n, size < limit ? viscous : (viscous < zero ? -limit : limit), zero};
}

/// Force of one contact with law Law; as contact_force of laws/contact.hpp.
template <class Law, class T, class Row>
SCREE_HD PlanarOutput<T> planar_force(const Row& q, const PlanarInput<T>& in, T dt) {
    if constexpr (std::is_same_v<Law, PowerLaw>) return planar_viscous(q, in);
    const T zero = T(0);
    const bool touching = in.delta > zero;
    const T delta = touching ? in.delta : zero;

    const auto S = Law::stiffness(q.k_n, q.k_t, in.R_eff, delta);
    // Roots apart: those of a constant stiffness are taken once for all contacts.
    const T root_m = std::sqrt(in.m_eff);
    const T critical = T(2) * std::sqrt(S.normal) * root_m, c_n = q.zeta * critical, c_t = q.zeta_t * critical;
    const T damped = S.elastic - c_n * in.v_n;
    // A NaN must get through to be found, so the clip keeps what is not below zero.
    const T f_n = touching ? (damped < zero ? zero : damped) : zero;

    const auto kept = Law::stretch_kept2(delta + in.v_n * dt, delta);
    const T xi = std::sqrt(kept.part / (kept.whole > zero ? kept.whole : T(1))) * in.stretch + dt * in.v_t;
    const T trial = S.tangential * xi + c_t * in.v_t, limit = q.mu * f_n;
    const bool sliding = std::fabs(trial) > limit;
    const T f_t = sliding ? (trial < zero ? -limit : limit) : trial;
    const T stiff = S.tangential * dt + c_t;
    const T slipped = (trial - f_t) * dt / (stiff > zero ? stiff : T(1));
    return {f_n, touching ? f_t : zero, touching && limit > zero ? xi - slipped : zero};
}

}  // namespace scree
