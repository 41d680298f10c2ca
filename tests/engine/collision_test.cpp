// Two bodies that meet: restitution, contact time, momenta.
#include <doctest/doctest.h>

#include "laws/normal.hpp"
#include "systems.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Two spheres about to touch head-on, closing at `v`; returns the ratio of parting to closing speed.
struct HeadOn {
    double r_a{1e-3}, r_b{1e-3};
    double v{0.1};
    double gap{0};    // at the start, in steps of motion
    double share{0};  // of the automatic step, or else:
    double steps_per_contact{500};
};

double m_of(double r) {
    return density * 4.0 / 3.0 * pi * r * r * r;
}

double effective(double a, double b) {
    return a * b / (a + b);
}

Model head_on(Law law, double e, const HeadOn& h) {
    Model m = empty_model(law, e, 0.3);
    const double m_eff = effective(m_of(h.r_a), m_of(h.r_b)), R_eff = effective(h.r_a, h.r_b);
    m.dt = contact_time(m, m_eff, R_eff, h.v) / h.steps_per_contact;
    add_sphere(m, {0, 0, 0}, h.r_a);
    add_sphere(m, {h.r_a + h.r_b, 0, 0}, h.r_b);
    if (h.share > 0) set_step(m, h.share);
    const double share_a = m_of(h.r_b) / (m_of(h.r_a) + m_of(h.r_b));  // momenta cancel
    m.bodies.velocity = {{h.v * share_a, 0, 0}, {-h.v * (1 - share_a), 0, 0}};
    m.bodies.position[1].x += h.gap * h.v * m.dt;
    return m;
}

double closing_speed(Engine& engine) {
    const Snapshot s = engine.snapshot();
    return s.velocity[0].x - s.velocity[1].x;
}

double restitution(const Model& m, double v) {
    const auto engine = engine_of(m);
    // Strong damping and the automatic step (some 20 steps a contact): wait until they part, with no contact left.
    for (int k = 0; k < 100; ++k) {
        engine->advance(200);
        if (closing_speed(*engine) < 0 && engine->contacts().empty()) break;
    }
    return -closing_speed(*engine) / v;
}

double restitution(Law law, double e, const HeadOn& h) {
    return restitution(head_on(law, e, h), h.v);
}

}  // namespace

TEST_CASE("restitution within 0.5 % at 500 steps per contact, any sizes") {
    for (const Law law : {Law::Linear, Law::Hertz}) {
        for (const double e : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}) {
            for (const double r_b : {1e-3, 3e-3}) {
                HeadOn h;
                h.r_b = r_b;
                CAPTURE(e);
                CAPTURE(static_cast<int>(law));
                // The damping ratio is exact; what is left is the error of the step. Contacts in float add 1e-6.
                CHECK(std::fabs(restitution(law, e, h) - e) <= 0.005 * e);
            }
        }
    }
}

TEST_CASE("spheres that just touch have no contact") {
    // The squares of these sums are not exact: both that is compared must be rounded alike.
    for (const auto& [r_a, r_b] : {std::pair{1e-3, 1e-3}, {1e-3, 3e-3}, {0.1, 0.3}, {0.7e-3, 0.4e-3}}) {
        for (const int axis : {0, 1, 2}) {
            Model m = empty_model(Law::Hertz, 0.5, 0.3);
            m.gravity = {0, 0, 0};
            Vec3 far{};
            (axis == 0 ? far.x : axis == 1 ? far.y : far.z) = r_a + r_b;
            add_sphere(m, {0, 0, 0}, r_a);
            add_sphere(m, far, r_b);
            set_step(m, 1);
            const auto engine = engine_of(m);
            engine->advance(1);
            CAPTURE(r_a);
            CAPTURE(axis);
            CHECK(engine->contacts().empty());
            CHECK(engine->snapshot().velocity[1] == Vec3{0, 0, 0});
        }
    }
}

TEST_CASE("restitution within 3 % at the automatic step") {
    for (const Law law : {Law::Linear, Law::Hertz}) {
        for (const double e : {0.3, 0.5, 0.7, 0.9, 1.0}) {
            double sum = 0;
            for (const double gap : {0.0, 0.25, 0.5, 0.75}) {
                HeadOn h;
                h.share = 1;
                h.gap = gap;
                // Fast enough for an overlap near the warning limit, for which the automatic step is made.
                h.v = law == Law::Linear ? 0.5 : 1.0;
                const double error = restitution(law, e, h) - e;
                sum += error;
                CAPTURE(e);
                CAPTURE(gap);
                CAPTURE(static_cast<int>(law));
                // Wherever in a step the spheres first touch.
                CHECK(std::fabs(error) <= 0.03 * e);
            }
            CHECK(std::fabs(sum / 4) <= 0.03 * e);
        }
    }
}

TEST_CASE("the error of restitution falls with the step, faster without damping") {
    for (const Law law : {Law::Linear, Law::Hertz}) {
        for (const double e : {0.5, 1.0}) {
            std::vector<double> errors;
            for (const double steps : {20.0, 40.0, 80.0, 160.0}) {
                // The largest of several phases: where in a step the spheres first touch.
                double error = 0;
                for (const double gap : {0.0, 0.2, 0.4, 0.6, 0.8}) {
                    HeadOn h;
                    h.steps_per_contact = steps;
                    h.gap = gap;
                    error = std::fmax(error, std::fabs(restitution(law, e, h) - e));
                }
                errors.push_back(error);
            }
            CAPTURE(static_cast<int>(law));
            CAPTURE(e);
            for (std::size_t k = 1; k < errors.size(); ++k) CHECK(errors[k] < errors[k - 1]);
            // Eight times the steps. The dashpot's lag behind the velocity by half a step is of first order; springs alone do better.
            CHECK(errors[3] < errors[0] / (e == 1.0 ? 20 : 7));
        }
    }
}

TEST_CASE("contact time of an elastic collision") {
    for (const Law law : {Law::Linear, Law::Hertz}) {
        HeadOn h;
        h.r_b = 2e-3;
        const Model m = head_on(law, 1, h);
        const auto engine = engine_of(m);
        std::int64_t touching = 0;
        for (int k = 0; k < 1000; ++k) {
            engine->advance(1);
            if (!engine->contacts().empty()) ++touching;
        }
        // Resolved to a step at either end, and the formula's factor 2.868 to its digits.
        CHECK(std::fabs(static_cast<double>(touching) - 500) <= 2);
    }
}

TEST_CASE("largest overlap and force of an elastic Hertz collision") {
    HeadOn h;
    const Model m = head_on(Law::Hertz, 1, h);
    const auto engine = engine_of(m);
    double deepest = 0, strongest = 0;
    for (int k = 0; k < 600; ++k) {
        engine->advance(1);
        for (const ContactRecord& r : engine->contacts()) {
            deepest = std::fmax(deepest, r.overlap);
            strongest = std::fmax(strongest, norm(r.force));
        }
    }
    // Energy: 1/2 m_eff v^2 = 2/5 k_n sqrt(R_eff) delta^{5/2}.
    const double k_n = law_table(m).front().k_n, R_eff = 0.5e-3, m_eff = 0.5 * m_of(1e-3);
    const double delta = std::pow(1.25 * m_eff * h.v * h.v / (k_n * std::sqrt(R_eff)), 0.4);
    // 500 steps a contact: within (pi / 500)^2 / 2 of the top, and the step's own error of that order.
    CHECK(deepest == doctest::Approx(delta).epsilon(1e-4));
    CHECK(strongest == doctest::Approx(k_n * std::sqrt(R_eff) * std::pow(delta, 1.5)).epsilon(1e-4));
}

TEST_CASE("restitution at a plane, at a cylinder's wall and at a mesh") {
    for (const Law law : {Law::Linear, Law::Hertz}) {
        for (const double e : {0.3, 0.8, 1.0}) {
            for (int surface = 0; surface < 3; ++surface) {
                Model m = empty_model(law, e, 0);
                const double r = 1e-3, v = 0.1;
                m.dt = contact_time(m, m_of(r), r, v) / 500;
                add_sphere(m, {0, 0, r}, r, {0, 0, -v});
                Wall rod;
                rod.name = "rod";
                rod.cylinders = {{{0, 0, -1}, {0, 1, 0}, 1, std::numeric_limits<double>::infinity(), false}};
                if (surface == 0) m.walls = {plane_wall("plane", {0, 0, 0}, {0, 0, 1})};
                if (surface == 1) m.walls = {rod};
                if (surface == 2) m.walls = {mesh_wall("box", box_mesh({{-1, -1, -1}, {1, 1, 0}}))};
                const auto engine = engine_of(m);
                engine->advance(4000);
                // As for two spheres.
                CHECK(std::fabs(engine->snapshot().velocity[0].z - e * v) <= 0.005 * e * v);
            }
        }
    }
}

TEST_CASE("an oblique impact conserves momentum and angular momentum") {
    for (const Law law : {Law::Linear, Law::Hertz}) {
        Model m = empty_model(law, 0.6, 0.4);
        const double r_a = 1e-3, r_b = 2.3e-3;
        add_sphere(m, {0.3, -0.2, 0.1}, r_a, {0.5, 0.1, -0.2}, {30, 200, -100});
        add_sphere(m, Vec3{0.3, -0.2, 0.1} + (r_a + r_b) * 1.0001 * normalized(Vec3{1, 0.7, -0.3}), r_b, {-0.1, 0.05, 0.02}, {-50, 20, 80});
        set_step(m, 0.2);
        const auto engine = engine_of(m, 1, false, true);
        const Measurement before = engine->measure();
        double spun = 0;
        for (int k = 0; k < 20; ++k) {
            engine->advance(50);
            spun = std::fmax(spun, norm(engine->snapshot().angular_velocity[0] - m.bodies.angular_velocity[0]));
        }
        const Measurement after = engine->measure();
        CHECK(engine->contacts().empty());
        CHECK(spun > 1);
        // Forces are equal and opposite bit for bit: only the velocities' own roundings are left, some 1000 of them.
        const double p = m_of(r_b) * 0.6;
        CHECK(norm(after.momentum - before.momentum) <= 1e-13 * p);
        // Torques are formed in the contact's precision: each is off by a few roundings.
        const double L = p * 0.4;
        CHECK(norm(after.angular_momentum - before.angular_momentum) <= by_precision(1e-13, 1e-9) * L);
        // Friction and damping take energy.
        CHECK(after.energy.dissipated_damping > 0);
        CHECK(after.energy.dissipated_friction > 0);
        CHECK(after.energy.kinetic_translation + after.energy.kinetic_rotation <
              before.energy.kinetic_translation + before.energy.kinetic_rotation);
    }
}

TEST_CASE("normal laws with a memory rebound as their closed forms say, in every flavor") {
    struct {
        std::string_view law;
        std::array<double, most_law_parameters> values;
        double unloading, wanted;  // over the stiffness of loading; of Hertz 0
    } const cases[] = {{"walton_braun", {4}, 4, 0.5},
                       {"luding", {4, 0, 0}, 4, 0.5},
                       {"eepa", {0.6, 0, 0, 1.5}, 0, std::sqrt((1 - 1.5 + 1.5 * std::pow(0.6, 5.0 / 3)) / 0.4)},
                       {"eepa", {0, 0, 0, 1.5}, 0, 1.0}};
    for (const auto& of : cases) {
        CAPTURE(of.law);
        HeadOn h;
        Model m = head_on(of.unloading > 0 ? Law::Linear : Law::Hertz, 1.0, h);
        m.penalty.law = Law::Plastic;
        m.penalty.plastic = PlasticLaws::number(of.law);
        PairProperties p = m.pairs(0, 0);
        p.plastic_values = of.values;
        if (of.unloading > 0) p.plastic_values[0] = of.unloading * p.stiffness;
        m.pairs.set(0, 0, p);
        // 250 steps and more a contact: the error of the step, of first order where unloading begins.
        CHECK(restitution(m, h.v) == doctest::Approx(of.wanted).epsilon(0.01));
    }
}

TEST_CASE("dashpots that may pull have the restitution asked for, and viscous ones lose more at speed") {
    for (const Law law : {Law::Linear, Law::Hertz}) {
        for (const double e : {0.3, 0.6, 0.9}) {
            HeadOn h;
            Model m = head_on(law, e, h);
            m.penalty.damping = Damping::Tsuji;
            CHECK(restitution(m, h.v) == doctest::Approx(e).epsilon(0.01));
        }
    }
    double last = 1;
    for (const double v : {0.1, 1.0}) {
        HeadOn h;
        h.v = v;
        Model m = head_on(Law::Hertz, 1.0, h);
        m.penalty.damping = Damping::Brilliantov;
        PairProperties p = m.pairs(0, 0);
        p.damping_values = {1e-5};
        m.pairs.set(0, 0, p);
        const double e = restitution(m, v);
        CHECK(e < last);
        last = e;
    }
}
