#include <doctest/doctest.h>

#include <cmath>

#include "base/rng.hpp"
#include "render/tracer.hpp"

using namespace scree;

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr std::uint32_t kRed = 0xe02020;

/// Straight down on the origin, 1 m high.
Camera from_above(Vec3 at = {}) {
    Camera camera;
    camera.eye = at + Vec3{0, 0, 5};
    camera.at = at;
    camera.up = {0, 1, 0};
    camera.orthographic = true;
    camera.height = 1;
    return camera;
}

Image drawn(const World& world, const Camera& camera, PictureSize size, int samples = 4, int threads = 1) {
    return Tracer(world, camera, size).draw({samples, threads});
}

/// Pixels, in shares of them, that are not background: by how much less blue they have.
double covered(const Image& image) {
    double sum = 0;
    for (std::size_t k = 0; k < image.rgb.size(); k += 3) sum += image.rgb[k + 2] < 128 ? 1 : 0;
    return sum;
}

/// Balls, cubes, rods, a floor and a pane of glass, at random.
World crowded(int bodies) {
    World world;
    Rng rng(3, 0);
    DrawnShape cube;
    for (int k = 0; k < 8; ++k) cube.vertex.push_back({(k & 1) - 0.5, (k >> 1 & 1) - 0.5, (k >> 2) - 0.5});
    constexpr std::int32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& f : faces) {
        cube.triangle.push_back({f[0], f[1], f[2]});
        cube.triangle.push_back({f[0], f[2], f[3]});
    }
    world.shapes.push_back(cube);
    const auto place = [&] { return Vec3{rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(0.0, 0.5)}; };
    for (int k = 0; k < bodies; ++k) {
        const Rgb colour = category_colour(static_cast<std::size_t>(k));
        world.balls.push_back({place(), 0.03, colour});
        world.solids.push_back({0, place(), normalized(Quat{rng.normal(), rng.normal(), rng.normal(), rng.normal()}), 0.06, colour});
        world.rods.push_back({place(), place(), 0.004, colour});
    }
    // Two cubes flush with each other, and two floors in one plane: which is met is not left to chance.
    world.solids.push_back({0, {0, 0, 0.6}, {}, 0.1, category_colour(0)});
    world.solids.push_back({0, {0.05, 0, 0.6}, {}, 0.1, category_colour(1)});
    for (std::size_t k = 0; k < 2; ++k) {
        DrawnMesh floor;
        floor.vertex = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
        floor.triangle = {{0, 1, 2}, {0, 2, 3}};
        floor.colour = category_colour(k + 4);
        world.meshes.push_back(floor);
    }
    DrawnMesh pane = world.meshes.back();
    pane.opacity = 0.2f;
    for (Vec3& v : pane.vertex) v.z = 0.7;
    world.meshes.push_back(pane);
    world.to_sun = normalized(Vec3{0.5, -0.4, 0.8});
    return world;
}

}  // namespace

TEST_CASE("a ball covers pi r^2, wherever it is") {
    constexpr PictureSize size{400, 400};
    for (const Vec3 at : {Vec3{0, 0, 0}, Vec3{1000, -2000, 500}, Vec3{1e6, 1e6, -1e6}}) {
        World world;
        world.flat = true;  // colours without light
        const double r = 0.31;
        world.balls.push_back({at, r, from_screen(kRed)});
        const double pixels = covered(drawn(world, from_above(at), size, 1));
        // Whole pixels by their middles: off by about the root of the rim's length.
        CHECK(pixels == doctest::Approx(kPi * r * r * 400 * 400).epsilon(0.002));
    }
}

TEST_CASE("a ball in perspective covers the ellipse in which its cone meets the picture") {
    World world;
    world.flat = true;
    world.balls.push_back({{0.4, 0, 0}, 0.2, from_screen(kRed)});
    Camera camera;
    camera.eye = {0, -3, 0};
    camera.field = 0.6;
    const double pixels = covered(drawn(world, camera, {500, 500}, 1));
    // A cone of half angle b about a direction at angle a from the axis cuts the plane at distance 1 in an ellipse of area
    // pi sin^2 b cos b / (cos^2 a - sin^2 b)^(3/2).
    const double d = std::hypot(3, 0.4), sin_b = 0.2 / d, cos_a = 3 / d;
    const double area = kPi * sin_b * sin_b * std::sqrt(1 - sin_b * sin_b) / std::pow(cos_a * cos_a - sin_b * sin_b, 1.5),
                 pixel = 2 * std::tan(0.3) / 500;
    CHECK(pixels == doctest::Approx(area / (pixel * pixel)).epsilon(0.003));
}

TEST_CASE("a place of the picture shows the body that is there, and the nearer one") {
    constexpr PictureSize size{200, 200};
    World world;
    world.balls = {{{-0.25, 0, 0}, 0.1, {}}, {{0.25, 0.1, 0}, 0.1, {}}, {{0.25, 0.1, 0.3}, 0.05, {}}};
    const Camera camera = from_above();
    const Tracer tracer(world, camera, size);
    const auto at = [&](Vec3 p) {
        const Seen seen = project(camera, size, p);
        return tracer.pick(seen.x, seen.y);
    };
    CHECK(at({-0.25, 0, 0}).index == 0);
    CHECK(at({-0.25, 0, 0}).distance == doctest::Approx(5 - 0.1).epsilon(1e-5));
    CHECK(at({0.25, 0.1, 0}).index == 2);
    CHECK(at({0.25, 0.1, 0}).distance == doctest::Approx(5 - 0.35).epsilon(1e-5));
    CHECK(at({0.33, 0.1, 0}).index == 1);
    CHECK(at({0, 0.4, 0}).kind == Picked::Kind::Nothing);
}

TEST_CASE("solids are where their pose puts them") {
    World world = crowded(0);
    world.meshes.clear();
    world.solids = {{0, {0.1, -0.2, 0}, rotation_by({0, 0, kPi / 4}), 0.2, {}}};  // half a diagonal: 0.1414
    const Camera camera = from_above();
    const Tracer tracer(world, camera, {1000, 1000});
    const auto hit = [&](double x, double y) {
        const Seen seen = project(camera, {1000, 1000}, {x, y, 0});
        return tracer.pick(seen.x, seen.y).kind == Picked::Kind::Solid;
    };
    CHECK(hit(0.1 + 0.139, -0.2));
    CHECK_FALSE(hit(0.1 + 0.144, -0.2));
    CHECK_FALSE(hit(0.1 + 0.08, -0.2 + 0.08));  // would be inside of a cube that is not turned
}

TEST_CASE("the sun throws a shadow where it must, and the open ground beside it is lit") {
    World world;
    DrawnMesh floor;
    floor.vertex = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
    floor.triangle = {{0, 1, 2}, {0, 2, 3}};
    floor.colour = {0.5f, 0.5f, 0.5f};
    world.meshes.push_back(floor);
    world.balls.push_back({{0, 0, 0.3}, 0.1, {0.5f, 0.5f, 0.5f}});
    world.to_sun = normalized(Vec3{1, 0, 1});
    const PictureSize size{200, 200};
    const Image image = drawn(world, from_above(), size, 64);
    const auto light = [&](double x, double y) {
        const Seen seen = project(from_above(), size, {x, y, 0});
        return image.rgb[3 * (static_cast<std::size_t>(seen.y) * 200 + static_cast<std::size_t>(seen.x))];
    };
    // The middle of the shadow lies as far aside as the ball is high.
    CHECK(light(-0.3, 0) < 0.8 * light(0.3, 0));
    CHECK(light(-0.3, 0.3) == doctest::Approx(light(0.3, 0.3)).epsilon(0.03));
    // A groove sees little of the sky: darker than what is open, with the sun away.
    World groove = world;
    groove.balls = {{{-0.1, 0, 0.1}, 0.1, {0.5f, 0.5f, 0.5f}}, {{0.1, 0, 0.1}, 0.1, {0.5f, 0.5f, 0.5f}}};
    groove.meshes.clear();
    groove.to_sun = {0, 0, -1};
    const Image dim = drawn(groove, from_above(), size, 64);
    const auto seen = [&](double x) { return dim.rgb[3 * (100 * 200 + static_cast<std::size_t>(100 + 200 * x))]; };
    CHECK(seen(0.02) < 0.9 * seen(0.1));
}

TEST_CASE("glass lets through what its opacity says, and throws no shadow") {
    World world;
    world.flat = true;
    world.balls.push_back({{0, 0, 0}, 0.4, {0, 0, 0}});
    DrawnMesh pane;
    pane.vertex = {{-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
    pane.triangle = {{0, 1, 2}, {0, 2, 3}};
    pane.colour = {1, 1, 1};
    pane.opacity = 0.25f;
    world.meshes.push_back(pane);
    const Image image = drawn(world, from_above(), {64, 64});
    const std::uint8_t* middle = &image.rgb[3 * (32 * 64 + 32)];
    // A quarter of white in full light: 0.25 (0.50 + 0.56).
    CHECK(middle[0] == to_screen(0.25f * 1.06f));
}

TEST_CASE("a picture has the same bits on any number of threads") {
    const World world = crowded(300);
    Camera camera;
    camera.eye = {1.2, -1.6, 1.1};
    camera.at = {0, 0, 0.2};
    const PictureSize size{203, 151};
    for (const int samples : {1, 4, 16}) {
        const Image one = drawn(world, camera, size, samples, 1), three = drawn(world, camera, size, samples, 3);
        CHECK(one.rgb == three.rgb);
        CHECK(drawn(world, camera, size, samples, 2).rgb == one.rgb);
    }
}

TEST_CASE("more samples come to the same picture") {
    const World world = crowded(60);
    Camera camera;
    camera.eye = {1.2, -1.6, 1.1};
    camera.at = {0, 0, 0.2};
    const Image few = drawn(world, camera, {160, 120}, 4, 0), many = drawn(world, camera, {160, 120}, 256, 0);
    double sum = 0;
    for (std::size_t k = 0; k < few.rgb.size(); ++k) sum += std::abs(int{few.rgb[k]} - int{many.rgb[k]});
    // Of 255: edges and grain of four samples, some units on the average.
    CHECK(sum / static_cast<double>(few.rgb.size()) < 5);
}

TEST_CASE("nothing at all is background") {
    const Image image = drawn({}, from_above(), {20, 10});
    for (int y = 0; y < 10; ++y) CHECK(image.rgb[static_cast<std::size_t>(3 * 20 * y)] > 220);
}

namespace {

Section above_zero(int axis = 2) {
    Section section;
    along(section.normal, axis) = 1;
    return section;
}

}  // namespace

TEST_CASE("a section through a ball is a flat disk of its own colour, at any height") {
    constexpr PictureSize size{400, 400};
    for (const double height : {-0.2, 0.0, 0.1, 0.29}) {
        World world;
        world.flat = true;
        world.balls.push_back({{0, 0, -height}, 0.3, from_screen(kRed)});
        world.sections = {above_zero()};
        const Image image = drawn(world, from_above(), size, 1);
        // Above the middle the ball is cut below its equator: all that is left is the section; else the equator still shows beside it.
        const double r2 = height < 0 ? 0.3 * 0.3 - height * height : 0.3 * 0.3;
        CHECK(covered(image) == doctest::Approx(kPi * r2 * 400 * 400).epsilon(0.003));
        const Picked middle = Tracer(world, from_above(), size).pick(200, 200);
        CHECK(middle.kind == Picked::Kind::Ball);
        CHECK(middle.distance == doctest::Approx(5).epsilon(1e-6));  // the plane, not the ball's far side
    }
}

TEST_CASE("sections are lit as the flat faces that they are, and hide what they cut") {
    World cut, plate;
    cut.balls.push_back({{0, 0, 0}, 0.3, {0.5f, 0.5f, 0.5f}});
    cut.balls.push_back({{0, 0, 0.7}, 0.2, {0, 1, 0}});  // wholly cut off: throws no shadow
    cut.sections = {above_zero()};
    DrawnMesh square;
    square.vertex = {{-0.1, -0.1, 0}, {0.1, -0.1, 0}, {0.1, 0.1, 0}, {-0.1, 0.1, 0}};
    square.triangle = {{0, 1, 2}, {0, 2, 3}};
    square.colour = {0.5f, 0.5f, 0.5f};
    plate.meshes.push_back(square);
    cut.to_sun = plate.to_sun = normalized(Vec3{0.3, 0.2, 0.8});
    const Image a = drawn(cut, from_above(), {64, 64}, 16), b = drawn(plate, from_above(), {64, 64}, 16);
    const std::size_t middle = 3 * (32 * 64 + 32);
    for (std::size_t c = 0; c < 3; ++c) CHECK(std::abs(a.rgb[middle + c] - b.rgb[middle + c]) <= 1);
}

TEST_CASE("sections of cubes, of two planes at once, and of bodies that overlap") {
    World world = crowded(0);
    world.flat = true;
    world.meshes.clear();
    world.solids = {{0, {0, 0, 0}, {}, 0.4, from_screen(kRed)}};
    world.sections = {above_zero(), above_zero(0)};  // what has x > 0 or z > 0 goes
    const Camera camera = from_above();
    const Image image = drawn(world, camera, {400, 400}, 1);
    CHECK(covered(image) == doctest::Approx(0.2 * 0.4 * 400 * 400).epsilon(0.01));
    CHECK(Tracer(world, camera, {400, 400}).pick(160, 200).distance == doctest::Approx(5).epsilon(1e-6));
    CHECK(Tracer(world, camera, {400, 400}).pick(240, 200).kind == Picked::Kind::Nothing);
    // The section of a ball that another is pressed into shows where the plane is in it, though the ray then meets the other one's surface.
    World pressed;
    pressed.flat = true;
    pressed.balls = {{{0, 0, 0}, 0.3, {1, 0, 0}}, {{0, 0, -0.45}, 0.2, {0, 1, 0}}};
    pressed.sections = {above_zero()};
    const Picked picked = Tracer(pressed, camera, {400, 400}).pick(200, 200);
    CHECK(picked.index == 0);
    CHECK(picked.distance == doctest::Approx(5).epsilon(1e-6));
}

TEST_CASE("sections have the same bits on any number of threads") {
    World world = crowded(200);
    world.sections = {above_zero(0)};
    world.sections[0].offset = 0.05;
    Camera camera;
    camera.eye = {1.5, -1.2, 1.1};
    camera.at = {0, 0, 0.2};
    const PictureSize size{203, 151};
    CHECK(drawn(world, camera, size, 4, 1).rgb == drawn(world, camera, size, 4, 3).rgb);
}

TEST_CASE("glass of one wall counts once as a ray enters and once as it leaves, in whatever pieces it comes") {
    const auto square = [](double z, bool up, std::uint32_t wall) {
        DrawnMesh pane;
        pane.vertex = {{-1, -1, z}, {1, -1, z}, {1, 1, z}, {-1, 1, z}};
        if (up) {
            pane.triangle = {{0, 1, 2}, {0, 2, 3}};
        } else {
            pane.triangle = {{0, 2, 1}, {0, 3, 2}};
        }
        pane.colour = {1, 1, 1};
        pane.opacity = 0.25f;
        pane.wall = wall;
        return pane;
    };
    const auto light = [&](const std::vector<DrawnMesh>& meshes) {
        World world;
        world.flat = true;
        world.balls.push_back({{0, 0, 0}, 0.4, {0, 0, 0}});
        world.meshes = meshes;
        const Image image = drawn(world, from_above(), {64, 64});
        // The diagonal that both triangles of a square share runs through the middle.
        const std::uint8_t middle = image.rgb[3 * (32 * 64 + 32)], beside = image.rgb[3 * (30 * 64 + 36)];
        CHECK(middle == beside);
        return static_cast<int>(middle);
    };
    const int one = light({square(1, true, 0)});
    CHECK(one > 0);
    CHECK(light({square(1, true, 0), square(1, true, 0)}) == one);        // the same twice
    CHECK(light({square(1, true, 0), square(0.9, true, 0)}) == one);      // layers of one wall
    const int both = light({square(1, true, 0), square(0.9, false, 0)});  // in and out
    CHECK(both > one);
    CHECK(light({square(1, true, 0), square(0.9, true, 1)}) == both);  // of two walls
    CHECK(light({square(0.9, true, 1), square(1, true, 0)}) == both);  // in any order
    CHECK(light({square(1, true, 0), square(1, true, 1)}) == both);    // in one place
}
