// What is counted in 32 bits: that the limits are where the numbers end, and that the message names them.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "model/limits.hpp"

using namespace scree;

namespace {

template <class Problem, class Action>
std::string message_of(const Action& action) {
    try {
        action();
    } catch (const Problem& e) {
        return e.what();
    }
    return "";
}

/// As rows of bodies hold a pair or a contact point.
std::uint32_t entry_of(std::int64_t index, bool second) {
    return static_cast<std::uint32_t>(index) * 2 + (second ? 1u : 0u);
}

}  // namespace

TEST_CASE("limits: the last pair and point that are allowed have entries of their own, one more would be mistaken for another") {
    const CountLimits limits;
    for (const std::int64_t count : {limits.pairs, limits.points}) {
        const std::int64_t last = count - 1;
        CHECK(static_cast<std::int64_t>(entry_of(last, true) >> 1) == last);
        CHECK((entry_of(last, true) & 1u) == 1);
        CHECK(static_cast<std::int32_t>(last) == last);
        // Of entries the next but one wraps round; of numbers in std::int32_t the next is negative.
        CHECK(static_cast<std::int64_t>(entry_of(last + 2, false) >> 1) != last + 2);
        CHECK(static_cast<std::int32_t>(count + 1) < 0);
    }
    CHECK(static_cast<std::int32_t>(limits.bodies - 1) == limits.bodies - 1);
    CHECK(static_cast<std::uint32_t>(limits.cells) == limits.cells);
    CHECK(static_cast<std::uint32_t>(limits.cells + 1) != limits.cells + 1);
    CHECK(static_cast<std::int32_t>(limits.surface_numbers) == limits.surface_numbers);
}

TEST_CASE("limits: up to the limit nothing is said, past it the limit, what was counted and what to change") {
    const CountLimits limits;
    CHECK_NOTHROW(require_within<Error>(2147483647.0, limits.pairs, "pairs", fewer_pairs));
    const std::string text = message_of<Error>([&] { require_within<Error>(2147483648.0, limits.pairs, "pairs", fewer_pairs); });
    CHECK(text == "2147483648 pairs pass the limit of 2147483647 (32-bit numbers): use fewer bodies or a smaller method.skin");
    CHECK(!message_of<RunError>([&] { require_within<RunError>(4294967296.0, limits.cells, "cells", fewer_bodies); }).empty());
    CHECK_NOTHROW(require_within<RunError>(4294967295.0, limits.cells, "cells", fewer_bodies));
}

TEST_CASE("limits: a run stops while the next list still fits, a twentieth longer than this one") {
    CHECK(share_to_stop_at * 1.05 < 1);
    CHECK(share_to_stop_at * 1.06 > 1);
}
