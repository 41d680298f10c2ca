// The Edinburgh elasto-plastic adhesive law: Morrissey, Thakur & Ooi (EDEM Contact Model: Adhesive Elasto-Plastic Model, 2014; Morrissey,
// PhD thesis, University of Edinburgh 2013), with the slope exponent 3/2. Symbols: k_1 = 4/3 E* sqrt(R_eff), lambda plasticity ratio,
// k_2 = k_1 / (1 - lambda), w = m^{3/2} of the overlap m where unloading begins, chi adhesion exponent, f_0 pull of touching surfaces.
//   loading     f = k_1 delta^{3/2} - f_0
//   unloading   f = k_2 (delta^{3/2} - lambda w) - f_0, which leaves delta_p = lambda^{2/3} m
//   adhesion    not below -D (delta / delta_min)^chi - f_0, at delta_min and above not below -D - f_0
// D is how far adhesion draws below f_0: 3/2 pi Delta_gamma a - f_0, at least nothing and at most k_2 delta_p^{3/2} / 2, with a^2 = 2 R_eff
// delta_p, the circle in which the spheres cut at delta_p; delta_min the overlap where unloading comes to it. Both are of the deepest
// loading; on the branch of adhesion w falls, so that what is loaded again goes up by k_2 from there.
#pragma once

#include "laws/normal/plastic.hpp"

namespace scree {

inline constexpr LawParameter plasticity_ratio{
    "plasticity_ratio", "1", "1 - k_1 / k_2 of loading and unloading.", Mixing::GeometricMean, false, -1, 0.999};
inline constexpr LawParameter adhesion_energy{
    "adhesion_energy",     "J/m2", "Energy of adhesion of two surfaces: twice the surface energy of each, where they are alike.",
    Mixing::GeometricMean, false,  0.0};
inline constexpr LawParameter pull_off{"pull_off", "N", "Pull of touching surfaces, whatever the overlap.", Mixing::GeometricMean,
                                       false,      0.0};
inline constexpr LawParameter adhesion_exponent{
    "adhesion_exponent", "1", "Exponent of the overlap on the branch of adhesion.", Mixing::ArithmeticMean, true, 1.5, 20};

struct Eepa {
    static constexpr LawPart part{
        "eepa",
        "Hertz's law that unloads more steeply than it loads, with a pull that grows with the flattened area: the "
        "Edinburgh elasto-plastic adhesive law (Morrissey 2013)",
        true,
        4,
        {&plasticity_ratio, &adhesion_energy, &pull_off, &adhesion_exponent}};
    static constexpr bool hertzian = true;

    /// lambda; 3/2 pi Delta_gamma sqrt(2 delta_p R_eff) over sqrt(m R_eff) [N/m]; f_0; chi / (3/2).
    static PlasticRow row(const LawValues& q, double /*k_n*/) {
        const double flat = 1.5 * 3.14159265358979323846 * q.value[1] * std::sqrt(2.0) * std::cbrt(q.value[0]);
        return {{q.value[0], flat, q.value[2], q.value[3] / 1.5}};
    }
    static double steepest(const LawValues& q, double k_n, double R_eff, double delta) {
        return 1.5 * k_n / (1 - q.value[0]) * std::sqrt(R_eff * delta);
    }

    template <class T, class Row>
    SCREE_HD static PlasticForce<T> load(const Row& q, T R_eff, T delta, PlasticMemory<T> memory) {
        const T lambda = q.own[0], f_0 = q.own[2], x = delta * std::sqrt(delta), k_1 = q.k_n * std::sqrt(R_eff),
                k_2 = k_1 / (T(1) - lambda);
        const bool loads = x >= memory.softened;
        const T M = memory.deepest < delta ? delta : memory.deepest, w = loads ? x : memory.softened;
        const T plastic = lambda * M * std::sqrt(M);  // delta_p^{3/2}
        T drop = q.own[1] * std::sqrt(M * R_eff) - f_0;
        drop = drop > T(0.5) * k_2 * plastic ? T(0.5) * k_2 * plastic : (drop > T(0) ? drop : T(0));
        T draws = T(0);
        if (drop > T(0)) {
            const T ratio = x / (plastic - drop / k_2), least = ratio < T(1) ? ratio : T(1);
            draws = drop * (q.own[3] == T(1) ? least : std::pow(least, q.own[3]));
        }
        const T spring = loads ? k_1 * x : k_2 * (x - lambda * w);
        if (spring >= -draws) return {spring - f_0, draws + f_0, {M, w}};
        // Without a pull what is left of the overlap presses on nothing, and nothing is forgotten.
        if (!(draws > T(0))) return {-f_0, f_0, {M, w}};
        return {-draws - f_0, draws + f_0, {M, (x + draws / k_2) / lambda}};
    }
    template <class T, class Row>
    SCREE_HD static T stored(const Row& q, T R_eff, T delta, PlasticMemory<T> memory) {
        const PlasticForce<T> now = load<T>(q, R_eff, delta, memory);
        const T k_2 = q.k_n * std::sqrt(R_eff) / (T(1) - q.own[0]), plastic = q.own[0] * now.memory.softened, root = std::cbrt(plastic);
        const T rest = root * root,
                bare = T(0.4) * k_2 * (delta * delta * std::sqrt(delta) - plastic * rest) - k_2 * plastic * (delta - rest);
        const bool slack = !(now.elastic + q.own[2] != T(0));  // nothing presses, nothing draws
        return (slack ? T(0) : bare) - q.own[2] * delta;
    }
};

}  // namespace scree
