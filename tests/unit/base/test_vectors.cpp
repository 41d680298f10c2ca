// Identities of vectors, quaternions and boxes on random arguments; bounds are a few rounding errors of double.
#include <doctest/doctest.h>

#include <cmath>

#include "base/aabb.hpp"
#include "base/quat.hpp"
#include "base/rng.hpp"
#include "base/vec3.hpp"

using namespace scree;

namespace {

Vec3 random_vector(Rng& rng) {
    const double x = rng.uniform(-1, 1), y = rng.uniform(-1, 1);
    return {x, y, rng.uniform(-1, 1)};
}

double distance(Vec3 a, Vec3 b) {
    return norm(a - b);
}

}  // namespace

TEST_CASE("products of vectors") {
    Rng rng(1, 0);
    for (int i = 0; i < 200; ++i) {
        const Vec3 a = random_vector(rng), b = random_vector(rng), c = random_vector(rng);
        CHECK(std::fabs(dot(a, cross(a, b))) < 1e-15);
        CHECK(distance(cross(a, b), -cross(b, a)) == 0.0);
        CHECK(norm2(cross(a, b)) + dot(a, b) * dot(a, b) == doctest::Approx(norm2(a) * norm2(b)).epsilon(1e-13));  // Lagrange
        CHECK(distance(cross(a, cross(b, c)), dot(a, c) * b - dot(a, b) * c) < 1e-14);
        CHECK(norm(normalized(a)) == doctest::Approx(1.0).epsilon(1e-15));
        CHECK(distance((a + b) / 2.0, 0.5 * a + b * 0.5) < 1e-15);
        Vec3 d = a;
        d += b;
        d -= a;
        d *= 2.0;
        CHECK(distance(d, 2.0 * b) < 1e-15);
    }
    CHECK(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}) == Vec3{0, 0, 1});
    CHECK(cast<float>(Vec3{1, 2, 3}) == Vec3T<float>{1, 2, 3});
}

TEST_CASE("rotations turn, compose and invert") {
    Rng rng(2, 0);
    const double pi = std::acos(-1.0);
    CHECK(distance(rotate(rotation_by({0, 0, pi / 2}), {1, 0, 0}), {0, 1, 0}) < 1e-15);
    CHECK(distance(rotate(rotation_by({pi / 2, 0, 0}), {0, 1, 0}), {0, 0, 1}) < 1e-15);
    for (int i = 0; i < 200; ++i) {
        const Vec3 turn = 3.0 * random_vector(rng), v = random_vector(rng), w = random_vector(rng);
        const Quat q = rotation_by(turn), p = rotation_by(random_vector(rng));
        CHECK(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z == doctest::Approx(1.0).epsilon(1e-14));
        CHECK(dot(rotate(q, v), rotate(q, w)) == doctest::Approx(dot(v, w)).epsilon(1e-12));
        CHECK(distance(rotate(conjugate(q), rotate(q, v)), v) < 1e-14);
        CHECK(distance(rotate(q * p, v), rotate(q, rotate(p, v))) < 1e-14);
        CHECK(distance(rotate(q, turn), turn) < 1e-14);  // the axis stays
        // Rodrigues' formula.
        const double angle = norm(turn);
        const Vec3 n = turn / angle;
        const Vec3 expected = std::cos(angle) * v + std::sin(angle) * cross(n, v) + (1 - std::cos(angle)) * dot(n, v) * n;
        CHECK(distance(rotate(q, v), expected) < 1e-14);
    }
}

TEST_CASE("small rotations keep their digits") {
    for (double angle = 1e-12; angle < 1e-2; angle *= 1.7) {
        const Quat q = rotation_by({0, angle, 0});
        CHECK(q.y == doctest::Approx(std::sin(angle / 2)).epsilon(1e-15));
    }
    CHECK(rotation_by({0, 0, 0}) == Quat{1, 0, 0, 0});
    const Quat q = normalized(Quat{2, 0, 0, 2});
    CHECK(q.w == doctest::Approx(std::sqrt(0.5)));
}

TEST_CASE("boxes") {
    Aabb box;
    CHECK(box.empty());
    box.include({1, 2, 3});
    CHECK_FALSE(box.empty());
    box.include({-1, 5, 0});
    CHECK(box.min == Vec3{-1, 2, 0});
    CHECK(box.max == Vec3{1, 5, 3});
    CHECK(box.contains({0, 3, 3}));
    CHECK_FALSE(box.contains({0, 3, 3.1}));
    CHECK(grown(box, 0.2).contains({0, 3, 3.1}));
    CHECK(overlaps(box, {{1, 5, 3}, {2, 6, 4}}));  // a shared corner counts
    CHECK_FALSE(overlaps(box, {{1.1, 5, 3}, {2, 6, 4}}));
}
