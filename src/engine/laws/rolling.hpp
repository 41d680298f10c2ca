// Couples against rolling, after Ai, Chen, Rotter & Ooi 2011 (Powder Technol. 206:269-282): a couple of constant size against the rolling
// (their model A), and a spring and a dashpot in series with a slider (their model C). Symbols: n unit normal from A to B; w turning of B
// against A across n [rad/s]; theta elastic turn [rad]; T couple on A [N m], -T on B; |T| <= mu_r R_eff f_n.
#pragma once

#include <cmath>

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
    const T size = std::sqrt(norm2(trial)), stiff = in.stiffness * dt + in.damping;
    const bool holds = in.limit > zero, slides = size > in.limit;
    const T cut = holds ? (slides ? in.limit / (slides ? size : one) : one) : zero;
    const T slipped = slides ? dt * (one - cut) / (stiff > zero ? stiff : one) : zero;
    return {cut * trial, (holds ? one : zero) * (theta - slipped * trial)};
}

/// Couples of bodies that touch, 9/4 of the normal spring over the length that the couple's limit has (Ai et al. 2011, eq. 12); of disks 3
/// (Jiang, Yu & Harris 2005). spring: elastic force over overlap [N/m]; reach: mu_r R_eff [m].
template <class T>
SCREE_HD T rolling_stiffness(T spring, T reach, bool planar) {
    return (planar ? T(3) : T(2.25)) * spring * reach * reach;
}

}  // namespace scree
