// Few spheres and convex parts for closed meshes: errors against counts of random points, cases with an exact answer, and the bodies that
// these become.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/rng.hpp"
#include "setup/approximations.hpp"
#include "setup/build_model.hpp"
#include "setup/meshes/hull_faces.hpp"
#include "setup/meshes/mesh_depth.hpp"
#include "setup/meshes/mesh_piece.hpp"
#include "unit/setup/common.hpp"
#include "unit/setup/meshes.hpp"

using namespace scree;

namespace {

constexpr double kPi = std::numbers::pi;

/// Shares of the mesh's volume that spheres miss and have too much, by random points.
std::array<double, 2> differences(const ClosedMesh& mesh, const std::vector<Ball>& spheres) {
    const MeshDepth depth(mesh, 0.1);
    Aabb box = bounds_of(mesh);
    box = grown(box, 0.2);
    const Vec3 size = box.max - box.min;
    constexpr int points = 200'000;
    int missing = 0, excess = 0, inside = 0;
    Rng rng(11, 3);
    for (int k = 0; k < points; ++k) {
        const double x = rng.uniform(), y = rng.uniform();
        const Vec3 p = box.min + Vec3{x * size.x, y * size.y, rng.uniform() * size.z};
        const bool in = depth.is_deep(p, 0);
        const bool held = std::any_of(spheres.begin(), spheres.end(), [&](const Ball& b) {
            return norm(p - Vec3{b[0], b[1], b[2]}) <= b[3];
        });
        inside += in ? 1 : 0;
        missing += in && !held ? 1 : 0;
        excess += !in && held ? 1 : 0;
    }
    return {static_cast<double>(missing) / inside, static_cast<double>(excess) / inside};
}

bool same(const Decomposition& a, const Decomposition& b) {
    if (a.parts.size() != b.parts.size() || a.error() != b.error()) return false;
    for (std::size_t k = 0; k < a.parts.size(); ++k) {
        if (a.parts[k].face != b.parts[k].face || a.parts[k].vertex.size() != b.parts[k].vertex.size()) return false;
        for (std::size_t v = 0; v < a.parts[k].vertex.size(); ++v)
            if (norm(a.parts[k].vertex[v] - b.parts[k].vertex[v]) != 0) return false;
    }
    return true;
}

SceneShape& add_shape(Scene& scene, const std::string& kind, const std::string& file) {
    SceneShape& shape = scene.shapes.emplace_back();
    shape.name = "it";
    shape.kind = kind;
    shape.file = file;
    shape.place = {"scene.toml", 10, 1};
    shape.tolerance_place = {"scene.toml", 13, 1};
    return shape;
}

}  // namespace

TEST_CASE("mesh pieces: both sides of a cut have the volumes and corners of formulas") {
    // An L that a plane through its concave edge cuts in a block and a cube, and one askew, twice.
    const ClosedMesh mesh = closed(ell());
    const MeshDepth depth(mesh, 0.5);
    const MeshPiece::Inside inside = [&](Vec3 p) { return depth.is_deep(p, 1e-9); };
    const MeshPiece whole(mesh, 1e-9);
    CHECK(whole.volume() == doctest::Approx(3).epsilon(1e-14));
    const CutSides sides = whole.sides({{1, 0, 0}, 1.0}, inside);
    CHECK(sides.volume[0] == doctest::Approx(2).epsilon(1e-14));
    CHECK(sides.volume[1] == doctest::Approx(1).epsilon(1e-14));
    CHECK(sides.area == doctest::Approx(1).epsilon(1e-14));
    for (std::size_t s = 0; s < 2; ++s) CHECK(volume_of(hull_of(sides.corners[s])) == doctest::Approx(sides.volume[s]).epsilon(1e-12));

    Rng rng(3, 1);
    for (int k = 0; k < 50; ++k) {
        std::vector<MeshPiece> pieces{whole};
        for (int cut = 0; cut < 4; ++cut) {
            const double x = rng.normal(), y = rng.normal();
            const CutPlane plane{normalized(Vec3{x, y, rng.normal()}), 0};
            const CutPlane through{plane.normal, dot(plane.normal, Vec3{0.8, 0.7, 0.5})};
            std::vector<MeshPiece> finer;
            for (const MeshPiece& piece : pieces) {
                const CutSides both = piece.sides(through, inside);
                const std::array<MeshPiece, 2> cut_pieces = piece.cut(through, inside);
                for (std::size_t s = 0; s < 2; ++s) {
                    CHECK(cut_pieces[s].volume() == doctest::Approx(both.volume[s]).epsilon(1e-9));
                    if (!(both.volume[s] > 1e-6)) continue;
                    const double hull = volume_of(hull_of(cut_pieces[s].corners()));
                    CHECK(hull == doctest::Approx(volume_of(hull_of(both.corners[s]))).epsilon(1e-9));
                    CHECK(hull > both.volume[s] * (1 - 1e-9));
                    finer.push_back(cut_pieces[s]);
                }
            }
            pieces = std::move(finer);
            double sum = 0;
            for (const MeshPiece& piece : pieces) sum += piece.volume();
            CHECK(sum == doctest::Approx(3).epsilon(1e-5));
        }
    }
    int concave = 0;
    for (const auto& edge : whole.concave_edges())
        if (edge.angle > 1e-6) {
            ++concave;
            CHECK(edge.angle == doctest::Approx(kPi / 2));
            CHECK(norm(cross(edge.to - edge.from, {0, 0, 1})) < 1e-12);
        }
    CHECK(concave == 1);
}

TEST_CASE("hulls: volumes that two share, and fewer faces") {
    const auto block = [](Vec3 edges, Vec3 at) { return hull_of(box_mesh(edges, at).vertices); };
    CHECK(volume_of(block({2, 3, 4}, {})) == doctest::Approx(24).epsilon(1e-14));
    CHECK(common_volume(block({2, 2, 2}, {}), block({2, 2, 2}, {1, 1.5, 0.5})) == doctest::Approx(1 * 0.5 * 1.5).epsilon(1e-12));
    CHECK(common_volume(block({2, 2, 2}, {}), block({1, 1, 1}, {0.5, 0.5, 0.5})) == doctest::Approx(1).epsilon(1e-12));
    CHECK(common_volume(block({1, 1, 1}, {0.5, 0.5, 0.5}), block({2, 2, 2}, {})) == doctest::Approx(1).epsilon(1e-12));
    CHECK(common_volume(block({2, 2, 2}, {}), block({2, 2, 2}, {2, 0, 0})) < 1e-9);
    CHECK(common_volume(block({2, 2, 2}, {}), block({2, 2, 2}, {5, 0, 0})) == 0);
    // Of a cube with a tetrahedron at its corner: 1/6.
    CHECK(common_volume(block({3, 3, 3}, {}), hull_of({{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})) ==
          doctest::Approx(1.0 / 6).epsilon(1e-12));

    const FaceList ball = hull_of(ball_mesh(3000).vertices);
    double before = 0;
    for (const double loss : {0.3, 0.1, 0.05}) {
        const FaceList fewer = with_fewer_faces(ball, loss * volume_of(ball));
        CHECK(volume_of(fewer) >= (1 - loss) * volume_of(ball));
        CHECK(fewer.face.size() > before);
        before = static_cast<double>(fewer.face.size());
    }
    const FaceList most = with_fewer_faces(ball, 0);
    CHECK(most.face.size() <= kMostFacesAndCorners);
    CHECK(make_convex_shape("ball", most.vertex, most.face).faces() <= kMostFacesAndCorners);
    CHECK(with_fewer_faces(block({1, 1, 1}, {}), 0).vertex.size() == 8);
}

TEST_CASE("spheres: a ball takes one, and errors are those of random points") {
    const SphereCover one = cover_by_spheres(closed(ball_mesh(1000)), 10, 0.02, 0.1);
    REQUIRE(one.spheres.size() == 1);
    CHECK(one.spheres[0][3] == doctest::Approx(1).epsilon(0.01));
    CHECK(norm(Vec3{one.spheres[0][0], one.spheres[0][1], one.spheres[0][2]}) < 0.01);
    // The ball of 1,000 corners has 0.7 % less than the sphere.
    CHECK(one.error() < 0.015);

    for (const TriangleMesh& given : {ell(), notched(), torus(1, 0.4, 40, 20)}) {
        const ClosedMesh mesh = closed(given);
        const SphereCover cover = cover_by_spheres(mesh, 8, 0.001, 0.1);
        CHECK(cover.spheres.size() == 8);
        const auto [missing, excess] = differences(mesh, cover.spheres);
        // Of some 50,000 points inside, and as fine a lattice.
        CHECK(cover.missing == doctest::Approx(missing).epsilon(0.05));
        CHECK(std::fabs(cover.excess - excess) < 0.005);
        const MeshDepth depth(mesh, 0.1);
        for (const Ball& b : cover.spheres) CHECK(depth.depth({b[0], b[1], b[2]}) >= 0.9 * b[3] - 1e-6);
        REQUIRE(cover.steps.size() > 4);
        for (std::size_t k = 1; k < cover.steps.size(); ++k) CHECK(cover.steps[k].error < cover.steps[k - 1].error);
        CHECK(cover.steps.back().error == doctest::Approx(cover.error()).epsilon(1e-12));
    }
    const ClosedMesh again = closed(notched());
    CHECK(cover_by_spheres(again, 6, 0.001, 0.1).spheres == cover_by_spheres(again, 6, 0.001, 0.1).spheres);
    CHECK(cover_by_spheres(again, 8, 0.5, 0.1).spheres.size() < 8);
    // Wholly inside with surface = 0.
    const SphereCover within = cover_by_spheres(closed(box_mesh({2, 1, 1})), 8, 0.001, 0);
    CHECK(within.excess < 1e-9);
    CHECK(within.error() > cover_by_spheres(closed(box_mesh({2, 1, 1})), 8, 0.001, 0.1).error());
}

TEST_CASE("decomposition: exact where that is possible, else within what it says") {
    const Decomposition box = decompose(closed(box_mesh({1, 2, 3})), 16, 0.02);
    CHECK(box.parts.size() == 1);
    CHECK(box.error() < 1e-12);
    for (const bool turned : {false, true}) {
        TriangleMesh mesh = ell();
        if (turned) turn(mesh, normalized(Quat{0.8, 0.3, -0.2, 0.4}), {5, 6, 7});
        const Decomposition two = decompose(closed(mesh), 16, 0.02);
        REQUIRE(two.parts.size() == 2);
        CHECK(two.error() < 1e-5);
        CHECK(volume_of(two.parts[0]) + volume_of(two.parts[1]) == doctest::Approx(3).epsilon(1e-5));
        CHECK(same(decompose(closed(mesh), 16, 0.02), two));
    }
    const Decomposition three = decompose(closed(notched()), 16, 0.001);
    CHECK(three.parts.size() == 3);
    CHECK(three.error() < 1e-6);
    // Round: as near as the faces of one shape come.
    const Decomposition ball = decompose(closed(ball_mesh(2000)), 4, 0.02);
    CHECK(ball.parts.size() == 1);
    CHECK(ball.excess < 1e-9);
    CHECK(ball.missing < 0.03);
    // Two bodies apart, and a hollow, which takes six walls.
    CHECK(decompose(closed(joined(box_mesh({1, 1, 1}), box_mesh({1, 1, 1}, {3, 0, 0}))), 16, 0.001).parts.size() == 2);
    const Decomposition hollow = decompose(closed(joined(box_mesh({4, 4, 4}), box_mesh({2, 2, 2}, {1, 1, 1}))), 6, 0.001);
    CHECK(hollow.parts.size() <= 6);
    CHECK(hollow.error() < 1e-6);

    const ClosedMesh ring = closed(torus(1, 0.4, 40, 20));
    const double volume = moments_of(ring).volume;
    double before = 1;
    for (const std::int64_t most : {2, 4, 8, 16}) {
        const Decomposition found = decompose(ring, most, 0.001);
        CHECK(static_cast<std::int64_t>(found.parts.size()) <= most);
        double sum = 0;
        for (const FaceList& part : found.parts) {
            sum += volume_of(part);
            CHECK(make_convex_shape("part", part.vertex, part.face).volume > 0);
        }
        CHECK(sum / volume - 1 == doctest::Approx(found.excess - found.missing).epsilon(1e-6));
        for (std::size_t b = 0; b < found.parts.size(); ++b)
            for (std::size_t a = 0; a < b; ++a) CHECK(common_volume(found.parts[a], found.parts[b]) < 2e-6 * volume);
        CHECK(found.error() <= before);
        before = found.error();
    }
    CHECK(before < 0.03);
}

TEST_CASE("approximations: bodies have the mesh's mass and moments, and parts of the model are made once") {
    TriangleMesh mesh = ell();
    turn(mesh, {}, {10, 0, 0});
    const TemporaryFile file("approximations.obj", obj_of(mesh));
    const Moments exact = moments_of(closed(mesh));
    const Mat3 I = central_inertia(exact);
    for (const std::string kind : {"spheres", "decomposition"}) {
        CAPTURE(kind);
        Scene scene = plain_scene();
        SceneShape& shape = add_shape(scene, kind, file.path());
        shape.scale = 1e-3;
        shape.most_parts = 6;
        SceneBodies group = plain_group();
        group.shape = "it";
        group.placement.at = {{0, 0, 0}, {0.01, 0, 0}};
        scene.bodies = {group, group};
        scene.bodies[1].placement.at = {{0, 0, 0.01}};
        const Model model = build_model(scene).model;
        const bool spheres = kind == "spheres";
        const std::size_t members = spheres ? 6 : 2;
        REQUIRE(model.bodies.size() == 3 * (1 + members));
        CHECK(model.shapes.size() == (spheres ? 1 : 3));
        // Vertices come in single precision.
        CHECK(model.bodies.mass[0] == doctest::Approx(2500 * 3e-9).epsilon(1e-6));
        const ConvexShape& own = model.shapes[static_cast<std::size_t>(model.bodies.shape[0])];
        CHECK(own.compound());
        const double unit = own.bounding_radius * own.bounding_radius * 1e6;
        CHECK((own.inertia.x + own.inertia.y + own.inertia.z) * unit ==
              doctest::Approx((I.row[0].x + I.row[1].y + I.row[2].z) / 3).epsilon(1e-6));
        CHECK(own.inertia.z * unit == doctest::Approx(I.row[2].z / 3).epsilon(1e-6));
        CHECK(norm(own.centre - 1e-3 * exact.first / 3.0) < 1e-9);

        // By a radius, its mass is that of the larger mesh.
        scene.shapes.back().size = equal_size(2 * own.bounding_radius);
        const Model large = build_model(scene).model;
        CHECK(large.bodies.mass[0] == doctest::Approx(8 * model.bodies.mass[0]).epsilon(1e-9));
        CHECK(large.bodies.radius[1] == doctest::Approx(2 * model.bodies.radius[1]).epsilon(1e-9));

        // A named body, of the same parts.
        scene.shapes.back().size = {};
        SceneBody& named = scene.named_bodies.emplace_back();
        named.name = "one";
        named.shape = "it";
        named.material = "glass";
        named.position = {0, 0.1, 0};
        const Model more = build_model(scene).model;
        CHECK(more.bodies.size() == 4 * (1 + members));
        CHECK(more.shapes.size() == (spheres ? 2 : 4));

        // A tolerance that is out of reach.
        scene.shapes.back().tolerance = 1e-9;
        scene.shapes.back().most_parts = 1;
        const std::string fault = error_of([&] { build_model(scene); });
        CHECK(contains(fault, "scene.toml:13:1"));
        CHECK(contains(fault, spheres ? "shape \"it\": 1 sphere of " : "shape \"it\": 1 convex part of "));
        CHECK(contains(fault, "above tolerance = 1e-09: raise most or tolerance"));
    }
}
