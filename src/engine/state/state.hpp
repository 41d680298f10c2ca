// State: everything that varies. Workspace: what can be made again from it, kept so that a step allocates nothing.
#pragma once

#include <memory>
#include <vector>

#include "engine/contacts/images.hpp"
#include "engine/contacts/lists.hpp"
#include "engine/exec/array.hpp"
#include "engine/exec/replay.hpp"
#include "engine/exec/scan.hpp"
#include "engine/exec/scratch.hpp"
#include "engine/exec/thread_choice.hpp"
#include "engine/state/bodies.hpp"
#include "engine/state/compounds.hpp"
#include "engine/state/flags.hpp"
#include "engine/state/search_lattice.hpp"
#include "engine/state/shapes.hpp"
#include "engine/state/flush_bodies.hpp"
#include "engine/state/fused_buffers.hpp"
#include "engine/state/tiles.hpp"
#include "engine/state/walls.hpp"
#include "laws/general_row.hpp"
#include "model/contact_parameters.hpp"
#include "model/model.hpp"
#include "model/size_levels.hpp"

namespace scree::SCREE_FLAVOR {

struct ConeBuffers;
struct FluidBuffers;

/// One row of the law table in contact precision.
struct LawRow {
    Real k_n, k_t, zeta;
    Real zeta_t;  // zeta times the root of the tangential over the normal stiffness
    Real mu;
};

/// Of laws that are not plain (engine/laws/general.hpp).
using GeneralRow = GeneralRowOf<Real>;

/// Rolling friction of a pair of materials.
struct RollingRow {
    Real friction;  // couple over R_eff times normal force
    Real damping;   // over the critical one
    Real spinning;  // couple about the normal over R_eff times normal force; of Marshall's law whether it acts, 1 or 0
};

/// Uniform cells of one size level of bodies.
struct Level {
    double size;            // largest diameter in it [m]
    double cell;            // edge length of its cells [m], at least size + skin
    Index count[3];         // cells along x, y, z
    const Index* along[3];  // what each coordinate adds to a cell's number, count[axis] entries
};

/// All levels, by value for kernels.
struct Levels {
    Vec3 origin;  // lower corner of the cells; bodies below it are in the border cells
    int levels;
    Index cells;  // of all levels
    Level level[kMaxSizeLevels];
};

/// What the lists of a run tell of looking ahead (step/look_ahead.hpp).
struct LookAhead {
    bool on{true};          // the list at hand looks ahead of bodies
    double life[2]{0, 0};   // of lately made lists, that look where bodies are and ahead of them [steps per m of skin]; 0: not known
    std::int64_t ended{0};  // lists that are known of
    bool turned{false};     // the list at hand looks otherwise than the one before
};

struct State {
    std::int64_t step{0};  // steps finished
    double time{0};        // [s] = step * dt
    double skin{0};  // margin of the pair list beyond the envelope [m]; bodies may be half of it away from where the list looks for them
    double envelope{0};  // gaps up to this make contacts [m], and wider ones that may close in a step: 0 under the penalty method
    double reach{0};     // of the list: gaps up to this may make contacts while it holds [m] (state/reach.hpp)
    double most_way{0};  // of a body in a step, that the reach covers [m]
    LookAhead look;
    std::int64_t list_step{0};  // step at which the list was made
    std::int64_t rebuilds{0};
    std::int64_t next_wrap{0};  // step at which bodies that have left a periodic cell come back
    std::int64_t removed{0};
    std::int64_t inserted{0};  // bodies put in since the start, compounds as one
    double removed_energy{0};  // kinetic + potential energy of removed bodies, at their removal, less that of those put in [J]
    double removed_work[4]{};  // work_damping, work_friction, work_walls, work_fields of removed bodies [J]
    bool account{false};       // energy accounts are kept
    bool drifted{false};       // positions are those of step + 1, velocities half a step behind: contacts come next
    Bodies bodies;
    ContactLists lists;
    bool planar{false};  // of a plane model
    bool has_compounds{false};
    bool rolls{false};            // contacts resist rolling or twisting by couples (penalty/rolling.hpp)
    bool pulls{false};            // bodies pull on each other (penalty/cohesion.hpp)
    Index members{0};             // entries of `bodies` that compounds carry
    bool has_orientation{false};  // orientations are kept
    bool stores_forces{false};    // Bodies::force and torque are complete before bodies move; else motion gathers them itself
    bool holds_forces{true};      // they are kept between steps; else they are there while someone looks, or needs them for a new list
    bool has_spheres{true}, has_polyhedra{false};  // compounds are neither
};

/// Pairs up to this gap are listed [m]: what bodies may use up, and what contacts need to see before they touch.
inline double list_margin(const State& state) {
    return state.skin + state.reach;
}

struct JointRun;  // penalty/joined_bodies.hpp
struct Bonds;     // bonds/bonds.hpp

/// A medium that slows bodies down, as kernels read it.
struct MediumView : Medium {
    FunctionView velocity[3];
};

/// The model's fields (motion/fields.hpp).
struct Media {
    bool any{false};
    Array<MediumView> medium;
    FunctionTables functions;
    FunctionView acceleration[3];
    Array<Vec3> force, torque;  // by id: what a caller pushes bodies with [N], about their centres [N m]; empty where nobody does
};

struct Workspace {
    Exec exec;
    ThreadChoice thread_choice;
    Scratch scratch;  // of exec
    Replay replay;    // of steps between two lists
    Flags flags;
    Walls walls;
    Array<LawRow> laws;              // materials × materials
    Array<GeneralRow> general;       // likewise, where the law is general
    Array<RollingRow> rolling;       // likewise, with rolling friction of the penalty method
    RollingRow only_rolling{};       // the first of these
    Array<LawValues> cohesion;       // likewise, with cohesion of the penalty method
    Array<LawValuesOf<Real>> pulls;  // the same as kernels of pairs read it
    LawValuesOf<Real> only_pull{};   // the first of these
    double pull_reach{0};            // widest gap at which bodies pull on each other [m]
    Array<double> reach_shorter;     // of two materials less than that [m], materials x materials; none where none is
    double bridge_capacity{0};       // the most liquid that a bridge takes [m3], where contacts share it
    Array<double> film_given;        // what a body gives to each bridge that forms [m3]
    Array<double> film_held;         // by id: what bridges hold of it as a list is made anew [m3]
    bool film_noted{false};          // that is at hand
    LawRow only_law{};               // the first row, for models with one material
    Levels levels{};                 // of the list in use
    Aabb bounds{};                   // of where it looks for bodies
    SearchLattice lattice{};         // while it is made
    std::vector<double> level_size;  // largest diameter of each size level, ascending [m]
    SortBuffers sort;
    Array<std::uint32_t> key, order;  // of slots, for reordering
    // Buffers for several uses, one after the other: permuting and searching while a list is made; then what fused
    // steps go back to of bodies, and short rows behind it (fused/near_rows.hpp); then the twists of pairs after a batch's last step
    // (fused/fused.hpp).
    Array<Row4> rows;
    Array<Index> cell_along;  // the tables behind Level::along
    Array<Index> cell_start;
    Array<std::int32_t> count, crossing, runs;
    Array<std::int32_t> others;  // of each slot, pairs of which it is the higher one
    Array<Index> offset;
    Array<Slot> slot_of_id;  // -1: removed
    // The lists before a rebuild, from which history is carried.
    OldLists old_lists;
    Array<Slot> old_slot_of_id;
    Images images;       // of bodies across periodic borders
    FusedBuffers fused;  // of spheres (fused/fused.hpp)
    ShapeTable shapes;
    Media media;
    Compounds compounds;
    std::shared_ptr<Bonds> bonds;         // null where the model has none
    std::shared_ptr<JointRun> joints;     // null where the model has none
    Array<PatchState> patch_states;       // of one list, for measures
    Tiles tiles;                          // of mesh walls, where the model has polyhedra
    FlushBodies flush_bodies;             // of polyhedra that are held, under the penalty method
    Array<double> servo_part;             // sums of what bodies give to servo walls (motion/servos.cpp)
    Array<std::int32_t> keep;             // 1 for slots that stay
    std::uint32_t body_parts{0};          // of the model (model/body_fields.hpp)
    std::int64_t inside_at{-1};           // step at whose end nobody was outside the domain; -1: not looked, or somebody was
    double min_radius{0}, max_radius{0};  // of all bodies with a surface [m]
    std::shared_ptr<ConeBuffers> cone;    // of the cone method (engine/cone/respond.hpp), null under others
    std::shared_ptr<FluidBuffers> fluid;  // of fluids (engine/fluid/fluid.hpp), null under others
};

/// Pairs with an image are listed up to this gap beyond what others are [m]: images move by themselves where the cell does, by the
/// skin while a list lasts and by as much as they may close in a step.
inline double image_margin(const State& state, const Workspace& work) {
    return work.images.cell.moves ? state.skin + 2 * work.images.way : 0.0;
}

}  // namespace scree::SCREE_FLAVOR
