// Couples against rolling, after Ai, Chen, Rotter & Ooi 2011 (Powder Technol. 206:269-282): a couple of constant size against the rolling
// (their model A), and a spring and a dashpot in series with a slider (their model C). Symbols: n unit normal from A to B; w turning of B
// against A across n [rad/s]; theta elastic turn [rad]; T couple on A [N m], -T on B; |T| <= mu_r R_eff f_n.
// And against twisting, the turning about n: Marshall 2009 (J. Comput. Phys. 228:1541-1561), the tangential spring, dashpot and friction
// spread over the area of contact of radius a = sqrt(R_eff delta); or model C with mu_s in place of mu_r.
#pragma once

#include <cmath>
#include <limits>

#include "engine/laws/contact.hpp"

namespace scree {

/// What rolls, and what holds it.
template <class T>
struct RollingInput {
    Vec3T<T> turning;  // w [rad/s]
    Vec3T<T> roll;     // theta, carried into the plane across n [rad]
    T limit;           // mu_r R_eff f_n [N m]; 0 where the two do not touch
    T inertia;         // of the turning of both bodies about their centres [kg m2]
    T stiffness;       // k_r [N m/rad]
    T damping;         // c_r [N m s/rad]
};

template <class T>
struct RollingOutput {
    Vec3T<T> couple;  // on A [N m]
    Vec3T<T> roll;    // [rad]
};

/// Model A: as large as friction allows, but never more than stops the turning within the step, about which it would go to and fro: of each
/// contact for itself.
template <class T>
SCREE_HD RollingOutput<T> constant_rolling(const RollingInput<T>& in, T dt) {
    const T zero = T(0), one = T(1);
    // A step of no length, as a start's, gives no couple: nothing says what would turn it round.
    const T speed = std::sqrt(norm2(in.turning)), stops = in.inertia * speed;
    const bool turns = speed > zero && dt > zero;
    const T size = in.limit * dt < stops ? in.limit : stops / (turns ? dt : one);
    return {((turns ? size : zero) / (turns ? speed : one)) * in.turning, zero * in.turning};
}

/// Model C, with the slider in series with spring and dashpot, so that the couple is never above the limit: of w the slider takes s,
/// T = k_r (theta - dt s) + c_r (w - s), and T.s is never negative.
template <class T>
SCREE_HD RollingOutput<T> sprung_rolling(const RollingInput<T>& in, T dt) {
    const T zero = T(0), one = T(1);
    const Vec3T<T> theta = in.roll + dt * in.turning;
    const Vec3T<T> trial = in.stiffness * theta + in.damping * in.turning;
    // Squared in units of 1e-10 N m: of small grains the square of a couple is none that a float holds.
    const T unit = T(1e10), limit = unit * in.limit, size = std::sqrt(norm2(unit * trial)), stiff = in.stiffness * dt + in.damping;
    const bool holds = limit > std::numeric_limits<T>::min(), slides = size > limit;
    const T cut = holds ? (slides ? limit / (slides ? size : one) : one) : zero;
    const T slipped = slides ? dt * (one - cut) / (stiff > zero ? stiff : one) : zero;
    return {cut * trial, (holds ? one : zero) * (theta - slipped * trial)};
}

/// What twists, and what holds it.
template <class T>
struct TwistingInput {
    T turning;    // of B against A about n [rad/s]
    T torsion;    // elastic turn about n [rad]
    T limit;      // [N m]; 0 where the two do not touch
    T stiffness;  // [N m/rad]
    T damping;    // [N m s/rad]
};
template <class T>
struct TwistingOutput {
    T couple;   // on A, along n [N m]
    T torsion;  // [rad]
};

/// As sprung_rolling, about n.
template <class T>
SCREE_HD TwistingOutput<T> sprung_twisting(const TwistingInput<T>& in, T dt) {
    const T zero = T(0), one = T(1);
    const T turned = in.torsion + dt * in.turning, trial = in.stiffness * turned + in.damping * in.turning;
    const T size = trial < zero ? -trial : trial, stiff = in.stiffness * dt + in.damping;
    const bool holds = in.limit > zero, slides = size > in.limit;
    const T cut = holds ? (slides ? in.limit / (slides ? size : one) : one) : zero;
    const T slipped = slides ? dt * (one - cut) / (stiff > zero ? stiff : one) : zero;
    return {cut * trial, holds ? turned - slipped * trial : zero};
}

/// Which of the two laws of twisting: 1 and 0, 0 and 1, or none.
template <class T>
struct TwistingShares {
    T marshall, sprung;
};

/// Share of the torsion that stays as the overlap goes from `before` to delta: where the stiffness grows, the couple does not.
template <class T>
SCREE_HD T torsion_kept(const TwistingShares<T>& of, T before, T delta, T kept2_of_law) {
    const T bounded = before < T(0) ? T(0) : (before > delta ? T(1) : before / delta);
    return of.marshall > T(0) ? bounded * std::sqrt(bounded) : std::sqrt(kept2_of_law);
}

/// All but turning and torsion. friction: of a spring mu_s, of Marshall's law 1, or 0 of a pair without; press: normal force where the two
/// touch, else 0 [N]; S_t, c_t: tangential stiffness and damping; spring: as for rolling_stiffness; inertia: of the turning about n.
template <class T>
SCREE_HD TwistingInput<T> twisting_of(const TwistingShares<T>& of, T press, T R_eff, T delta, T mu, T S_t, T c_t, T spring, T friction,
                                      T ratio, T inertia) {
    const T a2 = R_eff * delta, reach = friction * R_eff, own = T(2.25) * spring * reach * reach;
    TwistingInput<T> in{};
    in.limit = press * (of.marshall * friction * (T(2) / T(3)) * mu * std::sqrt(a2) + of.sprung * reach);
    in.stiffness = of.marshall * T(0.5) * S_t * a2 + of.sprung * own;
    in.damping = of.marshall * T(0.5) * c_t * a2 + of.sprung * T(2) * ratio * std::sqrt(inertia * own);
    return in;
}

/// Couples of bodies that touch, 9/4 of the normal spring over the length that the couple's limit has (Ai et al. 2011, eq. 12); of disks 3
/// (Jiang, Yu & Harris 2005). spring: elastic force over overlap [N/m]; reach: mu_r R_eff [m].
template <class T>
SCREE_HD T rolling_stiffness(T spring, T reach, bool planar) {
    return (planar ? T(3) : T(2.25)) * spring * reach * reach;
}

}  // namespace scree
