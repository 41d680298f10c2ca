// Contacts of bodies of any shape: polyhedra and spheres whose distances are known in closed form.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"
#include "engine/collide.hpp"

using namespace scree;

namespace {

struct Scene {
    Snapshot bodies;
    std::vector<ConvexShape> shapes;

    void add(Vec3 at, double radius, std::int32_t shape = -1, Quat turn = {}, std::int32_t owner = -1) {
        bodies.id.push_back(static_cast<std::uint32_t>(10 + 2 * bodies.id.size()));  // ids with gaps, as after removals
        bodies.position.push_back(at);
        bodies.radius.push_back(radius);
        bodies.shape.push_back(shape);
        bodies.orientation.push_back(turn);
        bodies.owner.push_back(owner);
    }
    std::vector<Contact> contacts(std::size_t memory = 0) const {
        std::vector<Contact> found;
        CollideSettings settings;
        settings.memory = memory;
        const BodyContacts search(bodies, shapes);
        const CollideReport report =
            search.find(settings, Device::Cpu, Precision::Double, [&](const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
                for (std::int64_t k = 0; k < count; ++k) found.push_back(search.contact(a[k], b[k]));
            });
        CHECK(report.contacts == static_cast<std::int64_t>(found.size()));
        std::sort(found.begin(), found.end(), [](const Contact& p, const Contact& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
        return found;
    }
};

/// A cube of edge 2: bounding radius sqrt(3).
Scene with_cube() {
    Scene scene;
    scene.shapes.push_back(box_shape("cube", {2, 2, 2}));
    return scene;
}

const double cube_radius = std::sqrt(3.0);

Quat about_z(double angle) {
    return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
}

}  // namespace

TEST_CASE("collide: cubes and spheres far from the origin") {
    // At 1e6 sizes from the origin doubles are 1.2e-10 apart: tolerance ten times that.
    const Vec3 far{1e6, -1e6, 1e6};
    Scene scene = with_cube();
    scene.add(far, cube_radius, 0);
    scene.add(far + Vec3{1.9, 0.3, 0.2}, cube_radius, 0);                                                   // faces 0.1 into each other
    scene.add(far + Vec3{-1.4, 0, 0}, 0.5);                                                                 // a sphere 0.1 into the face
    scene.add(far + Vec3{0, 1 + std::sqrt(2.0) - 0.05, 0.0}, cube_radius, 0, about_z(0.7853981633974483));  // an edge 0.05 into the face
    scene.add(far + Vec3{0, -2.3, 0}, 1.2);  // apart by 0.1 from the first, spheres bounding them are not
    const std::vector<Contact> found = scene.contacts();
    REQUIRE(found.size() == 3);
    CHECK(found[0].a == 10);
    CHECK(found[0].b == 12);
    CHECK(norm(found[0].normal - Vec3{1, 0, 0}) < 1e-9);
    CHECK(std::fabs(found[0].distance + 0.1) < 1e-9);
    CHECK(std::fabs(found[0].point_a.x - (far.x + 1)) < 1e-9);
    CHECK(std::fabs(found[0].point_b.x - (far.x + 0.9)) < 1e-9);
    CHECK(found[1].b == 14);
    CHECK(norm(found[1].normal - Vec3{-1, 0, 0}) < 1e-9);
    CHECK(std::fabs(found[1].distance + 0.1) < 1e-9);
    CHECK(norm(found[1].point_a - (far + Vec3{-1, 0, 0})) < 1e-9);
    CHECK(norm(found[1].point_b - (far + Vec3{-0.9, 0, 0})) < 1e-9);
    CHECK(found[2].b == 16);
    CHECK(norm(found[2].normal - Vec3{0, 1, 0}) < 1e-9);
    CHECK(std::fabs(found[2].distance + 0.05) < 1e-9);
}

TEST_CASE("collide: compounds have no surface, their members do not touch each other") {
    Scene scene = with_cube();
    scene.shapes.push_back(ConvexShape{});
    REQUIRE(scene.shapes[1].compound());
    scene.add({0, 0, 0}, 3, 1);
    scene.add({0, 0, 0}, cube_radius, 0, {}, 10);
    scene.add({1, 0, 0}, 1, -1, {}, 10);
    scene.add({1, 1.5, 0}, 1);
    const std::vector<Contact> found = scene.contacts();
    REQUIRE(found.size() == 2);
    CHECK(found[0].a == 12);
    CHECK(found[0].b == 16);
    CHECK(found[0].distance == doctest::Approx(-0.5));  // the sphere's centre is 0.5 above the face
    CHECK(found[1].a == 14);
    CHECK(found[1].distance == doctest::Approx(-0.5));
}

TEST_CASE("collide: spheres against a cube, by the distance of a point and a box; boxes of space change nothing") {
    Scene scene = with_cube();
    Rng rng(6, 6);
    scene.add({0, 0, 0}, cube_radius, 0);
    std::int64_t expected = 0;
    for (int k = 0; k < 4000; ++k) {
        const Vec3 c{rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-2, 2)};
        const double r = rng.uniform(0.001, 0.05);
        const Vec3 out{std::fmax(std::fabs(c.x) - 1, 0), std::fmax(std::fabs(c.y) - 1, 0), std::fmax(std::fabs(c.z) - 1, 0)};
        expected += norm(out) <= r;
        scene.add(c, r);
    }
    const std::vector<Contact> found = scene.contacts();
    std::int64_t with_the_cube = 0;
    for (const Contact& c : found) {
        if (c.a != 10) continue;
        ++with_the_cube;
        CHECK(norm(c.point_b - c.point_a - c.distance * c.normal) < 1e-12);
    }
    CHECK(with_the_cube == expected);
    CHECK(expected > 300);
    const std::vector<Contact> in_boxes = scene.contacts(1'200'000);
    REQUIRE(in_boxes.size() == found.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
        CHECK(in_boxes[k].a == found[k].a);
        CHECK(in_boxes[k].b == found[k].b);
        CHECK(in_boxes[k].distance == found[k].distance);
    }
}
