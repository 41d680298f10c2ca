// A model on its way with the step's own state at hand, for tests of what a device would be asked for. To be included after doctest.
#pragma once

#include <doctest/doctest.h>

#include <cstring>

#include "engine/step/step.hpp"
#include "engine/step/storage.hpp"
#include "systems.hpp"

namespace scree::SCREE_FLAVOR {

constexpr int ahead = 16, recorded = 4;

struct Run {
    Model model;
    State state;
    Workspace work;
    StageTimers timers;
    LaunchLog log;

    explicit Run(const Model& m, int steps_ahead = ahead, int steps_recorded = recorded) : model(m) {
        work.exec.scratch = &work.scratch;
        work.exec.steps_ahead = steps_ahead;
        work.exec.steps_recorded = steps_recorded;
        work.exec.log = &log;
        load_model(model, false, state, work);
        prepare(model, state, work, timers, true);
    }
    void advance(std::int64_t steps) {
        const BatchReport report = advance_steps(model, state, work, timers, steps, false);
        REQUIRE(report.fault.kind == FaultKind::None);
        REQUIRE(report.steps_done == steps);
    }
    /// Of `steps` steps.
    Tally cost(std::int64_t steps) {
        const Tally before = tally();
        advance(steps);
        return tally() - before;
    }
    std::vector<Row4> positions() const { return state.bodies.position.rows.host(); }
};

inline bool same_bits(const std::vector<Row4>& a, const std::vector<Row4>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Row4)) == 0;
}

}  // namespace scree::SCREE_FLAVOR
