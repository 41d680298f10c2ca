#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "render/survey.hpp"
#include "render/wall_meshes.hpp"

using namespace scree;

namespace {

/// A frame that owns its shapes and walls.
struct Sample {
    FrameParts parts;
    std::vector<ShapeFaces> shapes;
    std::vector<WallSurface> walls;

    explicit Sample(const std::vector<Vec3>& places) {
        parts.shapes = &shapes;
        parts.walls = &walls;
        for (std::size_t k = 0; k < places.size(); ++k) {
            Snapshot& s = parts.bodies;
            s.id.push_back(static_cast<std::uint32_t>(10 * k));
            s.position.push_back(places[k]);
            s.velocity.push_back({3.0 * static_cast<double>(k), 4.0 * static_cast<double>(k), 0});
            s.angular_velocity.push_back({0, 0, -2});
            s.radius.push_back(0.1);
            s.mass.push_back(2);
            s.material.push_back(static_cast<std::int32_t>(k % 2));
        }
    }
    Sample(const Sample&) = delete;
    Sample& operator=(const Sample&) = delete;

    void add_plane(const std::string& name, Vec3 point, Vec3 normal) {
        WallSurface wall;
        wall.name = name;
        wall.active_to = 1e300;
        wall.plane_point = {point};
        wall.plane_normal = {normal};
        walls.push_back(wall);
    }
    void add_contact(std::uint32_t a, std::uint32_t b, double force) {
        ContactRecord contact;
        contact.a = a;
        contact.b = b;
        if (b == ContactRecord::none) contact.wall = 0;
        contact.force = {0, 0, force};
        parts.contacts.push_back(contact);
        parts.has_contacts = true;
    }
};

Camera in_front() {
    Camera camera;
    camera.eye = {0, -10, 0};
    return camera;
}

double area_of(const DrawnMesh& mesh) {
    double area = 0;
    for (const auto& t : mesh.triangle) {
        const auto v = [&](std::size_t k) { return mesh.vertex[static_cast<std::size_t>(t[k])]; };
        area += 0.5 * norm(cross(v(1) - v(0), v(2) - v(0)));
    }
    return area;
}

}  // namespace

TEST_CASE("fields are what their names say") {
    Sample sample({{0, 0, 0}, {1, 2, 3}, {4, 5, 6}});
    sample.add_contact(0, 10, 5);
    sample.add_contact(10, ContactRecord::none, 7);
    const auto values = [&](const char* field) { return field_values(field, sample.parts).values; };
    using Values = std::vector<double>;
    CHECK(values("speed") == Values{0, 5, 10});
    CHECK(values("velocity_y") == Values{0, 4, 8});
    CHECK(values("spin") == Values{2, 2, 2});
    CHECK(values("angular_velocity_z") == Values{-2, -2, -2});
    CHECK(values("height") == Values{0, 3, 6});
    CHECK(values("id") == Values{0, 10, 20});
    CHECK(values("kinetic") == Values{0, 25, 100});
    CHECK(values("material") == Values{0, 1, 0});
    CHECK(values("force") == Values{5, 12, 0});
    CHECK(values("coordination") == Values{1, 2, 0});
    CHECK(field_values("material", sample.parts).categories);
    CHECK_THROWS_WITH_AS(field_values("sped", sample.parts), doctest::Contains("there is no such field; there are speed, velocity_x"),
                         Error);
    sample.parts.bodies.add_column("damage", "1", [](std::size_t k) { return 0.5 * static_cast<double>(k); });
    CHECK(values("damage") == Values{0, 0.5, 1});
    sample.parts.has_contacts = false;
    CHECK_THROWS_WITH_AS(field_values("force", sample.parts), doctest::Contains("contacts = true"), Error);
}

TEST_CASE("members have their compound's id, mass and contacts, and the compound is not drawn") {
    Sample sample({{0, 0, 0}, {0.1, 0, 0}, {-0.1, 0, 0}});
    ShapeFaces compound;
    compound.name = "pair";
    compound.face_start = {0};
    sample.shapes.push_back(compound);
    Snapshot& s = sample.parts.bodies;
    s.shape = {0, -1, -1};
    s.owner = {-1, 0, 0};
    s.orientation.assign(3, {});
    s.mass = {6, 1, 2};
    sample.add_contact(10, ContactRecord::none, 3);
    sample.add_contact(20, ContactRecord::none, 4);
    CHECK(field_values("mass", sample.parts).values == std::vector<double>{6, 6, 6});
    CHECK(field_values("force", sample.parts).values == std::vector<double>{7, 7, 7});
    CHECK(field_values("shape", sample.parts).values == std::vector<double>{0, 0, 0});
    const World world = build_world(sample.parts, {}, {{-1, -1, -1}, {1, 1, 1}}, in_front());
    CHECK(world.balls.size() == 2);
}

TEST_CASE("a cut takes bodies away by their centres") {
    Sample sample({{-0.01, 0, 0}, {0.01, 0, 0}, {0, 0, 5}});
    Look look;
    look.cuts = {parse_cut("x<0"), parse_cut("z >= 4")};
    const World world = build_world(sample.parts, look, {{-1, -1, -1}, {1, 1, 1}}, in_front());
    REQUIRE(world.balls.size() == 1);
    CHECK(world.balls[0].centre.x == 0.01);
    CHECK(parse_cut("y>-1.5e-3").value == -1.5e-3);
    for (const char* wrong : {"", "x", "x<", "w<1", "x=1", "x<1m", "x<nan", "<1", "x<1>2"}) CHECK_THROWS_AS(parse_cut(wrong), Error);
}

TEST_CASE("a section keeps bodies that reach into what is kept, and takes the others") {
    Sample sample({{0, 0, 0}, {0.05, 0, 0}, {1, 0, 0}});
    Look look;
    look.sections = {parse_cut("x>0", "--section")};
    const double r = sample.parts.bodies.radius[0];
    CHECK(is_seen(sample.parts, look, 0));
    CHECK(is_seen(sample.parts, look, 1) == (r >= 0.05));
    CHECK(!is_seen(sample.parts, look, 2));
    const World world = build_world(sample.parts, look, region_of(sample.parts, look), in_front());
    REQUIRE(world.sections.size() == 1);
    CHECK(world.sections[0].normal.x == 1);
    CHECK(world.sections[0].offset == 0);
}

TEST_CASE("walls turn to glass by and by as bodies move, not all at once") {
    std::vector<Vec3> places;
    for (int k = 0; k < 200; ++k) places.push_back({0.001 * k, 0, 0.3});
    Look look;
    Camera camera = in_front();
    std::vector<float> opacity;
    for (int before = 0; before <= 12; ++before) {
        std::vector<Vec3> here = places;
        for (int k = 0; k < before; ++k) here[static_cast<std::size_t>(k)].y = -0.9;  // before the wall
        Sample sample(here);
        sample.add_plane("front", {0, -0.5, 0}, {0, 1, 0});
        const auto walls = seen_walls(sample.parts, look, {{-1, -1, -1}, {1, 1, 1}}, camera);
        REQUIRE(!walls.empty());
        float most = 0;  // of the triangle that they stand before
        for (const DrawnMesh& mesh : walls) most = std::max(most, mesh.opacity);
        opacity.push_back(most);
    }
    CHECK(opacity.front() < 0.1f);
    CHECK(opacity.back() == 1.0f);
    for (std::size_t k = 1; k < opacity.size(); ++k) {
        CHECK(opacity[k] >= opacity[k - 1]);
        CHECK(opacity[k] - opacity[k - 1] < 0.5f);
    }
}

TEST_CASE("walls end at cuts, and planes at the region and at each other") {
    Sample sample({{0, 0, 0.5}});
    sample.add_plane("floor", {0, 0, 0}, {0, 0, 1});
    sample.add_plane("side", {0.5, 0, 0}, {-1, 0, 0});
    const Aabb region{{-1, -1, -0.2}, {1, 1, 1}};
    Look look;
    const auto area = [&](const char* name) {
        for (const WallMesh& wall : wall_meshes(sample.parts, look, region)) {
            if (wall.name == name) return area_of(wall.mesh);
        }
        return 0.0;
    };
    CHECK(area("floor") == doctest::Approx(1.5 * 2));
    CHECK(area("side") == doctest::Approx(1 * 2));
    look.cuts = {parse_cut("y<0.5")};
    CHECK(area("floor") == doctest::Approx(1.5 * 0.5));
    look.hidden = {"side"};
    CHECK(area("side") == 0);
    CHECK(area("floor") == doctest::Approx(2 * 0.5));  // no longer bounded by it
    sample.walls[0].active_from = 1;                   // the frame is at 0
    CHECK(area("floor") == 0);
}

TEST_CASE("walls before the bodies are glass, those behind and below are not") {
    Sample sample({{0, 0, 0.3}, {0.2, 0.1, 0.2}});
    sample.add_plane("front", {0, -0.5, 0}, {0, 1, 0});
    sample.add_plane("back", {0, 0.5, 0}, {0, -1, 0});
    sample.add_plane("floor", {0, 0, 0}, {0, 0, 1});
    Look look;
    Camera camera = in_front();
    camera.eye.z = 3;
    const auto opacities = [&] {
        std::vector<bool> glass;
        for (const DrawnMesh& mesh : seen_walls(sample.parts, look, {{-1, -1, -1}, {1, 1, 1}}, camera)) glass.push_back(mesh.opacity < 1);
        return glass;
    };
    CHECK(opacities() == std::vector<bool>{true, false, false});
    camera.eye.y = 10;
    CHECK(opacities() == std::vector<bool>{false, true, false});
    look.solid = {"back"};
    look.transparent = {{"floor", 0.5}};
    CHECK(opacities() == std::vector<bool>{false, false, true});
}

TEST_CASE("chains are as thick as their forces, bonds go from centre to centre") {
    Sample sample({{0, 0, 0}, {0.2, 0, 0}});
    sample.add_contact(0, 10, 8);
    sample.parts.contacts[0].point = {0.1, 0, 0};
    sample.parts.bonds = {{0, 10, -1, 0, {0.2, 0, 0}, {0, 0, 1}, 0.5, 0.25}};
    Look look;
    look.chains = true;
    look.body_size = 0;
    look.chain_rule.high = 16;
    CHECK_THROWS_AS(
        [&] {
            Look bonds;
            bonds.bonds = true;
            build_world(sample.parts, bonds, {{-1, -1, -1}, {1, 1, 1}}, in_front());
        }(),
        Error);
    World world = build_world(sample.parts, look, {{-1, -1, -1}, {1, 1, 1}}, in_front());
    REQUIRE(world.rods.size() == 2);
    CHECK(world.balls.empty());
    CHECK(world.rods[0].radius == doctest::Approx(0.5 * 0.1 * 0.5));  // half of the force that has half the mean radius
    look.chains = false;
    look.bonds = true;
    sample.parts.has_bonds = true;
    world = build_world(sample.parts, look, {{-1, -1, -1}, {1, 1, 1}}, in_front());
    REQUIRE(world.rods.size() == 1);
    CHECK(world.rods[0].to.x == 0.2);
    CHECK(bond_values("damage", sample.parts.bonds) == std::vector<double>{0.25});
    CHECK(bond_values("strain", sample.parts.bonds) == std::vector<double>{0.5});
    CHECK(bond_values("force", sample.parts.bonds) == std::vector<double>{1});
}

TEST_CASE("a survey finds ranges over all frames, and legends say what lies beyond") {
    Sample a({{0, 0, 0}, {1, 0, 0}}), b({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}});
    Look look;
    Survey survey;
    survey.add(a.parts, look);
    survey.add(b.parts, look);
    Legend legend;
    const ColourRule rule = survey.body_rule("", nullptr, {}, legend);
    CHECK(rule.low == 0);
    CHECK(rule.high == 10);
    CHECK_FALSE(legend.beyond_high);
    CHECK(legend.title == "speed");
    CHECK(legend.unit == "[m/s]");
    const std::pair<double, double> range{0, 4};
    CHECK(survey.body_rule("inferno", &range, {}, legend).high == 4);
    CHECK(legend.beyond_high);
    look.colour = "velocity_x";
    Survey with_sign;
    a.parts.bodies.velocity[0].x = -7;
    with_sign.add(a.parts, look);
    CHECK(with_sign.body_rule("", nullptr, {}, legend).low == -7);
    CHECK(with_sign.body_rule("", nullptr, {}, legend).high == 7);
    CHECK(legend.map == "coolwarm");
    look.colour = "material";
    Survey names;
    names.add(b.parts, look);
    names.body_rule("", nullptr, {"glass", "steel"}, legend);
    REQUIRE(legend.entries.size() == 2);
    CHECK(legend.entries[1].name == "steel");
}

TEST_CASE("plane scenes are told by their bodies, and drawn as disks") {
    Sample sample({{0, 0, 0}, {1, 2, 0}});
    CHECK(is_flat(sample.parts));
    sample.add_plane("ground", {0, 0, 0}, {0, 1, 0});
    CHECK(is_flat(sample.parts));
    Look look;
    look.flat = true;
    const World world = build_world(sample.parts, look, {{-1, -1, -0.1}, {2, 3, 0.1}}, in_front());
    CHECK(world.disks.size() == 2);
    REQUIRE_FALSE(world.rods.empty());  // the ground as a line
    double length = 0;
    for (const DrawnRod& rod : world.rods) length += norm(rod.to - rod.from);
    CHECK(length == doctest::Approx(3));
    sample.add_plane("floor", {0, 0, 0}, {0, 0, 1});
    CHECK_FALSE(is_flat(sample.parts));
}

TEST_CASE("smooth shapes are shaded by the normals of their surface") {
    Sample sample({{0, 0, 0}});
    ShapeFaces shape;
    shape.name = "egg";
    shape.vertex = {{1, 0, 0}, {0, 0.5, 0}, {0, 0, 0.25}, {-1, 0, 0}};
    shape.face_start = {0, 3, 6, 9, 12};
    shape.face_vertex = {0, 1, 2, 0, 2, 3, 1, 3, 2, 0, 3, 1};
    shape.smooth_axes = {1, 0.5, 0.25};
    shape.vertex.push_back({std::sqrt(0.5), 0.5 * std::sqrt(0.5), 0});
    sample.shapes.push_back(shape);
    sample.parts.bodies.shape = {0};
    sample.parts.bodies.orientation = {{}};
    const World world = build_world(sample.parts, {}, {{-1, -1, -1}, {1, 1, 1}}, in_front());
    REQUIRE(world.shapes.size() == 1);
    REQUIRE(world.shapes[0].normal.size() == 5);
    const Vec3 n = world.shapes[0].normal[4], exact = normalized(Vec3{1, 2, 0});  // gradient (x / a^2, y / b^2)
    CHECK(norm(n - exact) < 1e-12);
}
