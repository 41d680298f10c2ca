// Ellipsoids and superquadrics: their surfaces against differences and integrals, and contacts against closed forms and trials.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "engine/narrow/smooth_features.hpp"
#include "smooth_samples.hpp"

using namespace scree;

namespace {

constexpr double pi = 3.14159265358979324;

SmoothSurface random_surface(Rng& rng, double side, double top) {
    const double a = rng.uniform(), b = rng.uniform(), c = rng.uniform();
    return {{0.23 + 0.34 * a, 0.23 + 0.34 * b, 0.23 + 0.34 * c}, side, top};  // within the unit ball
}

template <class A, class B>
double deep_along(const A& a, const B& b, Vec3 n) {
    return dot(a.support(n) - b.support(-n), n);
}

/// The complete elliptic integrals of the first and second kind of the modulus k, by the arithmetic-geometric mean.
struct Elliptic {
    double first, second;
};
Elliptic elliptic(double k) {
    double a = 1, b = std::sqrt(1 - k * k), c = k, sum = 0.5 * k * k, power = 0.5;
    while (std::fabs(c) > 1e-15) {
        c = 0.5 * (a - b);
        const double next = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = next;
        power *= 2;
        sum += power * c * c;
    }
    return {0.5 * pi / a, 0.5 * pi / a * (1 - sum)};
}

/// Hertz's force of a paraboloid over that of a ball of R = 1 / sqrt(k1 k2), exactly: with e the eccentricity of the contact's ellipse,
/// k2 / k1 = (E - (1 - e2) K) (1 - e2) / ((1 - e2)(K - E)) in the form of Johnson (1985), eqs. 4.25 to 4.32.
double exact_share(double ratio) {
    double low = 0, high = 1 - 1e-14;
    const auto ratio_of = [](double e) {
        const Elliptic I = elliptic(e);
        const double s = 1 - e * e;
        return (I.second / s - I.first) / (I.first - I.second);
    };
    for (int k = 0; k < 200; ++k) {
        const double e = 0.5 * (low + high);
        (ratio_of(e) < ratio ? low : high) = e;
    }
    const double e = 0.5 * (low + high), s = 1 - e * e;
    const Elliptic I = elliptic(e);
    // Pressure p0, half axes a > b = a sqrt(s): A = k2 / 2 = p0 b / (E* e2 a2) (K - E), overlap = p0 b K / E*, F = 2/3 pi a b p0; E* = 1.
    const double a = 1, b = std::sqrt(s), p0 = 1, k2 = 2 * p0 * b / (e * e * a * a) * (I.first - I.second), overlap = p0 * b * I.first;
    const double force = 2.0 / 3 * pi * a * b * p0, k1 = ratio * k2;
    return force / (4.0 / 3 * std::sqrt(1 / std::sqrt(k1 * k2)) * overlap * std::sqrt(overlap));
}

}  // namespace

TEST_CASE("the outermost point lies on the surface, and no other is farther out") {
    Rng rng(1, 0);
    for (const double side : {2.0, 2.5, 4.0, 10.0}) {
        for (const double top : {2.0, 3.0, 8.0}) {
            const SmoothSurface s = random_surface(rng, side, top);
            for (int k = 0; k < 200; ++k) {
                const Vec3 n = random_direction(rng), on = s.support(n);
                CHECK(s.gauge(on) == doctest::Approx(1).epsilon(1e-12));
                const Vec3 way = random_direction(rng), other = way / s.gauge(way);
                CHECK(dot(other, n) <= dot(on, n) + 1e-12);
            }
        }
    }
}

TEST_CASE("curvatures are those of the surface's own differences") {
    Rng rng(2, 0);
    for (const double side : {2.0, 2.5, 4.0, 6.0}) {
        for (const double top : {2.0, 3.0, 5.0}) {
            const SmoothSurface s = random_surface(rng, side, top);
            for (int k = 0; k < 50; ++k) {
                const Vec3 n = random_direction(rng), on = s.support(n);
                if (std::min({std::fabs(on.x), std::fabs(on.y), std::fabs(on.z)}) < 0.05) continue;  // beside planes of symmetry
                const Tangents t = tangents_of(n);
                const auto K = s.curvature(on, dot(on, n));
                // How far the surface falls below its tangent plane a small way off, both ways.
                const double h = 1e-4;
                for (const Vec3 way : {t.u, t.v, (1 / std::sqrt(2.0)) * (t.u + t.v)}) {
                    double fall = 0;
                    for (const double sign : {-h, h}) {
                        Vec3 x = on + sign * way;
                        for (int step = 0; step < 50; ++step) {  // down the normal onto the surface
                            const double g = s.gauge(x) - 1, slope = (s.gauge(x + 1e-7 * n) - s.gauge(x - 1e-7 * n)) / 2e-7;
                            x -= (g / slope) * n;
                        }
                        fall += 0.5 * dot(on - x, n);
                    }
                    CHECK(2 * fall / (h * h) == doctest::Approx(K.along(way, way)).epsilon(2e-3));
                }
            }
        }
    }
}

TEST_CASE("an ellipsoid of equal axes touches as the ball that it is") {
    Rng rng(3, 0);
    for (int k = 0; k < 100; ++k) {
        const double r = 0.5 + rng.uniform(), R = 0.5 + rng.uniform(), overlap = 0.02 * r;
        const Vec3 way = random_direction(rng);
        const PlacedSmooth a{{{1, 1, 1}}, {}, random_turn(rng), r}, b{{{1, 1, 1}}, (r + R - overlap) * way, random_turn(rng), R};
        SmoothTouch t{}, with_ball{}, with_plane{}, in_tube{};
        REQUIRE(smooth_pair(a, b, {}, 0, t));
        CHECK(t.overlap == doctest::Approx(overlap).epsilon(1e-9));
        CHECK(norm(t.normal - way) < 1e-9);
        CHECK(norm(t.point - (r - 0.5 * overlap) * way) < 1e-9);
        CHECK(t.radius == doctest::Approx(r * R / (r + R)).epsilon(1e-9));
        CHECK(t.share == doctest::Approx(1).epsilon(1e-6));
        REQUIRE(smooth_with_ball(a, {b.at, R}, 0, with_ball));
        CHECK(with_ball.overlap == doctest::Approx(overlap).epsilon(1e-9));
        REQUIRE(curved_with_plane(a, (r - overlap) * way, way, 0, with_plane));
        CHECK(with_plane.overlap == doctest::Approx(overlap).epsilon(1e-9));
        CHECK(with_plane.radius == doctest::Approx(r).epsilon(1e-9));
        // In a tube: the axis along `up`, its wall met along `way`.
        const Vec3 up = tangents_of(way).u;
        const double wide = 3 * r;
        double along = 0;
        REQUIRE(curved_with_cylinder(a, 0.4 * up - (wide - r + overlap) * way, up, wide, true, {-1 / wide, 0, 0}, 0, in_tube, along));
        CHECK(in_tube.overlap == doctest::Approx(overlap).epsilon(1e-9));
        CHECK(norm(in_tube.normal - way) < 1e-9);
        CHECK(along == doctest::Approx(-0.4).epsilon(1e-9));
        CHECK(in_tube.radius == doctest::Approx(1 / std::sqrt((1 / r - 1 / wide) / r)).epsilon(1e-6));
        SmoothTouch on_rod{};
        REQUIRE(curved_with_cylinder(a, 0.4 * up + (wide + r - overlap) * way, up, wide, false, {1 / wide, 0, 0}, 0, on_rod, along));
        CHECK(on_rod.overlap == doctest::Approx(overlap).epsilon(1e-9));
        CHECK(norm(on_rod.normal - way) < 1e-9);
        CHECK(on_rod.radius == doctest::Approx(1 / std::sqrt((1 / r + 1 / wide) / r)).epsilon(1e-6));
    }
}

TEST_CASE("bodies meet along the direction in which they are the least deep") {
    Rng rng(4, 0);
    for (const double p : {2.0, 2.5, 4.0, 6.0}) {
        int touching = 0;
        for (int k = 0; k < 300; ++k) {
            const PlacedSmooth a{random_surface(rng, p, 2 + (p - 2) * rng.uniform()), {}, random_turn(rng), 1.0};
            PlacedSmooth b{random_surface(rng, p, p), {}, random_turn(rng), 0.8};
            const Vec3 way = random_direction(rng);
            // Apart at first, then so far that they overlap by a hundredth along the direction between them.
            b.at = 3.0 * way;
            double low = 0.1, high = 3;
            for (int step = 0; step < 40; ++step) {
                const double at = 0.5 * (low + high);
                b.at = at * way;
                SmoothTouch t{};
                (smooth_pair(a, b, {}, 0, t) ? low : high) = at;
            }
            b.at = (low - 0.01) * way;
            SmoothTouch t{};
            REQUIRE(smooth_pair(a, b, {}, 0, t));
            ++touching;
            CHECK(t.overlap <= 0.01 + 1e-9);
            // Both outermost points lie on one line along the normal.
            const Vec3 between = a.support(t.normal) - b.support(-t.normal);
            if (p < 4) CHECK(norm(between - t.overlap * t.normal) < 1e-6);
            // The contact lies on both, as far as flat faces let a normal tell where.
            CHECK(std::fabs(a.surface.gauge(transposed_times(a.turn, t.point)) - 1) < 0.05);
            for (int trial = 0; trial < 200; ++trial) {
                const Vec3 n = normalized(t.normal + 0.3 * random_direction(rng));
                CHECK(deep_along(a, b, n) >= t.overlap - 1e-9);
            }
            // From where it was a step ago it is found again, and seen from the other body it is the same.
            SmoothTouch again{}, back{};
            REQUIRE(smooth_pair(a, b, normalized(t.normal + 1e-3 * random_direction(rng)), 0, again));
            CHECK(again.overlap == doctest::Approx(t.overlap).epsilon(1e-6));
            REQUIRE(smooth_pair(b, a, -t.normal, 0, back));
            CHECK(back.overlap == doctest::Approx(t.overlap).epsilon(1e-6));
            CHECK(norm(back.normal + t.normal) < 1e-3);
        }
        CHECK(touching == 300);
    }
}

TEST_CASE("in a tube and on a rod a body is met where it reaches farthest") {
    Rng rng(6, 0);
    for (const double p : {2.0, 4.0}) {
        for (int k = 0; k < 100; ++k) {
            const PlacedSmooth a{random_surface(rng, p, p), {}, random_turn(rng), 1.0};
            const Vec3 up = random_direction(rng), side = tangents_of(up).u;
            for (const bool inside : {true, false}) {
                const double R = 4, sign = inside ? 1.0 : -1.0;
                // The distance from the axis at which it just touches, by bisection on the farthest of many directions.
                const auto deepest = [&](double off) {
                    double most = inside ? -1e300 : 1e300;
                    for (int j = 0; j < 4000; ++j) {
                        const double angle = 2 * pi * j / 4000;
                        const Vec3 e = std::cos(angle) * side + std::sin(angle) * cross(up, side);
                        if (dot(e, side) < 0.2) continue;
                        const double depth = sign * (dot(off * side + a.support(sign * e), e) - R);
                        most = inside ? std::max(most, depth) : std::min(most, depth);
                    }
                    return most;
                };
                double low = inside ? 2.0 : 3.0, high = inside ? 4.0 : 5.0;
                for (int step = 0; step < 40; ++step) {
                    const double at = 0.5 * (low + high);
                    ((deepest(at) > 0.01) == inside ? high : low) = at;
                }
                SmoothTouch t{};
                double along = 0;
                CAPTURE(p);
                CAPTURE(k);
                CAPTURE(inside);
                CAPTURE(low);
                REQUIRE(curved_with_cylinder(a, -low * side, up, R, inside, {0, 0, 0}, 0, t, along));
                CHECK(t.overlap == doctest::Approx(0.01).epsilon(2e-3));
            }
        }
    }
}

TEST_CASE("what is said to be apart has a plane between") {
    Rng rng(5, 0);
    for (int k = 0; k < 500; ++k) {
        const PlacedSmooth a{random_surface(rng, 2, 2), {}, random_turn(rng), 1.0};
        const PlacedSmooth b{random_surface(rng, 2, 2), (0.8 + rng.uniform()) * random_direction(rng), random_turn(rng), 0.8};
        SmoothTouch t{};
        const bool found = smooth_pair(a, b, {}, 0, t);
        double least = 1e300;
        for (int trial = 0; trial < 400; ++trial) least = std::min(least, deep_along(a, b, random_direction(rng)));
        if (!found) CHECK(least < 0.1);
        if (found) CHECK(least >= t.overlap - 1e-9);
    }
}

TEST_CASE("the force of an elliptic contact is Hertz's within two per cent") {
    for (const double ratio : {1.01, 1.5, 2.0, 5.0, 10.0, 30.0, 100.0}) {
        CAPTURE(ratio);
        CHECK(ellipse_share(ratio, 1) == doctest::Approx(exact_share(ratio)).epsilon(ratio > 30 ? 0.07 : 0.02));
        CHECK(ellipse_share(3 * ratio, 3) == doctest::Approx(ellipse_share(ratio, 1)).epsilon(1e-12));
    }
    CHECK(ellipse_share(1, 1) == 1);
}
