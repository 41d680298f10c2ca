// Springs that unload more steeply than they load: Walton & Braun (J. Rheol. 30:949, 1986), and with a pull and a depth from which on
// nothing yields any more Luding (Granul. Matter 10:235, 2008). k_1 loading, k_2 unloading, k_c adhesion stiffness, phi plastic depth.
//   loading     f = k_1 delta
//   unloading   f = k_2 delta - (k_2 - k_1) m from the largest overlap m, not below -k_c delta
// With phi > 0 the unloading stiffness grows from k_1 to k_2 as m grows to m* = k_2 / (k_2 - k_1) 2 phi R_eff, from where on k_2 holds both
// ways. On the branch of the pull m falls, so that what is loaded again goes up by its unloading stiffness from there. Without adhesion the
// force is zero there and nothing is forgotten before the two part.
#pragma once

#include "laws/normal/plastic.hpp"

namespace scree {

inline constexpr LawParameter unloading_stiffness{"unloading_stiffness", "N/m", "Stiffness of unloading, not below `stiffness`.",
                                                  Mixing::GeometricMean, true};
inline constexpr LawParameter adhesion_stiffness{
    "adhesion_stiffness",  "N/m", "Pull over overlap on the branch along which an unloaded contact parts.",
    Mixing::GeometricMean, false, 0.0};
inline constexpr LawParameter plastic_depth{"plastic_depth",
                                            "1",
                                            "Overlap that stays where nothing yields any more, over twice the effective radius; 0: it "
                                            "yields on.",
                                            Mixing::GeometricMean,
                                            false,
                                            0.0,
                                            1.0};

struct Luding {
    static constexpr LawPart part{"luding",
                                  "springs that unload more steeply than they load and pull as they part (Luding 2008)",
                                  false,
                                  3,
                                  {&unloading_stiffness, &adhesion_stiffness, &plastic_depth}};
    static constexpr bool hertzian = false;

    static PlasticRow row(const LawValues& q, double /*k_n*/) { return {{q.value[0], q.value[1], 2 * q.value[2]}}; }
    /// Bound of the slope at overlaps up to delta [N/m].
    static double steepest(const LawValues& q, double k_n, double /*R_eff*/, double /*delta*/) {
        return q.value[0] > k_n ? q.value[0] : k_n;
    }

    template <class T, class Row>
    SCREE_HD static PlasticForce<T> load(const Row& q, T R_eff, T delta, PlasticMemory<T> memory) {
        const T k_1 = q.k_n, k_c = q.own[1], most = deepest_yield<T>(q, R_eff);
        T m = memory.softened > delta ? memory.softened : delta;
        m = m < most ? m : most;
        const T k_2 = unloading<T>(q, m, most), spring = k_2 * delta - (k_2 - k_1) * m, pull = k_c * delta;
        if (spring >= -pull) return {spring, pull, {m, m}};
        if (!(k_c > T(0))) return {T(0), T(0), {m, m}};
        // The m from which unloading would have come here; where k_2 depends on it, the root of m^2 - delta m = (k_1 + k_c) delta / slope.
        if (q.own[2] > T(0)) {
            const T slope = (q.own[0] - k_1) / most;
            m = T(0.5) * (delta + std::sqrt(delta * delta + T(4) * (k_1 + k_c) * delta / slope));
        } else {
            m = delta * (q.own[0] + k_c) / (q.own[0] - k_1);
        }
        return {-pull, pull, {m, m}};
    }
    /// Elastic energy that a contact of this memory holds [J].
    template <class T, class Row>
    SCREE_HD static T stored(const Row& q, T R_eff, T delta, PlasticMemory<T> memory) {
        const PlasticForce<T> now = load<T>(q, R_eff, delta, memory);
        const T k_2 = unloading<T>(q, now.memory.softened, deepest_yield<T>(q, R_eff));
        return T(0.5) * now.elastic * now.elastic / k_2;
    }

private:
    /// m*; without an end 1e30.
    template <class T, class Row>
    SCREE_HD static T deepest_yield(const Row& q, T R_eff) {
        const T gains = q.own[0] - q.k_n;
        return q.own[2] > T(0) && gains > T(0) ? q.own[0] / gains * q.own[2] * R_eff : T(1e30);
    }
    template <class T, class Row>
    SCREE_HD static T unloading(const Row& q, T m, T most) {
        return q.own[2] > T(0) ? q.k_n + (q.own[0] - q.k_n) * (m / most) : q.own[0];
    }
};

struct WaltonBraun : Luding {
    static constexpr LawPart part{"walton_braun",
                                  "springs that unload more steeply than they load (Walton & Braun 1986): restitution is the root of the "
                                  "ratio of the two, at all speeds",
                                  false,
                                  1,
                                  {&unloading_stiffness}};
    static PlasticRow row(const LawValues& q, double /*k_n*/) { return {{q.value[0], 0, 0}}; }
};

}  // namespace scree
