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
    CHECK(contains(
        error_of(material("")),
        "[material.m] except under law = \"power\" or dashpot = \"brilliantov\", or with method.kind = \"fluid\" needs \"restitution\""));
    CHECK(contains(error_of(kHead + "[[material_pair]]\nbetween = [\"glass\", \"glass\"]\nrestitution = 2\n"),
                   "14:15: [[material_pair]] restitution: must be at least 0 and at most 1, not 2"));
    CHECK(contains(error_of(kHead + "[method]\nomega = 1.5\n"), "13:9: [method] omega: must be at most 1, not 1.5; only solver"));
    CHECK(contains(error_of(kHead + "[method]\nsolver = \"gauss\"\n"), "13:10: [method] solver: \"gauss\" is not one of auto"));
    CHECK(contains(error_of(kHead + "[method]\ntolerance = 0\n"), "13:13: [method] tolerance: must be above 0"));
    CHECK(contains(error_of(kHead + "[method]\nlambda = 1.5\n"), "lambda: must be above 0 and at most 1"));
}

TEST_CASE("method: values that one method lacks are no errors under the other") {
    const std::string keys = "restitution = 0\nrolling_friction = 0.1\nspinning_friction = 0.2\ncohesion = 2\nyoung = 1e7\npoisson = 0.3\n";
    const Scene scene = parsed(material(keys), {"method.kind=penalty"});
    CHECK(scene.materials[0].restitution == 0);  // what is made of it is for setup/ to say
    CHECK(scene.materials[0].given.at("cohesion").line == 11);
    CHECK(parsed(scene.resolved).materials[0].cohesion == 2);
}

TEST_CASE("method: a step for each method") {
    const auto with_step = [](const std::string& step) { return "[time]\nend = 1\nstep = " + step + "\n[method]\nkind = \"cone\"\n"; };
    const std::string both = with_step("{ cone = \"2 ms\", penalty = 1e-5 }");
    CHECK(parsed(both).time.step == 0.002);
    CHECK(parsed(both, {"method.kind=penalty"}).time.step == 1e-5);
    CHECK(parsed(both, {"time.step.cone=3e-3"}).time.step == 0.003);
    CHECK(parsed(both, {"time.step=4 ms"}).time.step == 0.004);
    CHECK(!parsed(both, {"time.step=auto"}).time.step);
    CHECK(parsed(with_step("{ cone = \"2 ms\", hard = 0.1 }"), {"method.kind=hard"}).time.step == 0.1);
    const std::string one = with_step("{ cone = \"2 ms\" }");
    CHECK(parsed(one).time.step == 0.002);
    CHECK(!parsed(one, {"method.kind=penalty"}).time.step);
    for (const std::string& text : {both, one}) {
        const Scene scene = parsed(text);
        CHECK(parsed(scene.resolved).resolved == scene.resolved);
        CHECK(parsed(scene.resolved, {"method.kind=penalty"}).time.step == parsed(text, {"method.kind=penalty"}).time.step);
    }
    CHECK(error_of(with_step("{ cone = 0 }")) == "scene.toml:3:17: [time] step cone: must be above 0, not 0");
    CHECK(contains(error_of(with_step("{ cone = 1e-3, penalty = 2 }")), "3:8: [time] step: must not be longer than the run: step 2 s"));
    CHECK(contains(error_of(with_step("{ soft = 1 }")), "unknown key \"soft\" in [time] step"));
    CHECK(contains(error_of(with_step("[1, 2]")),
                   "a number in s, or text such as \"20 ms\") or a table { cone = …, fluid = …, hard = …, penalty = … }"));
    CHECK(contains(error_of(with_step("1e-3"), {"time.step.cone=1"}), "--set time.step.cone: \"step\" is not a table in the scene"));
}

TEST_CASE("method: what the interior-point method cannot solve is refused when the scene is read") {
    const std::string head = "[time]\nend = 1\n[method]\nkind = \"cone\"\nsolver = \"interior_point\"\n";
    const std::string m = "[material.m]\ndensity = 1\nfriction = 0.3\nrestitution = 0\n";
    const std::string pair = "[[material_pair]]\nbetween = [\"m\", \"m\"]\n";
    const std::string joint =
        "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = \"j\"\nkind = \"fixed\"\nbetween = [\"ground\", \"a\"]\n"
        "point = [0, 0, 0]\n";
    CHECK(error_of(head + m + pair + "cohesion = 1\n") == "no error");
    for (const auto& [text, what] : {std::pair{head + joint, "the scene has joints"},
                                     {head + m + "rolling_friction = 0.1\n", "material \"m\" has rolling or spinning friction"},
                                     {head + m + pair + "spinning_friction = 0.1\n", "the pair \"m\", \"m\" has rolling or spinning"}}) {
        CHECK(contains(error_of(text),
                       "scene.toml:5:10: [method] solver: \"interior_point\" solves contacts alone, but " + std::string(what)));
        CHECK(error_of(text, {"method.solver=apgd"}) == "no error");
    }
    CHECK(error_of(head + joint, {"method.kind=penalty"}) == "no error");
}
