// Contacts of round bodies with any normal law, dashpot and friction that is not of the plain ones: one kernel for each normal law, whose
// rows say what dashpot and friction do, without a branch. Symbols as in laws/contact.hpp; A viscous time, mu(v) = mu_d + (mu - mu_d) /
// (1 + (v / v_s)^2).
//   f_n = f_el - (2 zeta sqrt(S_n m_eff) + A S_n) v_n, not below the strongest pull of the law, or as it is (Tsuji)
//   f_t = S_t xi + c_t v_t, cut to mu(v_t) times what the law presses with beyond its strongest pull
#pragma once

#include "engine/laws/contact.hpp"
#include "engine/laws/hertz.hpp"
#include "laws/general_row.hpp"
#include "laws/normal.hpp"

namespace scree {

template <class T>
SCREE_HD GeneralRowOf<double> wide(const GeneralRowOf<T>& q) {
    GeneralRowOf<double> w{q.k_n,     q.k_t, q.zeta,   q.mu,      {},          q.viscous, q.floor,
                           q.springs, q.k_s, q.slides, q.mu_fast, q.slowness2, q.normal};
    for (int k = 0; k < plastic_row_values; ++k) w.own[k] = q.own[k];
    return w;
}
template <class T>
SCREE_HD PlasticMemory<double> wide(const PlasticMemory<T>& memory) {
    return {static_cast<double>(memory.deepest), static_cast<double>(memory.softened)};
}

/// A normal law without a memory of its own, and one with: Base has the stiffness of its loading curve.
template <class Base>
struct General : Base {
    using Plastic = void;
};
template <class Law>
struct GeneralPlastic : std::conditional_t<Law::hertzian, HertzLaw, LinearLaw> {
    using Plastic = Law;
};
/// Whichever of these a row names: of scenes whose pairs have different ones.
struct PlasticByPair;
struct GeneralByPair {
    using Plastic = PlasticByPair;
};
template <class Law, class = void>
struct IsGeneral : std::false_type {};
template <class Law>
struct IsGeneral<Law, std::void_t<typename Law::Plastic>> : std::true_type {};
template <class Law>
inline constexpr bool is_general_law = IsGeneral<Law>::value;
template <class Law>
constexpr bool has_memory() {
    if constexpr (is_general_law<Law>) return !std::is_void_v<typename Law::Plastic>;
    return false;
}

/// use(Law{}) of the law that a row names.
template <class Row, class Use, class... Laws>
SCREE_HD void with_law_of(LawList<Laws...>, const Row& q, Use use) {
    if (q.normal == 0) use(General<LinearLaw>{});
    if (q.normal == 1) use(General<HertzLaw>{});
    int at = 1;
    ((++at, q.normal == at ? use(GeneralPlastic<Laws>{}) : void()), ...);
}
template <class Row, class Use>
SCREE_HD void with_law_of(const Row& q, Use use) {
    with_law_of(PlasticLaws{}, q, use);
}
template <class Law>
inline constexpr bool is_by_pair = std::is_same_v<Law, GeneralByPair>;

/// Springs and dashpots of a contact that touches.
template <class T>
struct ContactSprings {
    T normal, tangential;  // S_n, S_t [N/m]
    T elastic, secant;     // elastic force [N]; that of loading over the overlap [N/m]
    T damping_t;           // c_t [N s/m]
    T pull;                // strongest pull of the normal law [N]
    PlasticMemory<T> memory;
};

template <class Law, class T, class Row>
SCREE_HD ContactSprings<T> springs_of(const Row& q, T R_eff, T m_eff, T delta, const PlasticMemory<T>& memory) {
    if constexpr (is_by_pair<Law>) {
        ContactSprings<T> of{};
        with_law_of(q, [&](auto law) { of = springs_of<decltype(law)>(q, R_eff, m_eff, delta, memory); });
        return of;
    } else {
        const auto S = Law::stiffness(static_cast<T>(q.k_n), static_cast<T>(q.k_t), R_eff, delta);
        ContactSprings<T> out{S.normal, S.tangential, S.elastic, S.secant, T(0), T(0), {}};
        if constexpr (!is_general_law<Law>) {
            out.damping_t = T(2) * static_cast<T>(q.zeta_t) * std::sqrt(S.normal * m_eff);
        } else {
            out.tangential = q.springs * S.tangential + q.k_s;
            out.damping_t = T(2) * q.zeta * std::sqrt(out.tangential * m_eff) + q.viscous * out.tangential + q.slides;
            if constexpr (has_memory<Law>()) {
                const PlasticForce<T> f = Law::Plastic::template load<T>(q, R_eff, delta, memory);
                out.elastic = f.elastic;
                out.pull = f.pull;
                out.memory = f.memory;
            }
        }
        return out;
    }
}

/// Of what is above the strongest pull, mu(v) times it [N].
template <class T, class Row>
SCREE_HD T friction_limit(const Row& q, T presses, T speed2) {
    const T mu = q.mu_fast + (q.mu - q.mu_fast) / (T(1) + speed2 * q.slowness2);
    return presses > T(0) ? mu * presses : T(0);
}

/// Normal force of one that touches; a NaN gets through to be found.
template <class T, class Row>
SCREE_HD T general_press(const Row& q, const ContactSprings<T>& S, T m_eff, T v_n) {
    const T damped = S.elastic - (T(2) * q.zeta * std::sqrt(S.normal * m_eff) + q.viscous * S.normal) * v_n, least = q.floor - S.pull;
    return damped < least ? least : damped;
}

/// Law::stretch_kept2, of the law that the row names too.
template <class Law, class T, class Row>
SCREE_HD Fraction<T> law_kept2(const Row& q, T before, T delta) {
    if constexpr (is_by_pair<Law>) {
        Fraction<T> kept{T(1), T(1)};
        with_law_of(q, [&](auto law) { kept = decltype(law)::stretch_kept2(before, delta); });
        return kept;
    } else {
        return Law::stretch_kept2(before, delta);
    }
}

/// What of the stretch stays: S_t of a contact that grows, if it grows too.
template <class Law, class T, class Row>
SCREE_HD Fraction<T> general_kept2(const Row& q, T before, T delta) {
    const Fraction<T> kept = law_kept2<Law>(q, before, delta);
    return q.springs > T(0) ? kept : Fraction<T>{T(1), T(1)};
}

/// Of what yielding took between two overlaps [J]; zero of laws without a memory.
template <class Law>
SCREE_HD double yield_loss(const GeneralRowOf<double>& q, double R_eff, double before, const PlasticMemory<double>& memory, double now) {
    double loss = 0;
    if constexpr (is_by_pair<Law>) {
        with_law_of(q, [&](auto law) { loss = yield_loss<decltype(law)>(q, R_eff, before, memory, now); });
    } else if constexpr (has_memory<Law>()) {
        loss = plastic_loss<typename Law::Plastic>(q, R_eff, before, memory, now);
    }
    return loss;
}

/// Energy of the normal spring of one that touches [J].
template <class Law>
SCREE_HD double normal_store(const GeneralRowOf<double>& q, double R_eff, double delta, const PlasticMemory<double>& memory) {
    double energy = 0;
    if constexpr (is_by_pair<Law>) {
        with_law_of(q, [&](auto law) { energy = normal_store<decltype(law)>(q, R_eff, delta, memory); });
    } else if constexpr (has_memory<Law>()) {
        energy = Law::Plastic::template stored<double>(q, R_eff, delta, memory);
    } else {
        energy = Law::template elastic_energy<double>(q.k_n, R_eff, delta);
    }
    return energy;
}

template <class Law, class T, class Row>
SCREE_HD ContactOutput<T> general_contact(const Row& q, const ContactInput<T>& in, T dt) {
    const T zero = T(0);
    ContactOutput<T> none{};
    // Written so that a NaN gets through.
    if (in.delta <= zero) return none;
    const ContactSprings<T> S = springs_of<Law>(q, in.R_eff, in.m_eff, in.delta, in.memory);
    const T v_n = dot(in.velocity, in.normal);
    const Fraction<T> kept = general_kept2<Law>(q, in.delta + v_n * dt, in.delta);
    PressedContact<T> pressed;
    pressed.normal = in.normal;
    pressed.v_t = in.velocity - v_n * in.normal;
    pressed.f_n = general_press(q, S, in.m_eff, v_n);
    pressed.S_t = S.tangential;
    pressed.c_t = S.damping_t;
    pressed.delta = in.delta;
    const Vec3T<T> xi = carried_stretch(in.stretch, in.normal, in.spin * dt, kept.part, kept.whole) + dt * pressed.v_t;
    ContactOutput<T> out = rubbed_contact(friction_limit(q, pressed.f_n + S.pull, norm2(pressed.v_t)), pressed, xi, dt);
    if (!(S.tangential > zero)) out.stretch = {};
    out.memory = S.memory;
    return out;
}

}  // namespace scree
