// What a fluid needs of a scene, and what it makes of its bodies.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"
#include "setup/origins.hpp"

namespace scree {

FluidSettings build_fluid(const SceneMethod& given);

/// Throws scree::Error where a scene with method.kind = "fluid" asks for joints, rigid bodies, walls that bodies carry or measures of
/// contacts.
void check_fluid(const Scene& scene);

/// Checks the model of such a scene and gives particles the mass of the cube, in two dimensions of the square of unit thickness, that is
/// theirs in a lattice. Throws scree::Error at bodies other than equal spheres, at spins, and at particles in walls.
void settle_fluid(const std::vector<Origin>& origins, Model& model);

/// Fastest that particles are expected to be: their speed at the start and that of a fall from the highest to the lowest of particles and
/// walls below them, or the fastest wall's [m/s].
double fluid_speed(const Model& model);
/// A tenth of a spacing at that speed, 1 ms where nothing moves [s].
double fluid_step(const Model& model);

}  // namespace scree
