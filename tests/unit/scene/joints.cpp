// Named bodies, walls that they carry, joints, and the measures of them.
#include <doctest/doctest.h>

#include <cmath>

#include "unit/scene/mechanism.hpp"

using namespace scree;
using namespace scree_test;

namespace {

const SceneJoint& joint(const Scene& scene, const std::string& name) {
    for (const SceneJoint& j : scene.joints)
        if (j.name == name) return j;
    FAIL("no joint ", name);
    return scene.joints.front();
}

/// The message about a joint between "crank" and "ground" of these keys; its header stands on line 47.
std::string joint_error(const std::string& keys) {
    return error_of(kBodies + "[[joint]]\nname = \"j\"\n" + keys);
}

const std::string kHinge = "kind = \"revolute\"\nbetween = [\"crank\", \"ground\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n";
const std::string kSlide = "kind = \"prismatic\"\nbetween = [\"crank\", \"ground\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n";

}  // namespace

TEST_CASE("bodies: every key") {
    const Scene scene = parsed(kBodies);
    REQUIRE(scene.named_bodies.size() == 2);
    const SceneBody& crank = scene.named_bodies[0];
    CHECK(crank.name == "crank");
    CHECK(crank.shape == "rod");
    CHECK(crank.position == Vec3{0.5, 0, 0});
    CHECK(std::fabs(crank.orientation.z - std::sqrt(0.5)) < 1e-15);
    CHECK(crank.velocity == Vec3{0, 1, 0});
    CHECK(crank.angular_velocity.z == doctest::Approx(3.14159265358979324));
    CHECK(crank.mass == 2.0);
    CHECK(crank.inertia == std::vector<double>{1, 2, 2, 0.1, 0, 0});
    CHECK(crank.centre == Vec3{0.1, 0, 0});
    CHECK(!crank.collide);
    CHECK(scene.walls[0].body == "slider");
    CHECK(scene.walls[1].mass == 0.25);
    CHECK(scene.walls[1].centre == Vec3{0, 0, 2});
}

TEST_CASE("joints: every kind and key, and the resolved text parses to itself") {
    const Scene scene = parsed(kJoints);
    const Scene again = parse_scene_text(scene.resolved, "resolved.toml", "/elsewhere");
    CHECK(again.resolved == scene.resolved);
    for (const Scene& s : {scene, again}) {
        REQUIRE(s.joints.size() == 13);
        const SceneJoint& hinge = joint(s, "hinge");
        CHECK(hinge.a == "crank");
        CHECK(hinge.b == "ground");
        CHECK(hinge.angle_low == doctest::Approx(-1.57079632679489662));
        CHECK(hinge.angle_high == kInfinity);
        REQUIRE(hinge.motor.has_value());
        CHECK(hinge.motor->drive == "speed");
        CHECK(hinge.motor->value.constant == doctest::Approx(3.14159265358979324));
        CHECK(hinge.motor->value.amplitude == 0.1);
        CHECK(hinge.motor->value.frequency == 2);
        CHECK(hinge.motor->value.phase == doctest::Approx(1.57079632679489662));
        CHECK(hinge.motor->value.table == "/scenes/speed.csv");
        CHECK(hinge.motor->most == 5);
        REQUIRE(hinge.torsion.has_value());
        CHECK(hinge.torsion->stiffness == 2);
        CHECK(hinge.torsion->damping == doctest::Approx(0.1));
        CHECK(hinge.torsion->rest.value() == doctest::Approx(0.174532925199432958));
        CHECK(hinge.torsion->preload == 1);
        CHECK(hinge.collide);
        const SceneJoint& slide = joint(s, "slide");
        CHECK(slide.travel_low == -kInfinity);
        CHECK(slide.travel_high == 0.1);
        CHECK(slide.motor->drive == "force");
        CHECK(slide.motor->value.constant == 3);
        CHECK(slide.motor->most == kInfinity);
        CHECK(slide.spring->stiffness == 100);
        CHECK(slide.spring->rest == 0.1);
        CHECK(!slide.collide);
        CHECK(joint(s, "bolt").motor->most == 3);
        CHECK(joint(s, "cross").axis_b == Vec3{0, 3, 0});
        CHECK(joint(s, "bar").length == 1.0);
        CHECK(joint(s, "rail").point_b == Vec3{0, 0, 1});
        CHECK(!joint(s, "rope").spring->rest);
        CHECK(joint(s, "wheels").ratio == -2);
        CHECK(joint(s, "pinion").ratio == 0.03);
        CHECK(joint(s, "pinion").first == "hinge");
        CHECK(joint(s, "pinion").second == "slide");
        CHECK(s.measures[0].body == "lid");
        CHECK(s.measures[1].joint == "hinge");
        CHECK(s.measures[2].name == "solver");
    }
    CHECK(parsed(kJoints, {"joint.slide.motor.force=5 N"}).joints[1].motor->value.constant == 5);
}

TEST_CASE("bodies: errors") {
    const std::string slider = "[[body]]\nname = \"a\"\nmass = 1\n";
    const struct {
        std::string text, message;
    } cases[] = {
        {"[[body]]\nmass = 1\ninertia = [1, 1, 1]\n", "scene.toml:12:1: [[body]] needs \"name\""},
        {"[[body]]\nname = \"a\"\ninertia = [1, 1, 1]\n", "scene.toml:12:1: [[body]] without a shape needs \"mass\""},
        {slider, "scene.toml:12:1: [[body]] without a shape needs \"inertia\""},
        {slider + "inertia = [1, 1]\n", "scene.toml:15:11: [[body]] inertia: expected a list of 3 to 6 numbers, each a moment of inertia"},
        {slider + "inertia = [1, 1, 1, 1]\n", "scene.toml:15:11: [[body]] inertia: expected three numbers [xx, yy, zz] or six"},
        {slider + "inertia = [1, 1, 3]\n",
         "scene.toml:15:11: [[body]] inertia: no mass is spread so that one principal moment exceeds the sum of the other two, but they "
         "are 1, 1 "
         "and 3"},
        {slider + "inertia = [1, 1, 0]\n", "scene.toml:15:11: [[body]] inertia: the principal moments must be above 0, but are 0, 1 and 1"},
        // Principal moments 1 - 2 and 1 + 2 in the x-y plane.
        {slider + "inertia = [1, 1, 1, 2, 0, 0]\n",
         "scene.toml:15:11: [[body]] inertia: the principal moments must be above 0, but are -1, 1 and 3"},
        {slider + "inertia = [1, 1, \"1 kg\"]\n",
         "scene.toml:15:18: [[body]] inertia: expected a moment of inertia, such as \"40 g cm^2\"; \"1 kg\" is a mass"},
        {slider + "inertia = [1, 1, 1]\ncentre = [0, 0, 0]\n", "scene.toml:16:10: [[body]] centre: does not apply without a shape"},
        {"[[body]]\nname = \"a\"\nmass = 0\ninertia = [1, 1, 1]\n", "scene.toml:14:8: [[body]] mass: must be above 0"},
        {"[[body]]\nname = \"ground\"\nmass = 1\ninertia = [1, 1, 1]\n", "scene.toml:12:1: a body cannot be called \"ground\""},
        {"[[body]]\nname = \"a\"\nshape = \"grain\"\n", "scene.toml:12:1: [[body]] with a shape needs \"material\""},
        {"[[body]]\nname = \"a\"\nshape = \"grian\"\nmaterial = \"glass\"\n",
         "scene.toml:14:9: [[body]] shape: there is no shape \"grian\"; did you mean \"grain\"?"},
        {slider + "inertia = [1, 1, 1]\n" + slider + "inertia = [1, 1, 1]\n", "scene.toml:16:1: two bodies are called \"a\""},
        {"[shape.sand]\nkind = \"sphere\"\nclasses = [{ radius = 1, share = 1 }]\n[[body]]\nname = \"a\"\nshape = \"sand\"\nmaterial = "
         "\"glass\"\n",
         "scene.toml:15:1: shape \"sand\" has a distribution of sizes; the one body \"a\" needs a radius"},
    };
    for (const auto& c : cases) {
        const std::string message = error_of(kHead + c.text);
        CHECK_MESSAGE(message.starts_with(c.message), c.text, "\ngave:     ", message, "\nexpected: ", c.message);
    }
    CHECK(error_of(kHead + slider + "inertia = [1, 1, 2]\n") == "no error");  // a disk
}

TEST_CASE("walls with bodies: errors") {
    const std::string wall = kBodies + "[[wall]]\nkind = \"plane\"\nmaterial = \"glass\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n";
    CHECK(contains(error_of(wall + "body = \"slyder\"\n"), "[[wall]] body: there is no body \"slyder\"; did you mean \"slider\"?"));
    CHECK(contains(error_of(wall + "body = \"lid\"\n"), "there is no body \"lid\""));  // a wall's own body carries that wall alone
    CHECK(contains(error_of(wall + "mass = 1\n"), "a wall with a mass needs inertia too"));
    CHECK(contains(error_of(wall + "mass = 1\ninertia = [1, 1, 1]\n"), "a wall with a mass needs centre too"));
    CHECK(contains(error_of(wall + "inertia = [1, 1, 1]\n"), "inertia: does not apply without mass"));
    CHECK(contains(error_of(wall + "body = \"slider\"\nmass = 1\ninertia = [1, 1, 1]\ncentre = [0, 0, 0]\n"), "give either body or mass"));
    CHECK(contains(error_of(wall + "body = \"slider\"\nmotion = { velocity = [1, 0, 0] }\n"), "a wall carried by a body moves with it"));
    CHECK(contains(error_of(wall + "name = \"crank\"\nmass = 1\ninertia = [1, 1, 1]\ncentre = [0, 0, 0]\n"),
                   "two bodies are called \"crank\""));
}

TEST_CASE("joints: errors") {
    const struct {
        std::string text, message;
    } cases[] = {
        {"kind = \"hinge\"\n", "scene.toml:49:8: [[joint]] kind: \"hinge\" is not one of spherical, revolute"},
        {"kind = \"revolute\"\nbetween = [\"crnk\", \"ground\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n",
         "scene.toml:50:12: [[joint]] between: there is no body \"crnk\"; did you mean \"crank\"?"},
        {"kind = \"revolute\"\nbetween = [\"ground\", \"ground\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n",
         "scene.toml:50:11: [[joint]] between: both ends are the ground"},
        {"kind = \"revolute\"\nbetween = [\"lid\", \"lid\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n",
         "scene.toml:50:11: [[joint]] between: \"lid\" is joined to itself"},
        {"kind = \"revolute\"\nbetween = [\"lid\", \"ground\"]\naxis = [0, 0, 1]\n",
         "scene.toml:47:1: [[joint]] with kind = \"revolute\" needs \"point\""},
        {"kind = \"revolute\"\nbetween = [\"lid\", \"ground\"]\npoint = [0, 0, 0]\n",
         "scene.toml:47:1: [[joint]] with kind = \"revolute\" needs \"axis\""},
        {"kind = \"distance\"\nbetween = [\"lid\", \"ground\"]\npoint = [0, 0, 0]\n",
         "scene.toml:47:1: [[joint]] with kind = \"distance\" needs \"point_b\""},
        {"kind = \"distance\"\nbetween = [\"lid\", \"ground\"]\npoint = [0, 0, 0]\npoint_b = [0, 0, 0]\n",
         "scene.toml:52:11: [[joint]] point_b: is the same as point"},
        {"kind = \"distance\"\nbetween = [\"lid\", \"ground\"]\npoint = [0, 0, 0]\npoint_b = [0, 0, 1]\nlength = 2\n",
         "scene.toml:53:10: [[joint]] length: is 2 m, but point and point_b are 1 m apart at the start"},
        {"kind = \"universal\"\nbetween = [\"lid\", \"ground\"]\npoint = [0, 0, 0]\naxis = [1, 0, 0]\naxis_b = [1, 1, 0]\n",
         "scene.toml:53:10: [[joint]] axis_b: must be square to axis; the angle between them is 45 deg"},
        {"kind = \"revolute_spherical\"\nbetween = [\"lid\", \"ground\"]\npoint = [0, 0, 0]\npoint_b = [0, 0, 1]\naxis = [0, 0, 1]\n",
         "scene.toml:53:8: [[joint]] axis: must be square to the line from point to point_b; the angle between them is 0 deg"},
        {"kind = \"point_on_line\"\nbetween = [\"lid\", \"ground\"]\npoint = [0, 0, 0]\npoint_b = [2, 0, 1]\naxis = [0, 0, 1]\n",
         "scene.toml:52:11: [[joint]] point_b: must lie on the line through point along axis; it is 2 m off"},
        {"kind = \"point_on_plane\"\nbetween = [\"lid\", \"ground\"]\npoint = [0, 0, 0]\npoint_b = [2, 0, 1]\naxis = [0, 0, 1]\n",
         "scene.toml:52:11: [[joint]] point_b: must lie in the plane through point across axis; it is 1 m off"},
        {"kind = \"spherical\"\nbetween = [\"lid\", \"ground\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n",
         "scene.toml:52:8: [[joint]] axis: does not apply to kind = \"spherical\""},
        {kHinge + "angle = [1, 0]\n", "scene.toml:53:9: [[joint]] angle: must be [low, high] with low not above high, not [1, 0]"},
        {kHinge + "angle = [0.5, 1]\n", "scene.toml:53:9: [[joint]] angle: counts from the start, which is 0: [0.5, 1] must contain it"},
        {kHinge + "angle = [\"none\", -0.1]\n", "scene.toml:53:9: [[joint]] angle: counts from the start, which is 0: [-inf, -0.1] must"},
        {kSlide + "travel = [0.1, \"none\"]\n", "scene.toml:53:10: [[joint]] travel: counts from the start, which is 0: [0.1, inf] must"},
        {kHinge + "angle = [0, \"open\"]\n", "scene.toml:53:13: [[joint]] angle: expected an angle"},
        {kHinge + "angle = 1\n", "scene.toml:53:9: [[joint]] angle: expected two numbers [low, high], each an angle"},
        {kHinge + "travel = [0, 1]\n", "scene.toml:53:10: [[joint]] travel: kind = \"revolute\" has no travel; prismatic"},
        {kSlide + "angle = [0, 1]\n", "scene.toml:53:9: [[joint]] angle: kind = \"prismatic\" has no angle about an axis"},
        {kHinge + "spring = { stiffness = 1 }\n", "scene.toml:53:10: [[joint]] spring: kind = \"revolute\" has no travel; prismatic"},
        {kSlide + "torsion = { stiffness = 1 }\n", "scene.toml:53:11: [[joint]] torsion: kind = \"prismatic\" has no angle"},
        {kSlide + "spring = { rest = 1 }\n", "scene.toml:53:10: [[joint]] spring needs one of stiffness, stiffening, damping, preload"},
        {kHinge + "motor = { force = 1 }\n", "scene.toml:53:9: [[joint]] motor force: kind = \"revolute\" has no travel"},
        {kSlide + "motor = { torque = 1 }\n",
         "scene.toml:53:9: [[joint]] motor torque: kind = \"prismatic\" has no angle about an axis; revolute and cylindrical have one. Use "
         "travel, velocity or force"},
        {kHinge + "motor = { }\n", "scene.toml:53:9: [[joint]] motor needs one of angle, speed, torque, travel, velocity, force"},
        {kHinge + "motor = { speed = 1, torque = 1 }\n", "scene.toml:53:31: [[joint]] motor: give only one of"},
        {kHinge + "motor = { torque = 1, most = 2 }\n", "scene.toml:53:30: [[joint]] motor most: does not apply to torque"},
        {kHinge + "motor = { speed = 1, most = \"2 N\" }\n", "scene.toml:53:29: [[joint]] motor most: expected a torque"},
        {kHinge + "motor = { speed = { amplitude = 1 } }\n",
         "scene.toml:53:33: [[joint]] motor speed amplitude: needs a frequency above 0"},
        {kHinge + "motor = { speed = true }\n", "scene.toml:53:19: [[joint]] motor speed: expected an angular velocity"},
        {"kind = \"gear\"\njoints = [\"j\", \"k\"]\nratio = 0\n", "scene.toml:51:9: [[joint]] ratio: must not be 0"},
        {"kind = \"gear\"\njoints = [\"j\", \"j\"]\nratio = 1\n", "scene.toml:50:10: [[joint]] joints: are one and the same"},
        {"kind = \"gear\"\njoints = [\"j\", \"k\"]\nratio = \"1 m\"\n", "scene.toml:51:9: [[joint]] ratio: expected a plain number"},
        {kHinge + "[[joint]]\nname = \"g\"\nkind = \"gear\"\njoints = [\"j\", \"hing\"]\nratio = 1\n",
         "scene.toml:56:16: [[joint]] joints: there is no joint \"hing\""},
        {kHinge + "[[joint]]\nname = \"r\"\nkind = \"gear\"\njoints = [\"j\", \"s\"]\nratio = 1\n[[joint]]\nname = \"s\"\n" + kSlide,
         "scene.toml:53:1: the gear \"r\" needs a joint that turns (revolute or cylindrical), but \"s\" is prismatic"},
        {kHinge + "[[joint]]\nname = \"j\"\n" + kSlide, "scene.toml:53:1: two joints are called \"j\""},
        {kHinge + "[[measure]]\nkind = \"joint\"\njoint = \"jj\"\n",
         "scene.toml:55:9: [[measure]] joint: there is no joint \"jj\"; did you mean \"j\"?"},
        {kHinge + "[[measure]]\nkind = \"body\"\n", "scene.toml:53:1: [[measure]] with kind = \"body\" needs \"body\""},
    };
    for (const auto& c : cases) {
        const std::string message = joint_error(c.text);
        CHECK_MESSAGE(message.starts_with(c.message), c.text, "\ngave:     ", message, "\nexpected: ", c.message);
    }
}
