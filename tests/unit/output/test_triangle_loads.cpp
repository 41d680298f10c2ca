// What each triangle of a wall bears, from the contacts of a frame.
#include <doctest/doctest.h>

#include <limits>

#include "base/rng.hpp"
#include "output/triangle_loads.hpp"

using namespace scree;

namespace {

/// A floor of n x n squares of two triangles, with corners put out of the plane by up to `rough`.
struct Floor {
    std::vector<Vec3> vertex;
    std::vector<std::array<std::int32_t, 3>> triangle;

    Floor(std::int32_t n, double rough) {
        Rng rng(3, 1);
        for (std::int32_t i = 0; i <= n; ++i)
            for (std::int32_t j = 0; j <= n; ++j) vertex.push_back({double(i), double(j), rng.uniform(-rough, rough)});
        for (std::int32_t i = 0; i < n; ++i) {
            for (std::int32_t j = 0; j < n; ++j) {
                const std::int32_t a = i * (n + 1) + j, b = a + n + 1;
                triangle.push_back({a, b, b + 1});
                triangle.push_back({a, b + 1, a + 1});
            }
        }
    }
};

ContactRecord contact_at(Vec3 point, Vec3 force, std::int32_t wall) {
    ContactRecord c;
    c.a = 1;
    c.wall = wall;
    c.point = point;
    c.force = force;
    return c;
}

/// Of points inside a triangle by its corners' weights, w >= 0.
Vec3 point_in(const Floor& floor, std::size_t t, double u, double v) {
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const auto corner = [&](std::size_t k) { return floor.vertex[std::size_t(floor.triangle[t][k])]; };
    return corner(0) + u * (corner(1) - corner(0)) + v * (corner(2) - corner(0));
}

}  // namespace

TEST_CASE("triangle loads: each contact is borne by the triangle it lies on, and all of the wall's are") {
    for (const double rough : {0.0, 0.3}) {
        const Floor floor(9, rough);
        Rng rng(4, 2);
        std::vector<ContactRecord> contacts;
        std::vector<Vec3> expected(floor.triangle.size());
        Vec3 sum;
        for (int k = 0; k < 2000; ++k) {
            const auto t = static_cast<std::size_t>(rng.uniform(0, 0.9999999) * double(floor.triangle.size()));
            const Vec3 force{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0, 3)};
            contacts.push_back(contact_at(point_in(floor, t, rng.uniform(0.01, 0.99), rng.uniform(0.01, 0.99)), force, k % 4 == 0 ? 2 : 1));
            if (k % 4 == 0) continue;  // of another wall
            expected[t] -= force;
            sum -= force;
        }
        contacts.push_back(contact_at({1, 1, 0}, {1, 1, 1}, -1));  // of two bodies
        const std::vector<Vec3> found = triangle_forces(contacts, 1, floor.vertex, floor.triangle);
        Vec3 total;
        for (std::size_t t = 0; t < found.size(); ++t) {
            CHECK(norm(found[t] - expected[t]) < 1e-12);
            total += found[t];
        }
        CHECK(norm(total - sum) < 1e-10);
    }
}

TEST_CASE("triangle loads: points beside the surface go to the nearest triangle, and degenerate ones take none from others") {
    Floor floor(4, 0.2);
    floor.triangle.push_back({0, 0, 1});  // a line
    Rng rng(5, 3);
    for (int k = 0; k < 300; ++k) {
        const Vec3 p{rng.uniform(-1, 5), rng.uniform(-1, 5), rng.uniform(-0.5, 0.5)};
        const std::vector<Vec3> found = triangle_forces({contact_at(p, {0, 0, -1}, 0)}, 0, floor.vertex, floor.triangle);
        std::size_t bearing = found.size();
        for (std::size_t t = 0; t < found.size(); ++t)
            if (found[t].z == 1) bearing = t;
        REQUIRE(bearing < found.size());
        // No sample point of any triangle is nearer than the nearest of the one found, up to the samples' distance.
        const auto nearest_sample = [&](std::size_t t) {
            double nearest = std::numeric_limits<double>::infinity();
            for (int i = 0; i <= 40; ++i)
                for (int j = 0; i + j <= 40; ++j) nearest = std::min(nearest, norm(point_in(floor, t, i / 40.0, j / 40.0) - p));
            return nearest;
        };
        const double own = nearest_sample(bearing);
        for (std::size_t t = 0; t < found.size(); ++t) CHECK(own < nearest_sample(t) + 0.05);
    }
    CHECK(triangle_forces({contact_at({}, {1, 0, 0}, 0)}, 0, {}, {}).empty());
}
