// The time step of a scene.
#pragma once

#include "setup/build_model.hpp"

namespace scree {

/// The bodies that the limits of the penalty method are read from: compounds left out, and each member as light as its owner is where the
/// member is pushed, 1 / (1/m + (p x n) . I^-1 (p x n)) for the worst point p and direction n; of a sphere with p its centre, and its
/// radius over the root of the least moment added to the root of that term.
BodyTable bodies_of_contacts(const Model& model);

/// Throws scree::Error at `place` where more than 10^15 steps of `dt` [s] lead to `end` [s]: no run gets there, and past 2^53 steps time
/// does not grow evenly.
void require_reachable(double end, double dt, const SourcePlace& place);

/// Sets model.dt and stable_step, and warns of a step past it. Penalty method: as step_limits() says. Cone method: "auto" is
/// 0.05 sqrt(smallest radius / |g|), in which a body falls an eighth of a percent of that radius, and at most 1 ms; no step is unstable.
/// Either takes 1 ms where named bodies touch nothing. Throws scree::Error where a step cannot be chosen, or the end not be
/// reached in such steps.
void choose_step(const Scene& scene, BuiltModel& built);

/// Sets model.cone.envelope where the scene leaves it to Scree and spheres alone touch each other: a sphere that is hit moves within the
/// same step, and what it meets then has to be in the step's problem, which sees what approaches. Half the way in a step of the fastest
/// body, wall or fall through the scene, at most 0.3 of the smallest radius; below a twentieth of that the engine's own choice stands, and
/// for polyhedra, whose points cost more.
void choose_envelope(Model& model);

}  // namespace scree
