// Mass properties of clumps and compounds against formulas, and how bodies of them enter the model.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/rng.hpp"
#include "model/symmetric3.hpp"
#include "setup/build_model.hpp"
#include "setup/clumps.hpp"
#include "setup/compounds.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

constexpr double kPi = std::numbers::pi;

/// Volume, first and second moments of a spherical cap of a ball of radius R about the origin: the part above z = h.
struct Cap {
    double volume, z, zz, xx;
};
Cap cap(double R, double h) {
    // A(z) = pi (R^2 - z^2), disk's xx = pi (R^2 - z^2)^2 / 4; antiderivatives from h to R.
    const auto between = [&](auto&& f) { return f(R) - f(h); };
    const double volume = kPi * between([&](double z) { return R * R * z - z * z * z / 3; });
    const double first = kPi * between([&](double z) { return R * R * z * z / 2 - std::pow(z, 4) / 4; });
    const double second = kPi * between([&](double z) { return R * R * z * z * z / 3 - std::pow(z, 5) / 5; });
    const double across = kPi / 4 * between([&](double z) { return std::pow(R, 4) * z - 2 * R * R * z * z * z / 3 + std::pow(z, 5) / 5; });
    return {volume, first, second, across};
}

/// Two balls on the z axis, at 0 and d, that overlap: both, less the two caps of their lens, beyond the plane of their circle.
Moments two_balls(double R, double r, double d) {
    const double plane = (d * d + R * R - r * r) / (2 * d);
    const Cap of_first = cap(R, plane), of_second = cap(r, d - plane);  // the second's from its own centre downwards
    const double V1 = 4 * kPi / 3 * R * R * R, V2 = 4 * kPi / 3 * r * r * r;
    Moments m;
    m.volume = V1 + V2 - of_first.volume - of_second.volume;
    m.first.z = V2 * d - of_first.z - (of_second.volume * d - of_second.z);
    const double zz =
        V1 * R * R / 5 + V2 * (r * r / 5 + d * d) - of_first.zz - (of_second.zz - 2 * d * of_second.z + d * d * of_second.volume);
    const double xx = V1 * R * R / 5 + V2 * r * r / 5 - of_first.xx - of_second.xx;
    m.second = {{{xx, 0, 0}, {0, xx, 0}, {0, 0, zz}}};
    return m;
}

double worst_difference(const Mat3& a, const Mat3& b) {
    double worst = 0;
    for (int k = 0; k < 3; ++k) {
        const Vec3 d = a.row[k] - b.row[k];
        worst = std::max({worst, std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
    }
    return worst;
}

SceneShape named(const std::string& name, const std::string& kind) {
    SceneShape shape;
    shape.name = name;
    shape.kind = kind;
    shape.place = {"scene.toml", 10, 1};
    return shape;
}

SceneShape ball(const std::string& name, double radius) {
    SceneShape shape = named(name, "sphere");
    shape.size.radius = radius;
    return shape;
}

SceneShape box(const std::string& name, Vec3 edges) {
    SceneShape shape = named(name, "box");
    shape.edges = edges;
    return shape;
}

ScenePart part(const std::string& shape, Vec3 at, Quat q = {}) {
    ScenePart p;
    p.shape = shape;
    p.at = at;
    p.orientation = q;
    return p;
}

}  // namespace

TEST_CASE("clumps: one ball, apart, one in another, twice the same") {
    const Moments one = moments_of_union({{1, 2, 3, 0.5}});
    const double V = 4 * kPi / 3 / 8;
    // Polynomials of degree 6 at most, exact for the rule but for rounding.
    CHECK(one.volume == doctest::Approx(V).epsilon(1e-14));
    CHECK(norm(one.first / one.volume - Vec3{1, 2, 3}) < 1e-14);
    CHECK(worst_difference(central_inertia(one), {{{0.1 * V, 0, 0}, {0, 0.1 * V, 0}, {0, 0, 0.1 * V}}}) < 1e-14);

    const Moments apart = moments_of_union({{-2, 0, 0, 1}, {3, 0, 0, 2}});
    CHECK(apart.volume == doctest::Approx(4 * kPi / 3 * 9).epsilon(1e-14));
    CHECK(apart.first.x == doctest::Approx(4 * kPi / 3 * (8 * 3 - 2)).epsilon(1e-14));

    for (const auto& inner : {Ball{0.3, 0.1, 0.2, 0.4}, Ball{0, 0, 0, 1}, Ball{0.5, 0, 0, 0.5}})
        CHECK(moments_of_union({{0, 0, 0, 1}, inner}).volume == doctest::Approx(4 * kPi / 3).epsilon(1e-12));
}

TEST_CASE("clumps: two balls that overlap, in closed form, along any direction") {
    const double R = 1.0, r = 0.8, d = 1.1;
    const Moments exact = two_balls(R, r, d);
    // The lens once more, by the formula of textbooks.
    const double s = R + r - d, lens = kPi * s * s * (d * d + 2 * d * r - 3 * r * r + 2 * d * R + 6 * r * R - 3 * R * R) / (12 * d);
    CHECK(exact.volume == doctest::Approx(4 * kPi / 3 * (1 + 0.512) - lens).epsilon(1e-14));
    for (const Quat q : {Quat{}, Quat{1, 1, 0, 0}, Quat{1, 0, 1, 0}, Quat{0.9, 0.1, -0.3, 0.2}}) {
        const Quat turn = normalized(q);
        const Vec3 at = rotate(turn, {0, 0, d}), shift{0.3, -0.2, 5};
        const Moments found = moments_of_union({{shift.x, shift.y, shift.z, R}, {at.x + shift.x, at.y + shift.y, at.z + shift.z, r}});
        // The header promises 1e-8.
        CHECK(found.volume == doctest::Approx(exact.volume).epsilon(1e-8));
        CHECK(norm(found.first / found.volume - shift - rotate(turn, exact.first / exact.volume)) < 1e-8);
        CHECK(worst_difference(central_inertia(found), turned(central_inertia(exact), turn)) < 1e-8 * exact.volume);
    }
}

TEST_CASE("clumps: balls that overlap by threes and more, the same however they are turned, and by counting points") {
    Rng rng(3, 1);
    std::vector<Ball> balls;
    for (int i = 0; i < 7; ++i) {
        const double x = rng.uniform(-0.5, 0.5), y = rng.uniform(-0.5, 0.5), z = rng.uniform(-0.5, 0.5);
        balls.push_back({x, y, z, rng.uniform(0.3, 0.6)});
    }
    const Moments m = moments_of_union(balls);
    const Quat turn = normalized(Quat{0.7, 0.4, -0.5, 0.1});
    std::vector<Ball> other;
    for (const Ball& b : balls) {
        const Vec3 p = rotate(turn, {b[0], b[1], b[2]});
        other.push_back({p.x, p.y, p.z, b[3]});
    }
    const Moments n = moments_of_union(other);
    CHECK(n.volume == doctest::Approx(m.volume).epsilon(2e-8));
    CHECK(norm(n.first - rotate(turn, m.first)) < 2e-8);
    CHECK(worst_difference(central_inertia(n), turned(central_inertia(m), turn)) < 2e-8);

    // Points at random in a cube of edge 2.4: the share inside has a deviation of 0.5 / sqrt(n).
    const int points = 200000;
    int inside = 0;
    for (int i = 0; i < points; ++i) {
        const Vec3 p{rng.uniform(-1.2, 1.2), rng.uniform(-1.2, 1.2), rng.uniform(-1.2, 1.2)};
        bool in = false;
        for (const Ball& b : balls) in |= norm2(p - Vec3{b[0], b[1], b[2]}) < b[3] * b[3];
        inside += in;
    }
    CHECK(std::fabs(inside / double(points) - m.volume / std::pow(2.4, 3)) < 4 * 0.5 / std::sqrt(double(points)));
}

TEST_CASE("compounds: a box of two boxes is a box") {
    Scene scene = plain_scene();
    // Halves of a box 2 x 1 x 3, the second turned by a quarter about x, where its edges change places.
    SceneShape two = named("two", "compound");
    two.parts = {part("half", {-0.5, 0, 0}), part("lying", {0.5, 0, 0}, {1, 1, 0, 0})};
    scene.shapes = {box("half", {1, 1, 3}), box("lying", {1, 3, 1}), two, box("whole", {2, 1, 3})};
    Model model;
    const Solid found = solid_of(scene, scene.shapes[2], model), whole = solid_of(scene, scene.shapes[3], model);
    CHECK(found.volume == doctest::Approx(6).epsilon(1e-14));
    CHECK(norm(found.centre) < 1e-14);
    CHECK(worst_difference(found.inertia, whole.inertia) < 1e-13);
    CHECK(found.inertia.row[0].x == doctest::Approx(6 * (1 + 9) / 12.0).epsilon(1e-14));
    CHECK(bounding_radius(found, found.centre, model) == doctest::Approx(std::sqrt(1 + 0.25 + 2.25)).epsilon(1e-14));

    const Compound compound = compound_of("two", found, model);
    CHECK(compound.shape.compound());
    CHECK(compound.shape.volume * std::pow(compound.shape.bounding_radius, 3) == doctest::Approx(6).epsilon(1e-13));
    REQUIRE(compound.members.size() == 2);
    CHECK(norm(compound.members[0].offset * compound.shape.bounding_radius - Vec3{-0.5, 0, 0}) < 1e-14);
}

TEST_CASE("compounds: a dumbbell by Steiner's theorem, about any centre") {
    Scene scene = plain_scene();
    SceneShape bell = named("bell", "compound");
    bell.parts = {part("grain", {1, 2, 3}), part("big", {1, 2, 7})};
    scene.shapes = {ball("grain", 0.5), ball("big", 1), bell};
    Model model;
    const Solid solid = solid_of(scene, scene.shapes[2], model);
    const double a = 4 * kPi / 3 / 8, b = 4 * kPi / 3, mu = a * b / (a + b);
    CHECK(solid.volume == doctest::Approx(a + b).epsilon(1e-14));
    CHECK(norm(solid.centre - Vec3{1, 2, (3 * a + 7 * b) / (a + b)}) < 1e-14);
    const double along = 0.4 * (a / 4 + b), across = along + mu * 16;
    CHECK(worst_difference(solid.inertia, {{{across, 0, 0}, {0, across, 0}, {0, 0, along}}}) < 1e-12);
    // A clump of the same balls, which do not overlap, is the same.
    SceneShape clump = named("clump", "clump");
    clump.spheres = {{1, 2, 3, 0.5}, {1, 2, 7, 1}};
    const Solid same = solid_of(scene, clump, model);
    CHECK(worst_difference(same.inertia, solid.inertia) < 1e-12);
    // With a radius it is scaled to that.
    clump.size.radius = 0.01;
    CHECK(bounding_radius(solid_of(scene, clump, model), solid_of(scene, clump, model).centre, model) ==
          doctest::Approx(0.01).epsilon(1e-13));
}

TEST_CASE("clumps in a group: compounds, then their members, which move with them") {
    Scene scene = plain_scene();
    SceneShape grape = named("grape", "clump");
    grape.spheres = {{0, 0, 0, 1e-3}, {1.5e-3, 0, 0, 1e-3}, {0, 1.5e-3, 0, 1e-3}};
    grape.size.kind = SizeDistribution::Kind::Uniform;
    grape.size.min = 1e-3;
    grape.size.max = 2e-3;
    scene.shapes.push_back(grape);
    SceneBodies group = plain_group();
    group.placement.at = {{0, 0, 1}};
    scene.bodies.push_back(group);
    group.shape = "grape";
    group.random_orientation = true;
    group.velocity = {1, 2, 3};
    group.angular_velocity = {10, -20, 5};
    group.placement.at = {{0, 0, 0}, {1, 0, 0}};
    scene.bodies.push_back(group);
    const Model m = build_model(scene).model;
    const BodyTable& b = m.bodies;
    REQUIRE(b.size() == 1 + 2 * 4);
    REQUIRE(m.shapes.size() == 1);
    REQUIRE(b.owner.size() == 9);
    REQUIRE(b.offset.size() == 9);
    REQUIRE(b.offset_turn.size() == 9);
    CHECK(b.owner == std::vector<std::int32_t>{-1, -1, 1, 1, 1, -1, 5, 5, 5});
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (b.owner[i] < 0) continue;
        const std::size_t o = static_cast<std::size_t>(b.owner[i]);
        const Vec3 arm = b.position[i] - b.position[o];
        CHECK(norm(arm - rotate(b.orientation[o], b.offset[i])) < 1e-15);
        CHECK(norm(b.velocity[i] - Vec3{1, 2, 3} - cross(Vec3{10, -20, 5}, arm)) < 1e-14);
        CHECK(b.angular_velocity[i] == Vec3{10, -20, 5});
        CHECK(b.mass[i] == b.mass[o]);
        CHECK(b.shape[i] == BodyTable::sphere_shape);
    }
    // Members of one clump are of one size, scaled with the bounding radius; two touch it.
    const double natural = m.shapes[0].bounding_radius;
    for (const std::size_t o : {std::size_t{1}, std::size_t{5}}) {
        CHECK(b.radius[o + 1] == doctest::Approx(1e-3 * b.radius[o] / natural).epsilon(1e-13));
        CHECK(b.mass[o] == doctest::Approx(2500 * m.shapes[0].volume * std::pow(b.radius[o], 3)).epsilon(1e-13));
        double reach = 0;
        for (std::size_t k = 1; k <= 3; ++k) reach = std::max(reach, norm(b.offset[o + k]) + b.radius[o + k]);
        CHECK(reach == doctest::Approx(b.radius[o]).epsilon(1e-13));
    }
    CHECK(b.radius[1] != b.radius[5]);
    CHECK(b.owner_of(0) == BodyTable::no_owner);
}

TEST_CASE("clumps: overlaps count between clumps, not within them") {
    Scene scene = plain_scene();
    scene.domain.gravity = {};
    SceneShape pair = named("pair", "clump");
    pair.spheres = {{0, 0, 0, 1e-3}, {1e-3, 0, 0, 1e-3}};
    scene.shapes.push_back(pair);
    SceneBodies group = plain_group();
    group.shape = "pair";
    group.placement.at = {{0, 0, 0}, {0, 0, 5e-3}};
    scene.bodies.push_back(group);
    CHECK(build_model(scene).warnings.empty());
    scene.bodies[0].placement.at[1] = {0, 0, 1e-3};
    CHECK(contains(error_of([&] { build_model(scene); }), "bodies 1 (group 1) and 4 (group 1) overlap by 100.0 %"));
}

TEST_CASE("clumps from a file, with and without names") {
    const TemporaryFile plain("plain.txt", "# two\n0 0 0 1\n0 0 4 2\n"), titled("titled.csv", "r,x,y,z\n1,0,0,0\n2,0,0,4\n");
    Scene scene = plain_scene();
    Model model;
    SceneShape shape = named("c", "clump");
    for (const TemporaryFile* file : {&plain, &titled}) {
        shape.file = file->path();
        const Solid solid = solid_of(scene, shape, model);
        CHECK(solid.volume == doctest::Approx(12 * kPi).epsilon(1e-14));
        CHECK(solid.centre.z == doctest::Approx(4 * 8 / 9.0).epsilon(1e-14));
    }
    const TemporaryFile bad("bad.txt", "0 0 0 1\n0 0 0 -1\n"), short_row("short.txt", "0 0 1\n"), empty("empty.txt", "# nothing\n");
    shape.file = bad.path();
    CHECK(contains(error_of([&] { solid_of(scene, shape, model); }), "bad.txt:2:7: the radius must be above 0, not -1"));
    shape.file = short_row.path();
    CHECK(contains(error_of([&] { solid_of(scene, shape, model); }), "expected four columns x, y, z, r, not 3"));
    shape.file = empty.path();
    CHECK(contains(error_of([&] { solid_of(scene, shape, model); }), "holds no spheres"));
    shape.file = "/no/such.txt";
    shape.file_place = {"scene.toml", 12, 8};
    CHECK(contains(error_of([&] { solid_of(scene, shape, model); }), "scene.toml:12:8: cannot read"));
}

TEST_CASE("clumps whose spheres are lost beside where they lie are refused, not integrated without end") {
    Scene scene = plain_scene();
    Model model;
    SceneShape shape = named("far", "clump");
    shape.place = {"scene.toml", 9, 1};
    for (const double away : {1e4, 1e20, 1e300}) {
        shape.spheres = {{0, 0, 0, 1}, {away, 0, 0, 1}};
        CHECK(contains(error_of([&] { solid_of(scene, shape, model); }), "scene.toml:9:1: clump \"far\": its spheres lie"));
    }
    shape.spheres = {{0, 0, 0, 1e100}};
    CHECK(contains(error_of([&] { solid_of(scene, shape, model); }), "clump \"far\""));
    // As wide as may be: two balls that do not meet, in x, y or z; the moments' tolerance is 1e-8.
    for (const Ball& other : {Ball{900, 0, 0, 1}, Ball{0, 900, 0, 1}, Ball{0, 0, 900, 1}}) {
        shape.spheres = {{0, 0, 0, 1}, other};
        const Solid solid = solid_of(scene, shape, model);
        CHECK(solid.volume == doctest::Approx(8 * kPi / 3).epsilon(1e-7));
        CHECK(norm(solid.centre) == doctest::Approx(450.0).epsilon(1e-7));
    }
}
