// Triangulated walls against the smooth surfaces they stand for.
#include <doctest/doctest.h>

#include "systems.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double r = 2e-3;

/// A drum's inner wall about the y axis in `facets` flat strips, each cut in triangles `rows` long; facets touch the circle from within
/// their middles: the drum's radius is that of the inscribed circle.
TriangleMesh drum_mesh(double radius, double length, int facets, int rows) {
    const double corner = radius / std::cos(pi / facets);
    TriangleMesh m;
    for (int j = 0; j <= rows; ++j) {
        for (int i = 0; i < facets; ++i) {
            const double a = 2 * pi * (i + 0.5) / facets;
            m.vertices.push_back({corner * std::sin(a), length * j / rows, -corner * std::cos(a)});
        }
    }
    const auto at = [facets](int i, int j) { return static_cast<std::int32_t>(j * facets + i % facets); };
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < facets; ++i) {
            m.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            m.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return m;
}

Model ball(double restitution, double friction) {
    Model m = empty_model(Law::Hertz, restitution, friction);
    m.gravity = {0, 0, -9.81};
    return m;
}

/// Overlap at which a surface bears the ball.
double seat(const Model& m) {
    const double weight = density * 4.0 / 3.0 * pi * r * r * r * 9.81;
    return std::pow(weight / (law_table(m).front().k_n * std::sqrt(r)), 2.0 / 3.0);
}

}  // namespace

TEST_CASE("a ball that rolls over a thousand edges of a flat mesh feels a plane") {
    Model m = ball(0.5, 0.4);
    add_sphere(m, {0.003, 0.0021, r - seat(m)}, r, {2, 0.002, 0}, {0, 200, 0});  // sliding at first, then rolling
    set_step(m, 0.5);
    Rng rng(3, 1);
    TriangleMesh strip = terrain_mesh(520, 4, 1e-3, [](int, int) { return 0.0; });
    for (Vec3& v : strip.vertices) {
        if (v.x > 0 && v.x < 0.52 && v.y > 0.5e-3 && v.y < 3.5e-3) v += {rng.uniform(-2e-4, 2e-4), rng.uniform(-2e-4, 2e-4), 0};
    }
    Model meshed = m;
    m.walls = {plane_wall("floor", {0, 0, 0}, {0, 0, 1})};
    meshed.walls = {mesh_wall("floor", strip)};
    const auto plane = engine_of(m), mesh = engine_of(meshed);
    double worst = 0, worst_spin = 0;
    Vec3 last;
    for (int k = 0; k < 20; ++k) {
        const auto part = static_cast<std::int64_t>(0.0156 / m.dt);
        plane->advance(part);
        mesh->advance(part);
        const Snapshot a = plane->snapshot(), b = mesh->snapshot();
        worst = std::fmax(worst, norm(a.position[0] - b.position[0]));
        worst_spin = std::fmax(worst_spin, norm(a.angular_velocity[0] - b.angular_velocity[0]));
        last = b.position[0];
    }
    CHECK(last.x > 0.503);  // two edges a millimetre, and those of the cells' rows
    // The mesh's plane is the plane up to a rounding of its normal; contacts in float may round the other way for it.
    CHECK(worst < by_precision(1e-9, 1e-6) * 0.5);
    CHECK(worst_spin < by_precision(1e-9, 1e-5) * 1000);
}

TEST_CASE("a ball rebounds alike in a box of planes and in a closed box of triangles") {
    const Aabb box{{-0.01, 0.02, 0}, {0.03, 0.05, 0.06}};
    Model m = ball(0.9, 0.3);
    add_sphere(m, {0.01, 0.03, 0.03}, r, {1.1, -0.7, 0.9}, {100, -50, 20});
    set_step(m, 0.5);
    m.walls = {box_wall("box", box)};
    const auto planes = engine_of(m);
    std::vector<std::unique_ptr<Engine>> meshes;
    for (const int times : {0, 3}) {
        m.walls = {mesh_wall("box", subdivided(box_mesh(box), times))};
        meshes.push_back(engine_of(m));
    }
    int turns = 0;
    Vec3 before = m.bodies.velocity[0];
    for (int k = 0; k < 100; ++k) {
        const auto part = static_cast<std::int64_t>(4e-3 / m.dt);
        planes->advance(part);
        const Snapshot a = planes->snapshot();
        turns += (a.velocity[0].x * before.x < 0 ? 1 : 0) + (a.velocity[0].y * before.y < 0 ? 1 : 0);
        before = a.velocity[0];
        for (const auto& mesh : meshes) {
            mesh->advance(part);
            const Snapshot b = mesh->snapshot();
            // Roundings, grown by the rebounds (a step of friction more or less at a contact's end); in float those of the forces.
            CHECK(norm(a.position[0] - b.position[0]) < by_precision(1e-9, 1e-5));
            CHECK(norm(a.angular_velocity[0] - b.angular_velocity[0]) < by_precision(1e-3, 1.0));
        }
    }
    CHECK(turns > 6);
}

TEST_CASE("a ball swings in a finely faceted drum as in a cylinder") {
    const double R = 0.05;
    Model m = ball(0.3, 0.5);
    const double start = 0.6;  // [rad] from the bottom
    const double arm = R - r + seat(m) * std::cos(start);
    add_sphere(m, {arm * std::sin(start), 0.02, -arm * std::cos(start)}, r);
    set_step(m, 0.5);
    Wall tube;
    tube.name = "drum";
    tube.cylinders = {{{0, 0, 0}, {0, 1, 0}, R, std::numeric_limits<double>::infinity(), true}};
    Model smooth = m;
    smooth.walls = {tube};
    m.walls = {mesh_wall("drum", drum_mesh(R, 0.04, 1440, 2))};
    const auto a = engine_of(smooth), b = engine_of(m);
    // Rolling pendulum: omega^2 = 5/7 g / (R - r), stretched a little by the amplitude; half a period brings it to the other side.
    const double period = 2 * pi * std::sqrt(1.4 * (R - r) / 9.81) * (1 + start * start / 16);
    double worst = 0, slip = 0;
    while (a->counters().time < period) {
        a->advance(50);
        b->advance(50);
        const Snapshot s = a->snapshot(), t = b->snapshot();
        worst = std::fmax(worst, norm(s.position[0] - t.position[0]));
        // Speed of the ball's surface at the wall: zero while it rolls.
        const Vec3 down = normalized(Vec3{t.position[0].x, 0, t.position[0].z});
        slip = std::fmax(slip, norm(t.velocity[0] - dot(t.velocity[0], down) * down + r * cross(t.angular_velocity[0], down)));
    }
    const Vec3 end = a->snapshot().position[0];
    // The pendulum's formula is of small angles with one correction: 1e-2 of the amplitude.
    CHECK(std::fabs(end.x - arm * std::sin(start)) < 0.02 * arm * start);
    // Facets of 0.25 degrees: kinks that cost a little speed, and a contact with both where they meet.
    CHECK(worst < 0.02 * arm * start);
    // History passes from facet to facet: the ball keeps rolling, its surface creeps by less than a hundredth of its speed of 0.4 m/s.
    CHECK(slip < 0.004);
    CHECK(std::fabs(b->snapshot().position[0].y - 0.02) < 1e-5);
}

TEST_CASE("friction that holds a ball passes from patch to patch") {
    // A ball dragged slowly over a shallow ridge of a gutter: just past the crest its contact goes from one face to the edge and on to the
    // next face, while the tangential spring is stretched. Without history the force would fall to nothing there.
    for (const double bend : {1e-3, 1e-2}) {
        Model m = ball(0.1, 0.8);
        m.gravity = {2.0, 0, -9.81};  // a steady push along x: friction carries 2/7 of it while the ball rolls
        TriangleMesh ridge = terrain_mesh(2, 2, 0.1, [bend](int i, int) { return i == 1 ? 0.0 : -0.1 * bend; });
        add_sphere(m, {0.098, 0.1, r - seat(m) - 0.002 * bend}, r);
        set_step(m, 0.2);
        m.walls = {mesh_wall("ridge", ridge)};
        const auto engine = engine_of(m);
        const double mass = m.bodies.mass[0];
        double least = 1e300, most = 0;
        while (engine->snapshot().position[0].x < 0.101) {
            engine->advance(1);
            if (engine->counters().time < 0.02) continue;  // the first swings die out
            const Vec3 f = engine->snapshot().force[0];
            least = std::fmin(least, -f.x);
            most = std::fmax(most, -f.x);
        }
        CAPTURE(bend);
        // 2/7 of the push; the slope adds up to 9.81 * bend, its change at the crest sets off a swing of that size.
        const double expected = 2.0 / 7.0 * 2.0 * mass, buffers = 3 * 9.81 * bend * mass + 0.02 * expected;
        CHECK(least > expected - buffers);
        CHECK(most < expected + buffers);
    }
}
