// Contact points of the cone method: gaps against distances and depths found from all features, points against closed forms, and what a
// solver leans on: symmetry, invariance, continuity, keys that last.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact_points_checks.hpp"
#include "convex_reference.hpp"
#include "engine/narrow/points_convex.hpp"
#include "engine/narrow/points_plane.hpp"
#include "engine/narrow/points_sphere.hpp"

using namespace scree;
using namespace scree::test;
using namespace scree::test::touching;

namespace {

/// Closest points of two segments, by trying all ends and the inside.
double segment_distance(Vec3 p, Vec3 u, Vec3 q, Vec3 v) {
    const auto to_segment = [](Vec3 x, Vec3 start, Vec3 way) {
        const double t = std::clamp(dot(x - start, way) / norm2(way), 0.0, 1.0);
        return norm(x - start - t * way);
    };
    double least = std::min(std::min(to_segment(p, q, v), to_segment(p + u, q, v)), std::min(to_segment(q, p, u), to_segment(q + v, p, u)));
    const Vec3 c = cross(u, v);
    if (norm2(c) > 1e-20) {
        const double s = dot(cross(q - p, v), c) / norm2(c), t = dot(cross(q - p, u), c) / norm2(c);
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = std::min(least, norm(p + s * u - q - t * v));
    }
    return least;
}

/// Distance of a vertex of one to the faces of the other where its foot is within the face.
double vertex_face_distance(const Placed& owner, const Placed& other) {
    double least = 1e300;
    for (std::int32_t f = 0; f < owner.shape.faces; ++f) {
        const Vec3 n = normalized(in_double(owner.normal(f)));
        for (std::int32_t k = 0; k < other.shape.vertices; ++k) {
            const Vec3 p = in_double(other.vertex(k));
            bool over = true;
            const std::int32_t begin = owner.shape.face_start[f], end = owner.shape.face_start[f + 1];
            for (std::int32_t i = begin; i < end; ++i) {
                const Vec3 from = in_double(owner.vertex(owner.shape.face_vertex[i]));
                const Vec3 to = in_double(owner.vertex(owner.shape.face_vertex[i + 1 < end ? i + 1 : begin]));
                over = over && dot(cross(to - from, p - from), n) >= 0;
            }
            const double height = dot(n, p - in_double(owner.vertex(owner.shape.face_vertex[begin])));
            if (over && height >= 0) least = std::min(least, height);
        }
    }
    return least;
}

/// Distance of two polyhedra that are apart: all edges against all edges, all vertices against all faces.
double reference_distance(const Placed& a, const Placed& b) {
    double least = std::min(vertex_face_distance(a, b), vertex_face_distance(b, a));
    for (std::int32_t i = 0; i < a.shape.edges; ++i) {
        for (std::int32_t j = 0; j < b.shape.edges; ++j) {
            const Vec3 p = in_double(a.vertex(a.shape.edge[2 * i])), q = in_double(b.vertex(b.shape.edge[2 * j]));
            least = std::min(least, segment_distance(p, edge_way(a, i), q, edge_way(b, j)));
        }
    }
    return least;
}

struct PlacedPair {
    Placed a, b;
};

/// Two shapes of the pool whose surfaces are between `low` and `high` apart along the axis of greatest gap.
PlacedPair near_pair(Rng& rng, double low, double high) {
    const std::size_t n = pool().shape.size();
    const auto any = [&] { return static_cast<std::size_t>(rng.uniform() * static_cast<double>(n)); };
    const std::size_t i = any(), j = any();
    const Quat qa = random_turn(rng), qb = random_turn(rng);
    const Vec3 way = random_direction(rng);
    const double wanted = rng.uniform(low, high);
    double from = 0, to = 5;
    for (int pass = 0; pass < 40; ++pass) {
        const double middle = 0.5 * (from + to);
        const double gap = reference_gap(sized(i, {}, qa), sized(j, middle * way, qb));
        (gap < wanted ? from : to) = middle;
    }
    return {sized(i, {}, qa), sized(j, to * way, qb)};
}

}  // namespace

TEST_CASE("points of polyhedra: the least gap is the distance, or the least depth") {
    Rng rng(21, 1);
    const double envelope = 0.05;
    int apart = 0, deep = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const PlacedPair pair = near_pair(rng, -0.1, 0.06);
        const double axis_gap = reference_gap(pair.a, pair.b);
        const double gap = axis_gap > 0 ? reference_distance(pair.a, pair.b) : axis_gap;
        const Points p = touch_of(pair.a, pair.b, envelope);
        check_sound(p, envelope);
        CAPTURE(trial);
        CAPTURE(axis_gap);
        if (gap > envelope * 1.001 + rounding) CHECK(p.count == 0);
        if (gap > envelope * 0.998 - rounding) continue;
        REQUIRE(p.count > 0);
        // A face within 0.02 rad stands for the true normal where it shows the gap to 2e-4 of it and a thousandth of the envelope.
        CHECK(std::fabs(least_gap(p) - gap) <= 4 * rounding + 4e-4 * std::fabs(gap) + 1e-3 * envelope);
        (gap > 0 ? apart : deep)++;
    }
    CHECK(apart > 50);
    CHECK(deep > 100);
}

TEST_CASE("points of polyhedra: boxes face to face meet at the corners of the shared rectangle") {
    for (const double gap : {-0.02, -1e-4, 0.0, 1e-4, 0.009}) {
        const Placed a = cube({}), b = cube({0.3, -0.2, 1 + gap});
        const Points p = touch_of(a, b, 0.01);
        CAPTURE(gap);
        REQUIRE(p.count == 4);
        check_sound(p, 0.01);
        for (const double x : {-0.2, 0.5}) {
            for (const double y : {-0.5, 0.3}) {
                int which = 0;
                CHECK(nearest_point(p, {x, y, 0.5 + 0.5 * gap}, &which) < rounding);
                CHECK(std::fabs(p.gap[which] - gap) < rounding);
                CHECK(norm(in_double(p.normal[which]) - Vec3{0, 0, 1}) < rounding);
            }
        }
    }
}

TEST_CASE("points of polyhedra: an octagon of two boxes is held by four points that spread") {
    // Turned by 45 degrees, the rectangle's place is taken by a regular octagon with inradius 1/2; four of its corners, each second one,
    // have 2 r^2 of area, r = 0.5 / cos(22.5 deg).
    const Placed a = cube({}), b = cube({0, 0, 1 - 1e-4}, rotation_by({0, 0, 0.25 * 3.14159265358979324}));
    const Points p = touch_of(a, b, 1e-3);
    REQUIRE(p.count == 4);
    const double r = 0.5 / std::cos(3.14159265358979324 / 8);
    double area = 0;  // of the quadrangle: half the product of its diagonals, which are those between opposite points
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < i; ++j) area = std::max(area, norm(in_double(p.point[i] - p.point[j])));
        CHECK(norm(in_double(p.point[i]) - Vec3{0, 0, 0.5 - 5e-5}) == doctest::Approx(r).epsilon(1e-4));
    }
    CHECK(area == doctest::Approx(2 * r).epsilon(1e-4));
    CHECK(holds(p, {0, 0, 1}, {0, 0, 0}));
}

TEST_CASE("points of polyhedra: crossed edges meet in one point between them") {
    const double turn = 0.25 * 3.14159265358979324, half = std::sqrt(0.5);
    for (const double gap : {-0.05, -1e-3, 1e-3, 0.02}) {
        // A's top edge runs along x, B's bottom edge along y.
        const Placed a = cube({}, rotation_by({turn, 0, 0})), b = cube({0.1, 0.2, 2 * half + gap}, rotation_by({0, turn, 0}));
        const Points p = touch_of(a, b, 0.03);
        CAPTURE(gap);
        REQUIRE(p.count == 1);
        CHECK(norm(in_double(p.point[0]) - Vec3{0.1, 0, half + 0.5 * gap}) < rounding);
        CHECK(norm(in_double(p.normal[0]) - Vec3{0, 0, 1}) < rounding);
        CHECK(std::fabs(p.gap[0] - gap) < rounding);
    }
}

TEST_CASE("points of polyhedra: a vertex on a face is one point") {
    // A cube on its corner: its diagonal along z, half of it sqrt(3) / 2.
    const Vec3 diagonal = normalized(Vec3{1, 1, 1});
    const Quat stand = rotation_by(std::acos(diagonal.z) * normalized(cross(diagonal, Vec3{0, 0, 1})));
    for (const double gap : {-1e-2, -1e-4, 1e-4, 5e-3}) {
        const Placed a = cube({}), b = cube({0.1, -0.15, 0.5 + 0.5 * std::sqrt(3.0) + gap}, stand);
        const Points p = touch_of(a, b, 0.01);
        CAPTURE(gap);
        REQUIRE(p.count == 1);
        CHECK(norm(in_double(p.point[0]) - Vec3{0.1, -0.15, 0.5 + 0.5 * gap}) < rounding);
        CHECK(std::fabs(p.gap[0] - gap) < rounding);
    }
}

TEST_CASE("points of polyhedra: beside the faces the distance counts, not the axes") {
    // Diagonal neighbours: the nearest edges run along each other, (0.03, 0.04) apart, over y in [-0.4, 0.5].
    const Placed a = cube({});
    const Points along = touch_of(a, cube({1.03, 0.1, 1.04}), 0.1);
    REQUIRE(along.count == 2);
    for (int k = 0; k < 2; ++k) {
        CHECK(std::fabs(along.gap[k] - 0.05) < rounding);
        CHECK(norm(in_double(along.normal[k]) - Vec3{0.6, 0, 0.8}) < 20 * rounding);
    }
    CHECK(nearest_point(along, {0.515, 0.5, 0.52}) < rounding);
    CHECK(nearest_point(along, {0.515, -0.4, 0.52}) < rounding);
    CHECK(along.key[0] != along.key[1]);
    // Corner against corner.
    const Points corner = touch_of(a, cube({1.02, 1.03, 1.06}), 0.1);
    REQUIRE(corner.count == 1);
    CHECK(std::fabs(corner.gap[0] - 0.07) < rounding);
    CHECK(norm(in_double(corner.normal[0]) - Vec3{2, 3, 6} / 7.0) < 20 * rounding);
    CHECK(touch_of(a, cube({1.03, 0.1, 1.04}), 0.0499).count == 0);
}

TEST_CASE("points of polyhedra: changing A and B over turns the normals and nothing else") {
    Rng rng(5, 2);
    int compared = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const PlacedPair pair = near_pair(rng, -0.05, 0.03);
        const Points p = touch_of(pair.a, pair.b, 0.04), q = touch_of(pair.b, pair.a, 0.04);
        CAPTURE(trial);
        // In single precision two axes may be as deep but for rounding; the test then has nothing to compare.
        if (single && (p.count == 0 || q.count == 0 || norm(in_double(p.normal[0] + q.normal[0])) > 1e-2)) continue;
        REQUIRE(p.count == q.count);
        for (int k = 0; k < p.count; ++k) {
            int which = 0;
            // Closest points are roots of quadratics in the roundings: their place along a flat minimum is less exact than their distance.
            CHECK(nearest_point(q, in_double(p.point[k]), &which) < (single ? 1e-2 : 1e-6));
            CHECK(norm(in_double(p.normal[k] + q.normal[which])) < (single ? 1e-3 : 1e-9));
            CHECK(std::fabs(p.gap[k] - q.gap[which]) < 100 * rounding);
        }
        compared += p.count;
    }
    CHECK(compared > 300);
}

TEST_CASE("points of polyhedra: a common motion moves the points and keeps gaps and keys") {
    Rng rng(6, 2);
    const std::size_t n = pool().shape.size();
    int same = 0, all = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const Quat qa = random_turn(rng), qb = random_turn(rng), turn = random_turn(rng);
        const Vec3 way = 1.3 * random_direction(rng), shift = random_direction(rng);
        const std::size_t i = static_cast<std::size_t>(rng.uniform() * static_cast<double>(n));
        const Points p = touch_of(sized(i, {}, qa), sized(0, way, qb), 0.04);
        const Points q = touch_of(sized(i, shift, turn * qa), sized(0, shift + rotate(turn, way), turn * qb), 0.04);
        for (int k = 0; k < p.count; ++k) {
            int which = 0;
            const double off = nearest_point(q, shift + rotate(turn, in_double(p.point[k])), &which);
            const bool found = off < (single ? 1e-3 : 1e-6) && std::fabs(p.gap[k] - q.gap[which]) < 100 * rounding;
            all++;
            same += found && p.key[k] == q.key[which] ? 1 : 0;
        }
    }
    CHECK(all > 150);
    CHECK(same >=
          (single ? 0.97 : 1.0) * all);  // rounding decides between equals, which random pairs come near to in single precision only
}

TEST_CASE("points of polyhedra: gaps follow small motions") {
    Rng rng(7, 2);
    for (int trial = 0; trial < 200; ++trial) {
        const PlacedPair pair = near_pair(rng, -0.03, 0.03);
        const Vec3 step = 1e-3 * random_direction(rng), spin = 1e-3 * random_direction(rng);
        Placed moved = pair.b;
        moved.at = moved.at + cast<Real>(step);
        const Mat3 turn = rotation_matrix(rotation_by(spin));
        const Mat3T<Real> old = moved.turn;
        for (int r = 0; r < 3; ++r) {
            moved.turn.row[r] = cast<Real>(turn.row[r].x * in_double(old.row[0]) + turn.row[r].y * in_double(old.row[1]) +
                                           turn.row[r].z * in_double(old.row[2]));
        }
        const Points p = touch_of(pair.a, pair.b, 0.05), q = touch_of(pair.a, moved, 0.05);
        REQUIRE(p.count > 0);
        REQUIRE(q.count > 0);
        // No point of B moves farther than step and spin carry it, nor do distance and depth; plus what a face within 0.02 rad may hide.
        const double farthest = 1e-3 + 1e-3 * static_cast<double>(pair.b.scale);
        CHECK(std::fabs(least_gap(p) - least_gap(q)) <= farthest + 2 * (4e-4 * 0.05 + 1e-3 * 0.05) + rounding);
    }
}

TEST_CASE("points of polyhedra: keys last while bodies that lie on each other slide and turn") {
    Rng rng(8, 2);
    int kept = 0, all = 0;
    for (int trial = 0; trial < 40; ++trial) {
        const std::size_t i = trial % 2 == 0 ? 0 : 1;
        const double height = trial % 2 == 0 ? 1 : 0.75;
        Vec3 at{rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), height};
        double yaw = rng.uniform(0, 3);
        Points before;
        for (int step = 0; step < 100; ++step) {
            // Noise of a solver: tilts and gaps that change sign.
            const Quat tilt = rotation_by({1e-5 * rng.normal(), 1e-5 * rng.normal(), 0});
            const Vec3 here = at + Vec3{0, 0, 1e-5 * rng.normal()};
            const Points now = touch_of(cube({}), sized(i, here, tilt * rotation_by({0, 0, yaw})), 1e-3);
            check_sound(now, 1e-3);
            CHECK(now.count == 4);
            for (int k = 0; k < now.count && step > 0; ++k) {
                all++;
                for (int j = 0; j < before.count; ++j) kept += before.key[j] == now.key[k] ? 1 : 0;
            }
            before = now;
            at += Vec3{3e-4, 2e-4, 0};
            yaw += 3e-4;
        }
    }
    // Over a hundred steps each of the eight corners may pass a side of the other once or twice.
    CHECK(kept > 0.98 * all);
}

TEST_CASE("points of polyhedra: equal boxes in a stack keep their keys through noise") {
    Rng rng(9, 2);
    const Points first = touch_of(cube({}), cube({0, 0, 1}), 1e-3);
    REQUIRE(first.count == 4);
    for (int trial = 0; trial < 200; ++trial) {
        const Vec3 noise{1e-5 * rng.normal(), 1e-5 * rng.normal(), 1e-5 * rng.normal()};
        const Quat turn = rotation_by(Vec3{1e-5 * rng.normal(), 1e-5 * rng.normal(), 1e-5 * rng.normal()});
        const Points p = touch_of(cube({}), cube(Vec3{0, 0, 1} + noise, turn), 1e-3);
        REQUIRE(p.count == 4);
        CHECK(holds(p, {0, 0, 1}, {0, 0, 0}));
        for (int k = 0; k < 4; ++k) CHECK(std::count(first.key, first.key + 4, p.key[k]) == 1);
    }
}

TEST_CASE("points of polyhedra: what is remembered changes nothing") {
    Rng rng(10, 2);
    int used = 0;
    for (int trial = 0; trial < 200; ++trial) {
        PlacedPair pair = near_pair(rng, -0.02, 0.08);
        std::int32_t remembered = -1;
        for (int step = 0; step < 10; ++step) {
            used += remembered >= 0 ? 1 : 0;
            const Points p = touch_of(pair.a, pair.b, 0.03), q = convex_points<buffers>(pair.a, pair.b, Real(0.03), &remembered);
            REQUIRE(p.count == q.count);
            for (int k = 0; k < p.count; ++k) {
                CHECK(p.gap[k] == q.gap[k]);
                CHECK(p.point[k] == q.point[k]);
                CHECK(p.normal[k] == q.normal[k]);
                CHECK(p.key[k] == q.key[k]);
            }
            pair.b.at = pair.b.at + cast<Real>(0.01 * random_direction(rng));
        }
    }
    CHECK(used > 100);
}

TEST_CASE("points of polyhedra: degenerate places give finite unit normals") {
    const double turn = 0.25 * 3.14159265358979324, half = std::sqrt(0.5);
    check_sound(touch_of(cube({}), cube({}), 0.01), 0.01);
    CHECK(touch_of(cube({}), cube({}), 0.01).count > 0);
    // Edge on parallel edge, touching and just apart.
    for (const double gap : {-0.01, 0.0, 1e-12, 0.005}) {
        const Points p = touch_of(cube({}, rotation_by({turn, 0, 0})), cube({0.2, 0, 2 * half + gap}, rotation_by({turn, 0, 0})), 0.01);
        check_sound(p, 0.01);
        CAPTURE(gap);
        CHECK(p.count > 0);
        CHECK(least_gap(p) == doctest::Approx(gap).scale(1).epsilon(gap > 0 ? 1e-5 : 0.5));
    }
    // Corner on corner, exactly.
    check_sound(touch_of(cube({}), cube({1, 1, 1}), 0.01), 0.01);
    CHECK(touch_of(cube({}), cube({1, 1, 1}), 0.01).count > 0);
    check_sound(touch_of(cube({}), cube({1, 0, 1}), 0.01), 0.01);
    CHECK(touch_of(cube({}), cube({1, 0, 1}), 0.01).count > 0);
}

TEST_CASE("points on a plane: vertices in reach, the deepest among them, under the centre") {
    Rng rng(11, 2);
    const Vec3T<Real> up{Real(0), Real(0), Real(1)};
    for (const double gap : {-0.01, 0.0, 0.004}) {
        const Points p = plane_points(cube({0.1, 0.2, 0.5 + gap}, rotation_by({0, 0, 0.3})), {}, up, Real(0.01));
        REQUIRE(p.count == 4);
        check_sound(p, 0.01);
        for (int k = 0; k < 4; ++k) {
            CHECK(std::fabs(p.gap[k] - gap) < rounding);
            CHECK(std::fabs(p.point[k].z - 0.5 * gap) < rounding);
            CHECK(norm(in_double(p.normal[k]) + Vec3{0, 0, 1}) < rounding);
        }
        CHECK(holds(p, {0, 0, 1}, {0.1, 0.2, 0}));
    }
    // A plate with six corners: four of them, the centre above.
    const Placed plate = sized(4, {0, 0, 0.2 - 1e-4}, {});
    CHECK(plane_points(plate, {}, up, Real(1e-3)).count == 4);
    CHECK(holds(plane_points(plate, {}, up, Real(1e-3)), {0, 0, 1}, {0, 0, 0}));
    for (int trial = 0; trial < 200; ++trial) {
        const Placed a = sized(6, {0, 0, rng.uniform(0.5, 1.2)}, random_turn(rng));
        double least = 1e300;
        for (std::int32_t k = 0; k < a.shape.vertices; ++k) least = std::min(least, in_double(a.vertex(k)).z);
        const Points p = plane_points(a, {}, up, Real(0.05));
        check_sound(p, 0.05);
        CHECK((p.count > 0) == (least <= 0.05));
        // The deepest to within what counts as equally deep: a thousandth of the body here.
        if (p.count > 0) CHECK(std::fabs(least_gap(p) - least) < 1.1e-3 * static_cast<double>(a.scale));
    }
    CHECK(plane_points(cube({0, 0, 0.52}), {}, up, Real(0.01)).count == 0);
}

TEST_CASE("points of spheres: gaps and middles in closed form") {
    const Points p = sphere_points<Real>(Vec3{0, 0.6, 0.8}, 0.55, 0.4, Real(0.1));
    REQUIRE(p.count == 1);
    CHECK(std::fabs(p.gap[0] - 0.05) < rounding);
    CHECK(norm(in_double(p.point[0]) - 0.575 * Vec3{0, 0.6, 0.8}) < rounding);
    CHECK(sphere_points<Real>(Vec3{0, 0.6, 0.8}, 0.55, 0.4, Real(0.04)).count == 0);
    check_sound(sphere_points<Real>(Vec3{}, 0.5, 0.5, Real(0.1)), 0.1);
    // A plane below at distance 0.48, a rod of radius 1 beside.
    const SurfaceGap plane = plane_gap({0, 0, 0.48}, {}, {0, 0, 1});
    const Points q = sphere_surface_points<Real>(plane.normal, plane.distance, 0.5, Real(0.1));
    REQUIRE(q.count == 1);
    CHECK(std::fabs(q.gap[0] + 0.02) < rounding);
    CHECK(norm(in_double(q.point[0]) - Vec3{0, 0, -0.49}) < rounding);
    CHECK(norm(in_double(q.normal[0]) - Vec3{0, 0, -1}) < rounding);
    const SurfaceGap rod = cylinder_gap({2.25, 0, 0}, {}, {0, 0, 1}, 1, 1e301, false);
    const Points r = sphere_surface_points<Real>(rod.normal, rod.distance, 1, Real(0.3));
    REQUIRE(r.count == 1);
    CHECK(std::fabs(r.gap[0] - 0.25) < rounding);
    CHECK(norm(in_double(r.point[0]) - Vec3{-1.125, 0, 0}) < rounding);
    check_sound(sphere_surface_points<Real>(cylinder_gap({}, {}, {0, 0, 1}, 1, 1e301, true).normal, 1, 0.95, Real(0.1)), 0.1);
}

TEST_CASE("points of a sphere and a polyhedron: the distance over faces, edges and corners") {
    const Placed a = cube({});
    const struct {
        Vec3 centre, nearest;
    } cases[] = {{{0.2, 0.1, 1}, {0.2, 0.1, 0.5}}, {{0.8, 0.1, 0.9}, {0.5, 0.1, 0.5}}, {{0.7, 0.8, 1.1}, {0.5, 0.5, 0.5}}};
    for (const auto& c : cases) {
        const double distance = norm(c.centre - c.nearest);
        for (const double gap : {-0.1, 0.0, 0.05}) {
            const double r = distance - gap;
            const Points p = convex_sphere_points(a, cast<Real>(c.centre), static_cast<Real>(r), Real(0.06));
            REQUIRE(p.count == 1);
            CHECK(std::fabs(p.gap[0] - gap) < rounding);
            const Vec3 n = (c.centre - c.nearest) / distance;
            CHECK(norm(in_double(p.normal[0]) - n) < 4 * rounding);
            CHECK(norm(in_double(p.point[0]) - c.nearest - 0.5 * gap * n) < 4 * rounding);
        }
    }
    check_sound(convex_sphere_points(a, {}, Real(0.3), Real(0.1)), 0.1);
    CHECK(in_double(reversed(convex_sphere_points(a, {Real(0), Real(0), Real(1)}, Real(0.5), Real(0.1))).normal[0]) == Vec3{0, 0, -1});
}
