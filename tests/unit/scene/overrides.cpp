#include "scene/overrides.hpp"

#include <doctest/doctest.h>

#include "unit/scene/example.hpp"

using namespace scree;
using namespace scree_test;

TEST_CASE("overrides: reach every kind of table") {
    CHECK(parsed(kFull, {"time.end=2"}).time.end == 2);
    CHECK(parsed(kFull, {"time.end=20 ms"}).time.end == 0.02);
    CHECK(parsed(kFull, {"time.step=auto"}).time.step.has_value() == false);
    CHECK(parsed(kFull, {"title=A new title"}).title == "A new title");
    CHECK(parsed(kFull, {"title=\"quoted\""}).title == "quoted");
    CHECK(parsed(kFull, {"method.search=levels"}).method.search == "levels");
    CHECK(parsed(kFull, {"domain.gravity=[0, 0, \"-1.6 m/s2\"]"}).domain.gravity.z == -1.6);
    CHECK(parsed(kFull, {"material.glass.friction=0.9"}).materials[0].friction == 0.9);
    CHECK(parsed(kFull, {"shape.gravel.share_by=number"}).shapes[2].size.share_by_mass == false);
    CHECK(parsed(kFull, {"bodies.0.seed=3"}).bodies[0].seed == 3);
    CHECK(parsed(kFull, {"bodies.1.place.spacing=5 mm"}).bodies[1].placement.spacing == 0.005);
    CHECK(parsed(kFull, {"bodies.3.place.region.box=[[0,0,0],[2,2,2]]"}).bodies[3].placement.box_max.x == 2);
    CHECK(parsed(kFull, {"wall.hopper.active=[0.5, 1]"}).walls[4].active_from == 0.5);
    CHECK(parsed(kFull, {"wall.1.active=[0, inf]"}).walls[1].active_to == kInfinity);
    CHECK(parsed(kFull, {"material_pair.0.friction=0"}).material_pairs[0].friction.value() == 0);
}

TEST_CASE("overrides: a missing table is added, later ones win") {
    CHECK(parsed(kHead, {"output.every=0.5"}).output.every == 0.5);
    CHECK(parsed(kHead, {"time.end=3", "time.end=4"}).time.end == 4);
}

TEST_CASE("overrides: faults name the override") {
    struct Case {
        const char* override_text;
        const char* message;
    };
    const Case cases[] = {
        {"time.ned=2", "--set time.ned: unknown key \"ned\"; did you mean \"end\"?"},
        {"tiem.end=2", "--set tiem.end: unknown key \"tiem\"; did you mean \"time\"?"},
        {"time.end=-2", "--set time.end: [time] end: must be above 0, not -2"},
        {"time.end=3 m", "--set time.end: [time] end: expected a time, such as \"20 ms\"; \"3 m\" is a length"},
        {"time.end", "needs a value"},
        {"time.end=", "needs a value"},
        {"time.end.now=1", "\"end\" is a value and has no keys of its own"},
        {"time=3", "--set time: [time]: expected a table"},
        {"material.glas.friction=1", "--set material.glas.friction: there is no material \"glas\"; did you mean \"glass\"?"},
        {"material.glass=1", "name a table and a key"},
        {"bodies.9.seed=3", "there is no bodies 9; the scene has 6, counted from 0"},
        {"wall.lid.active=[0,1]", "there is no wall \"lid\" (a number, counted from 0, names one too)"},
        {"wall.flor.active=[0,1]", "names one too); did you mean \"floor\"?"},
        {"wall.floor.radius=1",
         "--set wall.floor.radius: [[wall]] radius: does not apply to kind = \"plane\"; it belongs to kind = \"cylinder\""},
        {"domain.gravity=[0, 1", "--set domain.gravity: the value is not TOML"},
        {"domain.gravity=[0, 0, \"1 m\"]", "--set domain.gravity: [domain] gravity: expected an acceleration"},
        {"bodies.0.material=stele",
         "--set bodies.0.material: [[bodies]] material: there is no material \"stele\"; did you mean \"steel\"?"},
        {"title=a\nb", "must be on one line"},
    };
    for (const Case& c : cases) {
        const std::string message = error_of(kFull, {c.override_text});
        CHECK_MESSAGE(contains(message, c.message), c.override_text, " gave: ", message);
        CHECK(message.starts_with("--set "));
    }
    CHECK(contains(error_of(kHead, {"wall.0.scale=1"}), "the scene has no [[wall]] table"));
}
