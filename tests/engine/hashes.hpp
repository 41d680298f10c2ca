// Hash of a run's state: what runs that must not differ are compared by. To be included after doctest.
#pragma once

#include <doctest/doctest.h>

#include "systems.hpp"

namespace scree::test {

/// Hash after `count` steps, taken `batch` at a time.
inline std::uint64_t hash_after(const Model& m, std::int64_t count, int threads = 1, bool shuffle = false, std::int64_t batch = 1000000) {
    const auto engine = engine_of(m, threads, shuffle);
    for (std::int64_t done = 0; done < count; done += batch) {
        const BatchReport report = engine->advance(std::min(batch, count - done));
        REQUIRE(report.fault.kind == FaultKind::None);
    }
    REQUIRE(engine->counters().step == count);
    return engine->state_hash();
}

}  // namespace scree::test
