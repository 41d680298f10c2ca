// Materials -> law parameters and time step limits; formulas with their sources stand at the functions.
// Symbols: m mass, R radius, S_n = dF_n/d delta and S_t = dF_t/d xi stiffness at the overlap delta, omega circular frequency, zeta damping
// ratio.
#include "model/contact_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"

namespace scree {

namespace {

constexpr double kMinRestitution = 0.01;

/// Share of 1/omega that the automatic step takes. Keeps the restitution of two spheres within 3 % of the wanted one for e >= 0.3
/// (tests/engine/collision_test.cpp). Hertz: 42 steps per period of the stiffest contact, near the steps that published cases use.
/// Linear: the dashpot acts in full from the first touch, so where in a step the spheres meet counts, and three times as many are needed.
constexpr double automatic_share(Law law) {
    return law == Law::Linear ? 0.05 : 0.15;
}
/// The automatic step stays below this share of the stable one, which binds where damping is strong (e below about 0.3).
constexpr double kShareOfStable = 0.5;

/// Share of zeta that acts in the linear oscillator which Hertz contact with S-proportional damping becomes, see restitution_of.
const double kHertzRatio = std::sqrt(6.0 / 5.0);

/// One body as the step limits see it.
struct Ball {
    double radius;
    double mass;
};

/// The smallest and the largest body of one material.
struct Extremes {
    Ball smallest{0, 0};
    Ball largest{0, 0};
    bool present{false};
};

std::vector<Extremes> extremes_of(const Model& model) {
    std::vector<Extremes> table(model.materials.size());
    const BodyTable& bodies = model.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        Extremes& e = table[static_cast<std::size_t>(bodies.material[i])];
        const Ball ball{bodies.radius[i], bodies.mass[i]};
        if (!e.present) e = {ball, ball, true};
        if (ball.radius < e.smallest.radius || (ball.radius == e.smallest.radius && ball.mass < e.smallest.mass)) e.smallest = ball;
        if (ball.radius > e.largest.radius || (ball.radius == e.largest.radius && ball.mass < e.largest.mass)) e.largest = ball;
    }
    return table;
}

/// Limits of one contact: R_eff [m], m_eff [kg], delta overlap [m].
StepLimits limits_of(Law law, const LawParameters& p, double R_eff, double m_eff, double delta) {
    const double root = law == Law::Hertz ? std::sqrt(R_eff * delta) : 1.0;
    const double S_n = (law == Law::Hertz ? 1.5 : 1.0) * p.k_n * root;
    const double S_t = p.k_t * root;
    const double omega = std::sqrt(S_n / m_eff);
    // A sphere held by six others in three opposed pairs. Gershgorin's bound doubles its own stiffness (neighbours move against it):
    // translation 2 (2 S_n + 4 S_t) / m, rotation 2 · 4 S_t R^2 / (2/5 m R^2); both relative to omega^2 = 2 S_n / m of a lone pair.
    const double ratio = p.mu > 0 ? S_t / S_n : 0.0;
    const double amplification = std::max(2.0 + 4.0 * ratio, 10.0 * ratio);
    // Dashpots add up as springs do, so the damping ratio grows with the frequency. Damped central differences are stable up to
    // 2/omega (sqrt(1 + zeta^2) - zeta) (Belytschko, Liu & Moran 2000, section 6.2).
    const double factor = std::sqrt(amplification);
    const double zeta = p.zeta * factor;
    // sqrt(1 + zeta^2) - zeta, written without cancellation.
    const double stable = 2.0 / (omega * factor) / (std::sqrt(1.0 + zeta * zeta) + zeta);
    return {std::min(automatic_share(law) / omega, kShareOfStable * stable), stable};
}

void lower(StepLimits& limits, const StepLimits& other) {
    limits.automatic = std::min(limits.automatic, other.automatic);
    limits.stable = std::min(limits.stable, other.stable);
}

}  // namespace

// Linear, in units with m = k = 1: x'' + 2 zeta x' + x = 0, x(0) = 0, x'(0) = 1, until x'' = 0 (Schwager & Poeschel 2007).
// With omega = sqrt(1 - zeta^2) that is at omega t = arg (zeta + i omega)^2 = 2 acos zeta, where x' = -exp(-zeta t): their branches below
// and above zeta = 1/sqrt 2 are one formula in acos, and the overdamped one is its continuation in acosh.
//
// Hertz: x'' = -x^{3/2} - 2 zeta sqrt(3/2) x^{1/4} x'. In s = x^{5/4} and a time tau with ds/dtau = x' this is the linear oscillator
// s'' + 4/5 · 2 zeta sqrt(3/2) s' + 4/5 s = 0 with damping ratio sqrt(6/5) zeta, and force and s'' vanish together.
double restitution_of(Law law, double zeta) {
    const double z = law == Law::Hertz ? kHertzRatio * zeta : zeta;
    const double d = std::fabs(1.0 - z * z);
    // acos(z)/sqrt(1-z^2) and acosh(z)/sqrt(z^2-1) are one series about z = 1; its next term is below 1e-13 here.
    if (std::fabs(z - 1.0) < 1e-5) return std::exp(-2.0 * z * (1.0 - (z - 1.0) / 3.0 + 2.0 * (z - 1.0) * (z - 1.0) / 15.0));
    return std::exp(-2.0 * z * (z < 1.0 ? std::acos(z) : std::acosh(z)) / std::sqrt(d));
}

double damping_ratio(Law law, double restitution) {
    if (!(restitution >= kMinRestitution && restitution <= 1.0))
        throw Error("restitution " + std::to_string(restitution) + " is outside [0.01, 1]");
    if (restitution == 1.0) return 0.0;
    // Restitution falls monotonically; 8 lies past e = 0.01 for both laws (e is about 1/(4 zeta^2) there).
    double low = 0.0, high = 8.0;
    for (int i = 0; i < 100 && high - low > 1e-15 * high; ++i) {
        const double middle = 0.5 * (low + high);
        (restitution_of(law, middle) > restitution ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

std::vector<LawParameters> law_table(const Model& model) {
    const std::size_t count = model.materials.size();
    std::vector<LawParameters> table(count * count);
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b < count; ++b) {
            const PairProperties& pair = model.pairs(a, b);
            LawParameters& p = table[a * count + b];
            p.mu = pair.friction;
            p.zeta = damping_ratio(model.penalty.law, pair.restitution);
            if (model.penalty.law == Law::Linear) {
                p.k_n = pair.stiffness;
                p.k_t = pair.tangential_ratio * pair.stiffness;
                continue;
            }
            // Hertz (1882) and Mindlin (1949): compliances of the two sides add.
            const Material& A = model.materials[a];
            const Material& B = model.materials[b];
            const double E_eff = 1.0 / ((1.0 - A.poisson * A.poisson) / A.young + (1.0 - B.poisson * B.poisson) / B.young);
            const double G_A = A.young / (2.0 * (1.0 + A.poisson));
            const double G_B = B.young / (2.0 * (1.0 + B.poisson));
            const double G_eff = 1.0 / ((2.0 - A.poisson) / G_A + (2.0 - B.poisson) / G_B);
            p.k_n = 4.0 / 3.0 * E_eff;
            p.k_t = 8.0 * G_eff;
        }
    }
    return table;
}

StepLimits step_limits(const Model& model) {
    const double infinity = std::numeric_limits<double>::infinity();
    StepLimits limits{infinity, infinity};
    const std::size_t count = model.materials.size();
    const std::vector<LawParameters> table = law_table(model);
    const std::vector<Extremes> extremes = extremes_of(model);
    std::vector<char> of_wall(count, 0);
    for (const Wall& wall : model.walls) of_wall[static_cast<std::size_t>(wall.material)] = 1;

    const Law law = model.penalty.law;
    const double warning = model.penalty.overlap_warning;
    for (std::size_t a = 0; a < count; ++a) {
        if (!extremes[a].present) continue;
        // The largest body is tried too: a small heavy one against a large light one is less stiff than two of a size.
        for (const Ball& A : {extremes[a].smallest, extremes[a].largest}) {
            for (std::size_t b = 0; b < count; ++b) {
                const LawParameters& p = table[a * count + b];
                if (of_wall[b]) lower(limits, limits_of(law, p, A.radius, A.mass, warning * A.radius));
                if (!extremes[b].present) continue;
                for (const Ball& B : {extremes[b].smallest, extremes[b].largest}) {
                    const double R_eff = A.radius * B.radius / (A.radius + B.radius);
                    const double m_eff = A.mass * B.mass / (A.mass + B.mass);
                    lower(limits, limits_of(law, p, R_eff, m_eff, warning * std::min(A.radius, B.radius)));
                }
            }
        }
    }
    return limits;
}

}  // namespace scree
