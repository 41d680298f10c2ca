// Johnson, Kendall & Roberts 1971 (Proc. R. Soc. A 324:301-313), as what it takes from Hertz's force. Symbols: a radius of contact, R
// effective radius, E effective modulus, gamma surface energy, delta overlap:
//   delta = a^2 / R - 2 sqrt(pi gamma a / E),   F = 4 E a^3 / (3 R) - 4 sqrt(pi gamma E) a^(3/2).
// Surfaces join as they touch, at delta = 0, and part where no smaller contact is at rest at a given overlap: a^3 = pi gamma R^2 / (4 E)
// (Thornton & Ning 1998, Powder Technol. 99:154-162). The largest pull is 3 pi gamma R; it lies between.
// With s = sqrt(pi gamma / E) and a = (s R)^(2/3) y^2 the first of these is y^4 - 2 y = delta R / (s R)^(4/3), parting at y^3 = 1/2.
#pragma once

#include <cmath>

#include "base/cube_root.hpp"
#include "base/macros.hpp"
#include "laws/cohesion/parameters.hpp"

namespace scree {

struct Jkr {
    static constexpr LawPart part{"jkr",
                                  "Johnson, Kendall & Roberts 1971 in place of Hertz: surfaces that have touched hold on up to a gap",
                                  true,
                                  1,
                                  {&surface_energy}};
    static constexpr bool bonds = true;

    /// y at the scaled overlap d, no less than where surfaces part. From a start that is right at both ends and at most 5 % off between,
    /// Halley's method twice: relative error below 1e-11.
    template <class T>
    SCREE_HD static T root(T d) {
        const T parting = T(0.79370052598409974), least = T(-1.1905507889761495);  // cube root of 1/2, and d there
        const T u = std::sqrt((d > least ? d - least : T(0)) * T(0.26456684199469993));
        T y = parting + u / std::sqrt(T(1) + T(0.6) * u);
        for (int k = 0; k < 2; ++k) {
            const T y2 = y * y, slope = T(4) * y2 * y - T(2), f = y2 * y2 - y - y - d, tiny = T(1e-6);
            const T below = slope * slope - T(6) * y2 * f;
            y = slope > tiny ? y - f * slope / (below > tiny * tiny ? below : tiny * tiny) : y;
        }
        return y > parting ? y : parting;
    }
    /// s; and c = (s R)^(1/3), with which a = c^2 y^2.
    template <class T>
    SCREE_HD static T root_of_energy(const LawValuesOf<T>& q) {
        return std::sqrt(T(law_pi) * q.value[0] / q.modulus);
    }
    template <class T>
    SCREE_HD static T scale(const LawValuesOf<T>& q, T R) {
        return cube_root(root_of_energy(q) * R);  // 0 without energy: what is found with it is not used then
    }
    template <class T>
    SCREE_HD static T radius(const LawValuesOf<T>& q, T R, T gap) {
        const T c = scale(q, R), c2 = c * c, y = root(-gap * R / (c2 * c2));
        return c2 * y * y;
    }
    template <class T>
    SCREE_HD static T reach(const LawValuesOf<T>& q, T R) {
        const T c = scale(q, R), c4 = c * c * c * c, over_R = T(1) / (R * c4) * c4;
        const T gap = T(1.1905507889761495) * c4 * over_R;  // 3/2 of the cube root of 1/2
        return q.value[0] > T(0) ? gap : T(0);
    }
    template <class T>
    SCREE_HD static T hertz(const LawValuesOf<T>& q, T R, T gap) {
        const T delta = gap < T(0) ? -gap : T(0);
        return T(4.0 / 3) * q.modulus * std::sqrt(R * delta) * delta;
    }
    template <class T>
    SCREE_HD static T pull(const LawValuesOf<T>& q, T R, T gap) {
        // One division for 1 / R and 1 / c^4.
        const T c = scale(q, R), c4 = c * c * c * c, both = T(1) / (R * c4);
        const T y = root(-gap * R * (both * R)), a = c * c * y * y, over_R = both * c4;
        const T force = hertz(q, R, gap) - T(4) * a * q.modulus * (a * a * T(1.0 / 3) * over_R - root_of_energy(q) * c * y);
        return q.value[0] > T(0) ? force : T(0);
    }
    /// Work from the state in which they part: the integral of F over delta, less Hertz's.
    SCREE_HD static double energy(const LawValues& q, double R, double gap) {
        if (!(q.value[0] > 0)) return 0.0;
        const double parts = 0.62996052494743658 * scale(q, R) * scale(q, R);  // times the square of the cube root of 1/2
        return work(q, R, radius(q, R, gap)) - work(q, R, parts) + 0.4 * hertz(q, R, gap) * gap;
    }
    SCREE_HD static double work(const LawValues& q, double R, double a) {
        const double E = q.modulus, g = law_pi * q.value[0];
        return 8 * E * a * a * a * a * a / (15 * R * R) - 8 / (3 * R) * std::sqrt(g * E * a) * a * a * a + 2 * g * a * a;
    }
    /// Past the largest pull the force is softer than Hertz's; where surfaces part its slope has no bound, over no length.
    static double steepest(const LawValues& q, double R) {
        return q.value[0] > 0 ? 2 * q.modulus * 1.5874010519681994 * scale(q, R) * scale(q, R)
                              : 0.0;  // as Hertz at the radius where they join
    }
};

}  // namespace scree
