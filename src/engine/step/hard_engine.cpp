#include "engine/step/hard_engine.hpp"

#include <cmath>

#include "base/digits.hpp"
#include "base/error.hpp"
#include "engine/exec/device.hpp"
#include "engine/exec/timer.hpp"
#include "engine/hard/collide.hpp"
#include "engine/hard/events/measure.hpp"
#include "engine/hard/neighbours.hpp"
#include "engine/snapshot_hash.hpp"
#include "engine/step/fields.hpp"
#include "engine/step/host_threads.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

template <class T>
double sum_in_order(const std::vector<T>& values, std::size_t first, std::size_t count) {
    double sum = 0;
    for (std::size_t i = first; i < first + count; ++i) sum += static_cast<double>(values[i]);
    return sum;
}

class HardEngine final : public Engine {
public:
    HardEngine(const Model& model, const EngineOptions& options) : model_(model) {
        buffers_.exec = exec_of(options, &buffers_.scratch);
        thread_choice_ = choice_of(options, buffers_.exec, model.bodies.size());
        load_hard(model_, particles_, buffers_);
        for (std::size_t i = 0; i < model_.bodies.size(); ++i)
            start_energy_ += 0.5 * model_.bodies.mass[i] * norm2(model_.bodies.velocity[i]);
        if (particles_.size() > 0) find_neighbours(world(), particles_, buffers_);
        buffers_.rebuilds = 0;
    }

    BatchReport advance(std::int64_t steps) override {
        BatchReport report;
        const std::int64_t unfinished_before = unfinished_;
        for (; report.steps_done < steps; ++report.steps_done) {
            if (particles_.size() > 0) {
                with_chosen_threads(thread_choice_, buffers_.exec, [&] {
                    make_step();
                    return 1;
                });
            }
            ++step_;
        }
        report.unfinished = unfinished_ - unfinished_before;
        overlap_warned_ = overlap_warned_ || overlap() > model_.penalty.overlap_warning;  // once is enough
        report.overlap_warned = overlap_warned_;
        return report;
    }

    RunCounters counters() const override {
        RunCounters c;
        c.step = step_;
        c.time = time();
        c.rebuilds = buffers_.rebuilds;
        c.bodies = particles_.size();
        c.pairs = buffers_.neighbour.size() / 2;
        c.skin = buffers_.skin;
        return c;
    }

    Snapshot snapshot() override { return snapshot_of(kSnapshotAll); }
    Snapshot snapshot_of(std::uint32_t parts) override {
        std::vector<Vec3> positions, velocities;
        if ((parts & kSnapshotPositions) != 0) positions = particles_.position.host();
        if ((parts & kSnapshotVelocities) != 0) velocities = particles_.velocity.host();
        for (Vec3& x : positions) x = {inside(x.x, 0), inside(x.y, 1), inside(x.z, 2)};
        return hard_snapshot(model_, step_, time(), std::move(positions), std::move(velocities), parts);
    }
    Measurement measure() override {
        const auto timer = timers_.measure("measure");
        Measurement m = measure_hard(model_, snapshot(), report());
        m.max_overlap = overlap();
        return m;
    }
    RegionSum sum_in(const Region& region) override { return sum_in_region(snapshot(), region); }
    std::vector<ContactRecord> contacts() override { return {}; }
    std::uint64_t state_hash() override { return hash_of(snapshot()); }

    EngineState save() override {
        EngineState out;
        put(out, "run.counters", std::vector<std::int64_t>{step_, buffers_.rebuilds, unfinished_});
        put(out, "run.reals", std::vector<double>{model_.dt, start_energy_});
        particles_.each_field([&](const char* name, auto& array) { put(out, name, array.host()); });
        return out;
    }
    void load(const EngineState& saved) override {
        const auto counters = take<std::int64_t>(saved, "run.counters");
        const auto reals = take<double>(saved, "run.reals");
        if (counters.size() != 3 || reals.size() != 2) throw Error("the checkpoint is damaged: its counters are incomplete");
        if (reals[0] != model_.dt)
            throw Error("the checkpoint was written with time.step = " + digits(reals[0], 9) + " s; restart with the same step");
        particles_.each_field([&](const char* name, auto& array) {
            using T = typename std::remove_reference_t<decltype(array)>::Value;
            const std::vector<T> values = take<T>(saved, name);
            if (static_cast<Index>(values.size()) != array.size())
                throw Error(std::string("the checkpoint does not fit the scene: field ") + name + " has another length");
            array.assign(values);
        });
        step_ = counters[0];
        unfinished_ = counters[2];
        start_energy_ = reals[1];
        if (particles_.size() > 0) find_neighbours(world(), particles_, buffers_);
        buffers_.rebuilds = counters[1];
    }

    std::vector<StageTime> stage_times() const override {
        std::vector<StageTime> out;
        for (const auto& [name, entry] : timers_.entries()) out.push_back({name, entry.seconds, entry.calls});
        return out;
    }
    std::size_t memory_bytes() const override {
        std::size_t total = particles_.reference.bytes() + particles_.material.bytes() + particles_.flight.bytes();
        const_cast<HardParticles&>(particles_).each_field([&](const char*, auto& array) { total += array.bytes(); });
        const HardBuffers& r = buffers_;
        return total + r.row_start.bytes() + r.neighbour.bytes() + r.key.bytes() + r.order.bytes() + r.cell_start.bytes() +
               r.count.bytes() + r.choice.bytes() + r.meeting.bytes() + r.changed.bytes() + r.sort.keys.bytes() + r.sort.values.bytes() +
               r.sort.counts.bytes() + r.sort.bytes.bytes();
    }
    std::string device_name() const override { return SCREE_FLAVOR::device_name(); }

private:
    double time() const { return static_cast<double>(step_) * model_.dt; }
    double overlap() { return particles_.size() > 0 ? largest_overlap(world(), particles_, buffers_) : 0.0; }
    HardWorld world() { return world_of(model_, particles_, buffers_); }

    double inside(double x, int axis) const {
        if (!buffers_.box.periodic[axis]) return x;
        const double period = buffers_.box.length(axis);
        return x - period * std::floor((x - buffers_.box.low[axis]) / period);
    }

    void make_step() {
        const HardWorld now = world();
        {
            const auto timer = timers_.measure("hard/fly");
            fly(now, particles_, buffers_);
        }
        for (std::int64_t left = model_.hard.rounds;;) {
            Rounds rounds;
            {
                const auto timer = timers_.measure("hard/collide");
                rounds = collide(now, particles_, buffers_, static_cast<double>(step_ + 1) * model_.dt, left);
            }
            left -= rounds.done;
            if (left == 0) ++unfinished_;
            if (!rounds.rows_old) return;
            const auto timer = timers_.measure("hard/neighbours");
            find_neighbours(now, particles_, buffers_);
            if (left == 0) return;
        }
    }

    HardReport report() {
        const auto n = static_cast<std::size_t>(particles_.size());
        HardReport report;
        report.collisions = static_cast<std::int64_t>(sum_in_order(particles_.hits.host(), 0, n));
        report.wall_collisions = static_cast<std::int64_t>(sum_in_order(particles_.wall_hits.host(), 0, n));
        report.unfinished = unfinished_;
        const double lost = sum_in_order(particles_.lost.host(), 0, n), lost_time = sum_in_order(particles_.lost_time.host(), 0, n);
        report.kinetic_time = start_energy_ * time() - (lost * time() - lost_time);
        report.virial = sum_in_order(particles_.virial.host(), 0, n);
        report.impulse.assign(model_.walls.size(), 0);
        const std::vector<double> impulse = particles_.impulse.host();
        const std::vector<HardPlane> planes = buffers_.planes.host();
        for (std::size_t k = 0; k < planes.size(); ++k)
            report.impulse[static_cast<std::size_t>(planes[k].wall)] += sum_in_order(impulse, k * n, n);
        return report;
    }

    Model model_;
    HardParticles particles_;
    HardBuffers buffers_;
    StageTimers timers_;
    ThreadChoice thread_choice_;
    std::int64_t step_{0}, unfinished_{0};
    double start_energy_{0};  // [J]
    bool overlap_warned_{false};
};

}  // namespace

std::unique_ptr<Engine> make_hard_engine(const Model& model, const EngineOptions& options) {
    return std::make_unique<HardEngine>(model, options);
}

}  // namespace scree::SCREE_FLAVOR
