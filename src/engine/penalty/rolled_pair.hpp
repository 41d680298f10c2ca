// The couple of a pair of spheres against rolling and twisting, as vector code. Shared by the kernel of penalty/rolling.hpp and the fused
// step, which must round alike.
#pragma once

#include "engine/laws/rolling.hpp"
#include "engine/penalty/sphere_pairs.hpp"

namespace scree::SCREE_FLAVOR {

/// Beside load_pair: w_b - w_a, and 1 / (m r^2) of both bodies; of members of compounds by their share of mass, else by the inverse moment
/// of inertia, 5/2 of it.
inline constexpr int roll_packs = pair_packs + 1;
SCREE_HD void load_rolling_pair(const BodyView& body, Index i, Index j, bool members, const StageSlot<Real>& slot) {
    load_pair(body, i, j, slot);
    const double r_a = body.radius[i], r_b = body.radius[j];
    const double both = members ? body.inverse_mass[i] / (r_a * r_a) + body.inverse_mass[j] / (r_b * r_b)
                                : 0.4 * (body.inverse_inertia[i] + body.inverse_inertia[j]);
    store_quad(slot.pack(pair_packs),
               with_last(load_quad(body.angular_velocity.row[j]) - load_quad(body.angular_velocity.row[i]), all_lanes(both)));
}

/// What contacts of one class remember and give.
struct RollColumns {
    Vec3View<Real> roll, couple;
    Real* torsion;
};
inline RollColumns roll_columns(ContactList& list) {
    return {list.contacts.roll.view(), list.contacts.couple.view(), list.contacts.torsion.data()};
}

/// What the laws are.
template <Rolling Of, Twisting About>
struct RollingLaws {
    static constexpr Rolling rolling = Of;
    static constexpr Twisting twisting = About;
};
/// use(RollingLaws{}) of a model's.
template <class Use>
void with_rolling_laws(const PenaltySettings& penalty, Use use) {
    const auto with = [&](auto rolling) {
        constexpr Rolling Of = decltype(rolling)::value;
        if (penalty.twisting == Twisting::Marshall) return use(RollingLaws<Of, Twisting::Marshall>{});
        if (penalty.twisting == Twisting::Spring) return use(RollingLaws<Of, Twisting::Spring>{});
        use(RollingLaws<Of, Twisting::None>{});
    };
    if (penalty.rolling == Rolling::Spring) return with(std::integral_constant<Rolling, Rolling::Spring>{});
    if (penalty.rolling == Rolling::Constant) return with(std::integral_constant<Rolling, Rolling::Constant>{});
    with(std::integral_constant<Rolling, Rolling::None>{});
}

/// What a contact that has been pressed together leaves for its couple.
struct PressedPair {
    Vec3T<Real> normal;
    Real part, whole, turn;  // of what is remembered (carried_stretch)
    Real delta, R_eff;       // [m]
    Real v_n;                // of B against A along n [m/s]
    Real S_t, c_t, secant;   // as PressedContact
};
SCREE_HD PressedPair pressed_pair(const PressedContact<Real>& c, Real R_eff) {
    return {c.normal, c.part, c.whole, c.turn, c.delta, R_eff, c.v_n, c.S_t, c.c_t, c.secant};
}

struct RolledPair {
    Vec3T<Real> couple, roll;  // on A [N m]; [rad]
    Real torsion;              // [rad]
};

/// turning: w_b - w_a; both: 1 / (m r^2) of both; force: of the contact, without pulls; roll, torsion: of the step before.
template <class Laws>
SCREE_HD RolledPair rolled_pair(const PressedPair& c, Vec3T<Real> turning, Real both, Real mu, const RollingRow& row, Vec3T<Real> force,
                                Vec3T<Real> roll, Real torsion, Real dt) {
    const Real zero = Real(0), presses = -dot(force, c.normal), about = dot(turning, c.normal), reach = row.friction * c.R_eff;
    const bool touching = c.delta > zero;
    const Real press = touching && presses > zero ? presses : zero, delta = touching ? c.delta : c.R_eff;
    RolledPair out{{}, {}, zero};
    if constexpr (Laws::rolling != Rolling::None) {
        RollingInput<Real> in{};
        in.turning = turning - about * c.normal;
        in.limit = reach * press;
        RollingOutput<Real> held;
        if constexpr (Laws::rolling == Rolling::Spring) {
            in.roll = carried_stretch(roll, c.normal, c.turn, c.part, c.whole);
            in.stiffness = rolling_stiffness(c.secant, reach, false);
            in.damping = Real(2) * row.damping * std::sqrt(Real(1.4) * in.stiffness / both);
            held = sprung_rolling(in, dt);
        } else {
            in.inertia = Real(0.4) / both;
            held = constant_rolling(in, dt);
        }
        out.couple = held.couple;
        out.roll = held.roll;
    }
    if constexpr (Laws::twisting != Twisting::None) {
        // As twisting_of and torsion_kept, of the one law alone.
        TwistingInput<Real> in{};
        in.turning = about;
        if constexpr (Laws::twisting == Twisting::Marshall) {
            const Real a2 = c.R_eff * delta, before = delta + c.v_n * dt;
            const Real share = before < zero ? zero : (before > delta ? Real(1) : before / delta);
            in.limit = press * (Real(2.0 / 3) * mu * std::sqrt(a2)) * row.spinning;
            in.stiffness = Real(0.5) * c.S_t * a2;
            in.damping = Real(0.5) * c.c_t * a2;
            in.torsion = torsion * share * std::sqrt(share);
        } else {
            const Real arm = row.spinning * c.R_eff;
            in.limit = press * arm;
            in.stiffness = Real(2.25) * c.secant * arm * arm;
            in.damping = Real(2) * row.damping * std::sqrt(Real(0.4) * in.stiffness / both);
            in.torsion = torsion * std::sqrt(touching ? c.part / c.whole : zero);
        }
        const TwistingOutput<Real> held = sprung_twisting(in, dt);
        out.couple += held.couple * c.normal;
        out.torsion = held.torsion;
    }
    return out;
}

}  // namespace scree::SCREE_FLAVOR
