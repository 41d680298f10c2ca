// Keys of the cone method, and what changing the method alone must not break.
#include <doctest/doctest.h>

#include "unit/scene/example.hpp"

using namespace scree;
using namespace scree_test;

namespace {

const std::string kMethod = R"([method]
kind = "cone"
law = "linear"
stiffness = 1e4
solver = "gauss_seidel"
friction = "coulomb"
iterations = 50
tolerance = "1 um/s"
omega = 1.2
lambda = 0.9
recovery_speed = "10 cm/s"
restitution_threshold = 0.2
envelope = "1 mm"
warm_start = false
joints = "iterate"
joint_tolerance = 1e-8
coulomb_iterations = 5
)";

std::string material(const std::string& keys) {
    return "[time]\nend = 1\n[method]\nkind = \"cone\"\n[material.m]\ndensity = 1000\nfriction = 0.3\n" + keys;
}

}  // namespace

TEST_CASE("method: keys of the cone method, and the file with the other kind") {
    for (const char* kind : {"cone", "penalty"}) {
        const Scene scene = parsed(kHead + kMethod, {std::string("method.kind=") + kind});
        CHECK(parsed(scene.resolved).resolved == scene.resolved);
        CHECK(scene.method.kind == kind);
        CHECK(scene.method.solver == "gauss_seidel");
        CHECK(scene.method.friction == "coulomb");
        CHECK(scene.method.iterations == 50);
        CHECK(scene.method.tolerance.value() == doctest::Approx(1e-6));
        CHECK(scene.method.omega == 1.2);
        CHECK(scene.method.lambda == 0.9);
        CHECK(scene.method.recovery_speed.value() == doctest::Approx(0.1));
        CHECK(scene.method.restitution_threshold == 0.2);
        CHECK(scene.method.envelope == 0.001);
        CHECK(!scene.method.warm_start);
        CHECK(scene.method.joints == "iterate");
        CHECK(scene.method.joint_tolerance == 1e-8);
        CHECK(scene.method.coulomb_iterations == 5);
    }
    const Scene plain = parsed(kHead + "[method]\nkind = \"cone\"\n");
    CHECK(!plain.method.tolerance);
    CHECK(!plain.method.omega);
    CHECK(plain.method.solver == "auto");
}

TEST_CASE("method: materials of the cone method") {
    const Scene scene = parsed(material("restitution = 0\nrolling_friction = 0.1\nspinning_friction = 0.2\ncohesion = \"3 mN\"\n") +
                               "[[material_pair]]\nbetween = [\"m\", \"m\"]\nrestitution = 0\ncohesion = 1\nrolling_friction = 0\n");
    CHECK(scene.materials[0].restitution == 0);  // no Young's modulus needed
    CHECK(scene.materials[0].rolling_friction == 0.1);
    CHECK(scene.materials[0].spinning_friction == 0.2);
    CHECK(scene.materials[0].cohesion == doctest::Approx(0.003));
    CHECK(scene.material_pairs[0].cohesion == 1.0);
    CHECK(scene.material_pairs[0].rolling_friction == 0.0);
    CHECK(!scene.material_pairs[0].spinning_friction);
    CHECK(parsed(scene.resolved).resolved == scene.resolved);
}

TEST_CASE("method: errors") {
    CHECK(
        contains(error_of(material("restitution = -0.1\n")), "8:15: [material.m] restitution: must be at least 0 and at most 1, not -0.1"));
    CHECK(contains(error_of(material("")), "[material.m] except under law = \"power\" needs \"restitution\""));
    const std::string penalty = kHead + "[material.m]\ndensity = 1\nyoung = 1\npoisson = 0\nrestitution = 1\nfriction = 0\n";
    CHECK(error_of(penalty + "cohesion = 0\nrolling_friction = 0\n") == "no error");
    CHECK(
        contains(error_of(penalty + "cohesion = 2\n"),
                 "scene.toml:18:12: [material.m] cohesion: is 2, but the penalty method has no cohesion; leave it out, set it to 0, or use "
                 "method.kind = \"cone\""));
    CHECK(contains(error_of(penalty + "rolling_friction = 0.1\n"), "the penalty method has no rolling_friction"));
    CHECK(contains(error_of(penalty + "spinning_friction = 0.1\n"), "the penalty method has no spinning_friction"));
    CHECK(contains(error_of(kHead + "[[material_pair]]\nbetween = [\"glass\", \"glass\"]\ncohesion = 1\n"),
                   "14:12: [[material_pair]] cohesion"));
    CHECK(contains(error_of(kHead + "[method]\nomega = 1.5\n"), "13:9: [method] omega: must be at most 1, not 1.5; only solver"));
    CHECK(contains(error_of(kHead + "[method]\nsolver = \"gauss\"\n"), "13:10: [method] solver: \"gauss\" is not one of auto"));
    CHECK(contains(error_of(kHead + "[method]\ntolerance = 0\n"), "13:13: [method] tolerance: must be above 0"));
    CHECK(contains(error_of(kHead + "[method]\nlambda = 1.5\n"), "lambda: must be above 0 and at most 1"));
}
