// A sheared cell as formats have it that tilt a box: z over y over x, by whole periods as little as may be.
#pragma once

#include <cmath>

#include "model/cell.hpp"

namespace scree {

/// Is it one that such a format can hold?
inline bool is_tilted(const Cell& cell) {
    return cell.sheared && cell.along < cell.across;
}

/// By how much the images one period up `across` are shifted along `along`, less whole periods [m].
inline double least_offset(const Cell& cell) {
    const double period = cell.length[cell.along];
    return cell.offset - period * std::round(cell.offset / period);
}

}  // namespace scree
