// The Engine of one flavor: owns state and workspace, and hands every call to the stage that does it.
#include <algorithm>

#include "engine/bonds/bonds.hpp"
#include "engine/contacts/carry.hpp"
#include "engine/engine.hpp"
#include "engine/exec/borrowed.hpp"
#include "engine/exec/device.hpp"
#include "engine/measure/measure.hpp"
#include "engine/measure/patches.hpp"
#include "engine/measure/records.hpp"
#include "engine/motion/fields.hpp"
#include "engine/motion/walls.hpp"
#include "engine/state/moved_walls.hpp"
#include "engine/penalty/gather_all.hpp"
#include "engine/snapshot_hash.hpp"
#include "engine/space/drive.hpp"
#include "engine/step/bonding.hpp"
#include "engine/step/fields.hpp"
#include "engine/step/fluid_step.hpp"
#include "engine/step/hard_engine.hpp"
#include "engine/step/host_threads.hpp"
#include "engine/step/insertion.hpp"
#include "engine/step/joint_forces.hpp"
#include "engine/step/make_flavor.hpp"
#include "engine/step/rebuild.hpp"
#include "engine/step/removal.hpp"
#include "engine/step/snapshots.hpp"
#include "engine/step/step.hpp"
#include "engine/step/storage.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

class FlavorEngine final : public Engine {
public:
    FlavorEngine(const Model& model, const EngineOptions& options)
        : model_(model), account_(options.track_energy), device_(std::max(0, options.device.number)) {
        work_.exec = exec_of(options, &work_.scratch);
        work_.thread_choice = choice_of(options, work_.exec, model.bodies.size());
        if (options.recorded >= 0) work_.exec.steps_recorded = options.recorded;
        work_.exec.iterations_recorded = options.recorded > 0;
        work_.exec.steps_ahead = std::max(work_.exec.steps_ahead, on_device ? work_.exec.steps_recorded : 1);
        load_model(model_, account_, state_, work_);
        model_.bodies.forget_start();
        prepare(model_, state_, work_, timers_, true);
    }

    BatchReport advance(std::int64_t steps) override {
        const BatchReport report = advance_steps(model_, state_, work_, timers_, steps, account_);
        look_at_cell(model_, work_);
        return report;
    }

    RunCounters counters() const override {
        RunCounters c;
        c.step = state_.step;
        c.time = state_.time;
        c.rebuilds = state_.rebuilds;
        c.removed = state_.removed;
        c.inserted = state_.inserted;
        c.bodies = state_.bodies.count - state_.members;
        c.pairs = 0;
        for (int k = 0; k < kBodyPairLists; ++k) c.pairs += state_.lists[k].size();
        c.skin = state_.skin;
        return c;
    }

    Snapshot snapshot() override { return take_snapshot(model_, state_, work_, kSnapshotAll); }
    Snapshot snapshot_of(std::uint32_t parts) override { return take_snapshot(model_, state_, work_, parts); }
    std::vector<RawField> raw_fields() override { return raw_body_fields(state_, device_); }

    Measurement measure() override {
        const auto timer = timers_.measure("measure");
        Measurement m = measure_state(model_, state_, work_);
        m.joints = joint_states(work_);
        if (work_.fluid) m.fluid = report_fluid(model_, state_, work_);
        return m;
    }
    RegionSum sum_in(const Region& region) override { return sum_in_region(state_, work_, region); }

    void insert(const std::vector<std::int32_t>& ids, const BodyTable& start) override {
        insert_bodies(model_, state_, work_, timers_, ids, start, false);
    }
    void retime(const Model& model) override {
        for (std::size_t w = 0; w < model_.walls.size(); ++w) {
            model_.walls[w].active_from = model.walls[w].active_from;
            model_.walls[w].active_to = model.walls[w].active_to;
            model_.walls[w].motion.from = model.walls[w].motion.from;
            model_.walls[w].motion.to = model.walls[w].motion.to;
        }
        for (std::size_t s = 0; s < model_.domain.stages.size(); ++s) model_.domain.stages[s].to = model.domain.stages[s].to;
        retime_motions(model_, work_.walls.motions);
        retime_stages(model_, work_);
    }
    void push(const std::vector<std::int32_t>& ids, const std::vector<Vec3>& force, const std::vector<Vec3>& torque) override {
        push_bodies(model_, state_, work_, ids, force, torque);
    }
    void move_wall(std::size_t wall, const Motion& motion) override {
        Wall& of = model_.walls.at(wall);
        if (of.body >= 0) throw RunError("a wall that a body carries moves with it");
        if (work_.fluid) throw RunError("walls of a fluid move as the scene says: its step hangs on how fast they are");
        const bool moved = of.motion.moves;
        if (moved) {
            of.motion = motion;
            reload_motions(model_, work_.walls.motions);
            place_walls(model_, state_, work_);
            rebuild(model_, state_, work_, timers_, false);
            return;
        }
        const EngineState now = save();  // walls at rest share structures that those which move do not
        of.motion = motion;
        reload_walls(model_, state_, work_);
        load(now);
    }
    void drive_joint(std::size_t joint, bool along, const TimeFunction& value) override {
        Joint& of = model_.joints.at(joint);
        Motor& motor = along ? of.travel_motor : of.angle_motor;
        if (motor.drive == Drive::None) throw RunError("the joint has no such motor");
        motor.value = value;
        work_.joints->system.drive(joint, along, value);
    }
    void put_back(const std::vector<std::int32_t>& ids, const BodyTable& start) override {
        insert_bodies(model_, state_, work_, timers_, ids, start, true);
    }
    std::vector<std::int32_t> bodies_with_centres_in(const Region& region) override { return centres_in(state_, work_, region); }
    std::vector<Quat> remove(const std::vector<std::int32_t>& ids) override { return remove_chosen(model_, state_, work_, timers_, ids); }
    NearBodies bodies_in(const Aabb& box) override {
        NearBodies found;
        const HostView<Row4> view(state_.bodies.position.rows);
        const HostView<std::int32_t> owners(state_.bodies.owner);
        const Row4* rows = view.data();
        const std::int32_t* owner = state_.bodies.owner.size() > 0 ? owners.data() : nullptr;
        const Cell& cell = work_.images.cell;
        for (Index i = 0; i < state_.bodies.count; ++i) {
            const Vec3 x{rows[i].value[0], rows[i].value[1], rows[i].value[2]};
            const double r = rows[i].value[3];
            if (owner != nullptr && owner[i] == compound_entry) continue;  // has no surface
            if (!cell.any() && !grown(box, r).contains(x)) continue;
            for (const ImageStep& s : nearest_images(cell, x)) {
                const Vec3 there = x + cell.shift(s);
                if (!grown(box, r).contains(there)) continue;
                found.position.push_back(there);
                found.radius.push_back(r);
            }
        }
        return found;
    }

    void break_bonds(const Region& region, const std::vector<std::int32_t>& chosen) override {
        break_in_region(model_, state_, work_, timers_, region, chosen);
    }
    std::vector<Bond> all_bonds() const override { return model_.bonds; }
    void bond(const std::vector<Bond>& more) override { make_bonds(model_, state_, work_, timers_, more); }
    std::vector<ContactRecord> bonds() override { return bond_records(model_, state_, work_); }
    std::vector<HeldBond> held_bonds() override { return all_held_bonds(model_, state_, work_); }
    std::vector<BrokenBond> broken_bonds() override { return SCREE_FLAVOR::broken_bonds(work_); }

    std::vector<ContactRecord> contacts() override {
        std::vector<ContactRecord> records = body_contact_records(state_, work_);
        const std::vector<ContactRecord> walls = wall_contact_records(model_, state_, work_);
        records.insert(records.end(), walls.begin(), walls.end());
        add_patch_records(model_, state_, work_, records);
        const Cell& cell = work_.images.cell;
        for (ContactRecord& r : records) {
            if (cell.any()) r.point += cell.shift(cell.home(r.point, 0.0));
        }
        // Of each body: partners by id, then walls.
        std::stable_sort(records.begin(), records.end(), [](const ContactRecord& x, const ContactRecord& y) {
            if (x.a != y.a) return x.a < y.a;
            return (x.wall < 0) != (y.wall < 0) ? x.wall < 0 : x.wall < 0 && x.b < y.b;
        });
        return records;
    }

    std::uint64_t state_hash() override { return hash_of(snapshot()); }

    EngineState save() override {
        EngineState out;
        save_into(out);
        return out;
    }
    void save_fields(const FieldSink& sink) override {
        EngineState out;
        out.sink = sink;
        save_into(out);
    }
    void load(const EngineState& saved) override {
        take_made_bonds(saved, model_);
        load_state(model_, saved, state_, work_);
        restore_contacts();
    }

    std::vector<StageTime> stage_times() const override {
        std::vector<StageTime> out;
        for (const auto& [name, entry] : timers_.entries()) out.push_back({name, entry.seconds, entry.calls});
        return out;
    }
    std::size_t memory_bytes() const override { return bytes_in_use(const_cast<State&>(state_), const_cast<Workspace&>(work_)); }
    std::string device_name() const override { return SCREE_FLAVOR::device_name(); }

private:
    void save_into(EngineState& out) {
        if (work_.fluid) update_density(model_, state_, work_);
        const ForcesAtHand forces(state_, work_);
        save_state(model_, state_, work_, out);
    }

    /// The loaded contacts stand where carry_history looks.
    void restore_contacts() {
        const std::int64_t rebuilds = state_.rebuilds;
        if (work_.fluid) {  // its lists of walls carry nothing over
            for (const PairList k : {kPlanes, kCylinders, kMeshes}) take_back(work_.exec, state_.lists[k], work_.old_lists[k]);
        }
        prepare(model_, state_, work_, timers_, false);
        state_.rebuilds = rebuilds;
    }

    Model model_;
    bool account_;
    int device_;  // number of the GPU, of flavors that have one
    State state_;
    Workspace work_;
    StageTimers timers_;
};

}  // namespace

std::unique_ptr<Engine> make_flavor(const Model& model, const EngineOptions& options) {
    use_device(std::max(0, options.device.number));
    if (model.method == Method::Hard) return make_hard_engine(model, options);
    return std::make_unique<FlavorEngine>(model, options);
}

std::string flavor_problem() {
    return device_problem();
}

std::vector<std::string> flavor_devices() {
    return device_names();
}

}  // namespace scree::SCREE_FLAVOR
