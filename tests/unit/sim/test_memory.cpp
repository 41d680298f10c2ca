// Memory foretold: that counts of pairs are those of lattices whose neighbours are known, that sums are sums, and what is said where it is
// too much or past 32 bits.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "model/limits.hpp"
#include "output/checkpoint.hpp"
#include "setup/meshes/process_memory.hpp"
#include "sim/check_report.hpp"
#include "sim/memory.hpp"
#include "unit/output/temporary_directory.hpp"
#include "unit/sim/fake_engine.hpp"

using namespace scree;

namespace {

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// n x n x n spheres of radius 10 mm, `spacing` apart, weightless.
Model lattice(int n, double spacing) {
    Model m;
    m.gravity = {};
    m.dt = 1e-6;
    m.materials.emplace_back();
    for (int i = 0; i < n * n * n; ++i)
        m.bodies.add_sphere(spacing * Vec3{double(i % n), double(i / n % n), double(i / n / n)}, 0.01, 0, 2500);
    return m;
}

/// Pairs of a lattice along its edges, of n^3 bodies.
double edge_pairs(int n) {
    return 3.0 * n * n * (n - 1);
}
/// And along the diagonals of its faces.
double diagonal_pairs(int n) {
    return 6.0 * n * (n - 1) * (n - 1);
}

}  // namespace

TEST_CASE("memory: pairs of bodies as they start are counted") {
    // Up to 20,000 bodies each is looked at: exact but for the factors of one half, which binary numbers hold.
    CHECK(foresee_pairs(lattice(12, 0.0199)).spheres == edge_pairs(12));
    CHECK(foresee_pairs(lattice(12, 0.025)).spheres == 0);  // apart by more than the skin of a tenth of the diameter
    Model m = lattice(12, 0.0199);
    m.penalty.skin = 0.0085;  // up to 28.5 mm: the diagonal is 28.1 mm
    CHECK(foresee_pairs(m).spheres == edge_pairs(12) + diagonal_pairs(12));
    // A sample of 30^3 looks at every body but the last few: within the share of bodies at faces, 1/10.
    CHECK(foresee_pairs(lattice(30, 0.0199)).spheres == doctest::Approx(edge_pairs(30)).epsilon(0.02));
}

TEST_CASE("memory: pairs are counted at once among very unlike sizes and within very wide margins") {
    // Ten thousand times as large, below the lattice: all of the lowest layer are nearer to it than the skin of 2 mm. A search about it
    // would come by 10^12 cells.
    Model m = lattice(10, 0.0199);
    m.bodies.add_sphere({0.1, 0.1, -100.0099}, 100, 0, 2500);
    CHECK(foresee_pairs(m).spheres == edge_pairs(10) + 100);
    m = lattice(3, 0.0199);
    m.penalty.skin = 10;
    CHECK(foresee_pairs(m).spheres == 27 * 26 / 2);
}

TEST_CASE("memory: bodies that fall are counted in the bed that they come to lie in") {
    Model m = lattice(12, 0.1);
    CHECK(foresee_pairs(m).spheres == 0);
    m.gravity = {0, 0, -9.81};
    m.penalty.skin = 0.002;
    // 4.16 pairs a sphere at a tenth of the diameter amid a settled bed (docs/memory.md), counted there; 3 % is what the fit leaves.
    CHECK(foresee_pairs(m).spheres / 1728 == doctest::Approx(4.16).epsilon(0.03));
    m.penalty.skin = 0.005;
    CHECK(foresee_pairs(m).spheres / 1728 == doctest::Approx(5.23).epsilon(0.03));
}

TEST_CASE("memory: hard particles that go event by event have no lists, whatever their time step") {
    Model m = lattice(12, 0.025);
    m.method = Method::Hard;
    m.hard.stepping = HardStepping::Events;
    for (Vec3& v : m.bodies.velocity) v = {5, 0, 0};
    m.dt = 10;  // between rows of a series: collisions are found in their own time
    const PairCounts counts = foresee_pairs(m);
    CHECK(counts.spheres == 0);
    CHECK(counts.cells == 0);
}

TEST_CASE("memory: one fast body under the cone method widens the lists of many others by their spacing at most") {
    Model m = lattice(12, 0.0199);
    m.method = Method::Cone;
    m.dt = 1e-3;
    m.penalty.skin = 1e-4;
    m.bodies.velocity[0] = {100, 0, 0};  // ten radii in a step
    // Spacings on either side and a diameter reach three edges far, where a lattice has 122 others; ten radii would reach all.
    CHECK(foresee_pairs(m).spheres < 0.5 * 122 * 1728);
    m.bodies.velocity[0] = {};
    CHECK(foresee_pairs(m).spheres == edge_pairs(12));
}

TEST_CASE("memory: the peak is the sum of its parts; it grows with the bodies; single precision takes less") {
    const Scene scene = fake_scene();
    const auto peak_of = [&](int n, Precision precision) {
        EngineOptions options;
        options.threads = 1;
        options.precision = precision;
        const MemoryForecast f = foresee_memory(scene, lattice(n, 0.0199), options);
        double sum = 0;
        for (const MemoryPart& part : f.parts) sum += part.bytes;
        CHECK(sum == doctest::Approx(f.peak));
        return f.peak;
    };
    const double small = peak_of(10, Precision::Double), large = peak_of(20, Precision::Double);
    // Positions, velocities, spins, forces, torques and references alone are 21 numbers of 8 bytes.
    CHECK(large - small > 7000 * 21 * 8);
    CHECK(peak_of(20, Precision::Mixed) < large);
}

TEST_CASE("memory: a warning where the machine has less, and none where it has enough") {
    MemoryForecast f;
    f.peak = 12e9;
    CHECK(memory_warning(f, 13e9).empty());
    const std::string text = memory_warning(f, 8e9);
    CHECK(has(text, "12 GB"));
    CHECK(has(text, "8 GB"));
    CHECK(available_memory() > 0);
    CHECK(peak_memory() >= 0.5 * resident_memory());
}

TEST_CASE("limits: what is foreseen past 32 bits is refused before anything runs") {
    BuiltModel built;
    built.model = lattice(12, 0.0199);
    CHECK_NOTHROW(check_report(fake_scene(), built));
    {
        const LoweredLimits at{{.pairs = static_cast<std::int64_t>(edge_pairs(12))}};
        CHECK_NOTHROW(check_report(fake_scene(), built));
    }
    const LoweredLimits below{{.pairs = static_cast<std::int64_t>(edge_pairs(12)) - 1}};
    CHECK_THROWS_AS(check_report(fake_scene(), built), Error);
    try {
        check_report(fake_scene(), built);
    } catch (const Error& e) {
        CHECK(has(e.what(), "4752 pairs of bodies in one list"));
        CHECK(has(e.what(), "pass the limit of 4751"));
        CHECK(has(e.what(), "method.skin"));
    }
}

TEST_CASE("limits: a run whose list comes near the limit stops with a checkpoint and names it") {
    const TemporaryDirectory dir;
    FakePlan plan;
    plan.pairs_from = 500;  // a thousand pairs
    for (const std::int64_t most : {2000, 1000}) {
        const LoweredLimits lowered{{.pairs = most}};
        Scene scene = fake_scene();
        scene.output.every = 0.1;
        RunOptions options;
        options.directory = dir.file("run" + std::to_string(most));
        options.engine.threads = 1;
        Simulation simulation(scene, options, fake_factories(plan));
        const RunResult result = simulation.run();
        CAPTURE(result.message);
        if (most == 2000) {
            CHECK(result.exit_code == 0);
            continue;
        }
        CHECK(result.exit_code == 1);
        CHECK(has(result.message, "1000 pairs of bodies, of at most 1000, pass the limit of 950"));
        CHECK(has(result.message, "checkpoint.h5"));
        const Checkpoint saved = read_checkpoint(options.directory + "/checkpoint.h5");
        CHECK(saved.step >= 500);
        CHECK(saved.step <= 1000);
    }
}
