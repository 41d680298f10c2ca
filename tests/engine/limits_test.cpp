// What the engine counts in 32 bits: with a limit lowered, a list or table past it is refused by name, one at it is not.
#include <doctest/doctest.h>

#include <string>

#include "base/error.hpp"
#include "systems.hpp"
#include "model/limits.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// A cube of touching spheres, 3 x 3 x 3: along each axis two layers of nine pairs touch, 54 in all.
Model block() {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    for (int i = 0; i < 27; ++i) add_sphere(m, 0.01999 * Vec3{double(i % 3), double(i / 3 % 3), double(i / 9)}, 0.01);
    set_step(m, 0.1);
    m.penalty.skin = 1e-4;
    return m;
}
constexpr std::int64_t pairs_of_block = 54;

template <class Action>
std::string message_of(const Action& action) {
    try {
        action();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("limits: pairs of a list") {
    const Model m = block();
    {
        const LoweredLimits at{{.pairs = pairs_of_block}};
        CHECK(engine_of(m)->counters().pairs == pairs_of_block);
    }
    const LoweredLimits below{{.pairs = pairs_of_block - 1}};
    const std::string text = message_of([&] { engine_of(m); });
    CHECK(has(text, "54 pairs of bodies in one list pass the limit of 53"));
    CHECK(has(text, "method.skin"));
    CHECK_THROWS_AS(engine_of(m), RunError);
}

TEST_CASE("limits: bodies") {
    const Model m = block();
    {
        const LoweredLimits at{{.bodies = 27}};
        CHECK_NOTHROW(engine_of(m));
    }
    const LoweredLimits below{{.bodies = 26}};
    CHECK_THROWS_AS(engine_of(m), Error);
    CHECK(has(message_of([&] { engine_of(m); }), "27 bodies pass the limit of 26"));
}

TEST_CASE("limits: pairs with planes and with mesh walls") {
    for (const bool mesh : {false, true}) {
        Model m = block();
        for (int k = 0; k < 7; ++k) {
            const std::string name = "floor " + std::to_string(k);
            m.walls.push_back(mesh ? mesh_wall(name, box_mesh({{-1, -1, -1}, {1, 1, -0.00999}}))
                                   : plane_wall(name, {0, 0, -0.00999}, {0, 0, 1}));
        }
        {
            const LoweredLimits at{{.pairs = 63}};
            CHECK_NOTHROW(engine_of(m));
        }
        const LoweredLimits below{{.pairs = 62}};
        CHECK(has(message_of([&] { engine_of(m); }), "63 pairs of bodies and walls in one list pass the limit of 62"));
        CHECK_THROWS_AS(engine_of(m), RunError);
    }
}

TEST_CASE("limits: contact points of the cone method, and pairs with walls there") {
    Model m = block();
    m.method = Method::Cone;
    m.dt = 1e-3;
    m.walls.push_back(plane_wall("floor", {0, 0, -0.00999}, {0, 0, 1}));
    const auto message_with = [&](const CountLimits& limits) {
        const LoweredLimits lowered(limits);
        return message_of([&] { engine_of(m)->advance(1); });
    };
    CHECK(message_with({.points = pairs_of_block + 9}) == "");  // nine spheres lie on the floor
    CHECK(has(message_with({.points = pairs_of_block + 8}), "63 contact points in a step pass the limit of 62"));
    m.walls.clear();
    for (int k = 0; k < 7; ++k) m.walls.push_back(plane_wall("floor " + std::to_string(k), {0, 0, -0.00999}, {0, 0, 1}));
    CHECK(message_with({.pairs = 63}) == "");
    CHECK(has(message_with({.pairs = 62}), "63 pairs of bodies and walls in one list pass the limit of 62"));
}
