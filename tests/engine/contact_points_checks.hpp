// What the tests of contact points share: a pool of shapes, and what holds of every contact.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "convex_shapes.hpp"
#include "engine/narrow/points_convex.hpp"

namespace scree::test::touching {

using Real = SCREE_REAL;
using Placed = PlacedConvex<Real>;
using Points = ContactPoints<Real>;
inline constexpr bool single = sizeof(Real) == sizeof(float);
inline constexpr int buffers = 40;
/// Roundings of sizes around 1 add up to this at most, some fifty of them.
inline constexpr double rounding = single ? 1e-5 : 1e-14;

inline Vec3 random_direction(Rng& rng) {
    return normalized(Vec3{rng.normal(), rng.normal(), rng.normal()});
}
inline Quat random_turn(Rng& rng) {
    return normalized(Quat{rng.normal(), rng.normal(), rng.normal(), rng.normal()});
}
inline Vec3 in_double(Vec3T<Real> v) {
    return cast<double>(v);
}

/// A cube of edge 1, a slab, a tetrahedron, an octahedron, a prism and two round hulls.
struct Pool {
    std::vector<ConvexShape> shape;
    std::vector<ConvexTables<Real>> tables;
    Pool() {
        Rng rng(3, 1);
        shape.push_back(test_box(1, 1, 1));
        shape.push_back(test_box(2, 1, 0.5));
        shape.push_back(hull_of({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}));
        shape.push_back(hull_of({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}));
        shape.push_back(test_prism(6, 1, 0.4));
        shape.push_back(test_round(12, {1, 1, 1}, 0.3, rng));
        shape.push_back(test_round(20, {1, 0.8, 0.6}, 0.2, rng));
        for (const ConvexShape& s : shape) tables.emplace_back(s);
    }
};
inline const Pool& pool() {
    static const Pool p;
    return p;
}

/// A pool shape in its own size.
inline Placed sized(std::size_t shape, Vec3 at, Quat turn) {
    return placed(pool().tables[shape], at, turn, pool().shape[shape].bounding_radius);
}
inline Placed cube(Vec3 at, Quat turn = {}) {
    return sized(0, at, turn);
}
inline Points touch_of(const Placed& a, const Placed& b, double envelope) {
    return convex_points<buffers>(a, b, static_cast<Real>(envelope));
}

inline double least_gap(const Points& p) {
    double least = 1e300;
    for (int k = 0; k < p.count; ++k) least = std::min(least, static_cast<double>(p.gap[k]));
    return least;
}

/// What holds of every contact: unit normals, finite points, gaps within the envelope, keys that differ.
inline void check_sound(const Points& p, double envelope) {
    REQUIRE(p.count >= 0);
    REQUIRE(p.count <= 4);
    for (int k = 0; k < p.count; ++k) {
        CHECK(norm(in_double(p.normal[k])) == doctest::Approx(1).epsilon(rounding));
        CHECK(std::isfinite(norm(in_double(p.point[k]))));
        CHECK(p.gap[k] <= static_cast<Real>(envelope));
        for (int j = 0; j < k; ++j) CHECK(p.key[j] != p.key[k]);
    }
}

/// The point of `p` nearest to x, and how far it is.
inline double nearest_point(const Points& p, Vec3 x, int* which = nullptr) {
    double least = 1e300;
    for (int k = 0; k < p.count; ++k) {
        const double d = norm(in_double(p.point[k]) - x);
        if (d >= least) continue;
        least = d;
        if (which != nullptr) *which = k;
    }
    return least;
}

/// Whether x, seen along n, is within the hull of the points.
inline bool holds(const Points& p, Vec3 n, Vec3 x) {
    for (int i = 0; i < p.count; ++i) {
        for (int j = 0; j < p.count; ++j) {
            if (i == j) continue;
            // A side of the hull has all points on one side; x must be there too.
            const Vec3 out = cross(in_double(p.point[j] - p.point[i]), n), from = in_double(p.point[i]);
            bool side = true;
            for (int k = 0; k < p.count; ++k) side = side && dot(in_double(p.point[k]) - from, out) <= 1e-4 * norm(out);
            if (side && dot(x - from, out) > 1e-4 * norm(out)) return false;
        }
    }
    return p.count > 2;
}

}  // namespace scree::test::touching
