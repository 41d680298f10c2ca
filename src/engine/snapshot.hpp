// What leaves the engine: copies on the host, in order of body id. Flavor-neutral.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/aabb.hpp"
#include "base/pose.hpp"
#include "base/quat.hpp"
#include "base/vec3.hpp"
#include "model/bonds.hpp"
#include "model/cell.hpp"
#include "model/region.hpp"

namespace scree {

/// A quantity of each body that output files show beside those that every snapshot has.
struct SnapshotColumn {
    std::string name, unit;
    std::size_t components{1};
    std::vector<double> values;  // bodies × components

    /// What tables head a component with.
    std::string component_name(std::size_t c) const {
        if (components == 1) return name;
        std::string text = name;
        text.push_back('_');
        if (components == 3) {
            text.push_back("xyz"[c]);
        } else {
            text.append(std::to_string(c));
        }
        return text;
    }
};

/// All bodies at one time, sorted by id.
struct Snapshot {
    std::int64_t step{0};
    double time{0};  // [s]
    std::vector<std::uint32_t> id;
    std::vector<Vec3> position;          // [m]
    std::vector<Vec3> velocity;          // [m/s]
    std::vector<Vec3> angular_velocity;  // world frame [rad/s]
    std::vector<Quat> orientation;       // filled where the model tracks it, else empty
    std::vector<Vec3> force;             // from contacts, of a compound from joints too, without gravity [N]
    std::vector<Vec3> torque;            // the same about the centre [N m]; filled where the model has compounds, else empty
    std::vector<double> radius;          // [m]
    std::vector<double> mass;            // [kg], of a member as the model has it: its compound's mass holds it already
    std::vector<std::int32_t> material;
    std::vector<std::int32_t> shape;  // -1: sphere, else index into the model's shapes; filled where the model has shapes, else empty
    std::vector<std::int32_t>
        owner;                // id of the compound that carries the body, -1: none; filled where the model has compounds, else empty
    Cell cell;                // that repeats itself, as it is now
    std::vector<Pose> walls;  // where each wall of the model is now, as a turn and shift of its first place
    std::vector<SnapshotColumn> columns;  // what the table of body fields shows of this model (model/body_fields.hpp)

    /// Adds a column, or a component to the one of that name; value(k) of row k.
    template <class Value>
    void add_column(const std::string& name, const std::string& unit, Value value) {
        const std::size_t n = id.size();
        if (columns.empty() || columns.back().name != name) columns.push_back({name, unit, 0, {}});
        SnapshotColumn& column = columns.back();
        const std::size_t had = column.components++;
        std::vector<double> values(n * column.components);
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t c = 0; c < had; ++c) values[k * column.components + c] = column.values[k * had + c];
            values[k * column.components + had] = value(k);
        }
        column.values = std::move(values);
    }
    /// The values of a column; none where there is no such column.
    const std::vector<double>& values_of(const std::string& name) const {
        static const std::vector<double> none;
        for (const SnapshotColumn& column : columns) {
            if (column.name == name) return column.values;
        }
        return none;
    }
};

/// What a snapshot may leave out.
enum SnapshotPart : std::uint32_t {
    kSnapshotPositions = 1,
    kSnapshotVelocities = 2,
    kSnapshotSpins = 4,  // angular velocities
    kSnapshotOrientations = 8,
    kSnapshotForces = 16,     // and torques
    kSnapshotConstants = 32,  // radius, mass, material, shape, owner
    kSnapshotColumns = 64,
    kSnapshotAll = 127
};

/// An array of the engine, in memory of the host or of a device: rows × components numbers of 8 or 4 bytes, in the engine's order of
/// bodies.
struct RawField {
    std::string name, unit;
    const void* data{nullptr};
    std::size_t rows{0}, components{1};
    std::size_t row_bytes{0}, component_bytes{0};  // from one to the next
    enum class Type { Float64, Float32, Int32, UInt32 } type{Type::Float64};
    int device{-1};  // number of the GPU; -1: memory of the host
};

/// How two surfaces touch; None for spheres.
enum class ContactKind : std::uint8_t { None, VertexFace, EdgeEdge, EdgeFace, FaceFace };
inline constexpr int contact_kinds = 5;

/// One touching contact. A is the body with the lower id; `wall` >= 0 names a wall as B, then b is unset.
struct ContactRecord {
    static constexpr std::uint32_t none = 0xffffffffu;
    std::uint32_t a{none};
    std::uint32_t b{none};
    std::int32_t wall{-1};
    Vec3 point;               // [m]
    Vec3 normal;              // unit, from A to B
    double overlap{0};        // [m]
    double overlap_ratio{0};  // overlap / smaller thickness (model/thickness.hpp: a sphere's radius)
    Vec3 force;               // on A [N]
    Vec3 torque;              // couple on A beside the force at the point [N m]; of spheres against rolling
    ContactKind kind{ContactKind::None};
    double area{0};    // of the patch where polyhedra meet [m2]
    double volume{0};  // shared by them [m3]
};

/// One joint at the end of a step.
struct JointState {
    Vec3 force;           // of the joint on body A: rows, limits, motors, springs and dampers [N]
    Vec3 torque;          // the same about frame A's origin [N m]
    double angle{0};      // about z of frame A, counted over full turns [rad]
    double travel{0};     // along z of frame A [m]; of kinds without one the distance of the origins
    double motor{0};      // torque [N m] or force [N] of the motor (of both: of the angle's)
    double violation{0};  // largest row of the joint at position level, motors' and stops' after the drift too [m] or [rad]
};

/// How the last step's cone problem was solved.
struct ConeReport {
    std::int64_t step{0};        // that it ended with: the first one of a run is 1
    std::int64_t contacts{0};    // points in the problem
    std::int64_t iterations{0};  // applications of the operator or sweeps, all solves of the step together
    double residual{0};          // of the full cone problem, eta-scaled: largest over contacts and rows [m/s]
    bool converged{true};        // residual within the tolerance, and joints kept
    double joint_miss{0};        // of joints and motors after the drift, over the mechanism's size
};

/// What hard particles have done since the start of the run.
struct HardReport {
    std::int64_t collisions{0}, wall_collisions{0};
    std::int64_t unfinished{0};   // time-stepped: steps that ended at the limit of rounds
    double kinetic_time{0};       // kinetic energy summed over time [J s]
    double virial{0};             // of pairs, distance times impulse; of walls, radius times impulse [J s]
    std::vector<double> impulse;  // on each wall of the model, along the normals of its planes [N s]
};

/// How well a fluid keeps its density.
struct FluidReport {
    double mean_compression{0}, max_compression{0};  // of density past that at rest, over it; particles below it count as 0
    double max_pressure{0};                          // [Pa]
};

struct Wrench {
    Vec3 force;   // [N]
    Vec3 torque;  // about the origin of the world [N m]
};

struct Energy {
    double kinetic_translation{0};  // [J], as all below
    double kinetic_rotation{0};
    double potential{0};  // gravity, zero at the world's origin
    double elastic_normal{0};
    double elastic_tangential{0};
    double dissipated_damping{0};  // since the start, where the engine tracks it
    double dissipated_friction{0};
    double removed{0};         // kinetic + potential energy of bodies taken out of the domain, at their removal, less that of those put in
    double work_of_walls{0};   // that moving walls gave to bodies since the start, where the engine tracks it: total() grows by it
    double work_of_fields{0};  // the same of the model's fields
    double elastic_bonds{0};   // held by bonds
    double dissipated_bonds{0};  // by their dashpots and as they broke, since the start
    double total() const {
        return kinetic_translation + kinetic_rotation + potential + elastic_normal + elastic_tangential + dissipated_damping +
               dissipated_friction + removed + elastic_bonds + dissipated_bonds;
    }
    /// The account under the cone method: contacts are rigid, and what they dissipate is not tracked. Springs of joints are not in it.
    double mechanical() const { return kinetic_translation + kinetic_rotation + potential + removed; }
};

struct RegionSum {
    double mass{0};  // [kg]
    std::int64_t count{0};
};

/// Global sums, the same for any number of threads and any pair list.
struct Measurement {
    std::int64_t step{0};
    double time{0};
    std::int64_t bodies{0};
    double mass{0};  // [kg]
    Energy energy;
    Vec3 momentum;             // [kg m/s]
    Vec3 angular_momentum;     // about the world's origin [kg m2/s]
    std::int64_t contacts{0};  // touching, body–body
    std::int64_t wall_contacts{0};
    double coordination{0};               // mean number of contacts per body, 2 * contacts + wall contacts over bodies
    double max_overlap{0};                // largest overlap / smaller thickness (model/thickness.hpp)
    double max_speed{0};                  // [m/s]
    std::int64_t kinds[contact_kinds]{};  // contacts of polyhedra with bodies and walls, by ContactKind
    std::vector<Wrench> walls;            // on each wall of the model, by the bodies
    std::vector<JointState> joints;       // of each joint of the model
    ConeReport cone;                      // of the last step
    BondSums bonds;
    HardReport hard;                 // of hard particles, else empty
    FluidReport fluid;               // of fluids
    std::vector<double> wall_power;  // that bodies take from each wall by its motion [W]
};

enum class FaultKind { None, NotFinite, Overlap, Left, TooFast, NotSolved, JointsApart };

/// Why a batch ended early; the state is the one found.
struct Fault {
    FaultKind kind{FaultKind::None};
    std::int64_t step{0};
    double time{0};
    std::uint32_t body{ContactRecord::none};
    std::uint32_t other{ContactRecord::none};  // a body, or none
    std::int32_t wall{-1};
    std::int32_t joint{-1};  // for JointsApart: the worst one, where it is known
    Vec3 position;
    // Overlap ratio, for Overlap; spacings of a fluid, or thicknesses, moved in a step, for TooFast; residual [m/s], for NotSolved; miss
    // over the mechanism's size, for JointsApart.
    double value{0};
};

struct BatchReport {
    std::int64_t steps_done{0};
    bool overlap_warned{false};    // some contact passed the warning limit
    std::int64_t unfinished{0};    // steps of hard particles that left collisions for the next
    std::vector<ConeReport> cone;  // of each step done, in order; empty under the penalty method
    Fault fault;
};

struct StageTime {
    std::string name;
    double seconds{0};
    std::int64_t calls{0};
};

/// One array of the engine's state, as bytes: enough to write, read and compare it without knowing it.
struct StateField {
    enum class Type { Float64, Float32, Int64, UInt32, Int32, UInt8 };
    std::string name;
    Type type{Type::Float64};
    std::vector<std::byte> bytes;
    std::size_t count() const { return bytes.size() / size_of(type); }
    static std::size_t size_of(Type t) {
        switch (t) {
            case Type::Float64:
            case Type::Int64:
                return 8;
            case Type::UInt8:
                return 1;
            default:
                return 4;
        }
    }
};

/// Takes the fields of a state one by one.
using FieldSink = std::function<void(const StateField&)>;

/// Everything the next step reads, for checkpoints.
struct EngineState {
    std::vector<StateField> fields;
    FieldSink sink;  // where fields go as they are made, one in memory at a time; without, they stay in `fields`
    void add(StateField field) {
        if (sink) {
            sink(field);
        } else {
            fields.push_back(std::move(field));
        }
    }
    const StateField* find(const std::string& name) const {
        for (const StateField& f : fields)
            if (f.name == name) return &f;
        return nullptr;
    }
};

/// Counts since the start of the run (carried over restarts).
struct RunCounters {
    std::int64_t step{0};
    double time{0};
    std::int64_t rebuilds{0};
    std::int64_t removed{0};
    std::int64_t bodies{0};
    std::int64_t pairs{0};     // in the list now, touching or not
    double skin{0};            // in use now [m]
    std::int64_t inserted{0};  // put in while it went on, compounds as one
};

}  // namespace scree
