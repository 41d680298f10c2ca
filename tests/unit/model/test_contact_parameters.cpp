// The law table against formulas written out by hand, and the automatic step against published steps, accuracy and stability.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/contact_parameters.hpp"

using namespace scree;

namespace {

Model one_material(Law law, double young, double poisson, double restitution, double stiffness = 0.0) {
    Model model;
    model.penalty.law = law;
    model.materials.push_back({"m", 2500.0, young, poisson, restitution, 0.5});
    model.pairs = PairTable(1);
    model.pairs.set(0, 0, {.restitution = restitution, .friction = 0.5, .stiffness = stiffness});
    return model;
}

/// Restitution of two equal spheres that meet with speed `v` at the step dt: velocities at half steps, clipped law.
/// `phase` in [0, 1] is the part of a step by which the first contact is missed.
double simulated_restitution(const Model& model, double v, double dt, double phase) {
    const LawParameters p = law_table(model)[0];
    const double R_eff = 0.5 * model.bodies.radius[0], m_eff = 0.5 * model.bodies.mass[0];
    double x = -v * dt * phase, u = v;
    for (int i = 0; i < 1000000; ++i) {
        x += u * dt;
        if (x <= 0.0) {
            if (u < 0.0) return -u / v;
            continue;
        }
        const double root = model.penalty.law == Law::Hertz ? std::sqrt(R_eff * x) : 1.0;
        const double S_n = (model.penalty.law == Law::Hertz ? 1.5 : 1.0) * p.k_n * root;
        u -= dt / m_eff * std::max(0.0, p.k_n * root * x + 2.0 * p.zeta * std::sqrt(S_n * m_eff) * u);
    }
    return std::numeric_limits<double>::quiet_NaN();
}

/// The approach speed whose largest elastic overlap is `overlap` [m].
double speed_for(const Model& model, double overlap) {
    const LawParameters p = law_table(model)[0];
    const double R_eff = 0.5 * model.bodies.radius[0], m_eff = 0.5 * model.bodies.mass[0];
    const double energy =
        model.penalty.law == Law::Hertz ? 0.4 * p.k_n * std::sqrt(R_eff) * std::pow(overlap, 2.5) : 0.5 * p.k_n * overlap * overlap;
    return std::sqrt(2.0 * energy / m_eff);
}

}  // namespace

TEST_CASE("Hertz-Mindlin table of two different materials") {
    Model model;
    model.materials.push_back({"glass", 2500.0, 6e10, 0.22, 0.9, 0.4});
    model.materials.push_back({"rubber", 1100.0, 5e6, 0.48, 0.4, 0.9});
    model.pairs = PairTable(2);
    model.pairs.set(0, 0, {.restitution = 0.9, .friction = 0.4, .tangential_ratio = 0.3});
    model.pairs.set(0, 1, {.restitution = 0.6, .friction = 0.6, .tangential_ratio = 0.3});
    model.pairs.set(1, 1, {.restitution = 0.4, .friction = 0.9, .tangential_ratio = 0.3});
    const auto table = law_table(model);
    REQUIRE(table.size() == 4);
    const double E_eff = 1.0 / ((1 - 0.22 * 0.22) / 6e10 + (1 - 0.48 * 0.48) / 5e6);
    const double G_eff = 1.0 / (2 * (2 - 0.22) * (1 + 0.22) / 6e10 + 2 * (2 - 0.48) * (1 + 0.48) / 5e6);
    CHECK(table[1].k_n == doctest::Approx(4.0 / 3.0 * E_eff).epsilon(1e-14));
    CHECK(table[1].k_t == doctest::Approx(8.0 * G_eff).epsilon(1e-14));
    CHECK(table[1].k_n == table[2].k_n);
    CHECK(table[1].mu == 0.6);
    CHECK(table[3].mu == 0.9);
    CHECK(restitution_of(Law::Hertz, table[1].zeta) == doctest::Approx(0.6).epsilon(1e-12));
    // Equal materials: E_eff = E / (2 (1 - nu^2)).
    CHECK(table[0].k_n == doctest::Approx(4.0 / 3.0 * 6e10 / (2 * (1 - 0.22 * 0.22))).epsilon(1e-14));
}

TEST_CASE("linear table takes stiffness and ratio of the pair") {
    Model model = one_material(Law::Linear, 1e7, 0.25, 0.5, 4e4);
    const auto table = law_table(model);
    CHECK(table[0].k_n == 4e4);
    CHECK(table[0].k_t == doctest::Approx(4e4 * 2.0 / 7.0));
    CHECK(restitution_of(Law::Linear, table[0].zeta) == doctest::Approx(0.5).epsilon(1e-12));
}

TEST_CASE("automatic step lies near published steps") {
    // Steps that peer codes publish for these two materials: 1.5e-6 s and 1e-5 s. The same order is asked for: a factor 0.6 to 1.3.
    struct Case {
        double young, poisson, radius, published;
    };
    for (const Case& c : {Case{1e9, 0.2, 2e-3, 1.5e-6}, Case{1e7, 0.3, 1e-3, 1e-5}}) {
        for (const double e : {0.3, 0.5, 0.9}) {
            Model model = one_material(Law::Hertz, c.young, c.poisson, e);
            model.bodies.add_sphere({}, c.radius, 0, 2500.0);
            for (const bool with_wall : {false, true}) {
                if (with_wall) model.walls.emplace_back();
                const double step = step_limits(model).automatic;
                CAPTURE(e);
                CAPTURE(with_wall);
                CHECK(step > 0.6 * c.published);
                CHECK(step < 1.3 * c.published);
            }
        }
    }
}

TEST_CASE("restitution at the automatic step is within 3 %") {
    for (const Law law : {Law::Linear, Law::Hertz})
        for (double e = 0.3; e < 1.01; e += 0.1) {
            Model model = one_material(law, 1e8, 0.25, std::min(e, 1.0), 1e5);
            model.bodies.add_sphere({}, 2e-3, 0, 2500.0);
            const double dt = step_limits(model).automatic;
            const double v = speed_for(model, model.penalty.overlap_warning * 2e-3);
            for (double phase = 0.0; phase <= 1.0; phase += 0.125) {
                CAPTURE(e);
                CAPTURE(phase);
                CAPTURE(static_cast<int>(law));
                CHECK(simulated_restitution(model, v, dt, phase) == doctest::Approx(model.pairs(0, 0).restitution).epsilon(0.03));
            }
        }
}

TEST_CASE("a lattice vibration stays bounded below the stable step") {
    // An endless chain's stiffest mode: every body between two neighbours that move against it, omega^2 = 4 S_n / m, dashpots alike.
    for (const double e : {0.02, 0.1, 0.3, 0.6, 1.0}) {
        Model model = one_material(Law::Linear, 1e8, 0.25, e, 1e5);
        model.bodies.add_sphere({}, 2e-3, 0, 2500.0);
        const LawParameters p = law_table(model)[0];
        const double m = model.bodies.mass[0];
        const StepLimits limits = step_limits(model);
        CHECK(limits.automatic <= 0.5 * limits.stable * (1 + 1e-12));
        const double dt = limits.stable;
        const double S = 4.0 * p.k_n, c = 4.0 * 2.0 * p.zeta * std::sqrt(p.k_n * 0.5 * m);
        double x = 1.0, u = 0.0, largest = 0.0;
        for (int i = 0; i < 20000; ++i) {
            u -= dt / m * (S * x + c * u);
            x += dt * u;
            largest = std::max(largest, std::fabs(x));
        }
        CAPTURE(e);
        CHECK(largest < 5.0);
    }
}

TEST_CASE("strong damping lowers the automatic step") {
    const auto step = [](double e) {
        Model model = one_material(Law::Hertz, 1e8, 0.25, e);
        model.bodies.add_sphere({}, 2e-3, 0, 2500.0);
        return step_limits(model).automatic;
    };
    CHECK(step(0.05) < 0.8 * step(0.3));
    CHECK(step(0.9) == doctest::Approx(step(0.5)).epsilon(1e-12));
}

TEST_CASE("the stiffest pair decides") {
    Model model;
    model.penalty.law = Law::Hertz;
    model.materials = {{"soft", 2500.0, 1e6, 0.25, 0.5, 0.5}, {"hard", 2500.0, 1e9, 0.25, 0.5, 0.5}};
    model.pairs = PairTable(2);
    for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t b = a; b < 2; ++b) model.pairs.set(a, b, {.restitution = 0.5, .friction = 0.5, .tangential_ratio = 0.3});
    model.bodies.add_sphere({}, 3e-3, 0, 2500.0);
    const double soft_large = step_limits(model).automatic;
    model.bodies.add_sphere({}, 1e-3, 0, 2500.0);
    const double soft = step_limits(model).automatic;
    CHECK(soft == doctest::Approx(soft_large / 3.0));  // Hertz at a fixed overlap share: the step grows as R
    model.walls.emplace_back();
    model.walls.back().material = 1;  // only now a hard material is present
    const double with_wall = step_limits(model).automatic;
    CHECK(with_wall < soft);
    CHECK(with_wall > 0.5 * soft);  // E_eff at most doubles, m_eff doubles, R_eff doubles: omega grows by 2^{1/4}
    model.bodies.add_sphere({}, 1e-3, 1, 2500.0);
    CHECK(step_limits(model).automatic == doctest::Approx(soft / std::sqrt(1000.0)).epsilon(0.2));  // hard on hard wall
}

TEST_CASE("no bodies, no limit") {
    const Model model = one_material(Law::Hertz, 1e7, 0.25, 0.5);
    CHECK(std::isinf(step_limits(model).automatic));
    CHECK(std::isinf(step_limits(model).stable));
}
