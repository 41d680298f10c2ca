// Smooth bodies on edges, corners, rims and polyhedra, and capsules: against trials of many directions and points, and closed forms.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <vector>

#include "engine/narrow/smooth_features.hpp"
#include "model/convex_shape.hpp"
#include "smooth_samples.hpp"

using namespace scree;

namespace {

enum class Kind { Ellipsoid, Superquadric, Capsule };
PlacedSmooth random_body(Rng& rng, Kind kind, double scale) {
    const double a = rng.uniform(), b = rng.uniform(), c = rng.uniform();
    SmoothSurface s{{0.3 + 0.27 * a, 0.3 + 0.27 * b, 0.3 + 0.27 * c}};
    if (kind == Kind::Superquadric) s.side = 2 + 3 * b, s.top = 2 + 3 * c;
    if (kind == Kind::Capsule) s = {{0.3, 0.3, 0.3}, 2, 2, 0.2 + 0.5 * a};
    return {s, {}, random_turn(rng), scale};
}

/// The tables of a box where kernels read them.
struct Box {
    ConvexShape shape;
    std::vector<double> x, y, z, nx, ny, nz;
    std::vector<std::int32_t> edge, edge_face;

    explicit Box(Vec3 edges) : shape(box_shape("box", edges)) {
        for (const Vec3& v : shape.vertex) x.push_back(v.x), y.push_back(v.y), z.push_back(v.z);
        for (const Vec3& n : shape.normal) nx.push_back(n.x), ny.push_back(n.y), nz.push_back(n.z);
        for (const auto& e : shape.edge) edge.insert(edge.end(), e.begin(), e.end());
        for (const auto& e : shape.edge_face) edge_face.insert(edge_face.end(), e.begin(), e.end());
    }
    PlacedConvex<double> placed(Vec3 at, const Mat3& turn) const {
        const ConvexView<double> view{x.data(),
                                      y.data(),
                                      z.data(),
                                      nx.data(),
                                      ny.data(),
                                      nz.data(),
                                      shape.offset.data(),
                                      shape.face_start.data(),
                                      shape.face_vertex.data(),
                                      edge.data(),
                                      edge_face.data(),
                                      static_cast<std::int32_t>(shape.vertex.size()),
                                      static_cast<std::int32_t>(shape.faces()),
                                      static_cast<std::int32_t>(shape.edge.size()),
                                      shape.box_min,
                                      shape.box_max};
        return {view, at, turn, shape.bounding_radius};
    }
};

/// How deep the two are in each other along n.
double depth_of(const PlacedSmooth& a, const PlacedConvex<double>& b, Vec3 n) {
    double low = 1e300;
    for (std::int32_t v = 0; v < b.shape.vertices; ++v) low = std::min(low, dot(b.vertex(v), n));
    return dot(a.support(n), n) - low;
}

/// The least of all directions, by trials that narrow down.
double least_depth(const PlacedSmooth& a, const PlacedConvex<double>& b, Rng& rng) {
    double least = 1e300;
    Vec3 best;
    for (int k = 0; k < 2000; ++k) {
        const Vec3 n = random_direction(rng);
        if (const double here = depth_of(a, b, n); here < least) least = here, best = n;
    }
    for (double wide = 0.1; wide > 1e-9; wide *= 0.8)
        for (int k = 0; k < 12; ++k) {
            const Vec3 n = normalized(best + wide * random_direction(rng));
            if (const double here = depth_of(a, b, n); here < least) least = here, best = n;
        }
    return least;
}

}  // namespace

TEST_CASE("a smooth body meets a box along the direction in which they are the least deep") {
    Rng rng(11, 0);
    const Box box({1.0, 0.7, 0.5});
    for (const Kind kind : {Kind::Ellipsoid, Kind::Superquadric, Kind::Capsule}) {
        int faces = 0, others = 0;
        for (int k = 0; k < 200; ++k) {
            PlacedSmooth a = random_body(rng, kind, 0.4 + 0.4 * rng.uniform());
            const PlacedConvex<double> b = box.placed({}, random_turn(rng));
            const Vec3 way = random_direction(rng);
            SmoothTouch t{};
            double high = 3, low = high;
            while (a.at = low * way, !smooth_with_convex(a, b, 0, t)) high = low, low -= 0.01;
            for (int step = 0; step < 40; ++step) {
                const double at = 0.5 * (low + high);
                a.at = at * way;
                (smooth_with_convex(a, b, 0, t) ? low : high) = at;
            }
            a.at = (low - 0.01) * way;
            CAPTURE(k);
            CAPTURE(static_cast<int>(kind));
            REQUIRE(smooth_with_convex(a, b, 0, t));
            // Nearly flat places of a superquadric end the search a little early.
            const double spare = kind == Kind::Superquadric ? 1e-4 : 1e-6;
            CHECK(t.overlap <= least_depth(a, b, rng) + 0.01 * spare);
            CHECK(depth_of(a, b, t.normal) == doctest::Approx(t.overlap).epsilon(1e-6));
            double facing = 0;
            for (std::int32_t f = 0; f < b.shape.faces; ++f) facing = std::max(facing, -dot(b.normal(f), t.normal));
            (facing > 1 - 1e-12 ? faces : others) += 1;
            // Apart by a little the gap is the distance.
            a.at = (high + 0.01) * way;
            CHECK_FALSE(smooth_with_convex(a, b, 0, t));
            REQUIRE(smooth_with_convex(a, b, 0.05, t));
            CHECK(t.overlap <= least_depth(a, b, rng) + 0.01 * spare);
            CHECK(depth_of(a, b, t.normal) == doctest::Approx(t.overlap).epsilon(1e-6));
        }
        CHECK(faces > 20);
        CHECK(others > 20);
    }
}

TEST_CASE("from face to edge to corner the contact changes without a jump") {
    Rng rng(12, 0);
    const Box box({1.0, 1.0, 1.0});
    const PlacedConvex<double> b = box.placed({}, rotation_matrix(Quat{}));
    for (const Kind kind : {Kind::Ellipsoid, Kind::Superquadric}) {
        for (int k = 0; k < 20; ++k) {
            PlacedSmooth a = random_body(rng, kind, 0.5);
            // Its lowest point goes at one depth over the top, past an edge or a corner.
            const Vec3 low = a.support({0, 0, -1}), go = normalized(Vec3{1, rng.uniform(), 0});
            double before = 0.01;
            Vec3 normal{0, 0, -1};
            int missed = 0;
            for (double along = 0.3; along < 1.0; along += 2e-4) {
                a.at = Vec3{0, 0, 0.5 - 0.01} - low + along * go;
                SmoothTouch t{};
                if (!smooth_with_convex(a, b, 0, t)) {
                    CHECK(before < 4e-4);  // it has left
                    ++missed;
                    before = 0;
                    continue;
                }
                CHECK(missed == 0);
                CHECK(std::fabs(t.overlap - before) < 4e-4);
                CHECK(norm(t.normal - normal) < 0.05);
                before = t.overlap;
                normal = t.normal;
            }
        }
    }
}

TEST_CASE("an edge or a corner is met where the body is the least deep") {
    Rng rng(13, 0);
    for (const Kind kind : {Kind::Ellipsoid, Kind::Superquadric}) {
        for (int k = 0; k < 200; ++k) {
            PlacedSmooth a = random_body(rng, kind, 0.8);
            const Vec3 n = random_direction(rng), top = a.support(n);
            // A corner 0.01 below the surface along the normal: so deep it is, and there.
            SmoothTouch t{};
            REQUIRE(smooth_with_corner(a, top - 0.01 * n, 0, t));
            CHECK(t.overlap == doctest::Approx(0.01).epsilon(1e-6));
            CHECK(norm(t.normal - n) < (kind == Kind::Ellipsoid ? 1e-6 : 1e-3));
            CHECK(norm(t.point - (top - 0.005 * n)) < 1e-3);
            CHECK_FALSE(smooth_with_corner(a, top + 0.01 * n, 0, t));
            REQUIRE(smooth_with_corner(a, top + 0.01 * n, 0.02, t));
            CHECK(t.overlap == doctest::Approx(-0.01).epsilon(1e-6));
            // An edge there, square to the normal, and one that ends before.
            const Vec3 way = normalized(cross(n, random_direction(rng)));
            REQUIRE(smooth_with_edge(a, top - 0.01 * n - 0.3 * way, way, 0.6, 0, t));
            CHECK(t.overlap == doctest::Approx(0.01).epsilon(1e-6));
            CHECK(norm(t.normal - n) < (kind == Kind::Ellipsoid ? 1e-6 : 1e-3));
            CHECK_FALSE(smooth_with_edge(a, top - 0.01 * n + 0.01 * way, way, 0.6, 0, t));
        }
    }
}

TEST_CASE("the rim of a rod is met where the body is the least deep, its end as a plane, its side as a cylinder") {
    Rng rng(14, 0);
    const double R = 0.6, length = 1.3;
    int sides = 0, ends = 0, rims = 0;
    for (int k = 0; k < 300; ++k) {
        const Kind kind = k % 2 == 0 ? Kind::Ellipsoid : Kind::Superquadric;
        PlacedSmooth a = random_body(rng, kind, 0.7);
        const Vec3 axis = random_direction(rng), point = random_direction(rng), middle = point + 0.5 * length * axis;
        const auto depth = [&](Vec3 n) {
            const double along = dot(n, axis);
            return dot(a.support(n) - middle, n) + 0.5 * length * std::fabs(along) + R * std::sqrt(std::max(0.0, 1 - along * along));
        };
        const Vec3 way = random_direction(rng);
        double low = 0.2, high = 4;
        const CylinderWall wall{point, axis, R, length, true, false};
        for (int step = 0; step < 40; ++step) {
            const double at = 0.5 * (low + high);
            a.at = middle + at * way;
            SmoothTouches found;
            smooth_with_cylinder(a, wall, 0, found);
            (found.count > 0 ? low : high) = at;
        }
        a.at = middle + (low - 0.01) * way;
        SmoothTouches found;
        smooth_with_cylinder(a, wall, 0, found);
        REQUIRE(found.count == 1);
        double least = 1e300;
        Vec3 best;
        for (int j = 0; j < 2000; ++j) {
            const Vec3 n = random_direction(rng);
            if (depth(n) < least) least = depth(n), best = n;
        }
        for (double wide = 0.1; wide > 1e-9; wide *= 0.8)
            for (int j = 0; j < 12; ++j) {
                const Vec3 n = normalized(best + wide * random_direction(rng));
                if (depth(n) < least) least = depth(n), best = n;
            }
        CAPTURE(k);
        // A superquadric may be about as deep along two directions: one of them is found.
        CHECK(found.touch[0].overlap <= least + (kind == Kind::Ellipsoid ? 1e-6 : 3e-4));
        CHECK(depth(found.touch[0].normal) == doctest::Approx(found.touch[0].overlap).epsilon(1e-6));
        const double along = std::fabs(dot(found.touch[0].normal, axis));
        (along < 1e-9 ? sides : (along > 1 - 1e-9 ? ends : rims)) += 1;
    }
    CHECK(sides > 20);
    CHECK(ends > 20);
    CHECK(rims > 20);
}

TEST_CASE("past the mouth of a tube a body meets the rim where that is the deepest in it, and the wall hands it on") {
    Rng rng(18, 0);
    int rims = 0, walls = 0;
    for (int k = 0; k < 300; ++k) {
        const Kind kind = k % 3 == 0 ? Kind::Capsule : (k % 3 == 1 ? Kind::Ellipsoid : Kind::Superquadric);
        PlacedSmooth a = random_body(rng, kind, 0.7);
        const double R = 0.8 + rng.uniform(), length = 3;
        const Vec3 axis = random_direction(rng), side = normalized(cross(axis, random_direction(rng))), low = random_direction(rng);
        const CylinderWall wall{low, axis, R, length, false, true};
        // So far aside that it is 0.01 to 0.02 in the wall, away from both mouths, then along the axis through one.
        const auto at = [&](double aside, double along) { return low + aside * side + along * axis; };
        SmoothTouches found;
        double in = 0, out = R;
        for (int step = 0; step < 40; ++step) {
            a.at = at(0.5 * (in + out), 1.5);
            found = {};
            smooth_with_cylinder(a, wall, 0, found);
            (found.count > 0 ? out : in) = 0.5 * (in + out);
        }
        const double aside = out + 0.01 + 0.01 * rng.uniform();
        const auto deepest_of = [](const SmoothTouches& all) {
            return all.count == 0 ? 0 : (all.count == 1 ? all.touch[0].overlap : std::max(all.touch[0].overlap, all.touch[1].overlap));
        };
        // Of a superquadric places beside each other may be about as deep, and only one of them is found.
        const double jump = kind == Kind::Superquadric ? 0.02 : 0.003;
        double before = 0;
        for (double along = 2; along < 4; along += 0.002) {
            CAPTURE(k);
            CAPTURE(along);
            a.at = at(aside, along);
            found = {};
            smooth_with_cylinder(a, wall, 0, found);
            const double deepest = deepest_of(found);
            CHECK(std::fabs(deepest - before) < (along > 2 ? jump : 1));
            before = deepest;
            if (deepest < 1e-3) continue;
            // Its place and normal are the derivatives of its depth: forces along it have an energy.
            if (found.count != 1) continue;
            const SmoothTouch t = found.touch[0];
            const bool rim = std::fabs(dot(t.normal, axis)) > 1e-6;
            (rim ? rims : walls) += 1;
            if (kind == Kind::Superquadric) continue;
            const Vec3 way = random_direction(rng), spin = random_direction(rng);
            const double h = 1e-5;
            double depth[2][2];
            for (int sign = 0; sign < 2; ++sign) {
                PlacedSmooth b = a;
                b.at = a.at + (sign == 0 ? -h : h) * way;
                SmoothTouches other;
                smooth_with_cylinder(b, wall, 0, other);
                depth[0][sign] = deepest_of(other);
                b.at = a.at;
                b.turn = clip::product(
                    rotation_matrix(normalized(Quat{1, 0.5 * (sign == 0 ? -h : h) * spin.x, 0.5 * (sign == 0 ? -h : h) * spin.y,
                                                    0.5 * (sign == 0 ? -h : h) * spin.z})),
                    a.turn);
                other = {};
                smooth_with_cylinder(b, wall, 0, other);
                depth[1][sign] = deepest_of(other);
            }
            CHECK((depth[0][1] - depth[0][0]) / (2 * h) == doctest::Approx(dot(t.normal, way)).epsilon(1e-4).scale(1));
            CHECK((depth[1][1] - depth[1][0]) / (2 * h) ==
                  doctest::Approx(dot(cross(t.point - a.at, t.normal), spin)).epsilon(1e-4).scale(1));
            if (!rim || kind != Kind::Ellipsoid) continue;
            // No other place of the rim is as deep in the ellipsoid.
            double most = 0;
            for (int j = 0; j < 720; ++j) {
                const Vec3 u = side, v = cross(axis, side),
                           x = low + length * axis +
                               R * (std::cos(j * std::numbers::pi / 360) * u + std::sin(j * std::numbers::pi / 360) * v);
                SmoothTouch corner{};
                if (smooth_with_corner(a, x, 0, corner)) most = std::max(most, corner.overlap);
            }
            CHECK(t.overlap >= most - 1e-9);
            CHECK(t.overlap < most + 1e-3);
        }
    }
    CHECK(rims > 1000);
    CHECK(walls > 1000);
}

TEST_CASE("a tube with open mouths is met where points of it are in the body, inside, outside and across its rims") {
    Rng rng(21, 0);
    const double R = 1, length = 1.5;
    const SmoothSurface shapes[] = {{{0.15, 0.15, 0.95}}, {{0.4, 0.5, 0.6}}, {{0.2, 0.2, 0.2}, 2, 2, 0.8}, {{0.3, 0.3, 0.9}, 3, 2.5}};
    int touching = 0, missed = 0, apart = 0, wrong = 0;
    for (int k = 0; k < 24000; ++k) {
        const SmoothSurface& s = shapes[k % 4];
        const double angle = 2 * std::numbers::pi * rng.uniform(), off = 2 * rng.uniform(), height = -1 + 3.5 * rng.uniform();
        const PlacedSmooth a{s, {off * std::cos(angle), off * std::sin(angle), height}, random_turn(rng), k % 8 == 0 ? 1.2 : 0.8};
        // How deep points of the shell are in the body, for those that are hardly.
        double deepest = -1;
        for (int i = 0; i < 120; ++i) {
            for (int j = 0; j <= 60; ++j) {
                const Vec3 x{R * std::cos(i * std::numbers::pi / 60), R * std::sin(i * std::numbers::pi / 60), length * j / 60};
                if (norm(x - a.at) > a.scale) continue;
                const Stick p = stick_of(a);
                const double deep = a.capsule() ? p.radius - norm(x - p.at(p.nearest(x)))
                                                : 0.2 * a.scale * (1 - s.gauge((1 / a.scale) * transposed_times(a.turn, x - a.at)));
                deepest = std::max(deepest, deep);
            }
        }
        SmoothTouches found;
        smooth_with_cylinder(a, {{0, 0, 0}, {0, 0, 1}, R, length, false, off < R}, 0, found);
        double most = 0;
        for (int q = 0; q < found.count; ++q) most = std::max(most, found.touch[q].overlap);
        if (deepest < 0) {
            ++(most > 0.01 ? wrong : apart);
        } else if (deepest > 0.001 && deepest < 0.004) {
            ++(most > 0 ? touching : missed);
            CHECK(most < 0.1);
        }
    }
    CHECK(touching > 100);
    CHECK(missed <= 2);  // long bodies that meet it in three places
    CHECK(apart > 15000);
    CHECK(wrong <= 2);
}

TEST_CASE("an endless tube is one both ways, and as a long one") {
    Rng rng(22, 0);
    const SmoothSurface shapes[] = {{{0.15, 0.15, 0.95}}, {{0.4, 0.5, 0.6}}, {{0.2, 0.2, 0.2}, 2, 2, 0.8}, {{0.3, 0.3, 0.9}, 3, 2.5}};
    int touching = 0;
    for (int k = 0; k < 400; ++k) {
        PlacedSmooth a{shapes[k % 4], {}, random_turn(rng), 0.8};
        const double off = 0.2 + 0.6 * rng.uniform(), along = 10 * (rng.uniform() - 0.5);
        a.at = {off, 0, along};
        SmoothTouches endless, shifted, finite;
        smooth_with_cylinder(a, {{0, 0, 0}, {0, 0, 1}, 1, 1e308, false, true}, 0, endless);
        smooth_with_cylinder(a, {{0, 0, 77}, {0, 0, 1}, 1, 1e308, false, true}, 0, shifted);
        smooth_with_cylinder(a, {{0, 0, -30}, {0, 0, 1}, 1, 60, false, true}, 0, finite);
        CHECK(endless.count == finite.count);
        REQUIRE(endless.count == shifted.count);
        for (int q = 0; q < endless.count; ++q) {
            ++touching;
            CHECK(endless.touch[q].overlap == doctest::Approx(finite.touch[q].overlap).epsilon(1e-9));
            CHECK(norm(endless.touch[q].point - shifted.touch[q].point) < 1e-9);
        }
    }
    CHECK(touching > 100);
}

TEST_CASE("a capsule that lies across a mouth has its two places at its two ends, however little it leans") {
    for (const double tilt : {0.1, 0.05, 0.01, 1e-4, 1e-8}) {
        double before[2] = {0, 0};
        for (const double lift : {-1e-9, 0.0, 1e-9, 1e-4, 2e-4}) {
            // Along x at such a distance from the axis that both ends are in the wall; half of it 0.6, radius 0.2.
            const Vec3 z{std::cos(tilt), 0, std::sin(tilt)}, y{0, 1, 0}, x = cross(y, z);
            const PlacedSmooth a{
                {{0.2, 0.2, 0.2}, 2, 2, 0.6}, {0, 0.55, 2 + lift}, {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}, 1};
            SmoothTouches found;
            smooth_with_cylinder(a, {{0, 0, 0}, {0, 0, 1}, 1, 2, false, true}, 0, found);
            CAPTURE(tilt);
            CAPTURE(lift);
            REQUIRE(found.count == 2);
            CHECK(found.touch[0].point.x * found.touch[1].point.x < 0);
            for (int q = 0; q < 2; ++q) {
                if (lift > -1e-9) CHECK(std::fabs(found.touch[q].overlap - before[q]) < 1e-3);
                before[q] = found.touch[q].overlap;
            }
        }
    }
}

TEST_CASE("the paraboloid of a superquadric near its poles is the same however it is found") {
    const double exponents[][2] = {{4, 2}, {8, 2}, {8, 4}, {2.5, 2}, {6, 3}, {2, 4}, {4, 4}};
    for (const auto& each : exponents) {
        const double p = each[0], q = each[1];
        for (const double off : {0.0, 1e-12, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
            const PlacedSmooth a{{{0.4, 0.4, 0.6}, p, q}, {}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 1};
            const PlacedBall ball{{off, 0.3 * off, 0.6 + 0.299}, 0.3};
            SmoothTouch by_points{}, by_directions{};
            CAPTURE(p);
            CAPTURE(q);
            CAPTURE(off);
            REQUIRE(curved_with(a, ball, 0, by_points));
            REQUIRE(meet(a, ball, first_direction(a, ball), 0, by_directions));
            CHECK(by_points.overlap < by_directions.overlap + 1e-9);  // the less, the better
            CHECK(by_points.overlap > 0.99 * by_directions.overlap);
            CHECK(by_points.radius == doctest::Approx(by_directions.radius).epsilon(0.02));
        }
    }
}

TEST_CASE("capsules touch where their axes are nearest") {
    Rng rng(15, 0);
    for (int k = 0; k < 300; ++k) {
        const PlacedSmooth a = random_body(rng, Kind::Capsule, 0.9);
        PlacedSmooth b = random_body(rng, Kind::Capsule, 0.6 + 0.4 * rng.uniform());
        if (k % 5 == 0) b.turn = a.turn;  // parallel
        b.at = (0.2 + rng.uniform()) * random_direction(rng);
        const Stick p = stick_of(a), q = stick_of(b);
        double nearest = 1e300;
        for (int i = 0; i <= 400; ++i) {
            const Vec3 on = p.at(p.length * i / 400);
            nearest = std::min(nearest, norm(q.at(q.nearest(on)) - on));
        }
        SmoothTouch t{};
        const bool found = smooth_pair(a, b, {}, 0, t);
        const double overlap = p.radius + q.radius - nearest;
        if (std::fabs(overlap) < 1e-3) continue;
        CHECK(found == (overlap > 0));
        if (!found) continue;
        CHECK(t.overlap >= overlap - 1e-12);
        CHECK(t.overlap < overlap + 1e-3);
        CHECK(t.radius == doctest::Approx(p.radius * q.radius / (p.radius + q.radius)));
        // The contact is as far within both.
        CHECK(norm(t.point - p.at(p.nearest(t.point))) <= p.radius - 0.5 * t.overlap + 1e-9);
        SmoothTouch back{};
        REQUIRE(smooth_pair(b, a, {}, 0, back));
        CHECK(back.overlap == doctest::Approx(t.overlap).epsilon(1e-9));
    }
    // Two that are crossed at right angles, a ball at the side and at the end, a wall across.
    const PlacedSmooth a{{{0.2, 0.2, 0.2}, 2, 2, 0.8}, {}, rotation_matrix(Quat{}), 1};
    const Mat3 aside = rotation_matrix(normalized(Quat{1, 1, 0, 0}));
    SmoothTouch t{};
    REQUIRE(smooth_pair(a, {a.surface, {0.39, 0.1, 0.3}, aside, 1}, {}, 0, t));
    CHECK(t.overlap == doctest::Approx(0.01).epsilon(1e-9));
    CHECK(norm(t.normal - Vec3{1, 0, 0}) < 1e-12);
    CHECK(norm(t.point - Vec3{0.195, 0, 0.3}) < 1e-12);
    REQUIRE(smooth_with_ball(a, {{0, 0.29, -0.5}, 0.1}, 0, t));
    CHECK(t.overlap == doctest::Approx(0.01).epsilon(1e-9));
    REQUIRE(smooth_with_ball(a, {{0, 0, -1.09}, 0.1}, 0, t));
    CHECK(t.overlap == doctest::Approx(0.01).epsilon(1e-9));
    CHECK(norm(t.normal - Vec3{0, 0, -1}) < 1e-12);
    const SmoothTouches both = smooth_with_plane(a, {0.19, 0, 0}, {1, 0, 0}, 0), one = smooth_with_plane(a, {0, 0, 0.99}, {0, 0, 1}, 0);
    REQUIRE(both.count == 2);
    CHECK(both.touch[0].overlap == doctest::Approx(0.01).epsilon(1e-9));
    CHECK(norm(as_one(both, 1.5).point - Vec3{0.195, 0, 0}) < 1e-12);
    CHECK(as_one(both, 1.5).weight == doctest::Approx(2));
    REQUIRE(one.count == 1);
    CHECK(one.touch[0].overlap == doctest::Approx(0.01).epsilon(1e-9));
}

TEST_CASE("a capsule and an ellipsoid meet as the many balls that it is") {
    Rng rng(16, 0);
    for (int k = 0; k < 200; ++k) {
        const PlacedSmooth a = random_body(rng, Kind::Ellipsoid, 0.9);
        PlacedSmooth b = random_body(rng, Kind::Capsule, 0.8);
        const Vec3 way = random_direction(rng);
        double low = 0.3, high = 3;
        SmoothTouch t{};
        for (int step = 0; step < 40; ++step) {
            const double at = 0.5 * (low + high);
            b.at = at * way;
            (smooth_pair(a, b, {}, 0, t) ? low : high) = at;
        }
        b.at = (low - 0.01) * way;
        REQUIRE(smooth_pair(a, b, {}, 0, t));
        const Stick p = stick_of(b);
        double most = -1;
        for (int i = 0; i <= 2000; ++i) {
            SmoothTouch ball{};
            if (smooth_with_ball(a, {p.at(p.length * i / 2000), p.radius}, 0, ball)) most = std::max(most, ball.overlap);
        }
        CHECK(t.overlap == doctest::Approx(most).epsilon(1e-4));
        SmoothTouch back{};
        REQUIRE(smooth_pair(b, a, {}, 0, back));
        CHECK(norm(back.normal + t.normal) < 1e-9);
    }
}

TEST_CASE("two contacts as one have their force, moment and energy") {
    Rng rng(17, 0);
    for (const double m : {1.0, 1.5}) {
        for (int k = 0; k < 50; ++k) {
            SmoothTouches all;
            Vec3 force, moment;
            double energy = 0;
            const Vec3 n = random_direction(rng);
            for (int j = 0; j < 2; ++j) {
                const double overlap = 0.01 + 0.01 * rng.uniform(), f = std::pow(overlap, m);
                const SmoothTouch t{overlap, n, random_direction(rng), 0.1, 1};
                all.add(t);
                force += f * n;
                moment += cross(t.point, f * n);
                energy += f * overlap / (m + 1);
            }
            const SmoothTouch one = as_one(all, m);
            const double f = one.weight * std::pow(one.overlap, m);
            CHECK(norm(f * one.normal - force) < 1e-12);
            CHECK(norm(cross(one.point, f * one.normal) - moment) < 1e-12);
            CHECK(f * one.overlap / (m + 1) == doctest::Approx(energy).epsilon(1e-12));
        }
    }
}
