// Contact laws against their closed forms, one contact at a time.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/quat.hpp"
#include "engine/laws/laws.hpp"
#include "engine/laws/planar_contact.hpp"
#include "systems.hpp"

using namespace scree;
using namespace scree::test;

namespace {

using T = SCREE_REAL;
using V = Vec3T<T>;

// A dozen roundings of the contact's precision.
constexpr double few_roundings = 12 * static_cast<double>(std::numeric_limits<T>::epsilon());

struct Row {
    T k_n, k_t, zeta, zeta_t, mu;
};

Row row_of(const Model& m, std::size_t entry = 0) {
    const LawParameters p = law_table(m)[entry];
    const double ratio = m.penalty.law == Law::Linear ? p.k_t / p.k_n : p.k_t / (1.5 * p.k_n);  // S_t / S_n
    return {static_cast<T>(p.k_n), static_cast<T>(p.k_t), static_cast<T>(p.zeta), static_cast<T>(p.zeta * std::sqrt(ratio)),
            static_cast<T>(p.mu)};
}

/// A contact along z, at rest, R_eff = 2 mm, m_eff = 1 g.
ContactInput<T> at_rest(double delta) {
    ContactInput<T> in{};
    in.normal = {T(0), T(0), T(1)};
    in.delta = static_cast<T>(delta);
    in.R_eff = T(2e-3);
    in.m_eff = T(1e-3);
    return in;
}

ContactInput<T> random_input(Rng& rng) {
    const auto draw = [&rng](double size) {
        return V{T(rng.uniform(-size, size)), T(rng.uniform(-size, size)), T(rng.uniform(-size, size))};
    };
    ContactInput<T> in = at_rest(rng.uniform(-1e-5, 1e-4));
    in.normal = normalized(draw(1));
    in.velocity = draw(1);
    in.spin = T(rng.uniform(-100, 100));
    const V any = draw(1e-6);
    in.stretch = any - dot(any, in.normal) * in.normal;
    return in;
}

V turned(Quat q, V v) {
    return cast<T>(rotate(q, cast<double>(v)));
}

double near(double value) {
    return few_roundings * std::fabs(value);
}

}  // namespace

TEST_CASE_TEMPLATE("a contact at rest bears its elastic force", L, LinearLaw, HertzLaw) {
    Model m = empty_model(std::is_same_v<L, LinearLaw> ? Law::Linear : Law::Hertz, 0.5, 0.5);
    Material other;
    other.young = 3e8;
    other.poisson = 0.4;
    m.materials.push_back(other);
    m.pairs = PairTable(2);
    PairProperties p;
    p.stiffness = 2e4;
    m.pairs.set(0, 1, p);
    for (const double delta : {1e-7, 1e-5, 1e-4}) {
        const ContactInput<T> in = at_rest(delta);
        const ContactOutput<T> out = contact_force<L>(row_of(m, 1), in, T(1e-5));
        const double E_eff = 1 / ((1 - 0.25 * 0.25) / 1e7 + (1 - 0.4 * 0.4) / 3e8);
        const double expected = m.penalty.law == Law::Linear ? 2e4 * delta : 4.0 / 3.0 * E_eff * std::sqrt(2e-3) * std::pow(delta, 1.5);
        CHECK(std::fabs(out.normal_force - expected) <= near(expected));
        CHECK(std::fabs(out.force.z + expected) <= near(expected));
        CHECK(out.force.x == T(0));
        CHECK(norm2(out.twist) == T(0));
        CHECK(norm2(out.stretch) == T(0));
    }
}

TEST_CASE_TEMPLATE("the elastic force is the slope of the elastic energy, and stiffness the slope of the force", L, LinearLaw, HertzLaw) {
    const double k_n = 1e7, k_t = 1e7, R = 2e-3, delta = 1e-5, h = 1e-9;
    // Central differences: error of relative order (h / delta)^2 = 1e-8, roundings of the energies / h below.
    const double slope = (L::elastic_energy(k_n, R, delta + h) - L::elastic_energy(k_n, R, delta - h)) / (2 * h);
    CHECK(slope == doctest::Approx(L::stiffness(k_n, k_t, R, delta).elastic).epsilon(1e-7));
    const double stiffness = (L::stiffness(k_n, k_t, R, delta + h).elastic - L::stiffness(k_n, k_t, R, delta - h).elastic) / (2 * h);
    CHECK(stiffness == doctest::Approx(L::stiffness(k_n, k_t, R, delta).normal).epsilon(1e-7));
}

TEST_CASE_TEMPLATE("a dashpot adds 2 zeta sqrt(S_n m) times the speed", L, LinearLaw, HertzLaw) {
    const Row q = row_of(empty_model(std::is_same_v<L, LinearLaw> ? Law::Linear : Law::Hertz, 0.5, 0));
    ContactInput<T> in = at_rest(1e-5);
    const double rest = contact_force<L>(q, in, T(0)).normal_force;
    const double S_n = L::stiffness(q.k_n, q.k_t, in.R_eff, in.delta).normal;
    const double extra = 2 * q.zeta * std::sqrt(S_n * 1e-3) * 0.01;
    in.velocity = {T(0), T(0), T(-0.01)};
    const double approaching = contact_force<L>(q, in, T(0)).normal_force;
    CHECK(std::fabs(approaching - rest - extra) <= near(rest + extra));
    // Parting so fast that the dashpot outweighs the spring: clipped, not attractive.
    in.velocity = {T(0), T(0), T(100)};
    CHECK(contact_force<L>(q, in, T(0)).normal_force == T(0));
}

TEST_CASE_TEMPLATE("forces never pull and never pass Coulomb's limit", L, LinearLaw, HertzLaw) {
    const Row q = row_of(empty_model(std::is_same_v<L, LinearLaw> ? Law::Linear : Law::Hertz, 0.3, 0.4));
    Rng rng(1, 2);
    for (int k = 0; k < 2000; ++k) {
        const ContactInput<T> in = random_input(rng);
        const ContactOutput<T> out = contact_force<L>(q, in, T(1e-5));
        CHECK(out.normal_force >= T(0));
        const double f_n = out.normal_force;
        const V f_t = out.force + out.normal_force * in.normal;
        const double buffers = few_roundings * (f_n + 1e-12);
        CHECK(norm(f_t) <= 0.4 * f_n + buffers);
        CHECK(std::fabs(dot(f_t, in.normal)) <= buffers);
        CHECK(norm(out.twist - cross(in.normal, f_t)) <= buffers);
        // What slides: of the velocity a slider takes s, the spring and the dashpot beside it the rest; s goes with the force.
        const auto S = L::stiffness(q.k_n, q.k_t, in.R_eff, in.delta > T(0) ? in.delta : T(0));
        if (norm(f_t) > 0.4 * f_n * 0.999 && f_n > 0) {
            Row rough = q;
            rough.mu = T(1e6);
            const ContactOutput<T> stuck = contact_force<L>(rough, in, T(1e-5));
            const V s = (stuck.stretch - out.stretch) / T(1e-5);
            const T c_t = T(2) * q.zeta_t * std::sqrt(S.normal * in.m_eff);
            const V dashpot = stuck.force + stuck.normal_force * in.normal - S.tangential * stuck.stretch - c_t * s;
            const double many = 40 * (few_roundings * norm(stuck.force) + buffers);  // s is a small difference of stretches
            CHECK(norm(S.tangential * out.stretch + dashpot - f_t) <= many);
            CHECK(dot(s, f_t) >= -many * norm(s));
        }
        if (in.delta > T(0)) continue;
        CHECK(norm2(out.force) == T(0));
        CHECK(norm2(out.twist) == T(0));
        CHECK(norm2(out.stretch) == T(0));
    }
}

TEST_CASE_TEMPLATE("a sticking contact is a spring of stiffness S_t, until it slides", L, LinearLaw, HertzLaw) {
    const Row q = row_of(empty_model(std::is_same_v<L, LinearLaw> ? Law::Linear : Law::Hertz, 1, 0.5));
    ContactInput<T> in = at_rest(1e-5);
    in.velocity = {T(1e-3), T(0), T(0)};
    const double dt = 1e-5;
    const auto S = L::stiffness(q.k_n, q.k_t, in.R_eff, in.delta);
    const double limit = 0.5 * S.elastic;
    bool slid = false;
    for (int k = 1; k <= 2000; ++k) {
        const ContactOutput<T> out = contact_force<L>(q, in, static_cast<T>(dt));
        in.stretch = out.stretch;
        const double spring = S.tangential * 1e-3 * dt * k;
        slid = slid || spring > limit;
        // k additions of equal steps: k roundings at most.
        const double expected = std::fmin(spring, limit);
        CHECK(std::fabs(out.force.x - expected) <= (k + 12) * static_cast<double>(std::numeric_limits<T>::epsilon()) * expected);
    }
    CHECK(slid);
}

TEST_CASE_TEMPLATE("without friction there is no tangential force and no history", L, LinearLaw, HertzLaw) {
    const Row q = row_of(empty_model(std::is_same_v<L, LinearLaw> ? Law::Linear : Law::Hertz, 0.5, 0));
    ContactInput<T> in = at_rest(1e-5);
    in.velocity = {T(0.3), T(-0.2), T(0)};
    const ContactOutput<T> out = contact_force<L>(q, in, T(1e-5));
    CHECK(out.force.x == T(0));
    CHECK(out.force.y == T(0));
    CHECK(norm2(out.twist) == T(0));
    CHECK(norm2(out.stretch) == T(0));
    CHECK(out.normal_force > T(0));
}

TEST_CASE_TEMPLATE("a turned contact gives the turned force", L, LinearLaw, HertzLaw) {
    const Row q = row_of(empty_model(std::is_same_v<L, LinearLaw> ? Law::Linear : Law::Hertz, 0.5, 0.4));
    Rng rng(4, 5);
    for (int k = 0; k < 200; ++k) {
        const ContactInput<T> in = random_input(rng);
        const Quat r = rotation_by({rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-2, 2)});
        ContactInput<T> moved = in;
        moved.normal = turned(r, in.normal);
        moved.velocity = turned(r, in.velocity);
        moved.stretch = turned(r, in.stretch);
        const ContactOutput<T> a = contact_force<L>(q, in, T(1e-5)), b = contact_force<L>(q, moved, T(1e-5));
        // The dashpots see speeds of order 1 m/s with roundings of the turned input: forces here reach some 10 N.
        const double buffers = few_roundings * (10 + norm(a.force));
        CHECK(norm(turned(r, a.force) - b.force) <= buffers);
        CHECK(norm(turned(r, a.twist) - b.twist) <= buffers);
        // The stretch is at most a few micrometres, or what its sliding force gives.
        CHECK(norm(turned(r, a.stretch) - b.stretch) <= few_roundings * (1e-5 + 10 * norm(a.stretch)));
    }
}

TEST_CASE("the stretch keeps its length and turns with the contact") {
    // The normal rolls from z to x in the x-z plane in n steps; a stretch in that plane turns along, one across it stays.
    const int n = 1000;
    V along{T(1e-6), T(0), T(0)}, across{T(0), T(1e-6), T(0)};
    for (int k = 1; k <= n; ++k) {
        const double a = 0.5 * pi * k / n;
        const V normal{T(std::sin(a)), T(0), T(std::cos(a))};
        along = carried_stretch(along, normal, T(0));
        across = carried_stretch(across, normal, T(0));
    }
    // n roundings of unit vectors.
    const double buffers = 4 * n * static_cast<double>(std::numeric_limits<T>::epsilon()) * 1e-6;
    CHECK(norm(along - V{T(0), T(0), T(-1e-6)}) <= buffers);
    CHECK(norm(across - V{T(0), T(1e-6), T(0)}) <= buffers);
    // Spin about the normal turns it by the angle; each small turn errs by a third of its cube (tan against arc).
    V spun{T(1e-6), T(0), T(0)};
    for (int k = 0; k < n; ++k) spun = carried_stretch(spun, V{T(0), T(0), T(1)}, T(0.5 * pi / n));
    CHECK(norm(spun - V{T(0), T(1e-6), T(0)}) <= buffers + n * std::pow(0.5 * pi / n, 3) / 3 * 1e-6);
    CHECK(std::fabs(norm(spun) - 1e-6) <= buffers);
    // Nothing stays of a stretch along the normal, and nothing comes of none.
    CHECK(norm2(carried_stretch(V{T(0), T(0), T(1e-6)}, V{T(0), T(0), T(1)}, T(0))) == T(0));
    CHECK(norm2(carried_stretch(V{}, V{T(0), T(0), T(1)}, T(0.1))) == T(0));
}

TEST_CASE("Hertz: the tangential force stays while the overlap grows, the stretch while it shrinks") {
    Row q = row_of(empty_model(Law::Hertz, 1, 10));
    const double dt = 1e-6;
    for (const double v_n : {-1.0, 1.0}) {
        ContactInput<T> in = at_rest(1e-5);
        in.velocity = {T(0), T(0), T(v_n)};
        in.stretch = {T(1e-7), T(0), T(0)};
        const ContactOutput<T> out = contact_force<HertzLaw>(q, in, static_cast<T>(dt));
        const double before = HertzLaw::stiffness(q.k_n, q.k_t, in.R_eff, static_cast<T>(1e-5 + v_n * dt)).tangential;
        const double after = HertzLaw::stiffness(q.k_n, q.k_t, in.R_eff, in.delta).tangential;
        const double expected = (v_n < 0 ? before : after) * 1e-7;
        CHECK(std::fabs(out.force.x - expected) <= near(expected));
    }
}

TEST_CASE("what is not a number comes through") {
    const Row q = row_of(empty_model(Law::Hertz, 0.5, 0.5));
    ContactInput<T> in = at_rest(1e-5);
    in.velocity = {T(0), T(0), std::numeric_limits<T>::quiet_NaN()};
    const ContactOutput<T> out = contact_force<HertzLaw>(q, in, T(1e-5));
    CHECK(out.normal_force != out.normal_force);
}

TEST_CASE_TEMPLATE("in a plane numbers give what vectors give", L, LinearLaw, HertzLaw, PowerLaw) {
    const Row power{T(1e7), T(0.5), T(20), T(0), T(0.02)};
    const Row q =
        std::is_same_v<L, PowerLaw> ? power : row_of(empty_model(std::is_same_v<L, LinearLaw> ? Law::Linear : Law::Hertz, 0.5, 0.5));
    Rng rng(11, 0);
    int sliding = 0, sticking = 0, apart = 0;
    for (int k = 0; k < 1000; ++k) {
        const double angle = rng.uniform(-pi, pi);
        const V n{T(std::cos(angle)), T(std::sin(angle)), T(0)}, t{-n.y, n.x, T(0)};
        const T speed = T(std::pow(10, rng.uniform(-4, 0)));
        PlanarInput<T> in{T(rng.uniform(-1e-5, 1e-4)), speed * T(rng.uniform(-1, 1)), speed * T(rng.uniform(-1, 1)), T(2e-3), T(1e-3),
                          T(rng.uniform(-2e-5, 2e-5))};
        ContactInput<T> in_space = at_rest(in.delta);
        in_space.normal = n;
        in_space.velocity = in.v_n * n + in.v_t * t;
        in_space.stretch = in.stretch * t;
        const PlanarOutput<T> out = planar_force<L>(q, in, T(1e-6));
        const ContactOutput<T> expected = contact_force<L>(q, in_space, T(1e-6));
        // What forces and stretches are made of, before their parts cancel; the damping of the power law is zeta sqrt(delta) v.
        const auto S = L::stiffness(q.k_n, q.k_t, in.R_eff, T(1e-4));
        const double damping = std::is_same_v<L, PowerLaw> ? 20 * 1e-2 : 2 * q.zeta * std::sqrt(S.normal * in.m_eff);
        const double force = 4 * few_roundings * (S.elastic + damping * speed + S.tangential * 2e-5);
        CHECK(std::fabs(out.f_n - expected.normal_force) <= force);
        CHECK(norm(out.f_t * t - out.f_n * n - expected.force) <= force);
        CHECK(std::fabs(out.f_t - expected.twist.z) <= force);
        CHECK(norm(out.stretch * t - expected.stretch) <= 4 * few_roundings * (2e-5 + 1e-6 * speed));
        const bool slides = std::fabs(out.f_t) >= q.mu * std::fabs(out.f_n) * (1 - few_roundings);
        ++(in.delta <= 0 ? apart : (slides ? sliding : sticking));
    }
    CHECK(apart > 50);
    CHECK(sliding > 50);
    CHECK(sticking > 50);
}

TEST_CASE("what is not a number comes through in a plane too") {
    const Row q = row_of(empty_model(Law::Hertz, 0.5, 0.5));
    const T nan = std::numeric_limits<T>::quiet_NaN();
    const PlanarOutput<T> out = planar_force<HertzLaw>(q, PlanarInput<T>{T(1e-5), nan, T(0), T(2e-3), T(1e-3), T(0)}, T(1e-5));
    CHECK(out.f_n != out.f_n);
}
