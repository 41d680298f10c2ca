// Named bodies, walls with mass, joints' frames, motors, and the step of the cone method.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/pose.hpp"
#include "setup/build_model.hpp"
#include "setup/joints.hpp"
#include "setup/materials.hpp"
#include "setup/step.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

SceneBody free_body(const std::string& name, Vec3 at) {
    SceneBody body;
    body.name = name;
    body.position = at;
    body.mass = 2.0;
    body.inertia = {1, 2, 3};
    body.place = {"scene.toml", 40, 1};
    return body;
}

SceneBody shaped(const std::string& name, const std::string& shape, Vec3 at) {
    SceneBody body;
    body.name = name;
    body.shape = shape;
    body.material = "glass";
    body.position = at;
    body.place = {"scene.toml", 40, 1};
    return body;
}

SceneShape brick() {
    SceneShape shape;
    shape.name = "brick";
    shape.kind = "box";
    shape.edges = {0.4, 0.2, 0.1};
    shape.place = {"scene.toml", 11, 1};
    return shape;
}

SceneJoint joint(const std::string& kind, const std::string& a, const std::string& b) {
    SceneJoint j;
    j.name = kind;
    j.kind = kind;
    j.a = a;
    j.b = b;
    j.point = {0.1, 0.2, 0.3};
    j.place = {"scene.toml", 50, 1};
    return j;
}

/// Two bodies, turned in their own ways, and the ground.
Scene mechanism() {
    Scene scene = plain_scene();
    scene.method.kind = "cone";
    scene.shapes.push_back(brick());
    scene.named_bodies = {shaped("crank", "brick", {1, 2, 3}), free_body("slider", {-1, 0, 2})};
    scene.named_bodies[0].orientation = {0.9, 0.1, -0.3, 0.2};
    scene.named_bodies[1].orientation = {0.2, 0.5, 0.1, -0.7};
    scene.named_bodies[1].inertia = {1, 2, 2.5, 0.1, 0.2, -0.1};
    return scene;
}

/// A joint's frame in the world at the start.
Pose in_world(const Model& m, std::int32_t body, const Pose& frame) {
    if (body == Joint::ground) return frame;
    const std::size_t i = static_cast<std::size_t>(body);
    return {m.bodies.orientation[i] * frame.turn, m.bodies.position[i] + rotate(m.bodies.orientation[i], frame.shift)};
}

std::string failure(const Scene& scene) {
    return error_of([&] { build_model(scene); });
}

}  // namespace

TEST_CASE("bodies: a shape's own mass and inertia, about its own centre, with one member") {
    Scene scene = plain_scene();
    SceneShape slab = brick();
    slab.kind = "polyhedron";  // the same box with a corner at the origin
    for (const double z : {0.0, 0.1})
        for (const double y : {0.0, 0.2})
            for (const double x : {0.0, 0.4}) slab.vertices.push_back({x, y, z});
    scene.shapes.push_back(slab);
    SceneBody body = shaped("door", "brick", {5, 0, 0});
    body.orientation = {1, 0, 0, 1};  // a quarter about z
    body.velocity = {1, 0, 0};
    body.angular_velocity = {0, 0, 2};
    scene.named_bodies.push_back(body);
    const Model m = build_model(scene).model;
    const BodyTable& b = m.bodies;
    REQUIRE(b.size() == 2);
    CHECK(b.name == std::vector<std::string>{"door"});
    CHECK(b.owner == std::vector<std::int32_t>{-1, 0});
    const double mass = 2500 * 0.4 * 0.2 * 0.1;
    CHECK(b.mass[0] == doctest::Approx(mass).epsilon(1e-13));
    CHECK(b.mass[1] == b.mass[0]);
    CHECK(norm(b.position[0] - Vec3{4.9, 0.2, 0.05}) < 1e-14);
    CHECK(norm(b.position[1] - b.position[0]) < 1e-14);
    CHECK(norm(b.velocity[0] - Vec3{1, 0, 0}) < 1e-15);
    const ConvexShape& own = m.shapes[static_cast<std::size_t>(b.shape[0])];
    CHECK(own.compound());
    CHECK(!m.shapes[static_cast<std::size_t>(b.shape[1])].compound());
    const double R = b.radius[0];
    CHECK(R == doctest::Approx(0.5 * std::sqrt(0.16 + 0.04 + 0.01)).epsilon(1e-13));
    // Moments along the axes of the box: m (b^2 + c^2) / 12.
    for (const auto& [axis, moment] : {std::pair{Vec3{1, 0, 0}, 0.04 + 0.01}, {Vec3{0, 1, 0}, 0.16 + 0.01}, {Vec3{0, 0, 1}, 0.16 + 0.04}}) {
        const Vec3 e = rotate(conjugate(own.to_given), axis), I = own.inertia;
        CHECK((I.x * e.x * e.x + I.y * e.y * e.y + I.z * e.z * e.z) * R * R == doctest::Approx(moment / 12).epsilon(1e-12));
    }
    // The frame of the body is that of its shape: q = orientation conj(to_given).
    CHECK(norm(rotate(b.orientation[0] * conjugate(own.to_given), {1, 0, 0}) - Vec3{0, 1, 0}) < 1e-14);
    // And the member stands as the shape does.
    const ConvexShape& face = m.shapes[static_cast<std::size_t>(b.shape[1])];
    Vec3 low{9, 9, 9}, high{-9, -9, -9};
    for (const Vec3& v : face.vertex) {
        const Vec3 p = b.position[1] + b.radius[1] * rotate(b.orientation[1], v);
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    CHECK(norm(low - Vec3{4.8, 0, 0}) < 1e-14);
    CHECK(norm(high - Vec3{5, 0.4, 0.1}) < 1e-14);
}

TEST_CASE("bodies: mass, inertia and centre of their own") {
    Scene scene = plain_scene();
    scene.shapes.push_back(brick());
    SceneBody body = shaped("a", "brick", {});
    body.mass = 60.0;
    scene.named_bodies.push_back(body);
    Model m = build_model(scene).model;
    const auto moment = [&m](Vec3 axis) {
        const ConvexShape& s = m.shapes[static_cast<std::size_t>(m.bodies.shape[0])];
        const Vec3 e = rotate(conjugate(m.bodies.orientation[0]), axis);
        const double scale = m.bodies.mass[0] * m.bodies.radius[0] * m.bodies.radius[0];
        return scale * (s.inertia.x * e.x * e.x + s.inertia.y * e.y * e.y + s.inertia.z * e.z * e.z);
    };
    CHECK(moment({1, 0, 0}) == doctest::Approx(60 * (0.04 + 0.01) / 12).epsilon(1e-13));

    scene.named_bodies[0].inertia = {3, 4, 5, 0.5, -0.25, 0.125};
    scene.named_bodies[0].centre = Vec3{0.1, 0, 0};
    m = build_model(scene).model;
    CHECK(norm(m.bodies.position[0] - Vec3{0.1, 0, 0}) < 1e-15);
    CHECK(norm(m.bodies.position[1]) < 1e-15);  // the collider stays
    CHECK(moment({1, 0, 0}) == doctest::Approx(3).epsilon(1e-13));
    CHECK(moment({0, 1, 0}) == doctest::Approx(4).epsilon(1e-13));
    CHECK(moment({0, 0, 1}) == doctest::Approx(5).epsilon(1e-13));
    const double h = std::sqrt(0.5);  // (e_x + e_y) / sqrt 2: (3 + 4) / 2 + 0.5, and so on
    CHECK(moment({h, h, 0}) == doctest::Approx(4).epsilon(1e-13));
    CHECK(moment({h, 0, h}) == doctest::Approx(3.75).epsilon(1e-13));
    CHECK(moment({0, h, h}) == doctest::Approx(4.625).epsilon(1e-13));
    CHECK(m.bodies.radius[0] == doctest::Approx(std::sqrt(0.09 + 0.01 + 0.0025)).epsilon(1e-13));

    scene.named_bodies[0].collide = false;
    const Model alone = build_model(scene).model;
    CHECK(alone.bodies.size() == 1);
    CHECK(alone.dt == 1e-3);
}

TEST_CASE("bodies: without a shape, and walls that bodies carry") {
    Scene scene = plain_scene();
    scene.method.kind = "cone";
    scene.named_bodies = {free_body("slider", {1, 2, 3})};
    SceneWall wall;
    wall.kind = "plane";
    wall.material = "glass";
    wall.body = "slider";
    wall.place = {"scene.toml", 30, 1};
    scene.walls.push_back(wall);
    wall.body = "";
    wall.name = "lid";
    wall.mass = 4.0;
    wall.inertia = {2, 3, 4};
    wall.centre = Vec3{0, 0, 7};
    scene.walls.push_back(wall);
    scene.joints = {joint("prismatic", "ground", "lid")};
    scene.joints[0].axis = Vec3{0, 0, 1};
    const Model m = build_model(scene).model;
    REQUIRE(m.bodies.size() == 2);
    CHECK(m.bodies.radius == std::vector<double>{1, 1});
    CHECK(m.bodies.mass == std::vector<double>{2, 4});
    CHECK(m.bodies.position[0] == Vec3{1, 2, 3});
    CHECK(m.bodies.position[1] == Vec3{0, 0, 7});
    CHECK(m.bodies.name == std::vector<std::string>{"slider", "lid"});
    CHECK(m.walls[0].body == 0);
    CHECK(m.walls[1].body == 1);
    const Vec3 I = m.shapes[1].inertia;
    CHECK(norm(4.0 * I - Vec3{2, 3, 4}) < 1e-14);
    CHECK(m.dt == 1e-3);  // nothing has a radius

    Scene wrong = scene;
    wrong.walls[0].body = "slyder";
    CHECK(contains(failure(wrong), "scene.toml:30:1: there is no body \"slyder\" to carry"));
    wrong = scene;
    wrong.walls[0].motion.emplace().velocity = {1, 0, 0};
    CHECK(contains(failure(wrong), "has no motion of its own"));
    wrong = scene;
    wrong.named_bodies[0].mass.reset();
    CHECK(contains(failure(wrong), "needs mass and inertia"));
}

TEST_CASE("joints: both frames coincide at the start, with their axes where the scene says") {
    const Vec3 axis{1, -2, 0.5}, z = normalized(axis);
    for (const char* kind : {"spherical", "revolute", "prismatic", "cylindrical", "fixed", "point_on_line", "point_on_plane"}) {
        CAPTURE(kind);
        Scene scene = mechanism();
        for (const auto& [a, b] : {std::pair{"crank", "slider"}, {"ground", "slider"}, {"crank", "ground"}}) {
            scene.joints = {joint(kind, a, b)};
            scene.joints[0].axis = axis;
            const Model m = build_model(scene).model;
            REQUIRE(m.joints.size() == 1);
            const Joint& j = m.joints[0];
            CHECK(j.a == (std::string(a) == "crank" ? 0 : -1));
            CHECK(j.b == (std::string(b) == "slider" ? 2 : -1));
            const Pose A = in_world(m, j.a, j.frame_a), B = in_world(m, j.b, j.frame_b);
            CHECK(norm(A.shift - Vec3{0.1, 0.2, 0.3}) < 1e-14);
            CHECK(norm(B.shift - A.shift) < 1e-14);
            for (const Vec3& e : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) CHECK(norm(rotate(A.turn, e) - rotate(B.turn, e)) < 1e-14);
            const bool has_axis = j.kind != JointKind::Spherical && j.kind != JointKind::Fixed;
            CHECK(norm(rotate(A.turn, {0, 0, 1}) - (has_axis ? z : Vec3{0, 0, 1})) < 1e-14);
            // x: the world axis farthest from z, made square to it; here that is z of the world.
            if (has_axis) CHECK(norm(rotate(A.turn, {1, 0, 0}) - normalized(Vec3{0, 0, 1} - z.z * z)) < 1e-14);
        }
    }
}

TEST_CASE("joints: universal, and those with two points") {
    Scene scene = mechanism();
    SceneJoint cross_joint = joint("universal", "crank", "slider");
    cross_joint.axis = Vec3{0, 0, 2};
    cross_joint.axis_b = Vec3{3, 3, 0};
    SceneJoint bar = joint("distance", "crank", "slider"), rod = joint("revolute_spherical", "crank", "slider");
    bar.point_b = rod.point_b = Vec3{0.1, 0.2, 2.3};
    rod.axis = Vec3{0, 5, 0};
    SceneJoint rail = joint("point_on_line", "crank", "slider"), table = joint("point_on_plane", "crank", "slider");
    rail.axis = table.axis = Vec3{0, 0, -1};
    rail.point_b = Vec3{0.1, 0.2, -1};
    table.point_b = Vec3{5, 6, 0.3};
    scene.joints = {cross_joint, bar, rod, rail, table};
    const Model m = build_model(scene).model;
    const auto A = [&](std::size_t k) { return in_world(m, m.joints[k].a, m.joints[k].frame_a); };
    const auto B = [&](std::size_t k) { return in_world(m, m.joints[k].b, m.joints[k].frame_b); };
    CHECK(norm(rotate(A(0).turn, {0, 1, 0}) - Vec3{0, 0, 1}) < 1e-14);              // A turns about its y
    CHECK(norm(rotate(B(0).turn, {1, 0, 0}) - normalized(Vec3{1, 1, 0})) < 1e-14);  // B about its x
    CHECK(std::fabs(dot(rotate(B(0).turn, {1, 0, 0}), rotate(A(0).turn, {0, 1, 0}))) < 1e-14);
    CHECK(m.joints[1].length == doctest::Approx(2).epsilon(1e-14));
    CHECK(m.joints[2].length == doctest::Approx(2).epsilon(1e-14));
    CHECK(norm(B(1).shift - Vec3{0.1, 0.2, 2.3}) < 1e-14);
    CHECK(norm(rotate(A(2).turn, {0, 0, 1}) - Vec3{0, 1, 0}) < 1e-14);
    CHECK(norm(A(3).shift - B(3).shift) < 1e-14);  // travel counts from the start
    CHECK(norm(A(4).shift - Vec3{0.1, 0.2, 0.3}) < 1e-14);
    CHECK(norm(B(4).shift - Vec3{5, 6, 0.3}) < 1e-14);
}

TEST_CASE("joints: motors, springs, stops, couplings") {
    const TemporaryFile table("motor.csv", "value,time\n1,0\n3,2\n");
    Scene scene = mechanism();
    SceneJoint hinge = joint("revolute", "crank", "ground"), slide = joint("prismatic", "slider", "ground");
    hinge.axis = slide.axis = Vec3{0, 0, 1};
    hinge.angle_low = -1;
    hinge.motor = SceneMotor{"speed", {5, 2, 3, 0.5, table.path(), {}}, 7, {"scene.toml", 55, 1}};
    hinge.torsion = SceneSpring{10, 1, 0.5, 0.25};
    hinge.collide = true;
    slide.motor = SceneMotor{"force", {5, 0, 0, 0, "", {}}, kInfinity, {}};
    slide.spring = SceneSpring{10, 1, 0.5, {}};
    slide.travel_high = 0.2;
    SceneJoint rope = joint("free", "crank", "slider");
    rope.point_b = Vec3{0.1, 0.2, 2.3};
    rope.spring = SceneSpring{10, 0, 0, {}};
    rope.travel_high = 0.5;
    rope.motor = SceneMotor{"travel", {0.1, 0, 0, 0, "", {}}, kInfinity, {}};
    SceneJoint rack;
    rack.name = "rack";
    rack.kind = "rack";
    rack.first = "revolute";
    rack.second = "prismatic";
    rack.ratio = 0.03;
    scene.joints = {rack, hinge, slide, rope};
    const Model m = build_model(scene).model;
    const Joint &h = m.joints[1], &s = m.joints[2], &f = m.joints[3], &r = m.joints[0];
    CHECK(h.angle_motor.drive == Drive::Speed);
    CHECK(h.angle_motor.value.constant == 5);
    CHECK(h.angle_motor.value.amplitude == 2);
    CHECK(h.angle_motor.value.frequency == 3);
    CHECK(h.angle_motor.value.phase == 0.5);
    CHECK(h.angle_motor.value.time == std::vector<double>{0, 2});
    CHECK(h.angle_motor.value.value == std::vector<double>{1, 3});
    CHECK(h.angle_motor.most == 7);
    CHECK(h.travel_motor.drive == Drive::None);
    CHECK(h.angle_limits.low == -1);
    CHECK(std::isinf(h.angle_limits.high));
    CHECK(h.angle_spring.stiffness == 10);
    CHECK(h.angle_spring.damping == 1);
    CHECK(h.angle_spring.preload == 0.5);
    CHECK(h.angle_spring.rest == 0.25);
    CHECK(h.collide);
    CHECK(s.travel_motor.drive == Drive::Effort);
    CHECK(s.travel_spring.rest == 0);
    CHECK(s.travel_limits.high == 0.2);
    // Of a free joint the travel is the length of its line, 2 m at the start.
    CHECK(f.travel_spring.rest == doctest::Approx(2).epsilon(1e-14));
    CHECK(f.travel_limits.high == doctest::Approx(2.5).epsilon(1e-14));
    CHECK(std::isinf(f.travel_limits.low));
    CHECK(f.travel_motor.value.constant == doctest::Approx(2.1).epsilon(1e-14));
    CHECK(r.first == 1);
    CHECK(r.second == 2);
    CHECK(r.ratio == 0.03);
    CHECK(pairs_apart(m) == std::set<std::pair<std::int32_t, std::int32_t>>{{0, 2}});

    const TemporaryFile backwards("backwards.csv", "1 0\n1 2\n");
    scene.joints[1].motor->value.table = backwards.path();
    CHECK(contains(failure(scene), "backwards.csv:2:1: times must rise from row to row; 1 follows 1"));
    const TemporaryFile words("words.csv", "time, value\n0, 1\n 1,  high\n");
    scene.joints[1].motor->value.table = words.path();
    CHECK(contains(failure(scene), "words.csv:3:6: \"high\" is not a finite number"));
    scene.joints[1].motor->value.table = "/no/such.csv";
    scene.joints[1].motor->value.table_place = {"scene.toml", 55, 30};
    CHECK(contains(failure(scene), "scene.toml:55:30: cannot read"));
    scene.joints[1].motor.reset();
    scene.joints[1].a = "crnk";
    CHECK(contains(failure(scene), "scene.toml:50:1: there is no body \"crnk\" to join"));
}

TEST_CASE("joints: a motor that prescribes another place than the start is warned of") {
    Scene scene = mechanism();
    SceneJoint hinge = joint("revolute", "ground", "crank");
    hinge.axis = Vec3{0, 0, 1};
    hinge.motor = SceneMotor{"angle", {0.5, 0, 0, 0, "", {}}, kInfinity, {"scene.toml", 55, 9}};
    scene.joints = {hinge};
    const auto said = [&] {
        const std::vector<std::string> warnings = build_model(scene).warnings;
        return warnings.empty() ? "" : warnings[0];
    };
    CHECK(contains(said(), "scene.toml:55:9: [[joint]] motor angle: asks for 0.5 rad at t = 0, but \"revolute\" starts at 0"));
    SceneFunction& value = scene.joints[0].motor->value;
    value = {0.5, 0.5, 2, -std::numbers::pi / 2, "", {}};  // 0.5 + 0.5 sin(-pi / 2)
    CHECK(said() == "");
    const TemporaryFile table("angle.txt", "-1 -2\n1 3\n");  // 0.5 at t = 0
    value = {-0.5, 0, 0, 0, table.path(), {}};
    CHECK(said() == "");
    value.constant = 0;
    CHECK(contains(said(), "asks for 0.5 rad"));
    scene.joints[0].motor->drive = "speed";
    CHECK(said() == "");
    // Of a free joint travel is what the line has grown by.
    scene.joints = {joint("free", "ground", "slider")};
    scene.joints[0].point_b = Vec3{0.1, 0.2, 2.3};
    scene.joints[0].motor = SceneMotor{"travel", {0, 0, 0, 0, "", {}}, kInfinity, {}};
    CHECK(said() == "");
    scene.joints[0].motor->value.constant = -0.25;
    CHECK(contains(said(), "asks for -0.25 m at t = 0"));
}

TEST_CASE("bodies: overlaps count but between joined ones, and random places keep clear") {
    Scene scene = plain_scene();
    scene.domain.gravity = {};
    SceneShape big = scene.shapes[0];
    big.name = "big";
    big.size.radius = 0.02;
    scene.shapes.push_back(big);
    scene.named_bodies = {shaped("left", "big", {0.03, 0.05, 0.05}), shaped("right", "big", {0.05, 0.05, 0.05})};
    CHECK(contains(failure(scene), "bodies 1 (body \"left\") and 3 (body \"right\") overlap by 100.0 %"));
    scene.joints = {joint("spherical", "left", "right")};
    CHECK(build_model(scene).warnings.empty());
    scene.joints[0].collide = true;
    CHECK(contains(failure(scene), "overlap"));
    scene.joints[0].collide = false;

    SceneBodies group = plain_group();
    group.placement.kind = ScenePlacement::Kind::Random;
    group.placement.region = "box";
    group.placement.box_max = {0.1, 0.1, 0.1};
    group.placement.bodies = 500;
    scene.bodies.push_back(group);
    const Model m = build_model(scene).model;
    REQUIRE(m.bodies.size() == 504);
    CHECK(m.bodies.name.size() == 503);
    CHECK(m.bodies.name[500] == "left");
    for (std::size_t i = 0; i < 500; ++i)
        for (const std::size_t k : {std::size_t{501}, std::size_t{503}})
            CHECK(norm(m.bodies.position[i] - m.bodies.position[k]) > m.bodies.radius[i] + m.bodies.radius[k] - 1e-12);
}

TEST_CASE("cone: settings, pairs and the step") {
    Scene scene = plain_scene();
    scene.method.kind = "cone";
    scene.method.solver = "barzilai_borwein";
    scene.method.friction = "coulomb";
    scene.method.tolerance = 1e-7;
    scene.method.joints = "iterate";
    scene.method.warm_start = false;
    scene.materials[0].rolling_friction = 0.1;
    scene.materials[0].cohesion = 4;
    scene.materials.push_back({"steel", 7800, 1e8, 0.3, 0.0, 0.1, {"scene.toml", 8, 1}, 0.4, 0.2, 9});
    SceneBodies group = plain_group();
    group.placement.at = {{0, 0, 0}, {1, 0, 0}};
    scene.bodies.push_back(group);
    BuiltModel built = build_model(scene);
    const Model& m = built.model;
    CHECK(m.method == Method::Cone);
    CHECK(m.cone.solver == ConeSolver::BarzilaiBorwein);
    CHECK(m.cone.friction == FrictionLaw::Coulomb);
    CHECK(m.cone.tolerance == 1e-7);
    CHECK(m.cone.omega == 0);
    CHECK(!m.cone.direct_joints);
    CHECK(!m.cone.warm_start);
    CHECK(m.pairs(0, 1).rolling_friction == doctest::Approx(0.2));
    CHECK(m.pairs(0, 1).spinning_friction == 0);
    CHECK(m.pairs(0, 1).cohesion == doctest::Approx(6));
    CHECK(m.pairs(1, 1).restitution == 0);
    CHECK(m.dt == doctest::Approx(0.05 * std::sqrt(1e-3 / 9.81)).epsilon(1e-14));
    CHECK(std::isinf(built.stable_step));
    scene.domain.gravity = {};
    CHECK(build_model(scene).model.dt == 1e-3);
    scene.domain.gravity = {0, 0, -1e-6};
    CHECK(build_model(scene).model.dt == 1e-3);
    scene.time.step = 0.5;
    built = build_model(scene);
    CHECK(built.model.dt == 0.5);
    REQUIRE(built.warnings.size() == 1);
    CHECK(built.warnings[0].find("nothing holds the bodies") != std::string::npos);
    // Gravity gives 5e-7 m/s in such a step: an approach of 1e-6 m/s may rebound.
    scene.method.restitution_threshold = 0.1;
    built = build_model(scene);
    REQUIRE(built.warnings.size() == 2);
    CHECK(built.warnings[1].find("restitution_threshold = 0.1 m/s") != std::string::npos);
    CHECK(built.warnings[1].find("1e-06 m/s") != std::string::npos);
    scene.method.restitution_threshold = 1.5e-6;
    CHECK(build_model(scene).warnings.size() == 1);
    scene.method.restitution_threshold.reset();

    SceneMaterialPair pair;
    pair.first = "glass";
    pair.second = "steel";
    pair.cohesion = 1.5;
    pair.spinning_friction = 0.3;
    scene.material_pairs.push_back(pair);
    CHECK(build_pairs(scene)(1, 0).cohesion == 1.5);
    CHECK(build_pairs(scene)(1, 0).spinning_friction == 0.3);
    CHECK(build_pairs(scene)(1, 0).rolling_friction == doctest::Approx(0.2));
    CHECK(unmet_wishes(scene).empty());
}

TEST_CASE("penalty: what it lacks of a scene for the cone method is said, with its place") {
    Scene scene = plain_scene();
    scene.materials[0].restitution = 0.001;
    scene.materials[0].given = {{"restitution", {"scene.toml", 6, 15}}, {"cohesion", {"scene.toml", 7, 12}}};
    scene.materials[0].cohesion = 4;
    scene.materials.push_back({"steel", 7800, 1e8, 0.3, 0.5, 0.1, {"scene.toml", 8, 1}});
    SceneMaterialPair pair;
    pair.first = "glass";
    pair.second = "steel";
    pair.place = {"scene.toml", 9, 1};
    pair.spinning_friction = 0.3;
    scene.material_pairs.push_back(pair);
    const PairTable pairs = build_pairs(scene);
    CHECK(pairs(0, 0).restitution == 0.01);
    CHECK(pairs(0, 1).restitution == doctest::Approx(std::sqrt(0.001 * 0.5)));  // the mean is within reach
    CHECK(pairs(0, 0).cohesion == 0);
    CHECK(pairs(0, 1).spinning_friction == 0);
    const std::vector<std::string> warnings = unmet_wishes(scene);
    REQUIRE(warnings.size() == 3);
    CHECK(warnings[0] ==
          "scene.toml:6:15: [material.glass] restitution: the penalty method takes 0.01 in place of 0.001: a dashpot that never "
          "pulls cannot do less");
    CHECK(warnings[1] ==
          "scene.toml:7:12: [material.glass] cohesion: the penalty method has none and leaves out 4; cohesion = \"constant\" in [method] "
          "asks for it");
    CHECK(warnings[2] ==
          "scene.toml:9:1: [[material_pair]] spinning_friction: the penalty method has none and leaves out 0.3; twisting = \"epsd\" in "
          "[method] asks for it");
    SceneBodies group = plain_group();
    group.placement.at = {{0, 0, 0}};
    scene.bodies.push_back(group);
    CHECK(build_model(scene).warnings == warnings);
    // The power law has no restitution to miss.
    scene.method.law = "power";
    scene.method.stiffness = 1e4;
    CHECK(unmet_wishes(scene).size() == 2);
    CHECK(build_pairs(scene)(0, 0).restitution == 0.001);
    scene.method.kind = "cone";
    CHECK(unmet_wishes(scene).empty());
    CHECK(build_pairs(scene)(0, 0).restitution == 0.001);
}

TEST_CASE("penalty: the step of compounds is that of contacts as light as the compound is there") {
    Scene scene = plain_scene();
    SceneShape pair;
    pair.name = "pair";
    pair.kind = "clump";
    pair.spheres = {{0, 0, 0, 1e-3}, {0, 0, 4e-3, 1e-3}};
    scene.shapes.push_back(pair);
    SceneBodies group = plain_group();
    group.shape = "pair";
    group.placement.at = {{0, 0, 0}};
    scene.bodies.push_back(group);
    const BuiltModel built = build_model(scene);
    const BodyTable light = bodies_of_contacts(built.model);
    REQUIRE(light.size() == 2);
    const double m = 2 * 2500 * 4 * std::numbers::pi / 3 * 1e-9, along = 0.4 * m * 1e-6, across = along + m * 4e-6;
    const double root = std::sqrt(4e-6 / across) + std::sqrt(1e-6 / along);
    CHECK(built.model.bodies.mass[1] == doctest::Approx(m).epsilon(1e-13));
    CHECK(light.mass[0] == doctest::Approx(1 / (1 / m + root * root)).epsilon(1e-12));
    CHECK(built.model.dt > 0);
    CHECK(built.model.dt < built.stable_step);

    // A box is lightest at its corners; the worst direction there is found by trying many.
    scene.shapes.push_back(brick());
    scene.bodies.clear();
    scene.named_bodies = {shaped("bar", "brick", {})};
    const BuiltModel bar = build_model(scene);
    const double mass = bar.model.bodies.mass[0];
    const Vec3 I = mass / 12 * Vec3{0.04 + 0.01, 0.16 + 0.01, 0.16 + 0.04}, corner{0.2, 0.1, 0.05};
    double worst = 0;
    for (int a = 0; a < 400; ++a)
        for (int b = 0; b < 200; ++b) {
            const double phi = std::numbers::pi * a / 200, theta = std::numbers::pi * b / 200;
            const Vec3 arm = cross(corner, {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)});
            worst = std::max(worst, arm.x * arm.x / I.x + arm.y * arm.y / I.y + arm.z * arm.z / I.z);
        }
    // Near its maximum the term is flat: directions 0.008 apart miss 1e-4 of it at most.
    CHECK(bodies_of_contacts(bar.model).mass[0] == doctest::Approx(1 / (1 / mass + worst)).epsilon(1e-4));
}
