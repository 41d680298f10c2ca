// One frictional contact of a polyhedron, reduced to a patch: geometry and relative motion in, wrench and history out.
// Symbols: V volume shared, S length of its vector area (projected area of the patch), d = V / S mean depth, a = sqrt(S / pi) radius of the
// disc of equal area, n unit normal from A to B, C centroid of the shared volume, where the force acts; E_eff, G_eff as in laws/hertz.hpp.
// Normal force of a patch:
//   Hertz   F = 2 E_eff a d: exact for a flat punch; a sphere and a cone come within 6 and 5 % (Hertz 1882; Sneddon 1965)
//   linear  F = k_n d
//   volume  F = E_eff V / V_ref S with V_ref = V_A V_B / (V_A + V_B): minus the gradient of E_eff V^2 / (2 V_ref), so that it conserves
//           energy whatever the bodies do (after Feng, Han & Owen 2012); two cubes face on face are elastic columns of half a cube each
//   power   F = K_r d^{3/2} + K_D d^{1/2} approach speed (BLAZE-DEM: Govender, Wilke & Kok 2015, eqs. 6 and 7)
// Dashpots and friction beside them are those of the row (laws/general_row.hpp).
// V, S n and C are continuous as features change, and so is the wrench; points that enter at zero depth add nothing.
// Invariant: no attraction but under the power law, |f_t| <= mu f_n, |turning torque| <= 2/3 mu f_n a.
#pragma once

#include <type_traits>

#include "engine/laws/contact.hpp"
#include "engine/laws/general.hpp"
#include "engine/laws/hertz.hpp"
#include "engine/laws/linear.hpp"
#include "engine/laws/power.hpp"
#include "engine/narrow/convex.hpp"

namespace scree {

/// Conserves energy; polyhedra alone.
struct VolumeLaw {};

/// Where a patch is, relative to the centre of A.
template <class T>
struct PatchGeometry {
    bool touching{false};
    Vec3T<T> normal;  // unit, from A to B
    T depth{};        // d [m]
    T extent{};       // of the shared volume along the normal [m]; 0: not known, as d
    T area{};         // S [m2]
    T volume{};       // V [m3]
    Vec3T<T> point;   // C [m]
    Vec3T<T> couple;  // integral of x cross (A's outward normal) over A's surface within B [m3]
    T share{1};       // of the contact that one of several walls bears which A touches as one surface
};

/// The patch of an overlap whose moments are about the centre of A. `fallback`: normal where none is defined.
template <class T>
SCREE_HD PatchGeometry<T> patch_of(const Overlap<T>& o, Vec3T<T> fallback) {
    PatchGeometry<T> g;
    if (!(o.volume > T(0))) return g;
    const T size = norm(o.area), length = norm(o.direction);
    g.touching = true;
    g.normal = length > T(0) ? o.direction / length : fallback;
    // A body run through by a thin one shares volume but hardly any vector area; half of V^{2/3} is far below what any solid has.
    // Cubes decide whether that root is needed.
    const T square = o.volume * o.volume;
    const bool usual = T(8) * size * size * size > square;
    const T least = usual ? size : T(0.5) * std::cbrt(square);
    g.area = size > least ? size : least;
    g.volume = o.volume;
    g.depth = o.volume / g.area;
    g.point = o.moment / o.volume;
    g.couple = o.couple;
    return g;
}

/// Everything else a patch law reads. B's quantities are zero for a wall but for its velocity.
template <class T>
struct PatchInput {
    PatchGeometry<T> patch;
    Vec3T<T> to_b;      // centre of B less centre of A [m]
    Vec3T<T> velocity;  // of B's surface against A's at C [m/s]
    Vec3T<T> w_a, w_b;  // angular velocities [rad/s]
    T m_eff;            // [kg]
    T volume_ref;       // V_ref [m3]
    Vec3T<T> stretch;   // history, as in ContactInput
    Vec3T<T> axis;      // history: n a of the last step; zero where the contact is new
    T turn;             // history: elastic turn of B against A about n [rad]
};

template <class T>
struct PatchOutput {
    Vec3T<T> force, torque_a, torque_b;  // force and torque on A, torque on B, each about its own centre
    Vec3T<T> stretch, axis;
    T turn{};
    T normal_force{};
    // What energies need: spring stiffness of the tangential spring and elastic part of the normal force.
    T tangential_stiffness{}, elastic_force{};
    T damping_t{};  // of the tangential dashpot [N s/m]
};

/// Stiffness of a patch: S_n, S_t [N/m] and elastic normal force [N].
template <class Law, class T>
struct PatchStiffness {
    T normal, tangential, elastic;
};
template <class T, class Row>
SCREE_HD PatchStiffness<LinearLaw, T> patch_stiffness(LinearLaw, const Row& q, const PatchGeometry<T>& g, T, T) {
    return {q.k_n, q.k_t, q.k_n * g.depth};
}
template <class T, class Row>
SCREE_HD PatchStiffness<HertzLaw, T> patch_stiffness(HertzLaw, const Row& q, const PatchGeometry<T>& g, T, T a) {
    // k_n = 4/3 E_eff, so 2 E_eff = 1.5 k_n.
    return {T(1.5) * q.k_n * a, q.k_t * a, T(1.5) * q.k_n * a * g.depth};
}
template <class T, class Row>
SCREE_HD PatchStiffness<VolumeLaw, T> patch_stiffness(VolumeLaw, const Row& q, const PatchGeometry<T>& g, T volume_ref, T) {
    const T E_over = T(0.75) * q.k_n / volume_ref;
    const T S_n = E_over * g.area * g.area;
    return {S_n, S_n * q.k_t / (T(1.5) * q.k_n), E_over * g.volume * g.area};
}

/// What the spheres' damping ratio is multiplied with for the patch at hand to have the restitution wanted. Where S grows as h^q with the
/// extent h = (1 + q) d, the force grows as h^p, and a dashpot 2 zeta sqrt(S_n m) is that of the linear oscillator in h^{(p + 1) / 2} with
/// z = zeta sqrt(S_n / F' · 2 p / (p + 1)): Hertz p = 1 + q/2, F' = S_n (1 + q/2) / (1 + q); linear p = 1, F' = S_n / (1 + q); volume
/// p = 1 + 2q, F' = S_n p / (1 + q), so that z = zeta. A face has q = 0, an edge or a ball 1, a corner 2.
template <class Law, class T>
SCREE_HD T damping_share(Law, const PatchGeometry<T>& g) {
    const T grown = g.extent > g.depth ? g.extent / g.depth - T(1) : T(0), q = grown < T(2) ? grown : T(2);
    if constexpr (std::is_same_v<Law, HertzLaw>) {
        // The spheres' own z = sqrt(6/5) zeta (model/contact_parameters.cpp).
        return std::sqrt(T(1.2) * (T(1) + T(0.25) * q) / (T(1) + q));
    } else if constexpr (std::is_same_v<Law, LinearLaw>) {
        return T(1) / std::sqrt(T(1) + q);
    } else {
        return T(1);
    }
}

/// What one wall bears of a contact with several.
template <class T>
SCREE_HD void take_share(PatchOutput<T>& out, T share) {
    out.force *= share;
    out.torque_a *= share;
    out.torque_b *= share;
}

/// Adds a force on A that acts at C, and its counterpart on B.
template <class T>
SCREE_HD void add_force_at(PatchOutput<T>& out, const PatchInput<T>& in, Vec3T<T> force) {
    out.force += force;
    out.torque_a += cross(in.patch.point, force);
    out.torque_b -= cross(in.patch.point - in.to_b, force);
}

/// Springs and dashpots with history. dt [s].
template <class Law, class T, class Row>
SCREE_HD PatchOutput<T> spring_patch(Law law, const Row& q, const PatchInput<T>& in, T dt) {
    const T zero = T(0), pi = T(3.14159265358979324);
    const PatchGeometry<T>& g = in.patch;
    const Vec3T<T> n = g.normal;
    const T a = std::sqrt(g.area / pi);
    const T v_n = dot(in.velocity, n);
    const Vec3T<T> v_t = in.velocity - v_n * n;
    const auto S = patch_stiffness(law, q, g, in.volume_ref, a);
    PatchOutput<T> out;
    const T c_n = T(2) * q.zeta * damping_share(law, g) * std::sqrt(S.normal * in.m_eff) + q.viscous * S.normal;
    const T damped = S.elastic - c_n * v_n;
    const T f_n = damped < q.floor ? q.floor : damped;
    const T S_t = q.springs * S.tangential + q.k_s;
    out.normal_force = f_n;
    out.elastic_force = S.elastic;
    out.tangential_stiffness = S_t;

    // A patch that has grown keeps its force, not its stretch, as in laws/hertz.hpp.
    const bool constant = std::is_same_v<Law, LinearLaw> || !(q.springs > zero);
    const T a_old = norm(in.axis);
    const T grown = a_old < a ? a_old / a : T(1);
    // S_t grows as a (Hertz) or as a^4 (volume).
    const T share = constant ? T(1) : (std::is_same_v<Law, VolumeLaw> ? grown * grown * grown * grown : grown);
    const T spin = T(0.5) * dot(in.w_a + in.w_b, n);
    const Vec3T<T> xi = carried_stretch(in.stretch, n, spin * dt, share * share, T(1)) + dt * v_t;
    const T c_t = T(2) * q.zeta * std::sqrt(S_t * in.m_eff) + q.viscous * S_t + q.slides;
    out.damping_t = c_t;
    const Vec3T<T> trial = S_t * xi + c_t * v_t;
    const T limit = friction_limit(q, f_n, norm2(v_t)), size = norm(trial);
    const bool sliding = size > limit;
    const Vec3T<T> f_t = sliding ? (limit / size) * trial : trial;
    // As in laws/contact.hpp, a slider in series with spring and dashpot.
    const T stiff = S_t * dt + c_t, slips = stiff > zero ? dt / stiff : zero;
    const T pressed = limit > zero && S_t > zero ? T(1) : zero;  // what is not pressed together, or has no spring, holds nothing
    out.stretch = pressed * (xi - slips * (trial - f_t));

    // Turning on the spot, by a disc of equal area: gyration radius squared a^2 / 2, sliding torque 2/3 mu f_n a.
    const T w_n = dot(in.w_b - in.w_a, n), gyration2 = T(0.5) * a * a;
    const T turn = in.turn * grown * grown * share + w_n * dt;
    const T twisting = S_t * turn + c_t * w_n;
    const T trial_torque = gyration2 * twisting, torque_limit = T(2) / T(3) * limit * a;
    const bool turning = std::fabs(trial_torque) > torque_limit;
    const T torque = turning ? (trial_torque > zero ? torque_limit : -torque_limit) : trial_torque;
    out.turn = pressed * (turning ? turn - slips * (twisting - torque / gyration2) : turn);

    // Rocking: the dashpot spread over the disc, whose pressure can not pull, so that its middle stays within the radius a. It is for faces
    // on faces: a patch small beside its bodies lies on a corner or a curve, which is to roll freely.
    const Vec3T<T> rocking = in.w_b - in.w_a - w_n * n;
    const T rate = norm(rocking);
    const T wide = T(4.0 / 3.0) * pi * a * a * a / in.volume_ref;
    const T held = T(0.25) * (wide < T(1) ? wide : T(1)) * c_n * a * a * rate, most = f_n > zero ? f_n * a : zero;
    const Vec3T<T> couple = torque * n + (rate > zero ? (held < most ? held : most) / rate : zero) * rocking;

    add_force_at(out, in, f_t - f_n * n);
    out.torque_a += couple;
    out.torque_b -= couple;
    out.axis = a * n;
    return out;
}

/// The volume law's elastic force acts where the uniform pressure of the patch does, not at C: its couple is exact.
template <class T, class Row>
SCREE_HD PatchOutput<T> patch_force(VolumeLaw law, const Row& q, const PatchInput<T>& in, T dt) {
    PatchOutput<T> out = spring_patch(law, q, in, dt);
    const T pressure = out.normal_force / in.patch.area;
    const Vec3T<T> correction = cross(in.patch.point, out.normal_force * in.patch.normal) - pressure * in.patch.couple;
    out.torque_a += correction;
    out.torque_b -= correction;
    return out;
}
template <class T, class Row>
SCREE_HD PatchOutput<T> patch_force(LinearLaw law, const Row& q, const PatchInput<T>& in, T dt) {
    return spring_patch(law, q, in, dt);
}
template <class T, class Row>
SCREE_HD PatchOutput<T> patch_force(HertzLaw law, const Row& q, const PatchInput<T>& in, T dt) {
    return spring_patch(law, q, in, dt);
}

/// K_r = k_n [N/m^1.5], K_D = zeta [N s/m^1.5], K_T = k_t [N s/m]. Friction is viscous up to mu |F_N|; nothing is remembered.
template <class T, class Row>
SCREE_HD PatchOutput<T> patch_force(PowerLaw, const Row& q, const PatchInput<T>& in, T) {
    const PatchGeometry<T>& g = in.patch;
    const Vec3T<T> n = g.normal;
    const T v_n = dot(in.velocity, n), root = std::sqrt(g.depth);
    const Vec3T<T> v_t = in.velocity - v_n * n;
    PatchOutput<T> out;
    out.elastic_force = q.k_n * g.depth * root;
    out.normal_force = out.elastic_force - q.zeta * root * v_n;
    const T speed = norm(v_t), limit = q.mu * std::fabs(out.normal_force), viscous = q.k_t * speed;
    const T f_t = viscous < limit ? viscous : limit;
    add_force_at(out, in, (speed > T(0) ? f_t / speed : T(0)) * v_t - out.normal_force * n);
    out.axis = std::sqrt(g.area / T(3.14159265358979324)) * n;
    return out;
}

}  // namespace scree
