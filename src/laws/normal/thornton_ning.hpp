// Spheres that yield: Thornton & Ning (Powder Technol. 99:154, 1998), without their adhesion. Symbols: E* effective modulus, p_y yield
// stress (limiting contact pressure), delta_y, F_y overlap and force of first yield, F*, m force and overlap of the deepest loading.
//   loading     Hertz's law up to delta_y = (pi p_y / (2 E*))^2 R_eff; from there F = F_y + pi p_y R_eff (delta - delta_y)
//   unloading   Hertz's law of the flattened spheres: F = 4/3 E* sqrt(R_p) (delta - delta_p)^{3/2}, zero below delta_p, with
//               R_p = 4 E* / (3 F*) ((2 F* + F_y) / (2 pi p_y))^{3/2} and delta_p where F = F* at m
// With X = (2 F* + F_y) / (2 pi p_y) and k = 4/3 E*: sqrt(R_p) = sqrt(k X^{3/2} / F*) and m - delta_p = F* / (k sqrt X).
#pragma once

#include "laws/normal/plastic.hpp"

namespace scree {

inline constexpr LawParameter yield_stress{"yield_stress", "Pa", "Contact pressure at which the surface yields, of the softer of the two.",
                                           Mixing::Least, true};

struct ThorntonNing {
    static constexpr LawPart part{"thornton_ning",
                                  "Hertz's law up to a yield stress, from where on the contact grows under that pressure and unloads as "
                                  "flattened spheres (Thornton & Ning 1998)",
                                  true,
                                  1,
                                  {&yield_stress}};
    static constexpr bool hertzian = true;

    /// pi p_y, and delta_y over R_eff.
    static PlasticRow row(const LawValues& q, double k_n) {
        const double pressure = 3.14159265358979323846 * q.value[0], share = pressure / (1.5 * k_n);
        return {{pressure, share * share}};
    }
    static double steepest(const LawValues& q, double k_n, double R_eff, double delta) {
        const PlasticRow p = row(q, k_n);
        const Doubles all{k_n, {p.value[0], p.value[1]}};
        const double first = p.value[1] * R_eff;
        if (delta <= first) return 1.5 * k_n * std::sqrt(R_eff * delta);
        const Flattened<double> f = flattened<double>(all, R_eff, delta, first);
        return 1.5 * f.spring * std::sqrt(delta - f.residual);
    }

    template <class T, class Row>
    SCREE_HD static PlasticForce<T> load(const Row& q, T R_eff, T delta, PlasticMemory<T> memory) {
        const T first = q.own[1] * R_eff, m = memory.deepest > delta ? memory.deepest : delta;
        const PlasticMemory<T> kept{m, T(0)};
        if (m <= first) return {q.k_n * std::sqrt(R_eff * delta) * delta, T(0), kept};
        if (delta >= m) return {yielding<T>(q, R_eff, delta, first), T(0), kept};
        const Flattened<T> f = flattened<T>(q, R_eff, m, first);
        const T pressed = delta - f.residual;
        return {pressed > T(0) ? f.spring * pressed * std::sqrt(pressed) : T(0), T(0), kept};
    }
    template <class T, class Row>
    SCREE_HD static T stored(const Row& q, T R_eff, T delta, PlasticMemory<T> memory) {
        const T first = q.own[1] * R_eff, m = memory.deepest > delta ? memory.deepest : delta;
        if (m <= first) return T(0.4) * q.k_n * std::sqrt(R_eff * delta) * delta * delta;
        const Flattened<T> f = flattened<T>(q, R_eff, m, first);
        const T pressed = delta - f.residual;
        return pressed > T(0) ? T(0.4) * f.spring * pressed * pressed * std::sqrt(pressed) : T(0);
    }

private:
    struct Doubles {
        double k_n, own[2];
    };
    template <class T>
    struct Flattened {
        T spring, residual;  // 4/3 E* sqrt(R_p) [N/m^1.5], delta_p [m]
    };
    template <class T, class Row>
    SCREE_HD static T yielding(const Row& q, T R_eff, T delta, T first) {
        return q.k_n * std::sqrt(R_eff * first) * first + q.own[0] * R_eff * (delta - first);
    }
    template <class T, class Row>
    SCREE_HD static Flattened<T> flattened(const Row& q, T R_eff, T m, T first) {
        const T force = yielding<T>(q, R_eff, m, first), force_y = q.k_n * std::sqrt(R_eff * first) * first;
        const T root = std::sqrt((T(2) * force + force_y) / (T(2) * q.own[0]));  // of X
        return {q.k_n * root * std::sqrt(q.k_n * root / force), m - force / (q.k_n * root)};
    }
};

}  // namespace scree
