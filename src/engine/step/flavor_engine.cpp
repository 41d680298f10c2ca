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
#include "engine/step/step.hpp"
#include "engine/step/storage.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

class FlavorEngine final : public Engine {
public:
    FlavorEngine(const Model& model, const EngineOptions& options) : model_(model), account_(options.track_energy) {
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

    Snapshot snapshot() override {
        if (work_.fluid) update_density(model_, state_, work_);
        const ForcesAtHand forces(state_, work_);
        Bodies& b = state_.bodies;
        const std::vector<std::uint32_t> id = b.id.host();
        std::vector<std::size_t> order(id.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return id[i] < id[j]; });
        Snapshot s;
        s.step = state_.step;
        s.time = state_.time;
        s.id = chosen_of(id, order);
        s.position = chosen_of(b.position.host(), order);
        s.velocity = chosen_of(b.velocity.host(), order);
        s.angular_velocity = chosen_of(b.angular_velocity.host(), order);
        s.force = chosen_of(b.force.host(), order);
        s.radius = chosen_of(b.position.host_companions(), order);
        s.material = chosen_of(b.material.host(), order);
        s.mass = chosen_of(b.velocity.host_companions(), order);
        for (double& m : s.mass) m = 1.0 / m;
        add_columns(order, s);
        add_bond_columns(s);
        if (work_.images.cell.any()) bring_home(order, s);
        if (state_.has_compounds) add_compounds(order, s);
        if (b.shape.size() > 0) s.shape = chosen_of(b.shape.host(), order);
        if (b.qw.size() > 0) {
            const std::vector<double> w = b.qw.host(), x = b.qx.host(), y = b.qy.host(), z = b.qz.host();
            for (const std::size_t k : order) s.orientation.push_back({w[k], x[k], y[k], z[k]});
        }
        s.walls = wall_poses(model_, state_, work_);
        s.cell = work_.images.cell;
        return s;
    }

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
        if (work_.media.force.size() + work_.media.torque.size() > 0)
            push(ids, std::vector<Vec3>(ids.size()), std::vector<Vec3>(ids.size()));
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
    /// The forces of bodies, while someone looks.
    struct ForcesAtHand {
        State& state;
        bool there;
        ForcesAtHand(State& s, Workspace& work) : state(s), there(s.bodies.force.size() == s.bodies.count) { settle_forces(s, work); }
        ~ForcesAtHand() {
            if (!there) drop_forces(state);
        }
        ForcesAtHand(const ForcesAtHand&) = delete;
        ForcesAtHand& operator=(const ForcesAtHand&) = delete;
    };

    void save_into(EngineState& out) {
        if (work_.fluid) update_density(model_, state_, work_);
        const ForcesAtHand forces(state_, work_);
        save_state(model_, state_, work_, out);
    }

    /// Fields that are shown.
    void add_columns(const std::vector<std::size_t>& order, Snapshot& s) {
        state_.bodies.each_field([&](const BodyField& field, auto& array) {
            using T = typename std::remove_reference_t<decltype(array)>::Value;
            if constexpr (std::is_arithmetic_v<T>) {
                if (field.shown == nullptr || field.part == kPeriods || array.size() == 0) return;
                const std::vector<T> values = array.host();
                s.add_column(field.shown, field.unit, [&](std::size_t k) { return static_cast<double>(values[order[k]]); });
            } else {
                SCREE_ASSERT(field.shown == nullptr);
            }
        });
    }

    /// How much of its bonds a body has lost, and which part it is in.
    void add_bond_columns(Snapshot& s) {
        if (!work_.bonds) return;
        const std::vector<std::int32_t> how = work_.bonds->how.host();
        std::vector<bool> gone;
        std::vector<double> all(model_.bodies.size()), broken(model_.bodies.size());
        for (std::size_t k = 0; k < how.size(); ++k) {
            gone.push_back(how[k] != 0);
            for (const std::int32_t id : {model_.bonds[k].a, model_.bonds[k].b}) {
                if (id < 0) continue;  // a wall
                all[static_cast<std::size_t>(id)] += 1;
                broken[static_cast<std::size_t>(id)] += gone[k] ? 1 : 0;
            }
        }
        const std::vector<std::int32_t> part = parts_of(model_, gone);
        s.add_column("damage", "1", [&](std::size_t k) { return all[s.id[k]] > 0 ? broken[s.id[k]] / all[s.id[k]] : 0.0; });
        s.add_column("fragment", "1", [&](std::size_t k) { return static_cast<double>(part[s.id[k]]); });
    }

    /// Into the cell, whatever steps have passed since bodies were last brought back; columns tell the way.
    void bring_home(const std::vector<std::size_t>& order, Snapshot& s) {
        const Cell& cell = work_.images.cell;
        const std::vector<std::int32_t> owner = state_.bodies.owner.host();
        std::vector<std::size_t> row_of_id(model_.bodies.size());
        for (std::size_t k = 0; k < s.id.size(); ++k) row_of_id[s.id[k]] = k;
        std::vector<ImageStep> step(s.id.size());
        for (std::size_t k = 0; k < s.id.size(); ++k) step[k] = cell.home(s.position[k], 0.0);
        for (std::size_t k = 0; k < s.id.size() && !owner.empty(); ++k) {  // members stay with their compound
            const std::int32_t of = owner[order[k]];
            if (of >= 0) step[k] = step[row_of_id[static_cast<std::size_t>(of)]];
        }
        const std::vector<std::int32_t> gone[3] = {state_.bodies.periods_x.host(), state_.bodies.periods_y.host(),
                                                   state_.bodies.periods_z.host()};
        for (std::size_t k = 0; k < s.id.size(); ++k) {
            s.position[k] += cell.shift(step[k]);
            s.velocity[k] += cell.drift(step[k]);
        }
        for (int a = 0; a < 3; ++a) {
            s.add_column("periods", "1", [&](std::size_t k) { return static_cast<double>(gone[a][order[k]] - step[k].k[a]); });
        }
    }

    void add_compounds(const std::vector<std::size_t>& order, Snapshot& s) {
        s.torque = chosen_of(state_.bodies.torque.host(), order);
        s.owner = chosen_of(state_.bodies.owner.host(), order);
        for (std::size_t k = 0; k < s.owner.size(); ++k) {
            if (s.owner[k] >= 0) {
                s.mass[k] = model_.bodies.mass[s.id[k]];  // kernels have its compound's in its place
            } else {
                s.owner[k] = BodyTable::no_owner;
            }
        }
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
