// The engine as outsiders see it: one abstract class, one virtual call per batch of steps. Which flavor stands behind it is chosen when the
// program runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "engine/held_bond.hpp"
#include "engine/snapshot.hpp"
#include "model/model.hpp"

namespace scree {

/// Where an engine runs: the CPU, or a GPU by its number.
struct Device {
    enum class Kind { Auto, Cpu, Cuda };
    Kind kind{Kind::Auto};
    int number{-1};  // of the GPU, -1: the first one
    static const Device Auto, Cpu, Cuda;
    friend bool operator==(const Device&, const Device&) = default;
};
inline constexpr Device Device::Auto{Device::Kind::Auto}, Device::Cpu{Device::Kind::Cpu}, Device::Cuda{Device::Kind::Cuda};

/// Several of them, for what is dealt out in parts.
struct Devices {
    std::vector<Device> each;
    Devices(Device one) : each{one} {}
    explicit Devices(std::vector<Device> all) : each(std::move(all)) {}
};

/// "auto", "cpu", "cuda" or "cuda:1". Throws scree::Error on anything else; whether the device is there is not asked.
Device parse_device(const std::string& text);
/// Several, by commas: "cuda:0,cuda:1". None twice but the CPU, and auto only alone.
Devices parse_devices(const std::string& text);
enum class Precision { Double, Mixed };

struct EngineOptions {
    Device device{Device::Auto};  // Auto: the CPU, unless a GPU answers
    Precision precision{Precision::Double};
    int threads{0};              // CPU threads, 0: all
    bool track_energy{false};    // accumulate dissipated energies (a little slower)
    bool shuffle{false};         // visit kernel indices in shuffled order: must change nothing (tests)
    int recorded{-1};            // steps that a GPU replays as one recording, 0: none, -1: the usual number; changes nothing but speed.
                                 // Above 0 it also repeats iterations of the cone method by itself
    bool choose_threads{false};  // use fewer threads where steps take less time so
};

/// Spheres, or those that bound polyhedra.
struct NearBodies {
    std::vector<Vec3> position;  // [m]
    std::vector<double> radius;  // [m]
};

/// A running system. Not thread-safe: one caller at a time.
class Engine {
public:
    virtual ~Engine() = default;

    /// Advances by up to `steps` steps; fewer where a fault ends the batch.
    virtual BatchReport advance(std::int64_t steps) = 0;

    virtual RunCounters counters() const = 0;
    virtual Snapshot snapshot() = 0;
    virtual Measurement measure() = 0;
    virtual RegionSum sum_in(const Region& region) = 0;
    /// What the bodies of model.bodies.later with these ids are put in with: rows of `start`, of which positions, velocities, angular
    /// velocities and orientations are read. A compound comes with all of its members, whose ids follow. They are to touch nothing.
    /// Between two calls of advance(). Throws scree::RunError where the engine takes none.
    virtual void insert(const std::vector<std::int32_t>& ids, const BodyTable& start) {
        (void)ids, (void)start;
        throw RunError("this method takes no bodies while it runs");
    }
    /// Ids of the bodies whose centres of mass are in a region, ascending; of compounds without their members.
    virtual std::vector<std::int32_t> bodies_with_centres_in(const Region& region) {
        (void)region;
        return {};
    }
    /// Takes bodies out, compounds with all of their members, which are not among the ids, and with the walls that they carry. They count
    /// as removed. Returns how each was turned, principal frame to world; where orientations are not kept, not at all.
    /// Between two calls of advance(). Throws scree::RunError where the engine takes none out.
    virtual std::vector<Quat> remove(const std::vector<std::int32_t>& ids) {
        (void)ids;
        throw RunError("this method takes no bodies out while it runs");
    }
    /// As insert, of bodies that were taken out; model.bodies.later names them. They count as removed no more.
    virtual void put_back(const std::vector<std::int32_t>& ids, const BodyTable& start) {
        (void)ids, (void)start;
        throw RunError("this method takes no bodies while it runs");
    }
    /// Centres and radii of the colliders that reach into a box.
    virtual NearBodies bodies_in(const Aabb& box) {
        (void)box;
        return {};
    }

    /// Times of walls (when they are there, when their motion starts and ends) and of stages of the domain as `model` now has them; all
    /// else of it is as it was. Between two calls of advance(). Throws scree::RunError where the engine's walls stay.
    virtual void retime(const Model& model) {
        (void)model;
        throw RunError("walls of this method stay as they are");
    }

    /// What pushes bodies of the model from now on, besides all else: force [N], and torque about the centre [N m], of each of `ids`; zero
    /// for none. Members of compounds are not pushed. Saved with the state. Between two calls of advance(). Throws scree::RunError where
    /// the engine takes none.
    virtual void push(const std::vector<std::int32_t>& ids, const std::vector<Vec3>& force, const std::vector<Vec3>& torque) {
        (void)ids, (void)force, (void)torque;
        throw RunError("bodies of this method take no forces from outside");
    }
    /// Gives a wall, which no body carries, another motion, whose `first` is where it is now. Its servo, if it had one, is gone.
    /// Between two calls of advance(). Throws scree::RunError where the engine's walls stay.
    virtual void move_wall(std::size_t wall, const Motion& motion) {
        (void)wall, (void)motion;
        throw RunError("walls of this method stay as they are");
    }
    /// What the motor of a joint's angle, or `along` of its travel, follows from now on. Saved with the state.
    /// Between two calls of advance(). Throws scree::RunError where the joint has no such motor.
    virtual void drive_joint(std::size_t joint, bool along, const TimeFunction& value) {
        (void)joint, (void)along, (void)value;
        throw RunError("this method has no joints");
    }
    /// As snapshot(), of what `parts` names (SnapshotPart) at least; the rest may be empty. Ids are always there.
    virtual Snapshot snapshot_of(std::uint32_t parts) {
        (void)parts;
        return snapshot();
    }
    /// Arrays of bodies where the engine has them, in its own order, until its next call that is not const.
    virtual std::vector<RawField> raw_fields() { return {}; }

    /// Makes bonds, without load as their bodies are now, behind those of the model; the caller's model takes them, too. Bodies whose bond
    /// skips their contact touch no more. Between two calls of advance(). Throws scree::RunError where the engine makes none.
    virtual void bond(const std::vector<Bond>& more) {
        (void)more;
        throw RunError("this method makes no bonds");
    }
    /// Breaks bonds whose middles are in a region, of the kinds whose entry in `chosen` is 1. Between two calls of advance().
    virtual void break_bonds(const Region& region, const std::vector<std::int32_t>& chosen) { (void)region, (void)chosen; }
    /// Those of the model, then those made since.
    virtual std::vector<Bond> all_bonds() const { return {}; }
    /// Bonds that broke since the start, by steps and then by their numbers.
    virtual std::vector<BrokenBond> broken_bonds() { return {}; }
    /// Those that hold, as contacts of two bodies: points, normals and forces.
    virtual std::vector<ContactRecord> bonds() { return {}; }
    /// The same, as frames show them, in their order.
    virtual std::vector<HeldBond> held_bonds() { return {}; }

    /// Touching contacts at the state reached, sorted by (a, b or wall); does not advance history.
    virtual std::vector<ContactRecord> contacts() = 0;
    /// Hash of all body state by id; equal hashes mean equal bits.
    virtual std::uint64_t state_hash() = 0;

    virtual EngineState save() = 0;
    /// The fields of save(), one in memory at a time.
    virtual void save_fields(const FieldSink& sink) {
        for (const StateField& field : save().fields) sink(field);
    }
    /// Continues from a saved state; the walls of the model may differ from the saved ones (matched by name).
    /// Throws scree::Error where the fields do not fit the model.
    virtual void load(const EngineState& state) = 0;

    virtual std::vector<StageTime> stage_times() const = 0;
    virtual std::size_t memory_bytes() const = 0;
    virtual std::string device_name() const = 0;
};

/// Makes an engine of the flavor asked for. Throws scree::Error where the device is not there.
std::unique_ptr<Engine> make_engine(const Model& model, const EngineOptions& options);

/// Names the sources and the compiler that this program's engine is made of; modules of another build are refused.
std::string engine_build();
/// A line that says whether a CUDA device answers, and if not, why. Never throws.
std::string describe_cuda();
bool cuda_available();
/// Names of the GPUs that answer, by number.
std::vector<std::string> cuda_devices(Precision precision = Precision::Double);
/// Whether work asked of `device` runs on CUDA. Throws scree::Error where that is asked for and no device of that number answers, or the
/// flavor's module is not there.
bool runs_on_cuda(Device device, Precision precision = Precision::Double);

}  // namespace scree
