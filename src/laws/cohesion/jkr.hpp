// Johnson, Kendall & Roberts 1971 (Proc. R. Soc. A 324:301-313), as what it takes from Hertz's force. Symbols: a radius of contact, R
// effective radius, E effective modulus, gamma surface energy, delta overlap:
//   delta = a^2 / R - 2 sqrt(pi gamma a / E),   F = 4 E a^3 / (3 R) - 4 sqrt(pi gamma E) a^(3/2).
// Surfaces join as they touch, at delta = 0, and part where no smaller contact is at rest at a given overlap: a^3 = pi gamma R^2 / (4 E)
// (Thornton & Ning 1998, Powder Technol. 99:154-162). The largest pull is 3 pi gamma R; it lies between.
// With s = sqrt(pi gamma / E) and a = (s R)^(2/3) y^2 the first of these is y^4 - 2 y = delta R / (s R)^(4/3), parting at y^3 = 1/2.
#pragma once

#include <cmath>

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

    /// y at the scaled overlap d, no less than where surfaces part. Newton's method from above: y^4 - 2 y is convex, so it does not leave
    /// that side.
    SCREE_HD static double root(double d) {
        constexpr double parting = 0.79370052598409974;  // cube root of 1/2
        double y = 1.2599210498948732 + std::sqrt(std::sqrt(d > 0 ? d : 0.0));
        for (int k = 0; k < 60; ++k) {
            const double slope = 4 * y * y * y - 2;
            if (!(slope > 1e-7)) break;
            const double step = (y * y * y * y - 2 * y - d) / slope;
            y -= step;
            if (!(step > 1e-15 * y)) break;
        }
        return y > parting ? y : parting;
    }
    SCREE_HD static double scale(const LawValues& q, double R) {
        return std::cbrt(law_pi * q.value[0] / q.modulus * R * R);
    }  // (s R)^(2/3)
    SCREE_HD static double radius(const LawValues& q, double R, double gap) {
        const double a = scale(q, R), y = root(-gap * R / (a * a));
        return a * y * y;
    }
    SCREE_HD static double reach(const LawValues& q, double R) {
        if (!(q.value[0] > 0)) return 0.0;
        const double a = scale(q, R);
        return 1.1905507889761495 * a * a / R;  // 3/2 of the cube root of 1/2
    }
    SCREE_HD static double hertz(const LawValues& q, double R, double gap) {
        return gap < 0 ? 4.0 / 3 * q.modulus * std::sqrt(-R * gap) * -gap : 0.0;
    }
    SCREE_HD static double pull(const LawValues& q, double R, double gap) {
        if (!(q.value[0] > 0)) return 0.0;
        const double a = radius(q, R, gap);
        return hertz(q, R, gap) - 4 * a * (q.modulus * a * a / (3 * R) - std::sqrt(law_pi * q.value[0] * q.modulus * a));
    }
    /// Work from the state in which they part: the integral of F over delta, less Hertz's.
    SCREE_HD static double energy(const LawValues& q, double R, double gap) {
        if (!(q.value[0] > 0)) return 0.0;
        const double parts = 0.62996052494743658 * scale(q, R);  // times the square of the cube root of 1/2
        return work(q, R, radius(q, R, gap)) - work(q, R, parts) + 0.4 * hertz(q, R, gap) * gap;
    }
    SCREE_HD static double work(const LawValues& q, double R, double a) {
        const double E = q.modulus, g = law_pi * q.value[0];
        return 8 * E * a * a * a * a * a / (15 * R * R) - 8 / (3 * R) * std::sqrt(g * E * a) * a * a * a + 2 * g * a * a;
    }
    /// Past the largest pull the force is softer than Hertz's; where surfaces part its slope has no bound, over no length.
    static double steepest(const LawValues& q, double R) {
        return q.value[0] > 0 ? 2 * q.modulus * 1.5874010519681994 * scale(q, R) : 0.0;  // as Hertz at the radius where they join
    }
};

}  // namespace scree
