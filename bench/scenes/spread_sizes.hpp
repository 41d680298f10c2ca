// A loose random packing of spheres of very different sizes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vec3.hpp"

namespace scree::bench {

struct SpreadPacking {
    double width{0};             // of the square floor [m]
    std::vector<Vec3> position;  // clear of each other and of the walls [m]
    std::vector<double> radius;  // descending [m]
};

/// n spheres with radii from `smallest` to ratio * smallest [m], the same volume in every octave (number density ~ r^-4),
/// added at random, the largest first, over a square floor until two fifths of the room are full.
SpreadPacking spread_packing(std::int64_t n, double smallest, double ratio);

}  // namespace scree::bench
