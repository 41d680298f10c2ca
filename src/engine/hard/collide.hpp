// A step of hard particles: all fly straight for dt, then what met on the way collides, the earliest first.
#pragma once

#include "engine/hard/particles.hpp"

namespace scree::SCREE_FLAVOR {

/// Straight flight to the end of the step, into the box.
void fly(const HardWorld& world, HardParticles& particles, HardBuffers& buffers);

struct Rounds {
    std::int64_t done;  // in which some collided
    bool rows_old;      // rows of neighbours have to be made anew before others can be asked for
};

/// Rounds of collisions after a flight. In each, a body chooses its earliest meeting; where two chose each other they go back to where they
/// met, exchange an impulse there and fly on to the end of the step. Pairs of a round share no body, and the choice hangs on no order, so
/// neither threads nor kernels show; an impulse acts on both with one magnitude along one normal, so energy is kept to rounding, however
/// many meet a body. Collisions that a later look finds to have been foreclosed by earlier ones are what a step misses: fewer with its
/// square. `now` [s]: end of the step. Where `most` are done some may be left, for the next step. As many rounds as were needed of late are
/// sent at once, and those that find nothing to do end there; the host waits for them once.
Rounds collide(const HardWorld& world, HardParticles& particles, HardBuffers& buffers, double now, std::int64_t most);

/// The largest overlap over the smaller radius, with walls too: what steps that are too long, or too few rounds, leave.
double largest_overlap(const HardWorld& world, HardParticles& particles, HardBuffers& buffers);

}  // namespace scree::SCREE_FLAVOR
