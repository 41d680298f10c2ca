// A fluid of particles (Macklin & Müller 2013, Position based fluids, ACM Trans. Graph. 32(4):104): what its steps need beside bodies,
// lists of walls and cells, and the stages of a step. step/fluid_step.cpp orders them.
//
// Lengths in the kernels are in units of the support radius h, masses over that of the heaviest particle. Of particle i
//   C_i = V sum_j W(x_i - x_j) + walls - 1            excess of density over that at rest, V the volume of a particle at rest
//   g_ij = V grad_i W(x_i - x_j)                      antisymmetric; what neighbour j adds to the gradient of C_i
//   lambda_i <= 0                                     multiplier of C_i <= 0, summed over the iterations of a step
//   way_i = w_i sum_j (lambda_i + lambda_j) g_ij      displacement by the constraints, w_i inverse mass
// which are forces between pairs along the line of centres: momentum is kept to rounding. All sums run over rows of neighbours in their
// order, in a fixed number of lanes, so that neither threads nor the order of kernels show.
#pragma once

#include "engine/collide/neighbour_rows.hpp"
#include "engine/state/state.hpp"
#include "model/fluid_kernel.hpp"

namespace scree::SCREE_FLAVOR {

/// A surface near a particle in this step, as a plane.
struct FluidWall {
    Vec3T<Real> normal;  // unit, from the particle to the surface
    Real distance;       // of the particle's centre [h]
    Real share;          // of what the surface alone would stand for, where several meet
    Real push;           // that the particle got from it in this step, against the normal [h]
    std::int32_t pair;   // its number among those of the particle in State's lists
};

/// What is the same for all particles, by value for kernels.
struct FluidWorld {
    Index bodies;
    Real inverse_h;                 // [1/m]
    double wide_inverse_h, wide_h;  // the same in double
    double off_plane;               // 1; 0 in the plane, where rounding must not push anything out of it
    Real volume_kernel;             // V times the factor of the density kernel
    Real gradient;                  // of g_ij, times (1 - q)^2
    Real relaxation;                // added to responses, times the inverse mass
    Real half_spacing;              // nearest to a wall that a centre may be [h]
    Real artificial, inverse_at;    // artificial pressure: multiplier at `at`; 1 / (1 - at)
    std::int32_t power;
    Real viscosity, vorticity;  // of a step: share; [m]
    const Real* wall_density;   // FluidRest's tables
    const Real* wall_gradient;
    std::int32_t wall_steps;
};

/// One of the tables at a distance; nearer than 0 as at 0.
SCREE_HD Real at_wall(const FluidWorld& world, const Real* table, Real distance) {
    const Real at = (distance > Real(0) ? distance : Real(0)) * static_cast<Real>(world.wall_steps);
    const auto k = static_cast<std::int32_t>(at);
    if (k >= world.wall_steps) return 0;
    const Real part = at - static_cast<Real>(k);
    return table[k] + part * (table[k + 1] - table[k]);
}

/// What the host reads at the end of a step.
struct FluidWords {
    Aabb bounds;              // of particles [m]
    std::int32_t longest{0};  // row of neighbours
    std::uint32_t flags{0};   // raised in the step
};

struct FluidBuffers {
    FluidRest rest;
    double h{0};         // [m]
    double heaviest{0};  // [kg]
    double spacing{0};   // [m]
    double volume{0};    // of a particle at rest [m3], in two dimensions of unit thickness
    NeighbourRows rows;
    RowArray place, next;            // positions in the iterations [m]; companion: inverse mass over that of the heaviest
    RowArray changed;                // velocities on the way [m/s]
    Vec3Array<double> way;           // displacement by the constraints in this step [h]
    Array<Real> change, multiplier;  // lambda of this iteration, and of the step so far
    Vec3Array<Real> curl;            // of velocity [1/s]
    Array<FluidWall> walls;          // those within h of a particle, where its pairs begin, in the order of planes, cylinders, mesh patches
    Array<std::int32_t> wall_count;  // n
    Vec3Array<double> listed;        // positions when walls were listed [m]
    bool walls_listed{false};        // State's lists hold for the slots and walls of now
    Aabb bounds;                     // of particles at the end of the last step [m]
    Array<FluidWords> words;         // one
    Array<Real> wall_density, wall_gradient;
    std::int64_t density_step{-1}, walls_step{-1}, bounds_step{-1};  // steps that Bodies::density, `walls` and `bounds` are of; -1: none

    std::size_t bytes() const {
        return rows.bytes() + place.rows.bytes() + next.rows.bytes() + changed.rows.bytes() + way.bytes() + change.bytes() +
               multiplier.bytes() + curl.bytes() + walls.bytes() + wall_count.bytes() + listed.bytes() + wall_density.bytes() +
               wall_gradient.bytes();
    }
};

FluidWorld fluid_world(const Model& model, const State& state, const FluidBuffers& buffers);

/// Sizes, kernels and masses from the model.
void load_fluid(const Model& model, FluidBuffers& buffers);

/// The walls of particle i stand where those of its rows in the three lists begin.
struct FluidWallRows {
    const RowStart *planes, *cylinders, *meshes;
    FluidWall* wall;
    std::int32_t* count;
    SCREE_HD Index first(Index i) const { return Index{planes[i]} + cylinders[i] + meshes[i]; }
    SCREE_HD Index last(Index i) const { return first(i) + count[i]; }
};
inline FluidWallRows wall_rows(State& state, FluidBuffers& buffers) {
    return {state.lists[kPlanes].row_start.data(), state.lists[kCylinders].row_start.data(), state.lists[kMeshes].row_start.data(),
            buffers.walls.data(), buffers.wall_count.data()};
}

/// State's lists of walls, for positions in `place` -> FluidBuffers::walls, which do not depend on what else is listed.
void meet_walls(const FluidWorld& world, State& state, Workspace& work, FluidBuffers& buffers, Gate gate = {});
/// What particles got from walls in this step -> forces of State's lists, and distances of those of meshes.
void keep_wall_forces(const Model& model, const FluidWorld& world, State& state, Workspace& work, FluidBuffers& buffers, Gate gate);

/// One iteration of the density constraint: multipliers, then displacements. Particles are kept off walls.
void move_to_density(const Exec& exec, const FluidWorld& world, State& state, FluidBuffers& buffers, Gate gate);
/// Densities at `place` -> Bodies::density.
void find_density(const Exec& exec, const FluidWorld& world, State& state, FluidBuffers& buffers);

/// Vorticity confinement and viscosity on the velocities of bodies, at `place`.
void change_velocities(const Exec& exec, const FluidWorld& world, State& state, FluidBuffers& buffers, Gate gate);

// Arrays that kernels read and write change places on the host, gated kernels or not. Where these were gated:
void take_back_moves(const FluidSettings& settings, FluidBuffers& buffers);
void take_back_velocities(const FluidWorld& world, State& state, FluidBuffers& buffers);

}  // namespace scree::SCREE_FLAVOR
