// Settled beds of frictional Hertz spheres, the same from run to run, kept as files so that a benchmark starts at once.
// Recipe: radius 1 mm, E 1e7 Pa, nu 0.3, density 2500 kg/m3, mu 0.5, e 0.4, g 9.81 m/s2, five walls of the same material, open top,
// step 1e-5 s. A jittered lattice is dropped with damping until at rest.
#pragma once

#include <cstdint>
#include <string>

#include "engine/engine.hpp"
#include "model/model.hpp"

namespace scree::bench {

/// Positions, velocities and the box they lie in.
struct Bed {
    double width{0}, depth{0};  // along x and y [m]
    BodyTable bodies;
};

/// A model of the bed as it is timed. skin [m], 0 lets the engine choose; tilt [degrees] turns gravity from -z towards +x.
Model bed_model(const Bed& bed, double skin, double tilt);

/// Adds the laws of a list joined by "+" to the bed's own: rolling (epsd), twisting (marshall), or a law of cohesion by its name, of pulls
/// a fifth of a sphere's weight and more. Throws Error at a word that is none.
void add_laws(const std::string& words, Model& model);

/// What is at the four sides of a bed instead of walls: "periods" of its box, or "shear", periods of which those along y move along x, by
/// one a second over their distance; "walls": as it is. Throws Error at another word.
void replace_sides(const std::string& word, Model& model);

/// Mirror images of a bed side by side: nx along x, ny along y.
Bed mirrored(const Bed& one, int nx, int ny);

/// Rounds of so many steps, each after a cut of all velocities by the factor.
void damp(Engine& engine, double factor, int rounds, std::int64_t steps);

/// The settled bed of n bodies, read from `folder` or made and written there. ratio: largest radius over the smallest, 1 for equal ones,
/// else with the same volume in every octave of size. Past 100,000 equal spheres, past 10,000 others: ten mirror images of a bed of a
/// tenth.
Bed settled_bed(std::int64_t n, double ratio, const std::string& folder);

}  // namespace scree::bench
