// Polyhedra against polyhedra, planes and points: overlap against closed forms and an independent sum, its derivatives, its continuity;
// separating axes against the bare theorem; contact points; nearest points.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "convex_reference.hpp"
#include "convex_shapes.hpp"
#include "engine/narrow/convex_axis.hpp"
#include "engine/narrow/convex_manifold.hpp"
#include "engine/narrow/convex_overlap.hpp"
#include "engine/narrow/convex_sphere.hpp"
#include "engine/narrow/prism.hpp"

using namespace scree;
using namespace scree::test;

namespace {

using Real = SCREE_REAL;
using Placed = PlacedConvex<Real>;
constexpr bool single = sizeof(Real) == sizeof(float);
constexpr int buffers = 64;
constexpr double pi = 3.14159265358979324;

/// A tolerance of each precision; the reason stands at the call.
constexpr double either(double in_double, double in_single) {
    return single ? in_single : in_double;
}

Vec3 random_direction(Rng& rng) {
    return normalized(Vec3{rng.normal(), rng.normal(), rng.normal()});
}
Quat random_turn(Rng& rng) {
    return normalized(Quat{rng.normal(), rng.normal(), rng.normal(), rng.normal()});
}

/// Boxes, prisms, needles, plates and round hulls.
struct Pool {
    std::vector<ConvexShape> shape;
    std::vector<ConvexTables<Real>> tables;
    Pool() {
        Rng rng(3, 1);
        shape.push_back(test_box(1, 1, 1));
        shape.push_back(test_box(2, 1, 0.5));
        shape.push_back(test_prism(3, 1, 1.2));
        shape.push_back(test_prism(6, 1, 0.4));
        shape.push_back(hull_of({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}));
        shape.push_back(hull_of({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}));
        shape.push_back(test_round(12, {1, 1, 1}, 0.3, rng));
        shape.push_back(test_round(18, {1, 0.8, 0.6}, 0.2, rng));
        shape.push_back(test_round(20, {1, 0.1, 0.1}, 0.2, rng));
        shape.push_back(test_round(20, {1, 1, 0.1}, 0.2, rng));
        for (const ConvexShape& s : shape) tables.emplace_back(s);
    }
};
const Pool& pool() {
    static const Pool p;
    return p;
}

struct PlacedPair {
    Placed a, b;
};

/// Two shapes of the pool at a random place and turn, their centres at most `reach` of the sum of their radii apart.
PlacedPair random_pair(Rng& rng, double reach) {
    const auto& t = pool().tables;
    const std::size_t i = static_cast<std::size_t>(rng.uniform() * static_cast<double>(t.size()));
    const std::size_t j = static_cast<std::size_t>(rng.uniform() * static_cast<double>(t.size()));
    const double ra = rng.uniform(0.5, 1.5), rb = rng.uniform(0.5, 1.5);
    const Vec3 to = rng.uniform(0.0, reach) * (ra + rb) * random_direction(rng);
    return {placed(t[i], Vec3{}, random_turn(rng), ra), placed(t[j], to, random_turn(rng), rb)};
}

Overlap<Real> overlap_of(const Placed& a, const Placed& b, Vec3 axis) {
    return overlap<buffers>(a, b, cast<Real>(axis));
}

/// |difference| of two sets of moments, each over its scale for lengths of size 1.
double distance(const Overlap<double>& p, const Overlap<double>& q) {
    return std::fmax(std::fmax(std::fabs(p.volume - q.volume), norm(p.area - q.area)),
                     std::fmax(norm(p.moment - q.moment), norm(p.couple - q.couple)));
}
Overlap<double> in_double(const Overlap<Real>& o) {
    return {static_cast<double>(o.volume), cast<double>(o.area), cast<double>(o.moment), cast<double>(o.couple)};
}

const ConvexTables<Real>& cube() {
    return pool().tables[0];
}
const double cube_radius = std::sqrt(0.75);

Placed cube_at(Vec3 at, Quat turn = {}) {
    return placed(cube(), at, turn, cube_radius);
}

}  // namespace

// Tolerances: A is cut by B grown by 2e-15 or 1e-6 of the radii and B by A shrunk as much, which moves borders by that over the sine of the
// angle of two faces; prisms and needles of the pool have angles down to a hundredth. Elsewhere rounding of coordinates of size 1.

TEST_CASE("convex: two boxes share a box") {
    const Vec3 shift{0.3, -0.2, 0.9};
    for (const Vec3 axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, -1, 0}, normalized(Vec3{1, 2, 3}), Vec3{0, 0, -1}}) {
        const Overlap<double> o = in_double(overlap_of(cube_at({}), cube_at(shift), axis));
        // P is [-0.2, 0.5] x [-0.5, 0.3] x [0.4, 0.5]; of its faces x = 0.5, y = -0.5 and z = 0.5 are A's.
        const double V = 0.7 * 0.8 * 0.1;
        const Vec3 middle{0.15, -0.1, 0.45};
        const Overlap<double> exact{V,
                                    {0.08, -0.07, 0.56},
                                    V * middle,
                                    cross(Vec3{0.5, -0.1, 0.45}, {0.08, 0, 0}) + cross(Vec3{0.15, -0.5, 0.45}, {0, -0.07, 0}) +
                                        cross(Vec3{0.15, -0.1, 0.5}, {0, 0, 0.56})};
        CHECK(distance(o, exact) < either(2e-14, 1e-5));
    }
}

TEST_CASE("convex: moments of random pairs against the sum over all planes, for any axis") {
    Rng rng(3, 2);
    int touching = 0;
    double worst = 0;
    for (int k = 0; k < 4000; ++k) {
        const PlacedPair p = random_pair(rng, 0.9);
        const Overlap<double> exact = reference_overlap(p.a, p.b);
        const Overlap<double> found =
            in_double(overlap_of(p.a, p.b, k % 2 == 0 ? random_direction(rng) : cast<double>(separating_axis(p.a, p.b).normal)));
        if (exact.volume > 1e-12) ++touching;
        // Below that volume the kernel may find nothing, and then gives no area either.
        if (exact.volume < either(1e-12, 1e-5)) continue;
        worst = std::fmax(worst, distance(found, exact));
    }
    CHECK(touching > 1000);
    CHECK(worst < either(1e-11, 1e-3));
}

TEST_CASE("convex: area and couple are the derivatives of the volume") {
    if (single) return;  // differences of volumes need double
    Rng rng(3, 3);
    const double h = 1e-6;
    for (int k = 0; k < 300; ++k) {
        const PlacedPair p = random_pair(rng, 0.6);
        const Vec3 axis = random_direction(rng);
        const Overlap<Real> o = overlap_of(p.a, p.b, axis);
        if (!(o.volume > Real(1e-4))) continue;
        const Vec3 way = random_direction(rng);
        Placed plus = p.a, minus = p.a;
        plus.at += cast<Real>(h * way);
        minus.at -= cast<Real>(h * way);
        const double slope = static_cast<double>(overlap_of(plus, p.b, axis).volume - overlap_of(minus, p.b, axis).volume) / (2 * h);
        CHECK(slope == doctest::Approx(static_cast<double>(dot(o.area, cast<Real>(way)))).epsilon(1e-7).scale(1));
        // A turned about the common origin; A stands there.
        const Mat3 forth = rotation_matrix(rotation_by(h * way)), back = rotation_matrix(rotation_by(-h * way));
        plus = minus = p.a;
        plus.turn = clip::product(cast<Real>(forth), p.a.turn);
        minus.turn = clip::product(cast<Real>(back), p.a.turn);
        const double turned = static_cast<double>(overlap_of(plus, p.b, axis).volume - overlap_of(minus, p.b, axis).volume) / (2 * h);
        CHECK(turned == doctest::Approx(static_cast<double>(dot(o.couple, cast<Real>(way)))).epsilon(1e-7).scale(1));
    }
}

TEST_CASE("convex: parts of a split shape add up") {
    const ConvexShape low = test_box(1, 1, 0.5), rest = test_box(1, 0.3, 0.5), other = test_box(1, 0.7, 0.5);
    const ConvexTables<Real> t_low(low), t_rest(rest), t_other(other);
    Rng rng(3, 4);
    for (int k = 0; k < 300; ++k) {
        const Placed a = placed(pool().tables[static_cast<std::size_t>(k) % 8], Vec3{}, random_turn(rng), 1);
        const Vec3 to = rng.uniform(0.3, 1.2) * random_direction(rng), axis = random_direction(rng);
        const Quat turn = random_turn(rng);
        const Overlap<double> whole = in_double(overlap_of(a, cube_at(to, turn), axis));
        Overlap<double> sum;
        const auto add = [&](const ConvexTables<Real>& part, Vec3 shift) {
            const Overlap<double> o =
                in_double(overlap_of(a, placed(part, to + rotate(turn, shift), turn, part.shape->bounding_radius), axis));
            sum.volume += o.volume;
            sum.area += o.area;
            sum.moment += o.moment;
            sum.couple += o.couple;
        };
        add(t_low, {0, 0, -0.25});
        add(t_rest, {0, -0.35, 0.25});
        add(t_other, {0, 0.15, 0.25});
        CHECK(distance(whole, sum) < either(1e-13, 1e-4));
    }
}

TEST_CASE("convex: exchange and rigid motion") {
    Rng rng(3, 5);
    double exchange = 0, motion = 0;
    for (int k = 0; k < 2000; ++k) {
        const PlacedPair p = random_pair(rng, 0.8);
        const Vec3 axis = random_direction(rng);
        const Overlap<double> o = in_double(overlap_of(p.a, p.b, axis)), swapped = in_double(overlap_of(p.b, p.a, -axis));
        if (o.volume < either(1e-12, 1e-5)) continue;
        exchange = std::fmax(exchange, distance(o, {swapped.volume, -swapped.area, swapped.moment, -swapped.couple}));
        const Mat3 turn = rotation_matrix(random_turn(rng));
        const Vec3 shift = random_direction(rng);
        Placed a = p.a, b = p.b;
        for (Placed* s : {&a, &b}) {
            s->at = cast<Real>(turn * cast<double>(s->at) + shift);
            s->turn = clip::product(cast<Real>(turn), s->turn);
        }
        const Overlap<double> moved = in_double(overlap_of(a, b, turn * axis));
        const Vec3 area = turn * o.area;
        motion =
            std::fmax(motion, distance(moved, {o.volume, area, turn * o.moment + o.volume * shift, turn * o.couple + cross(shift, area)}));
    }
    CHECK(exchange < either(1e-11, 1e-3));
    CHECK(motion < either(1e-11, 1e-3));
}

TEST_CASE("convex: moments change continuously across changes of features") {
    // A cube is turned from corner through edge to face upon another, and slid over its rim. Steps ten times finer must change the moments
    // by ten times less: a jump would not shrink.
    const auto largest_step = [](int steps) {
        double worst = 0;
        Overlap<double> before;
        for (int k = 0; k <= steps; ++k) {
            const double s = static_cast<double>(k) / steps;
            // Never flush: where faces come to lie in one plane the area does jump.
            const Quat turn = rotation_by({0.8 * (1 - s) - 0.013, 0.6 * (1 - s) + 0.011, 0.3 * s + 0.1});
            const Overlap<double> now = in_double(overlap_of(cube_at({}), cube_at({0.1 + 0.9 * s, 0.05, 0.85}, turn), {0, 0, 1}));
            if (k > 0) worst = std::fmax(worst, distance(before, now));
            before = now;
        }
        return worst;
    };
    const double coarse = largest_step(1000), fine = largest_step(10000);
    CHECK(coarse > 1e-4);
    CHECK(fine < 0.12 * coarse + either(0, 1e-5));
}

TEST_CASE("convex: faces that touch, coincide or are flush") {
    Rng rng(3, 6);
    for (int k = 0; k < 500; ++k) {
        const Quat turn = random_turn(rng);
        const Vec3 up = rotate(turn, {0, 0, 1}), aside = rotate(turn, {rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), 0});
        const Overlap<double> touching = in_double(overlap_of(cube_at({}, turn), cube_at(up + aside, turn), up));
        // No deeper than rounding: the volume is at most that of a few roundings over a face.
        CHECK(touching.volume >= 0);
        CHECK(touching.volume < either(1e-14, 5e-6));
        CHECK(std::isfinite(norm(touching.moment) + norm(touching.couple) + norm(touching.area)));
        // The same cube twice: one of the two surfaces bounds it.
        const Overlap<double> same = in_double(overlap_of(cube_at({}, turn), cube_at({}, turn), random_direction(rng)));
        CHECK(same.volume == doctest::Approx(1).epsilon(either(1e-13, 2e-5)));
        CHECK(norm(same.area) < either(1e-13, 2e-5));
        // A stack with flush sides.
        const Overlap<double> stack = in_double(overlap_of(cube_at({}, turn), cube_at(0.99 * up, turn), up));
        CHECK(stack.volume == doctest::Approx(0.01).epsilon(either(1e-12, 1e-3)));
        CHECK(norm(stack.area - up) < either(1e-12, 1e-3));
        CHECK(norm(stack.moment - 0.495 * stack.volume * up) < either(1e-13, 1e-5));
    }
    CHECK(overlap_of(cube_at({}), cube_at({0, 0, 1.001}), {0, 0, 1}).volume == 0);
    CHECK(overlap_of(cube_at({}), cube_at({1.2, 1.2, 0}), {0, 0, 1}).volume == 0);
}

TEST_CASE("convex: more planes than are marked at once") {
    Rng rng(3, 7);
    const ConvexShape round = test_round(60, {1, 1, 1}, 0.1, rng);
    const ConvexTables<Real> tables(round);
    for (int k = 0; k < 20; ++k) {
        const Placed a = placed(tables, Vec3{}, random_turn(rng), 1), b = placed(tables, 0.3 * random_direction(rng), random_turn(rng), 1);
        REQUIRE(overlap_capacity(a.shape, b.shape) <= 128);
        const Overlap<double> o = in_double(overlap<128>(a, b, cast<Real>(random_direction(rng))));
        CHECK(distance(o, reference_overlap(a, b)) < either(1e-12, 2e-4));
    }
}

TEST_CASE("convex: small shapes give the same alone and among others, and what the way of large ones gives") {
    Rng rng(3, 21);
    constexpr int most = 5;
    small::Batch<most, Real> batch;
    PlacedPair pair[most];
    Overlap<Real> alone[most];
    int touching = 0, refused = 0;
    double worst = 0;
    for (int k = 0; k < 6000; ++k) {
        PlacedPair& p = pair[batch.regions];
        p = random_pair(rng, k % 2 == 0 ? 0.8 : 0.1);  // deep regions have polygons of many corners
        if (p.a.shape.small == nullptr || p.b.shape.small == nullptr) continue;
        const Vec3T<Real> axis = cast<Real>(random_direction(rng));
        const Real slack = clip::slack_of(p.a, p.b);
        const bool fits = small::overlap<true>(p.a, p.b, axis, slack, alone[batch.regions]);
        const Overlap<Real> found = overlap<buffers>(p.a, p.b, axis);
        PlacedPair large = p;
        large.a.shape.small = large.b.shape.small = nullptr;
        const Overlap<Real> other = overlap<buffers>(large.a, large.b, axis);
        touching += found.volume > Real(1e-3);
        refused += !fits;
        // Thin regions may count as noise in one and not in the other.
        if (other.volume > either(1e-12, 1e-5)) worst = std::fmax(worst, distance(in_double(found), in_double(other)));
        if (!fits) CHECK(found.volume == other.volume);
        small::begin_pair(batch, p.a, p.b, axis, slack);
        if (batch.regions < most) continue;
        small::finish_pairs<true>(batch);
        for (int q = 0; q < most; ++q) {
            const Overlap<Real> o = small::moments<true>(batch.region[q]);
            CHECK(o.volume == alone[q].volume);
            CHECK(o.moment == alone[q].moment);
            CHECK(o.area == alone[q].area);
            CHECK(o.couple == alone[q].couple);
            CHECK(o.direction == alone[q].direction);
        }
        batch.regions = 0;
    }
    CHECK(touching > 500);
    CHECK(refused > 1);
    CHECK(worst < either(1e-11, 1e-3));
}

TEST_CASE("convex: a plane is the side of a great box") {
    const ConvexShape great = test_box(20, 20, 20);
    const ConvexTables<Real> tables(great);
    Rng rng(3, 8);
    for (int k = 0; k < 300; ++k) {
        const Placed a = placed(pool().tables[static_cast<std::size_t>(k) % 10], Vec3{}, random_turn(rng), 1);
        const Quat turn = random_turn(rng);
        const Vec3 n = rotate(turn, {0, 0, 1}), point = rng.uniform(-1.0, 1.0) * n;
        const Overlap<double> below = in_double(overlap_below_plane<buffers>(a, cast<Real>(point), cast<Real>(n)));
        const Overlap<double> box = reference_overlap(a, placed(tables, point - 10.0 * n, turn, great.bounding_radius));
        if (box.volume < either(1e-12, 1e-5)) continue;
        // The reference starts from squares of 180 and box faces 10 away.
        CHECK(distance(below, box) < either(1e-10, 1e-4));
        CHECK(norm(cross(below.area, n)) < either(1e-13, 1e-6));
        CHECK(dot(below.area, n) < either(1e-13, 1e-6));  // zero where all of A is behind the plane
    }
}

TEST_CASE("convex: least depth and verdict against the bare separation theorem") {
    Rng rng(3, 9);
    int apart = 0, together = 0;
    for (int k = 0; k < 3000; ++k) {
        const PlacedPair p = random_pair(rng, 1.0);
        const double exact = reference_gap(p.a, p.b);
        const Axis<Real> found = separating_axis(p.a, p.b);
        // Depths of shapes of size 1 to rounding; of edges nearly parallel more in single.
        const double tolerance = either(1e-12, 2e-5);
        if (std::fabs(exact) < tolerance) continue;
        CHECK((found.gap > 0) == (exact > 0));
        CHECK(norm(found.normal) == doctest::Approx(1).epsilon(either(1e-14, 1e-6)));
        if (exact > 0) {
            // Any separating axis will do, if it is one.
            CHECK(gap_along(p.a, p.b, cast<double>(found.normal)) > -tolerance);
            ++apart;
        } else {
            CHECK(static_cast<double>(found.gap) == doctest::Approx(exact).epsilon(tolerance).scale(1));
            CHECK(gap_along(p.a, p.b, cast<double>(found.normal)) == doctest::Approx(exact).epsilon(either(1e-12, 1e-4)).scale(1));
            ++together;
        }
    }
    CHECK(apart > 500);
    CHECK(together > 500);
}

TEST_CASE("convex: a remembered feature never changes the verdict") {
    Rng rng(3, 10);
    int saved = 0, at_once = 0;
    for (int k = 0; k < 400; ++k) {
        PlacedPair p = random_pair(rng, 1.0);
        const Vec3 way = random_direction(rng), spin = random_direction(rng);
        std::int32_t feature = -1;
        // Slow steps about touching: half of the pairs are set at their gap.
        const Axis<Real> start = separating_axis(p.a, p.b);
        if (k % 2 == 0) p.b.at -= start.gap * start.normal;
        for (int step = 0; step < 50; ++step) {
            p.b.at += cast<Real>((k % 3 == 0 ? 1e-7 : 1e-3) * way);
            p.b.turn = clip::product(cast<Real>(rotation_matrix(rotation_by(1e-4 * spin))), p.b.turn);
            const Axis<Real> whole = separating_axis(p.a, p.b);
            const Axis<Real> again = test_feature(p.a, p.b, whole.feature);
            CHECK(again.gap == whole.gap);
            CHECK(again.normal == whole.normal);
            if (test_feature(p.a, p.b, feature).gap > 0) {
                CHECK(whole.gap > 0);
                ++saved;
            }
            if (feature_separates(p.a, p.b, feature)) {
                CHECK(whole.gap > 0);
                ++at_once;
            }
            if (whole.gap > 0) feature = whole.feature;
        }
    }
    CHECK(saved > 1000);
    CHECK(at_once > 500);
    CHECK(test_feature(cube_at({}), cube_at({0, 0, 2}), -1).gap < 0);
    CHECK_FALSE(feature_separates(cube_at({}), cube_at({0, 0, 2}), -1));
    CHECK_FALSE(feature_separates(cube_at({}), cube_at({0, 0, 2}), 0x7fffffff));
    CHECK(test_feature(cube_at({}), cube_at({0, 0, 2}), 0x7fffffff).gap < 0);
}

TEST_CASE("convex: not a number ends") {
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    Placed b = cube_at({0, 0, 0.9});
    b.at.x = nan;
    CHECK_FALSE(separating_axis(cube_at({}), b).gap > 0);
    CHECK_FALSE(overlap_of(cube_at({}), b, {0, 0, 1}).volume > 0);
    nearest_to(b, {});
    manifold(cube_at({}), b, separating_axis(cube_at({}), b));
}

TEST_CASE("convex: kinds of contact and their points") {
    const Placed a = cube_at({});
    const auto touch_with = [&](const Placed& b) { return manifold(a, b, separating_axis(a, b)); };
    const Manifold<Real> faces = touch_with(cube_at({0.3, 0.2, 0.99}));
    CHECK(faces.kind == ContactKind::FaceFace);
    CHECK(faces.points == 4);
    CHECK(static_cast<double>(faces.area) == doctest::Approx(0.56).epsilon(1e-5));
    CHECK(norm(cast<double>(faces.centroid) - Vec3{0.15, 0.1, 0.49}) < 1e-6);
    CHECK(static_cast<double>(faces.depth) == doctest::Approx(0.01).epsilon(1e-4));
    // Edge down: turned by 45 degrees, its lowest edge along y.
    const double half = std::sqrt(0.5);
    const Manifold<Real> edge = touch_with(cube_at({0.1, 0.3, 0.5 + half - 0.01}, rotation_by({0, pi / 4, 0})));
    CHECK(edge.kind == ContactKind::EdgeFace);
    CHECK(edge.points == 2);
    CHECK(std::fabs(static_cast<double>(edge.point[0].y - edge.point[1].y)) == doctest::Approx(0.7).epsilon(1e-5));
    // Edges crossed, one turned about x, one about y.
    const Placed c = cube_at({}, rotation_by({pi / 4, 0, 0})), d = cube_at({0.1, 0.05, 2 * half - 0.01}, rotation_by({0, pi / 4, 0}));
    const Manifold<Real> crossed = manifold(c, d, separating_axis(c, d));
    CHECK(crossed.kind == ContactKind::EdgeEdge);
    CHECK(crossed.points == 1);
    CHECK(norm(cast<double>(crossed.point[0]) - Vec3{0.1, 0, half - 0.005}) < 1e-6);
    // Corner down: (1, 1, 1) turned to (0, 0, -1).
    const Quat corner = rotation_by((pi - std::acos(std::sqrt(1.0 / 3))) * normalized(Vec3{1, -1, 0}));
    const Manifold<Real> vertex = touch_with(cube_at({0.2, 0.1, 0.5 + cube_radius - 0.01}, corner));
    CHECK(vertex.kind == ContactKind::VertexFace);
    CHECK(vertex.points == 1);
    CHECK(norm(cast<double>(vertex.point[0]) - Vec3{0.2, 0.1, 0.49}) < 1e-6);
    CHECK(static_cast<double>(vertex.point_depth[0]) == doctest::Approx(0.01).epsilon(1e-4));
}

TEST_CASE("convex: the paper's patch of vertices") {
    const Placed a = cube_at({});
    const Quat corner = rotation_by((pi - std::acos(std::sqrt(1.0 / 3))) * normalized(Vec3{1, -1, 0}));
    const Placed b = cube_at({0.2, 0.1, 0.5 + cube_radius - 0.01}, corner);
    const VertexPatch<Real> one = penetrating_vertices(a, b, separating_axis(a, b));
    CHECK(one.count == 1);
    CHECK(norm(cast<double>(one.point) - Vec3{0.2, 0.1, 0.49}) < 1e-6);
    CHECK(static_cast<double>(one.depth) == doctest::Approx(0.01).epsilon(1e-4));
    // Two of A's corners, at x = 0.5 and y = +-0.5, lie within a wider face.
    const Placed wide = placed(pool().tables[1], Vec3{0.9, 0, 0.74}, rotation_by({0, 0, pi / 2}), pool().shape[1].bounding_radius);
    const VertexPatch<Real> two = penetrating_vertices(a, wide, separating_axis(a, wide));
    CHECK(two.count == 2);
    CHECK(norm(cast<double>(two.point) - Vec3{0.5, 0, 0.5}) < 1e-6);
    CHECK(static_cast<double>(two.depth) == doctest::Approx(0.01).epsilon(1e-4));
    const VertexPatch<Real> plane = penetrating_vertices(a, Vec3T<Real>{0, 0, Real(-0.49)}, Vec3T<Real>{0, 0, 1});
    CHECK(plane.count == 4);
    CHECK(norm(cast<double>(plane.point) - Vec3{0, 0, -0.5}) < 1e-6);
    CHECK(static_cast<double>(plane.depth) == doctest::Approx(0.01).epsilon(1e-4));
    CHECK(penetrating_vertices(a, Vec3T<Real>{0, 0, Real(-0.51)}, Vec3T<Real>{0, 0, 1}).count == 0);
}

TEST_CASE("convex: nearest point outside is the projection, inside the least deep face") {
    Rng rng(3, 11);
    for (int k = 0; k < 3000; ++k) {
        const Placed a = placed(pool().tables[static_cast<std::size_t>(k) % 10], Vec3{0.2, 0.1, -0.3}, random_turn(rng), 1);
        const Vec3 p = cast<double>(a.at) + rng.uniform(0.0, 2.0) * random_direction(rng);
        const NearestPoint<Real> found = nearest_to(a, cast<Real>(p));
        const Vec3 q = cast<double>(found.point), n = cast<double>(found.normal);
        const double d = static_cast<double>(found.distance), tolerance = either(1e-13, 2e-6);
        CHECK(norm(n) == doctest::Approx(1).epsilon(tolerance));
        double highest = -1e300;
        for (const HalfSpace& h : half_spaces(a, true)) {
            CHECK(dot(h.normal, q) - h.offset < tolerance);  // a point of the shape
            highest = std::fmax(highest, dot(h.normal, p) - h.offset);
        }
        CHECK(norm(q + d * n - p) < tolerance);
        if (highest <= 0) {
            CHECK(d == doctest::Approx(highest).epsilon(tolerance).scale(1));
        } else {
            // Of a convex shape the nearest point is the one beyond which, towards p, none of it lies.
            double reach = -1e300;
            for (std::int32_t v = 0; v < a.shape.vertices; ++v) reach = std::fmax(reach, dot(n, cast<double>(a.vertex(v)) - q));
            CHECK(reach < (d > 1e-3 ? 1 : 1e3) * tolerance / std::fmin(d, 1.0));
        }
    }
}

TEST_CASE("convex: nearest point moves continuously outside") {
    Rng rng(3, 12);
    const Placed a = placed(pool().tables[6], Vec3{}, random_turn(rng), 1);
    const double step = 1e-3;
    Vec3 before = cast<double>(nearest_to(a, cast<Real>(Vec3{1.3, 0, 0})).point);
    for (int k = 1; k < 6283; ++k) {
        const double angle = k * step;
        const Vec3 now =
            cast<double>(nearest_to(a, cast<Real>(Vec3{1.3 * std::cos(angle), 1.3 * std::sin(angle), 0.4 * std::sin(3 * angle)})).point);
        // A projection onto a convex set is no longer than the way: at most 1.3 + 1.2 per radian.
        CHECK(norm(now - before) < 2.5 * step + either(0, 1e-5));
        before = now;
    }
}

TEST_CASE("a wall's piece that is cut to the body's surroundings is as deep and as upright as before") {
    // The two triangles of a plate 100 times as long as wide with bevelled rims: at the sharp corners the bevels run along the diagonal.
    const double depth = 0.3, height = 0.49, r = 0.8660254037844386;
    const Vec3 corner[2][3] = {{{300, 3, -height}, {-300, 3, -height}, {300, -3, -height}},
                               {{-300, -3, -height}, {300, -3, -height}, {-300, 3, -height}}};
    const Vec3 way[2][3] = {{{-1, -1, -1}, {100, -1, -1}, {-1, 0.01, -1}}, {{1, 1, -1}, {-100, 1, -1}, {1, -0.01, -1}}};
    const ConvexShape shape = box_shape("cube", {1, 1, 1});
    const ConvexTables<Real> cube(shape);
    const Placed body = placed(cube, {}, normalized(Quat{1, 0.01, 0.005, 0.15}), r);
    Real volume{};
    Vec3T<Real> area{};
    for (int t = 0; t < 2; ++t) {
        Slab slab;
        slab.corners = 3;
        for (int k = 0; k < 3; ++k) {
            slab.corner[k] = corner[t][k];
            slab.way[k] = way[t][k];
        }
        REQUIRE(cut_to_reach(slab, {0, 0, 1}, 1.5 * r + depth));
        Prism<Real> prism;
        prism.set(slab, {0, 0, 1}, depth, r);
        const Overlap<Real> piece = overlap<buffers>(body, prism.placed(static_cast<Real>(r)), Vec3T<Real>{0, 0, -1});
        volume += piece.volume;
        area += piece.area;
    }
    const Overlap<Real> plane =
        overlap_below_plane<buffers>(body, {Real(0), Real(0), static_cast<Real>(-height)}, {Real(0), Real(0), Real(1)});
    CHECK(plane.volume > 0);
    CHECK(volume == doctest::Approx(static_cast<double>(plane.volume)).epsilon(either(1e-9, 1e-3)));
    CHECK(norm(area - plane.area) < either(1e-9, 1e-3));
}

TEST_CASE("the direction of a patch is a face's normal where one lies on it, and is not led astray by unequal faces") {
    // A wedge whose faces are 30 and 80 degrees off the level stands with its edge on a large box.
    const double t30 = std::tan(30 * pi / 180), t80 = std::tan(80 * pi / 180);
    const ConvexShape wedge = hull_of({{0, -1, 0}, {0, 1, 0}, {-1, -1, t30}, {-1, 1, t30}, {1 / t80, -1, 1}, {1 / t80, 1, 1}});
    const ConvexShape base = test_box(8, 8, 2);
    const ConvexTables<Real> wedge_tables(wedge), base_tables(base);
    const Placed floor = placed(base_tables, {0, 0, -base.bounding_radius / std::sqrt(33.0)}, {}, base.bounding_radius);
    for (const double depth : {1e-2, 1e-3}) {
        const Vec3 at = wedge.centre - Vec3{0, 0, depth};
        const Placed body = placed(wedge_tables, at, wedge.to_given, wedge.bounding_radius);
        for (const Vec3 hint : {Vec3{0, 0, -1}, normalized(Vec3{0.02, 0.01, -1})}) {
            const Overlap<Real> o = overlap<buffers>(body, floor, cast<Real>(hint));
            REQUIRE(o.volume > 0);
            CHECK(norm(normalized(o.direction) - Vec3T<Real>{0, 0, -1}) < either(1e-9, 2e-3));
        }
    }
}
