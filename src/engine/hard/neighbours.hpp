// Rows of neighbours of hard particles.
#pragma once

#include "engine/hard/particles.hpp"

namespace scree::SCREE_FLAVOR {

/// Makes the rows anew, wide enough for present speeds: no pair outside them can meet before a body has left its reference by
/// HardBuffers::reach or is faster than HardBuffers::speed_limit. Throws RunError where bodies fly farther than three diameters in a step.
void find_neighbours(const HardWorld& world, HardParticles& particles, HardBuffers& buffers);

}  // namespace scree::SCREE_FLAVOR
