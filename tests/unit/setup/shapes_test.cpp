// Shapes of scenes: hulls, regular solids, meshes, sizes, orientations.
#include <cmath>
#include <numbers>

#include "base/rng.hpp"
#include "setup/build_model.hpp"
#include "setup/meshes/hull.hpp"
#include "setup/shapes.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

const Scene no_scene;

SceneShape shape_of(const std::string& kind) {
    SceneShape shape;
    shape.name = kind;
    shape.kind = kind;
    shape.place = {"scene.toml", 10, 1};
    return shape;
}

/// The plain scene with its grain replaced, and one group of it.
Scene scene_of(const SceneShape& shape, std::size_t bodies = 1) {
    Scene scene = plain_scene();
    scene.shapes = {shape};
    SceneBodies group = plain_group();
    group.shape = shape.name;
    for (std::size_t i = 0; i < bodies; ++i) group.placement.at.push_back({double(i), 0, 0});
    scene.bodies.push_back(group);
    return scene;
}

SceneShape box_of(Vec3 edges) {
    SceneShape shape = shape_of("box");
    shape.edges = edges;
    return shape;
}

const char* const kCubeObj =
    "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4\n";
// The same with a pyramid cut into its top.
const char* const kDentedObj =
    "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\nv 1 1 1\n"
    "f 1 4 3 2\nf 5 6 9\nf 6 7 9\nf 7 8 9\nf 8 5 9\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4\n";

}  // namespace

TEST_CASE("hull: corners, and points inside and on faces") {
    std::vector<Vec3> points;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 4; ++k) points.push_back({double(i), double(j), double(k)});
    const FaceList hull = convex_hull("grid", points);
    const ConvexShape cube = make_convex_shape("grid", hull.vertex, hull.face);
    CHECK(cube.faces() == 6);
    CHECK(cube.vertex.size() == 8);
    CHECK(cube.volume * std::pow(cube.bounding_radius, 3) == doctest::Approx(27.0).epsilon(1e-13));

    Rng rng(7, 1);
    std::vector<Vec3> cloud;
    for (int i = 0; i < 60; ++i) {
        const double x = rng.normal(), y = rng.normal();
        cloud.push_back(normalized(Vec3{x, y, rng.normal()}));
    }
    const FaceList ball = convex_hull("ball", cloud);
    CHECK(ball.vertex.size() == 60);
    CHECK(ball.face.size() == 116);  // 2 n - 4 triangles
    const ConvexShape shape = make_convex_shape("ball", ball.vertex, ball.face);
    CHECK(shape.edge.size() == 174);
}

TEST_CASE("hull: what is refused") {
    CHECK(contains(error_of([] { convex_hull("s", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}); }), "has 3 vertices; a solid needs four"));
    CHECK(contains(error_of([] { convex_hull("s", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {3, 2, 0}}); }), "in one plane"));
    CHECK(contains(error_of([] { convex_hull("s", {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}); }), "on one line"));
    CHECK(contains(error_of([] { convex_hull("s", {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}); }), "all its vertices are one"));
}

TEST_CASE("regular solids: counts, edges and angles") {
    const double phi = std::numbers::phi;
    struct Solid {
        const char* kind;
        std::size_t faces, vertices, edges;
        double cosine;  // of the angle between the outward normals of neighbours
        double volume;  // over the edge cubed
    };
    for (const Solid& solid : {Solid{"tetrahedron", 4, 4, 6, -1.0 / 3.0, 1.0 / (6.0 * std::numbers::sqrt2)},
                               {"cube", 6, 8, 12, 0.0, 1.0},
                               {"octahedron", 8, 6, 12, 1.0 / 3.0, std::numbers::sqrt2 / 3.0},
                               {"dodecahedron", 12, 20, 30, 1.0 / std::sqrt(5.0), (15.0 + 7.0 * std::sqrt(5.0)) / 4.0},
                               {"icosahedron", 20, 12, 30, std::sqrt(5.0) / 3.0, 5.0 * phi * phi / 6.0}}) {
        CAPTURE(solid.kind);
        SceneShape given = shape_of(solid.kind);
        given.edge = 0.25;
        const ConvexShape s = build_shape(no_scene, given);
        CHECK(s.faces() == solid.faces);
        CHECK(s.vertex.size() == solid.vertices);
        CHECK(s.edge.size() == solid.edges);
        CHECK(s.volume * std::pow(s.bounding_radius / 0.25, 3) == doctest::Approx(solid.volume).epsilon(1e-13));
        CHECK(s.to_given == Quat{});
        CHECK(s.inertia.x == doctest::Approx(s.inertia.y).epsilon(1e-13));
        CHECK(s.inertia.x == doctest::Approx(s.inertia.z).epsilon(1e-13));
        for (std::size_t e = 0; e < s.edge.size(); ++e) {
            const auto at = [](std::int32_t i) { return static_cast<std::size_t>(i); };
            CHECK(norm(s.vertex[at(s.edge[e][0])] - s.vertex[at(s.edge[e][1])]) * s.bounding_radius ==
                  doctest::Approx(0.25).epsilon(1e-13));
            CHECK(std::fabs(dot(s.normal[at(s.edge_face[e][0])], s.normal[at(s.edge_face[e][1])]) - solid.cosine) < 1e-13);
        }
        CHECK(build_shape(no_scene, shape_of(solid.kind)).bounding_radius == doctest::Approx(1.0).epsilon(1e-14));
    }
}

TEST_CASE("prisms and geodesic balls") {
    SceneShape given = shape_of("prism");
    given.sides = 6;
    given.base_radius = 2.0;
    given.height = 3.0;
    const ConvexShape prism = build_shape(no_scene, given);
    CHECK(prism.faces() == 8);
    CHECK(prism.volume * std::pow(prism.bounding_radius, 3) == doctest::Approx(3.0 * 1.5 * std::sqrt(3.0) * 4.0).epsilon(1e-13));
    CHECK(prism.bounding_radius == doctest::Approx(2.5).epsilon(1e-14));

    SceneShape ball = shape_of("geodesic");
    for (const std::int64_t faces : {20, 80, 320}) {
        ball.faces = faces;
        const ConvexShape s = build_shape(no_scene, ball);
        CHECK(s.faces() == static_cast<std::size_t>(faces));
        CHECK(s.volume < 4.18879020478639098);
        CHECK(s.volume > 4.18879020478639098 * (1.0 - 12.0 / double(faces)));  // 39 %, 13 % and 3 % less than the ball
        CHECK(s.inertia.x == doctest::Approx(0.4).epsilon(8.0 / double(faces)));
    }
    ball.faces = 1280;
    CHECK(contains(error_of([&] { build_shape(no_scene, ball); }), "scene.toml:10:1: shape \"geodesic\" has 1280 faces"));
}

TEST_CASE("cylinders have the area of their circle, capsules are smooth") {
    SceneShape given = shape_of("cylinder");
    given.base_radius = 2.0;
    given.height = 3.0;
    for (const std::int64_t sides : {0, 7, 64}) {
        given.sides = sides;
        const ConvexShape s = build_shape(no_scene, given);
        CHECK(s.faces() == static_cast<std::size_t>(sides > 0 ? sides : 24) + 2);
        CHECK(s.volume * std::pow(s.bounding_radius, 3) == doctest::Approx(3.0 * std::numbers::pi * 4.0).epsilon(1e-12));
    }
    given.kind = "capsule";
    given.sides = 0;
    given.base_radius = 0.5;
    const ConvexShape s = build_shape(no_scene, given);
    CHECK(s.bounding_radius == doctest::Approx(1.5).epsilon(1e-12));
    CHECK(s.smooth.stick * s.bounding_radius == doctest::Approx(1.0).epsilon(1e-12));
    CHECK(s.volume * std::pow(s.bounding_radius, 3) == doctest::Approx(std::numbers::pi * (0.25 * 2 + 4.0 / 3 * 0.125)).epsilon(1e-12));
    // Its moments by summing slices: of a disc of radius r, m r2 / 4 about a diameter.
    double about_z = 0, about_x = 0, volume = 0;
    const int n = 20000;
    for (int k = 0; k < n; ++k) {
        const double z = 1.5 * (k + 0.5) / n, r2 = z < 1 ? 0.25 : 0.25 - (z - 1) * (z - 1), slice = 2 * std::numbers::pi * r2 * 1.5 / n;
        volume += slice;
        about_z += slice * r2 / 2;
        about_x += slice * (r2 / 4 + z * z);
    }
    CHECK(s.inertia.z * 2.25 == doctest::Approx(about_z / volume).epsilon(1e-6));
    CHECK(s.inertia.x * 2.25 == doctest::Approx(about_x / volume).epsilon(1e-6));
    CHECK(s.inertia.y == s.inertia.x);
}

TEST_CASE("rounded polyhedra lie within the sharp ones, between chamfers and balls") {
    SceneShape box = shape_of("box");
    box.edges = {3.0, 2.0, 1.0};
    box.rounding = 0.2;
    for (const int bevels : {1, 2}) {
        box.bevels = bevels;
        const ConvexShape s = build_shape(no_scene, box);
        const double R = s.bounding_radius, u = 2.6, v = 1.6, w = 0.6, r = 0.2;
        CHECK(s.box_max.x * R == doctest::Approx(1.5).epsilon(1e-12));
        CHECK(s.box_max.y * R == doctest::Approx(1.0).epsilon(1e-12));
        CHECK(s.box_max.z * R == doctest::Approx(0.5).epsilon(1e-12));
        CHECK(s.faces() == (bevels == 1 ? 26u : 78u));
        // Of an edge the polygon within a quarter of a disc.
        const double angle = std::numbers::pi / 2 / bevels, edge = 0.5 * r * r * std::sin(angle) * bevels;
        const double flat = u * v * w + 2 * r * (u * v + v * w + w * u), edges = 4 * edge * (u + v + w);
        CHECK(s.volume * R * R * R > flat + edges);
        CHECK(s.volume * R * R * R < flat + edges + 4.0 / 3 * std::numbers::pi * r * r * r);
        if (bevels == 1) CHECK(s.volume * R * R * R == doctest::Approx(flat + edges + 8 * r * r * r / 6).epsilon(1e-12));
    }
    SceneShape solid = shape_of("tetrahedron");
    solid.edge = 1.0;
    solid.rounding = 0.05;
    solid.bevels = 1;
    CHECK(build_shape(no_scene, solid).faces() == 4 + 6 + 4);
    solid.rounding = 0.3;
    CHECK(contains(error_of([&] { build_shape(no_scene, solid); }), "leaves nothing of"));
}

TEST_CASE("meshes: convex as they are, otherwise by their hull") {
    const TemporaryFile cube("cube.obj", kCubeObj), dented("dented.obj", kDentedObj);
    SceneShape shape = shape_of("mesh");
    shape.file = cube.path();
    shape.scale = 0.5;
    const ConvexShape s = build_shape(no_scene, shape);
    CHECK(s.faces() == 6);
    CHECK(s.volume * std::pow(s.bounding_radius, 3) == doctest::Approx(1.0).epsilon(1e-6));
    CHECK(norm(s.centre - Vec3{0.5, 0.5, 0.5}) < 1e-6);

    shape.file = dented.path();
    const std::string message = error_of([&] { build_shape(no_scene, shape); });
    CHECK(contains(message, "scene.toml:10:1: shape \"mesh\" is not convex"));
    CHECK(contains(message, "hull = true"));
    shape.hull = true;
    CHECK(build_shape(no_scene, shape).faces() == 6);
    shape.file = "/no/such.stl";
    CHECK(contains(error_of([&] { build_shape(no_scene, shape); }), "such.stl"));
}

TEST_CASE("bodies of polyhedra: size, mass, template once per shape") {
    Scene scene = scene_of(box_of({1, 2, 2}), 3);
    scene.bodies.push_back(scene.bodies[0]);
    scene.bodies[1].placement.at = {{0, 10, 0}};
    BuiltModel built = build_model(scene);
    const BodyTable& bodies = built.model.bodies;
    REQUIRE(bodies.size() == 4);
    CHECK(built.model.shapes.size() == 1);
    CHECK(bodies.radius[0] == doctest::Approx(1.5).epsilon(1e-14));
    CHECK(bodies.mass[3] == doctest::Approx(4.0 * 2500.0).epsilon(1e-13));
    CHECK(bodies.shape[3] == 0);
    CHECK(built.model.dt > 0.0);

    // Edges are proportions where a size is given; sizes of classes are bounding radii.
    scene.shapes[0].size.kind = SizeDistribution::Kind::Classes;
    scene.shapes[0].size.class_radius = {3.0, 6.0};
    scene.shapes[0].size.class_share = {1.0, 1.0};
    scene.bodies[0].placement.at.assign(1000, {});
    built = build_model(scene);
    int small = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
        const double r = built.model.bodies.radius[i];
        CHECK(built.model.bodies.mass[i] == doctest::Approx(2500.0 * 4.0 * std::pow(r / 1.5, 3)).epsilon(1e-13));
        small += r == 3.0;
    }
    CHECK(small > 400);
    CHECK(small < 600);
}

TEST_CASE("bodies of polyhedra: overlaps are left to the engine, lattices may be tight") {
    Scene scene = scene_of(box_of({1, 1, 1}));
    scene.domain.gravity = {};
    scene.bodies[0].placement = {};
    scene.bodies[0].placement.kind = ScenePlacement::Kind::Lattice;
    for (auto& count : scene.bodies[0].placement.count) count = 3;
    scene.bodies[0].placement.spacing = 1.0;
    const BuiltModel built = build_model(scene);
    CHECK(built.model.bodies.size() == 27);
    CHECK(built.warnings.empty());
    scene.bodies[0].placement.jitter = 0.1;
    CHECK(contains(error_of([&] { build_model(scene); }), "jitter needs a gap"));

    // A fraction is that of the bodies, not of their spheres.
    scene.bodies[0].placement = {};
    scene.bodies[0].placement.kind = ScenePlacement::Kind::Random;
    scene.bodies[0].placement.region = "box";
    scene.bodies[0].placement.box_max = {20, 20, 20};
    scene.bodies[0].placement.fraction = 0.05;
    CHECK(build_model(scene).model.bodies.size() == 400);
}

TEST_CASE("orientations: as given, from the frame as given") {
    // A box whose principal frame is not the one given: the hull of turned corners.
    const Quat turn = normalized(Quat{0.9, 0.1, -0.3, 0.2});
    SceneShape shape = shape_of("polyhedron");
    for (const double z : {-3.0, 3.0})
        for (const double y : {-2.0, 2.0})
            for (const double x : {-1.0, 1.0}) shape.vertices.push_back(rotate(turn, Vec3{x, y, z}));
    Scene scene = scene_of(shape);
    scene.bodies[0].orientation = {2.0, 0.4, 0.2, -1.0};  // of any length
    const BuiltModel built = build_model(scene);
    const ConvexShape& s = built.model.shapes[0];
    const Quat q = normalized(scene.bodies[0].orientation);
    for (const Vec3& given : shape.vertices) {
        double nearest = 1e300;
        for (const Vec3& p : s.vertex)
            nearest =
                std::min(nearest, norm(rotate(built.model.bodies.orientation[0], built.model.bodies.radius[0] * p) - rotate(q, given)));
        CHECK(nearest < 1e-12);
    }
}

TEST_CASE("orientations: random ones are uniform and hang on the seed alone") {
    const int n = 4000;
    Scene scene = scene_of(box_of({1, 2, 3}), n);
    scene.bodies[0].random_orientation = true;
    const BuiltModel built = build_model(scene);
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        Vec3 mean, square;
        for (const Quat& q : built.model.bodies.orientation) {
            const Vec3 v = rotate(q, axis);
            mean += v / double(n);
            square += Vec3{v.x * v.x, v.y * v.y, v.z * v.z} / double(n);
        }
        // Uniform on the sphere: mean 0 with deviation 1/sqrt(3 n) = 0.009, squares 1/3 with 0.005; four deviations.
        CHECK(norm(mean) < 0.04);
        for (const double m : {square.x, square.y, square.z}) CHECK(std::fabs(m - 1.0 / 3.0) < 0.02);
    }
    CHECK(build_model(scene).model.bodies.orientation == built.model.bodies.orientation);
    scene.bodies[0].seed = 2;
    CHECK(build_model(scene).model.bodies.orientation[0] != built.model.bodies.orientation[0]);
}

TEST_CASE("orientations from a file") {
    const TemporaryFile file("boxes.csv", "x,y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n9,0,0,2,0,0,2\n");
    Scene scene = scene_of(box_of({1, 2, 3}));
    scene.bodies[0].placement.kind = ScenePlacement::Kind::File;
    scene.bodies[0].placement.file = file.path();
    const BuiltModel built = build_model(scene);
    REQUIRE(built.model.bodies.size() == 2);
    CHECK(norm(rotate(built.model.bodies.orientation[1], {1, 0, 0}) - Vec3{0, 1, 0}) < 1e-14);

    scene.shapes[0] = plain_scene().shapes[0];
    scene.bodies[0].shape = "grain";
    CHECK(contains(error_of([&] { build_model(scene); }), "turn polyhedra"));
    const TemporaryFile part("part.csv", "x,y,z,qw,qx\n0,0,0,1,0\n");
    scene.bodies[0].placement.file = part.path();
    CHECK(contains(error_of([&] { build_model(scene); }), "all of qw, qx, qy and qz"));
}

TEST_CASE("laws of polyhedra") {
    Scene scene = scene_of(box_of({1e-2, 1e-2, 1e-2}));
    scene.method.law = "volume";
    CHECK(build_model(scene).model.penalty.law == Law::Volume);
    scene.shapes.push_back(plain_scene().shapes[0]);
    SceneBodies spheres = plain_group();
    spheres.placement.at = {{0, 1, 0}};
    scene.bodies.push_back(spheres);
    CHECK(contains(error_of([&] { build_model(scene); }), "scene.toml:20:1: law = \"volume\" is for polyhedra alone"));

    scene.method.law = "power";
    CHECK(contains(error_of([&] { build_model(scene); }), "the power law needs a stiffness"));
    scene.method.stiffness = 1e6;
    scene.method.damping = 0.3;
    scene.method.tangential_damping = 0.2;
    scene.method.patch = "vertices";
    const Model model = build_model(scene).model;
    CHECK(model.penalty.law == Law::Power);
    CHECK(model.penalty.patch == Patch::Vertices);
    CHECK(model.pairs(0, 0).stiffness == 1e6);
    CHECK(model.pairs(0, 0).damping == 0.3);
    CHECK(model.pairs(0, 0).tangential_damping == 0.2);
    CHECK(model.dt > 0.0);
}
