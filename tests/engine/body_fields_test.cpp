// The table of body fields: every array is declared once, and what is done to all of them reaches all.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "engine/exec/scratch.hpp"
#include "engine/state/body_operations.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;

namespace {

/// n bodies whose fields of these parts hold numbers of their own, ids from `first` on.
void fill(Bodies& bodies, Index n, std::uint32_t parts, std::uint32_t first) {
    bodies.count = n;
    std::uint64_t column = first;
    bodies.each_field([&](const BodyField& field, auto& array) {
        using T = typename std::remove_reference_t<decltype(array)>::Value;
        if ((field.part & parts) == 0) return;
        Rng rng(7, ++column);
        std::vector<T> values(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < values.size(); ++i) {
            if constexpr (std::is_same_v<T, Row4>) {
                for (double& v : values[i].value) v = rng.uniform();
            } else {
                values[i] = static_cast<T>(1000 * rng.uniform());
            }
        }
        array.assign(values);
    });
    std::vector<std::uint32_t> id;
    for (Index i = 0; i < n; ++i) id.push_back(first + static_cast<std::uint32_t>(i));
    bodies.id.assign(id);
}

using Table = std::vector<std::pair<std::string, std::vector<double>>>;
Table table_of(Bodies& bodies) {
    Table table;
    for (const BodyField& field : body_fields) table.emplace_back(field.name, field_values(bodies, field.name));
    return table;
}

}  // namespace

TEST_CASE("every array of bodies is declared once, with unit and writer") {
    Bodies bodies;
    std::size_t bytes = sizeof(Index);
    std::set<const void*> arrays;
    std::set<std::string> names;
    bodies.each_field([&](const BodyField& field, auto& array) {
        bytes += sizeof(array);
        arrays.insert(&array);
        names.insert(field.name);
        CHECK(std::string(field.name).rfind("body.", 0) == 0);
        CHECK(std::string(field.unit) != "");
        CHECK(std::string(field.writer) != "");
        CHECK(find_field(field.name) == &field);
    });
    CHECK(bytes == sizeof(Bodies));  // no array is left out
    CHECK(arrays.size() == std::size(body_fields));
    CHECK(names.size() == std::size(body_fields));
}

TEST_CASE("bodies that are appended and taken away again leave all fields as they were") {
    const std::uint32_t all = ~0u;
    for (const std::uint32_t parts : {std::uint32_t{kAllBodies}, kAllBodies | kOrientations | kShapes, all}) {
        Bodies bodies, more;
        fill(bodies, 5, parts, 0);
        fill(more, 3, parts, 5);
        const Table before = table_of(bodies), added = table_of(more);
        append_bodies(bodies, more);
        CHECK(bodies.count == 8);
        for (std::size_t f = 0; f < before.size(); ++f) {
            std::vector<double> both = before[f].second;
            both.insert(both.end(), added[f].second.begin(), added[f].second.end());
            CAPTURE(before[f].first);
            CHECK(field_values(bodies, before[f].first) == both);
        }
        Exec exec;
        Scratch scratch;
        exec.scratch = &scratch;
        Array<Row4> buffers;
        const Array<std::uint32_t> order(std::vector<std::uint32_t>{0, 1, 2, 3, 4});
        choose_bodies(exec, bodies, order.data(), 5, buffers);
        CHECK(bodies.count == 5);
        CHECK(table_of(bodies) == before);
        const Array<std::uint32_t> turned(std::vector<std::uint32_t>{4, 0});
        choose_bodies(exec, bodies, turned.data(), 2, buffers);
        CHECK(bodies.id.host() == std::vector<std::uint32_t>{4, 0});
        for (std::size_t f = 0; f < before.size(); ++f) {
            const std::vector<double> now = field_values(bodies, before[f].first);
            const std::size_t numbers = before[f].second.size() / 5;
            REQUIRE(now.size() == 2 * numbers);
            for (std::size_t k = 0; k < numbers; ++k) {
                CHECK(now[k] == before[f].second[4 * numbers + k]);
                CHECK(now[numbers + k] == before[f].second[k]);
            }
        }
    }
}

TEST_CASE("forces that one of two sets of bodies does not hold are dropped of both") {
    Bodies bodies, more;
    fill(bodies, 2, kAllBodies | kForceSums, 0);
    fill(more, 2, kAllBodies, 2);
    append_bodies(bodies, more);
    CHECK(bodies.force.x.size() == 0);
    CHECK(bodies.position.rows.size() == 4);
}

TEST_CASE("fields are set by name, and wrong names and counts are told") {
    Bodies bodies;
    fill(bodies, 3, kAllBodies | kFluids, 0);
    set_field(bodies, "body.density", {1, 2, 3});
    CHECK(bodies.density.host() == std::vector<double>{1, 2, 3});
    std::vector<double> rows = field_values(bodies, "body.position_radius");
    REQUIRE(rows.size() == 12);
    rows[5] = 0.25;
    set_field(bodies, "body.position_radius", rows);
    CHECK(bodies.position.host()[1].y == 0.25);
    CHECK(field_values(bodies, "body.work_damping").empty());
    CHECK_THROWS_WITH_AS(set_field(bodies, "body.densty", {}), "bodies have no field \"body.densty\"", Error);
    CHECK_THROWS_WITH_AS(set_field(bodies, "body.density", {1, 2}), "field \"body.density\" takes 3 numbers, not 2", Error);
}
