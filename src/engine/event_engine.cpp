#include "engine/event_engine.hpp"

#include <chrono>

#include "base/digits.hpp"
#include "base/error.hpp"
#include "engine/hard/events/event_system.hpp"
#include "engine/hard/events/measure.hpp"
#include "engine/snapshot_hash.hpp"
#include "engine/state_fields.hpp"

namespace scree {

namespace {

class EventEngine final : public Engine {
public:
    explicit EventEngine(const Model& model) : model_(model), system_(model) {}

    BatchReport advance(std::int64_t steps) override {
        const auto start = std::chrono::steady_clock::now();
        step_ += steps;
        system_.run_to(time());
        events_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        ++events_.calls;
        BatchReport report;
        report.steps_done = steps;
        return report;
    }

    RunCounters counters() const override {
        RunCounters c;
        c.step = step_;
        c.time = time();
        c.bodies = static_cast<std::int64_t>(model_.bodies.size());
        return c;
    }
    Snapshot snapshot() override { return snapshot_of(kSnapshotAll); }
    Snapshot snapshot_of(std::uint32_t parts) override {
        return hard_snapshot(model_, step_, time(), (parts & kSnapshotPositions) != 0 ? system_.positions(time()) : std::vector<Vec3>{},
                             (parts & kSnapshotVelocities) != 0 ? system_.velocities() : std::vector<Vec3>{}, parts);
    }
    Measurement measure() override { return measure_hard(model_, snapshot(), system_.report(time())); }
    RegionSum sum_in(const Region& region) override { return sum_in_region(snapshot(), region); }
    std::vector<ContactRecord> contacts() override { return {}; }
    std::uint64_t state_hash() override { return hash_of(snapshot()); }

    EngineState save() override {
        EngineState state = system_.save();
        put(state, "run.counters", std::vector<std::int64_t>{step_});
        put(state, "run.reals", std::vector<double>{model_.dt});
        return state;
    }
    void load(const EngineState& saved) override {
        const auto counters = take_field<std::int64_t>(saved, "run.counters");
        const auto reals = take_field<double>(saved, "run.reals");
        if (counters.size() != 1 || reals.size() != 1) throw Error("the checkpoint is damaged: its counters are incomplete");
        if (reals[0] != model_.dt)
            throw Error("the checkpoint was written with time.step = " + digits(reals[0], 9) + " s; restart with the same step");
        step_ = counters[0];
        system_.load(saved);
    }

    std::vector<StageTime> stage_times() const override { return {events_}; }
    std::size_t memory_bytes() const override { return system_.bytes(); }
    std::string device_name() const override { return "CPU, event by event"; }

private:
    double time() const { return static_cast<double>(step_) * model_.dt; }

    Model model_;
    EventSystem system_;
    std::int64_t step_{0};
    StageTime events_{"hard/events", 0, 0};
};

}  // namespace

std::unique_ptr<Engine> make_event_engine(const Model& model, const EngineOptions&) {
    return std::make_unique<EventEngine>(model);
}

}  // namespace scree
