// One frictional contact: geometry and relative motion in, force and history out. The chain normal -> tangential that every law shares.
// Symbols: n unit normal from A to B; delta overlap; v relative velocity of B against A at the contact (v_n along n, positive apart);
// xi tangential stretch; f_n >= 0 normal force; f_t tangential force on A; m_eff, R_eff effective mass and radius.
// Invariant: branch-free, no attraction, |f_t| <= mu f_n.
#pragma once

#include <cmath>
#include <type_traits>

#include "base/multiply_add.hpp"
#include "engine/laws/power.hpp"
#include "laws/normal/plastic.hpp"

namespace scree {

/// Where two surfaces meet and how they move there.
template <class T>
struct ContactInput {
    Vec3T<T> normal;            // unit, from A to B
    T delta;                    // overlap [m]; negative: apart
    Vec3T<T> velocity;          // of B against A at the contact [m/s]
    T spin;                     // mean angular velocity about the normal [rad/s]
    T R_eff, m_eff;             // [m], [kg]
    Vec3T<T> stretch;           // xi of the last step [m]
    PlasticMemory<T> memory{};  // of the last step, of laws with one
};

template <class T>
struct ContactOutput {
    Vec3T<T> force;    // on A [N]
    Vec3T<T> twist;    // n × f_t [N]: the torque on a sphere is its lever arm times this
    Vec3T<T> stretch;  // [m]
    T normal_force;    // f_n [N]
    PlasticMemory<T> memory{};
};

/// Carries xi from the old tangent plane into the new one: turned about n with the bodies' mean spin, projected, length kept but for a
/// share whose square is part / whole.
template <class T>
SCREE_HD Vec3T<T> carried_stretch(Vec3T<T> xi, Vec3T<T> n, T spin_angle, T part = T(1), T whole = T(1)) {
    const T before = fused_norm2(xi);
    const Vec3T<T> turned = multiply_add(spin_angle, fused_cross(n, xi), xi);
    const Vec3T<T> flat = multiply_add(-fused_dot(turned, n), n, turned);
    const T after = fused_norm2(flat) * whole;
    // A stretch along n has nothing to keep; neither has one below 1e-13 m at an overlap of 1 nm, near the smallest float.
    const T tiny = T(1e-35);
    const bool some = after > tiny;
    return std::sqrt((some ? before * part : T(0)) / (some ? after : T(1))) * flat;
}

/// The power law: viscous friction, no history (laws/power.hpp).
template <class T, class Row>
SCREE_HD ContactOutput<T> viscous_contact(const Row& q, const ContactInput<T>& in) {
    const T zero = T(0);
    const bool touching = in.delta > zero;
    const T delta = touching ? in.delta : zero;
    const T v_n = dot(in.velocity, in.normal);
    const Vec3T<T> v_t = in.velocity - v_n * in.normal;
    const T root = std::sqrt(delta);
    const T f_n = touching ? q.k_n * delta * root - q.zeta * root * v_n : zero;
    const T speed = std::sqrt(norm2(v_t)), limit = q.mu * std::fabs(f_n), viscous = touching ? q.k_t * speed : zero;
    const T size = viscous < limit ? viscous : limit;
    const Vec3T<T> f_t = (size / (speed > zero ? speed : T(1))) * v_t;
    ContactOutput<T> out;
    out.normal_force = f_n;
    out.force = f_t - f_n * in.normal;
    out.twist = cross(in.normal, f_t);
    out.stretch = zero * in.stretch;
    return out;
}

/// What the normal law leaves to the tangential one.
template <class T>
struct PressedContact {
    Vec3T<T> normal, v_t;  // n; tangential velocity of B against A [m/s]
    T f_n, S_t, c_t;       // normal force [N], tangential stiffness [N/m], its damping [N s/m]
    T part, whole;         // of the stretch (carried_stretch)
    T turn;                // about n in this step [rad]
    T delta;               // overlap [m]; not positive: apart
    T f_el, v_n;           // elastic part of f_n [N]; of B against A along n [m/s]
    T secant;              // f_el over the overlap [N/m]
};

/// Normal force and what friction needs. q.zeta_t: zeta times the root of S_t / S_n.
template <class Law, class T, class Row>
SCREE_HD PressedContact<T> pressed_contact(const Row& q, const ContactInput<T>& in, T dt) {
    const T zero = T(0);
    const bool touching = in.delta > zero;
    const T delta = touching ? in.delta : zero;
    const T v_n = fused_dot(in.velocity, in.normal);
    const auto S = Law::stiffness(q.k_n, q.k_t, in.R_eff, delta);
    // c = 2 zeta sqrt(S m_eff), by one root for both directions.
    const T critical = T(2) * std::sqrt(S.normal * in.m_eff);
    const T damped = multiply_add(-(q.zeta * critical), v_n, S.elastic);
    const auto kept = Law::stretch_kept2(multiply_add(v_n, dt, delta), delta);
    PressedContact<T> out;
    out.normal = in.normal;
    out.v_t = multiply_add(-v_n, in.normal, in.velocity);
    // A NaN must get through to be found, so the clip keeps what is not below zero.
    out.f_n = touching ? (damped < zero ? zero : damped) : zero;
    out.S_t = S.tangential;
    out.c_t = q.zeta_t * critical;
    out.part = kept.part;
    out.whole = kept.whole;
    out.turn = in.spin * dt;
    out.delta = in.delta;
    out.f_el = S.elastic;
    out.v_n = v_n;
    out.secant = S.secant;
    return out;
}

/// Friction of a contact whose stretch has been carried on and stretched by v_t: xi. What slides is in series with spring and dashpot: of
/// v_t the slider takes s, so that S_t (xi - dt s) + c_t (v_t - s) is the force; f_t s is never negative. limit: mu f_n [N].
template <class T>
SCREE_HD ContactOutput<T> rubbed_contact(T limit, const PressedContact<T>& in, Vec3T<T> xi, T dt) {
    const T zero = T(0);
    const Vec3T<T> trial = multiply_add(in.S_t, xi, in.c_t * in.v_t);
    const T size = std::sqrt(fused_norm2(trial));
    const bool sliding = size > limit;
    // One division for both the cut and 1 / stiffness of spring and dashpot to what is moved in a step.
    const T stiff = multiply_add(in.S_t, dt, in.c_t), product = size * stiff;
    const T both = T(1) / (product > zero ? product : T(1));
    const T cut = sliding ? limit * both * stiff : T(1);
    const Vec3T<T> f_t = cut * trial;
    const T slipped = sliding ? (T(1) - cut) * (both * size) * dt : zero;
    const T held = in.delta > zero && limit > zero ? T(1) : zero;  // what is not pressed together holds nothing
    ContactOutput<T> out;
    out.normal_force = in.f_n;
    out.force = multiply_add(-in.f_n, in.normal, f_t);
    out.twist = fused_cross(in.normal, f_t);
    out.stretch = held * multiply_add(-slipped, trial, xi);
    return out;
}

/// Force of one contact with law Law (laws/hertz.hpp, laws/linear.hpp). k_n, k_t, zeta, mu: model/contact_parameters.hpp. dt [s].
/// f_n = max(0, f_el - c_n v_n), c_n = 2 zeta sqrt(S_n m_eff); f_t = S_t xi + c_t v_t, cut to mu f_n, where a slider takes the rest of v_t.
template <class Law, class T, class Row>
SCREE_HD ContactOutput<T> contact_force(const Row& q, const ContactInput<T>& in, T dt) {
    if constexpr (std::is_same_v<Law, PowerLaw>) return viscous_contact(q, in);
    const PressedContact<T> pressed = pressed_contact<Law>(q, in, dt);
    return rubbed_contact(
        q.mu * pressed.f_n, pressed,
        multiply_add(dt, pressed.v_t, carried_stretch(in.stretch, pressed.normal, pressed.turn, pressed.part, pressed.whole)), dt);
}

}  // namespace scree
