// Hard particles event by event: single collisions against formulas, small gases against all pairs, gases against equations of state.
#include <doctest/doctest.h>

#include <limits>

#include "base/error.hpp"
#include "engine/hard/events/measure.hpp"
#include "engine/snapshot_hash.hpp"
#include "hard_gas.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Event by event without cells, queue or clocks of bodies: all pairs are looked at before every collision, in all images.
class Plain {
public:
    explicit Plain(const Model& model) : m_(model), x_(model.bodies.position), v_(model.bodies.velocity) {}

    void run_to(double time) {
        for (;;) {
            double first = never;
            std::size_t a = 0, b = 0;
            Vec3 shift;
            for (std::size_t i = 0; i < x_.size(); ++i)
                for (std::size_t j = i + 1; j < x_.size(); ++j)
                    each_image([&](Vec3 s) {
                        const double t = meeting(i, j, s);
                        if (t < first) first = t, a = i, b = j, shift = s;
                    });
            std::size_t plane = 0;
            bool wall = false;
            for (std::size_t i = 0; i < x_.size(); ++i)
                for (std::size_t k = 0; k < planes().size(); ++k) {
                    const double approach = -dot(planes()[k].normal, v_[i]);
                    const double gap = dot(planes()[k].normal, x_[i] - planes()[k].point) - m_.bodies.radius[i];
                    if (approach > 0 && gap / approach < first) first = std::max(0.0, gap / approach), a = i, plane = k, wall = true;
                }
            const double step = std::min(first, time - now_);
            for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += step * v_[i];
            now_ += step;
            if (now_ >= time) return;
            ++collisions;
            const double e = m_.pairs(0, 0).restitution;
            if (wall) {
                const Vec3 n = planes()[plane].normal;
                v_[a] -= (1 + e) * dot(n, v_[a]) * n;
                continue;
            }
            const Vec3 n = normalized(x_[a] - x_[b] - shift);
            const double m_a = m_.bodies.mass[a], m_b = m_.bodies.mass[b];
            const Vec3 impulse = ((1 + e) * dot(n, v_[a] - v_[b]) * m_a * m_b / (m_a + m_b)) * n;
            v_[a] -= impulse / m_a;
            v_[b] += impulse / m_b;
        }
    }
    const std::vector<Vec3>& positions() const { return x_; }
    std::int64_t collisions{0};

private:
    const std::vector<Plane>& planes() const {
        static const std::vector<Plane> no_planes;
        return m_.walls.empty() ? no_planes : m_.walls[0].planes;
    }
    /// Images up to five periods away: bodies fly on without being wrapped here.
    template <class Visit>
    void each_image(Visit visit) const {
        const Vec3 L = m_.domain.box.max - m_.domain.box.min;
        const auto most = [&](int axis) { return m_.domain.periodic[axis] ? 5 : 0; };
        for (int i = -most(0); i <= most(0); ++i)
            for (int j = -most(1); j <= most(1); ++j)
                for (int k = -most(2); k <= most(2); ++k) visit(Vec3{i == 0 ? 0 : i * L.x, j == 0 ? 0 : j * L.y, k == 0 ? 0 : k * L.z});
    }
    double meeting(std::size_t i, std::size_t j, Vec3 shift) const {
        const Vec3 r = x_[i] - x_[j] - shift, v = v_[i] - v_[j];
        const double sum = m_.bodies.radius[i] + m_.bodies.radius[j], rv = dot(r, v), vv = norm2(v), c = norm2(r) - sum * sum;
        if (rv >= 0 || rv * rv < vv * c) return never;
        return std::max(0.0, (-rv - std::sqrt(rv * rv - vv * c)) / vv);
    }

    Model m_;
    std::vector<Vec3> x_, v_;
    double now_{0};
};

/// Few bodies, of two sizes, some of them soon across the border.
Model few(int dimensions, double restitution) {
    return hard_gas(dimensions, HardStepping::Events, dimensions == 2 ? 5 : 3, dimensions == 2 ? 0.4 : 0.2, restitution, 0.3);
}

void check_against_plain(const Model& m, double time, std::int64_t least) {
    EventSystem events(m);
    Plain plain(m);
    events.run_to(time);
    plain.run_to(time);
    const HardReport report = events.report(time);
    CHECK(report.collisions + report.wall_collisions == plain.collisions);
    CHECK(plain.collisions >= least);
    const std::vector<Vec3> x = events.positions(time);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, apart(m, x[i], plain.positions()[i]));
    // A collision magnifies a difference by path over radius, here 10 to 30, from 1e-16 on; each body has four to six. An event that one
    // of the two missed shows as 0.1 and more.
    CHECK(worst < 1e-7);
}

std::uint64_t hash_at(const Model& m, const EventSystem& system, double time) {
    return hash_of(hard_snapshot(m, 0, time, system.positions(time), system.velocities()));
}

}  // namespace

TEST_CASE("two hard spheres collide when and as formulas say") {
    for (const double e : {1.0, 0.6, 0.0}) {
        Model m = hard_model(3, HardStepping::Events, e);
        // Off centre by 0.3 of the sum of radii, 0.5; the light one is hit by the heavy one.
        add_hard(m, {0, 0, 0}, 0.2, {0, 0, 0});
        add_hard(m, {3, 0.15, 0}, 0.3, {-2, 0, 0});
        EventSystem s(m);
        const double along = std::sqrt(0.25 - 0.15 * 0.15), meeting = (3 - along) / 2;
        s.run_to(meeting - 1e-9);
        CHECK(s.report(meeting).collisions == 0);
        s.run_to(5);
        CHECK(s.report(5).collisions == 1);
        const double m_a = m.bodies.mass[0], m_b = m.bodies.mass[1];
        const Vec3 n{along / 0.5, 0.3, 0};  // from a to b
        const double impulse = (1 + e) * 2 * n.x * m_a * m_b / (m_a + m_b);
        const Vec3 v_a = -impulse / m_a * n, v_b = Vec3{-2, 0, 0} + impulse / m_b * n;
        // Rounding of a few operations.
        CHECK(norm(s.velocities()[0] - v_a) < 1e-14);
        CHECK(norm(s.velocities()[1] - v_b) < 1e-14);
        CHECK(norm(s.positions(5)[0] - (5 - meeting) * v_a) < 1e-13);
        CHECK(s.report(5).virial == doctest::Approx(0.5 * impulse).epsilon(1e-13));
        // The kinetic energy over time: 1/2 m v^2 until the collision, less after it.
        const double before = 0.5 * m_b * 4, after = 0.5 * (m_a * norm2(v_a) + m_b * norm2(v_b));
        CHECK(s.report(5).kinetic_time == doctest::Approx(before * meeting + after * (5 - meeting)).epsilon(1e-13));
    }
}

TEST_CASE("a ball between two walls bounces as often and as hard as it must") {
    Model m = walled(hard_gas(3, HardStepping::Events, 3, 0.01));
    m.bodies = {};
    add_hard(m, {1, 1, 1}, 0.25, {2, 0, 0});
    EventSystem s(m);
    // From x = 1 to the far wall 1.75, then 2.5 between bounces, at speed 2: 0.875, 2.125, 3.375, … s.
    s.run_to(10);
    const HardReport report = s.report(10);
    CHECK(report.wall_collisions == 8);
    CHECK(report.impulse.at(0) == doctest::Approx(8 * 2 * m.bodies.mass[0] * 2).epsilon(1e-14));
    CHECK(report.virial == doctest::Approx(0.25 * report.impulse.at(0)).epsilon(1e-14));
    CHECK(s.positions(10)[0].x == doctest::Approx(0.25 + 2 * (10 - 9.625)).epsilon(1e-13));
}

TEST_CASE("cells, clocks and queue find the events that a look at all pairs finds") {
    for (const double e : {1.0, 0.8}) {
        check_against_plain(few(2, e), 1.5, 40);
        check_against_plain(few(3, e), 1.5, 40);
        check_against_plain(walled(few(2, e)), 1.5, 40);
        check_against_plain(walled(few(3, e)), 1.5, 40);
    }
    // No end to space: cells at the border reach out to infinity.
    Model open = few(3, 1);
    for (bool& periodic : open.domain.periodic) periodic = false;
    open.domain.box = Domain{}.box;
    for (std::size_t i = 0; i < open.bodies.size(); ++i) open.bodies.velocity[i] -= open.bodies.position[i] - Vec3{1.5, 1.5, 1.5};
    check_against_plain(open, 3, 20);
}

TEST_CASE("neither batches nor looking nor restarts change a bit") {
    for (const int dimensions : {2, 3}) {
        for (Model m : {hard_gas(dimensions, HardStepping::Events, 8, 0.3, 0.95, 0.15),
                        walled(hard_gas(dimensions, HardStepping::Events, 8, 0.3, 0.95, 0.15))}) {
            EventSystem whole(m);
            whole.run_to(8);
            EventSystem parts(m);
            for (int k = 1; k <= 80; ++k) {
                parts.run_to(0.1 * k);
                if (k % 10 != 0) continue;
                EventSystem next(m);
                next.load(parts.save());
                parts = next;
            }
            parts.run_to(8);
            CHECK(hash_at(m, whole, 8) == hash_at(m, parts, 8));
            CHECK(whole.report(8).collisions == parts.report(8).collisions);
            CHECK(whole.report(8).virial == parts.report(8).virial);
            CHECK(whole.report(8).collisions > 10 * static_cast<std::int64_t>(m.bodies.size()));
        }
    }
}

TEST_CASE("energy and momentum last through ten thousand collisions of every particle") {
    for (const int dimensions : {2, 3}) {
        const Model m = hard_gas(dimensions, HardStepping::Events, dimensions == 2 ? 6 : 4, dimensions == 2 ? 0.6 : 0.4, 1, 0.1);
        EventSystem s(m);
        const double start = kinetic_energy(m, s.velocities());
        double time = 0;
        while (s.report(time).collisions < 5000 * static_cast<std::int64_t>(m.bodies.size())) s.run_to(time += 100);
        // Each collision rounds by 1e-16 of what two bodies have: a random walk of 2e5 to 3e5 of these over the energy of all is 2e-15,
        // and 5e-12 were they all of one sign.
        CHECK(std::fabs(kinetic_energy(m, s.velocities()) / start - 1) < 1e-13);
        CHECK(norm(momentum_of(m, s.velocities())) < 1e-11 * std::sqrt(2 * start));
    }
}

TEST_CASE("hard disks and spheres have the pressure of their equations of state") {
    // Packing, and P V / (N k T): of disks the [5/4] Padé approximant of the ten known virial coefficients (Clisby & McCoy 2006,
    // J. Stat. Phys. 122:15; computed in validation/hard_particles), of spheres Carnahan & Starling 1969.
    struct Case {
        int dimensions, edge;
        double packing, expected, tolerance;
    };
    const auto sphere = [](double y) { return (1 + y + y * y - y * y * y) / ((1 - y) * (1 - y) * (1 - y)); };
    // Half a percent of disks, one of spheres is what the equations are asked for; 1e5 collisions scatter by 0.2 %.
    for (const Case& c : {Case{2, 32, 0.1, 1.2361436, 0.005}, Case{2, 32, 0.3, 2.0632604, 0.005}, Case{2, 32, 0.5, 4.1063543, 0.005},
                          Case{3, 10, 0.1, sphere(0.1), 0.01}, Case{3, 10, 0.4, sphere(0.4), 0.01}}) {
        const Model m = hard_gas(c.dimensions, HardStepping::Events, c.edge, c.packing);
        EventSystem s(m);
        double time = 0;
        const auto run_for = [&](std::int64_t collisions) {
            const std::int64_t goal = s.report(time).collisions + collisions * static_cast<std::int64_t>(m.bodies.size());
            while (s.report(time).collisions < goal) s.run_to(time += 1);
        };
        run_for(20);  // the lattice forgets itself
        const double start = time;
        const HardReport from = s.report(time);
        run_for(100);
        const double found = compressibility(m, kinetic_energy(m, s.velocities()), from, s.report(time), time - start);
        CAPTURE(c.dimensions);
        CAPTURE(c.packing);
        CHECK(found == doctest::Approx(c.expected).epsilon(c.tolerance));
    }
}

TEST_CASE("the walls bear what the virial says") {
    for (const int dimensions : {2, 3}) {
        const Model m = walled(hard_gas(dimensions, HardStepping::Events, dimensions == 2 ? 8 : 5, 0.3, 1, 0.15));
        EventSystem s(m);
        s.run_to(200);
        const HardReport report = s.report(200);
        const HardBox box = hard_box(m);
        const double virial = (2 * report.kinetic_time + report.virial) / (dimensions * box.volume() * 200);
        const double walls = report.impulse[0] / (box.wall_area() * 200);
        // They differ by what sum m x v changes over the time: its scatter sqrt(N) m L v over d P V t is 1e-3 in two dimensions.
        CHECK(walls == doctest::Approx(virial).epsilon(5e-3));
    }
}

TEST_CASE("collisions without end are an error that says what to set") {
    // Dense disks with little rebound form rigid clusters at once (McNamara & Young 1994, Phys. Rev. E 50:R28).
    Model m = hard_gas(2, HardStepping::Events, 8, 0.6, 0.1);
    EventSystem collapse(m);
    CHECK_THROWS_WITH_AS(collapse.run_to(10), doctest::Contains("elastic_below"), RunError);
    m.hard.elastic_below = 1e-4;
    EventSystem ends(m);
    ends.run_to(10);
    CHECK(kinetic_energy(m, ends.velocities()) < 0.1 * kinetic_energy(m, m.bodies.velocity));
}
