// The energy account of pairs of spheres, with what the step itself knows of them: their forces, and velocities half a step before the time
// of these. Sums over a body's pairs tell what its acceleration adds (laws/dissipation.hpp). The fused step makes the same sums as it goes.
#pragma once

#include "engine/exec/quad.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Are pairs accounted for so? Spheres that move by their own forces, under laws of a normal and a tangential part. All others: measure/.
inline bool accounts_by_pairs(const Model& model, const State& state) {
    return model.method == Method::Penalty && model.penalty.law != Law::Power && !is_general(model.penalty) && !state.planar &&
           !state.has_polyhedra && !state.stores_forces;
}

/// Forces on a body, powers in the last lane.
struct LossSum {
    Quad damping, friction;
};

/// Charges body i with its pairs' losses. twist: of its pairs alone; force, all_twist: of all its contacts.
SCREE_HD void add_losses(const BodyView& body, Index i, const LossSum& sum, Quad twist, Quad force, Quad all_twist, Vec3 gravity,
                         double dt) {
    const double h = 0.5 * dt, r = body.radius[i];
    const Quad push = h * (body.inverse_mass[i] * force + quad_of(gravity, 0)), turn = (h * body.inverse_inertia[i]) * (r * all_twist);
    const Quad damping = sum.damping * push, friction = sum.friction * push, turning = (r * twist) * turn;
    body.work_damping[i] += dt * (sum.damping[3] - (damping[0] + damping[1] + damping[2]));
    body.work_friction[i] += dt * ((sum.friction[3] - (friction[0] + friction[1] + friction[2])) - (turning[0] + turning[1] + turning[2]));
}

/// Accounts for the pairs of a step whose forces are there and whose velocities are still those before them.
void account_pairs(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
