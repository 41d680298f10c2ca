// Steps in one pass against the same steps kernel by kernel: the same bits, and lists made in the same steps, though the one does not look
// at each body in each step. Where nothing is fused (on a device) both are the same.
#include <doctest/doctest.h>

#include <array>
#include <string_view>

#include "step_run.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;
using namespace scree::test;

namespace {

constexpr double radius = 1e-3;

/// Spheres on a lattice in a box, `gap` of a diameter apart, thrown about by up to `speed` [m/s].
Model lattice(int edge, double gap, double speed, Law law = Law::Hertz) {
    Model m = empty_model(law, 0.5, 0.4);
    const double pitch = (2 + gap) * radius;
    Rng rng(21, 1);
    for (int k = 0; k < edge * edge * edge; ++k) {
        const Vec3 at{k % edge + 0.5, k / edge % edge + 0.5, k / (edge * edge) + 0.5};
        add_sphere(m, pitch * at, radius, {rng.uniform(-speed, speed), rng.uniform(-speed, speed), rng.uniform(-speed, speed)});
    }
    m.walls = {box_wall("box", {{0, 0, 0}, pitch * Vec3{double(edge), double(edge), double(edge)}})};
    set_step(m, 0.5);
    return m;
}

/// Every other body of another material, which slips more.
void second_material(Model& m) {
    m.materials.push_back(m.materials[0]);
    m.materials[1].name = "1";
    const PairProperties p = m.pairs(0, 0);
    PairProperties q = p;
    q.friction = 0.1;
    m.pairs = PairTable(2);
    m.pairs.set(0, 0, p);
    m.pairs.set(0, 1, q);
    m.pairs.set(1, 1, q);
    for (std::size_t i = 0; i < m.bodies.material.size(); i += 2) m.bodies.material[i] = 1;
}

std::vector<std::uint32_t> entries(const State& state) {
    std::vector<std::uint32_t> all = state.lists[kSpheres].entry.host();
    all.resize(static_cast<std::size_t>(2 * state.lists[kSpheres].size()));  // the rest is unused
    return all;
}

bool same_values(const Vec3Array<Real>& a, const Vec3Array<Real>& b) {
    return a.x.host() == b.x.host() && a.y.host() == b.y.host() && a.z.host() == b.z.host();
}

/// One fused, one not, in turns of `batch` steps; lists must be made in the same ones.
void check_alike(const Model& m, std::int64_t steps, std::int64_t batch, std::int64_t least_lists) {
    for (const int threads : {1, 2}) {
        Run fused(m, 1, 0), apart(m, 16, 0);
        fused.work.exec.threads = threads;
        std::int64_t unlike = 0;
        for (std::int64_t done = 0; done < steps; done += batch) {
            for (Run* run : {&fused, &apart}) run->advance(batch);
            unlike += fused.state.list_step != apart.state.list_step || fused.state.rebuilds != apart.state.rebuilds ? 1 : 0;
        }
        CHECK(unlike == 0);
        CHECK(same_bits(fused.positions(), apart.positions()));
        CHECK(fused.state.rebuilds >= least_lists);
        if (!on_device) CHECK(fused.work.fused.watch.spared > 0);
    }
}

}  // namespace

TEST_CASE("fused steps make their lists in the steps in which others do: a fast crowd") {
    check_alike(lattice(12, 0.05, 0.5), 600, 25, 5);
}

TEST_CASE("fused steps make their lists in the steps in which others do: a bed at rest into which one is shot") {
    Model m = lattice(12, 0.0, 1e-4);
    m.gravity = {0, 0, -9.81};
    add_sphere(m, {0.012, 0.012, 0.05}, radius, {0, 0, -12});
    m.walls = {box_wall("box", {{0, 0, 0}, {0.024, 0.024, 0.1}})};
    m.penalty.skin = 0.2 * radius;
    check_alike(m, 600, 50, 20);
}

TEST_CASE("fused steps make their lists in the steps in which others do: bodies that fall ever faster") {
    Model m = lattice(8, 0.3, 0);
    m.gravity = {0, 0, -9.81};
    m.penalty.skin = 0.2 * radius;
    check_alike(m, 2400, 2400, 3);
}

TEST_CASE("steps that may be fused are the same bits under every law") {
    for (const Law law : {Law::Linear, Law::Hertz, Law::Power}) {
        Model m = lattice(8, 0.05, 0.5, law);
        if (law == Law::Power) {
            PairProperties p = m.pairs(0, 0);
            p.stiffness = 1e6;  // N/m^1.5
            p.damping = 20;
            p.tangential_damping = 0.1;
            m.pairs.set(0, 0, p);
        }
        set_step(m, 0.5);
        Run fused(m, 1, 0), apart(m, 16, 0);
        for (Run* run : {&fused, &apart}) run->advance(600);
        CHECK(same_bits(fused.positions(), apart.positions()));
        CHECK(same_bits(fused.state.bodies.angular_velocity.rows.host(), apart.state.bodies.angular_velocity.rows.host()));
        CHECK_FALSE(same_bits(fused.positions(), Run(m).positions()));
    }
}

TEST_CASE("fused steps with pulls and couples against rolling and twisting are the same bits") {
    struct {
        std::string_view cohesion;
        Rolling rolling;
        Twisting twisting;
        std::array<double, most_law_parameters> values;
    } const cases[] = {{"none", Rolling::Spring, Twisting::None, {}},
                       {"none", Rolling::Constant, Twisting::Spring, {}},
                       {"none", Rolling::None, Twisting::Marshall, {}},
                       {"jkr", Rolling::None, Twisting::None, {0.05}},
                       {"jkr", Rolling::Spring, Twisting::Marshall, {0.05}},
                       {"capillary", Rolling::Spring, Twisting::None, {0.07, 1e-11, 0.3}},
                       {"van_der_waals", Rolling::None, Twisting::None, {1e-17, 1e-8, 1e-6}},
                       {"sjkr", Rolling::None, Twisting::None, {2e4}}};
    for (const auto& of : cases) {
        CAPTURE(of.cohesion);
        CAPTURE(static_cast<int>(of.rolling));
        Model m = lattice(10, 0.08, 0.05);
        m.gravity = {1, 0.5, -9.81};
        m.penalty.skin = 0.4 * radius;
        m.penalty.rolling = of.rolling;
        m.penalty.twisting = of.twisting;
        m.penalty.cohesion = CohesionLaws::number(of.cohesion);
        PairProperties p = m.pairs(0, 0);
        p.rolling_friction = p.spinning_friction = 0.1;
        p.rolling_damping = 0.3;
        p.cohesion_values = of.values;
        m.pairs.set(0, 0, p);
        for (const bool two_materials : {false, true}) {
            if (two_materials) second_material(m);
            Run fused(m, 1, 0), apart(m, 16, 0);
            fused.work.exec.threads = 2;
            for (int batch = 0; batch < 4; ++batch) {
                for (Run* run : {&fused, &apart}) run->advance(150);
                Contacts &now = fused.state.lists[kSpheres].contacts, &wanted = apart.state.lists[kSpheres].contacts;
                CHECK(same_bits(fused.positions(), apart.positions()));
                CHECK(same_values(now.stretch, wanted.stretch));
                CHECK(same_values(now.force, wanted.force));
                CHECK(same_values(now.roll, wanted.roll));
                CHECK(now.torsion.host() == wanted.torsion.host());
                CHECK(now.bond.host() == wanted.bond.host());
            }
            if (!on_device) CHECK(fused.work.fused.prune.steps > 10);
        }
    }
}

TEST_CASE("pairs that can not touch yet are left out of fused steps, which stay the same bits") {
    // A bed that settles; its list is wide, so that many of its pairs are apart and come together in its course.
    for (const bool two_materials : {false, true}) {
        Model m = lattice(12, 0.08, 0.05);
        m.gravity = {1, 0.5, -9.81};
        m.penalty.skin = 0.4 * radius;
        if (two_materials) second_material(m);
        for (const int threads : {1, 2}) {
            Run fused(m, 1, 0), apart(m, 16, 0);
            fused.work.exec.threads = apart.work.exec.threads = threads;
            for (int batch = 0; batch < 12; ++batch) {
                for (Run* run : {&fused, &apart}) run->advance(150);
                CHECK(same_bits(fused.positions(), apart.positions()));
                CHECK(same_values(fused.state.lists[kSpheres].contacts.stretch, apart.state.lists[kSpheres].contacts.stretch));
                CHECK(same_values(fused.state.lists[kSpheres].contacts.force, apart.state.lists[kSpheres].contacts.force));
                CHECK(fused.state.lists[kSpheres].a.host() == apart.state.lists[kSpheres].a.host());
                CHECK(entries(fused.state) == entries(apart.state));
            }
            if (on_device) continue;
            const Pruning& p = fused.work.fused.prune;
            CHECK(p.steps > 600);
            CHECK(p.looks > 20);
            CHECK(p.looks < p.steps / 5);
            CHECK_FALSE(p.on);
            CHECK(fused.work.fused.near_rows.steps == p.steps);
        }
    }
}

TEST_CASE("rows of near pairs, rows of more than eight of them, and rows of the list give the same bits") {
    // A sphere that 150 small ones fly at from all sides, in a crowd that settles: its row is summed up in parts.
    constexpr double large = 9 * radius, pitch = 2.08 * radius;
    constexpr int edge = 14, around = 150;
    Model m = empty_model(Law::Hertz, 0.5, 0.4);
    const Vec3 middle = 0.5 * edge * pitch * Vec3{1, 1, 1};
    add_sphere(m, middle, large);
    for (int k = 0; k < around; ++k) {  // along a spiral from pole to pole
        const double z = (2 * k + 1.0) / around - 1, turn = 2.399963 * k, across = std::sqrt(1 - z * z);
        const Vec3 out{across * std::cos(turn), across * std::sin(turn), z};
        add_sphere(m, middle + 1.01 * (large + radius) * out, radius, -0.2 * out);
    }
    Rng rng(3, 1);
    for (int k = 0; k < edge * edge * edge; ++k) {
        const Vec3 at = pitch * Vec3{k % edge + 0.5, k / edge % edge + 0.5, k / (edge * edge) + 0.5};
        if (norm(at - middle) < large + 3.2 * radius) continue;
        add_sphere(m, at, radius, {rng.uniform(-0.05, 0.05), rng.uniform(-0.05, 0.05), rng.uniform(-0.05, 0.05)});
    }
    m.gravity = {1, 0.5, -9.81};
    m.walls = {box_wall("box", {{0, 0, 0}, edge * pitch * Vec3{1, 1, 1}})};
    m.penalty.skin = 0.4 * radius;
    set_step(m, 0.5);
    struct Capacity {
        Index longer_of_body, most_places;
    };
    for (const Capacity buffers : {Capacity{2, 32767}, Capacity{0, 32767}, Capacity{2, 100}}) {
        for (const int threads : {1, 2}) {
            Run fused(m, 1, 0), apart(m, 16, 0);
            fused.work.exec.threads = apart.work.exec.threads = threads;
            NearRows& near = fused.work.fused.near_rows;
            near.longer_of_body = buffers.longer_of_body;
            near.most_places = buffers.most_places;
            for (int batch = 0; batch < 6; ++batch) {
                for (Run* run : {&fused, &apart}) run->advance(200);
                CHECK(same_bits(fused.positions(), apart.positions()));
                CHECK(same_values(fused.state.lists[kSpheres].contacts.stretch, apart.state.lists[kSpheres].contacts.stretch));
            }
            if (on_device) continue;
            CHECK(fused.work.fused.prune.steps > 300);
            const bool short_of_room = buffers.longer_of_body == 0 || buffers.most_places < 1000;
            CHECK((short_of_room ? near.steps == 0 : near.steps > 300));
            Index most = 0;
            const std::vector<RowStart> starts = fused.state.lists[kSpheres].row_start.host();
            for (std::size_t i = 1; i < starts.size(); ++i) most = std::max(most, Index{starts[i]} - Index{starts[i - 1]});
            CHECK(most > 100);
        }
    }
}

TEST_CASE("a fault in steps that leave pairs out goes back to the list as it was made") {
    if (on_device) return;
    // A crowd that falls down until two overlap by more than is allowed.
    Model m = lattice(10, 0.04, 1e-3);
    m.gravity = {0, 0, -9.81};
    m.penalty.skin = 0.8 * radius;
    m.penalty.overlap_limit = 5e-3;
    BatchReport report[2];
    Run fused(m, 1, 0), apart(m, 16, 0);
    int k = 0;
    for (Run* run : {&fused, &apart}) {
        run->advance(900);  // contacts remember something where the batch at fault begins
        report[k++] = advance_steps(run->model, run->state, run->work, run->timers, 40000, false);
    }
    CHECK(report[0].fault.kind == FaultKind::Overlap);
    CHECK(report[1].fault.kind == FaultKind::Overlap);
    CHECK(fused.state.step == apart.state.step);
    CHECK(same_bits(fused.positions(), apart.positions()));
    CHECK(same_values(fused.state.lists[kSpheres].contacts.stretch, apart.state.lists[kSpheres].contacts.stretch));
    CHECK(fused.work.fused.prune.steps > 100);
}

TEST_CASE("a body that flies alone uses up its list half the skin past where that looks for it") {
    // Far from the others and from the origin, where sums of positions round coarsely.
    for (const double far : {0.0, 1e3}) {
        Model m = empty_model(Law::Hertz, 1, 0);
        const double v = 0.37, skin = 0.4 * radius;
        add_sphere(m, {far, 0, 0}, radius, {v, 0, 0});
        for (int k = 1; k < 40; ++k) add_sphere(m, {far, 10 * k * radius, 0}, radius);
        m.dt = 1e-6;
        m.penalty.skin = skin;
        Run run(m, 1, 0);
        const double ways = 0.5 * skin / (v * m.dt);  // 540.5 steps; it is slow, and looked for where it is after 0.8 times 64
        std::int64_t end = 0;
        for (int lists = 1; lists <= 3; ++lists) {
            end += static_cast<std::int64_t>(std::ceil(ways + 0.8 * 64));
            // The list is made in a drifted state: positions of step `step` + 1.
            run.advance(end - 2 - run.state.step);
            CHECK(run.state.rebuilds == lists);
            run.advance(2);
            CHECK(run.state.rebuilds == lists + 1);
        }
        if (!on_device) CHECK(run.work.fused.watch.spared > 1400);
    }
}

TEST_CASE("a bed at rest is looked at in few steps") {
    if (on_device) return;
    Model m = lattice(14, 0.0, 1e-4);
    m.gravity = {0, 0, -9.81};
    m.penalty.skin = 0.2 * radius;
    Run run(m, 1, 0);
    run.advance(2000);
    const SkinWatch before = run.work.fused.watch;
    run.advance(1000);
    CHECK(run.work.fused.watch.spared - before.spared > 900);
    CHECK(run.work.fused.watch.looks - before.looks < 100);
}
