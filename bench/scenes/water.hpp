// A column of water that is about to collapse.
#pragma once

#include <cstdint>

#include "model/model.hpp"

namespace scree::bench {

/// About n particles 1 cm apart on a lattice, twice as high as wide, in a closed tank four times as wide as the column, with gravity along
/// -y. support: radius of the kernels in spacings.
Model water_column(std::int64_t n, int dimensions, std::int64_t iterations, double support);

}  // namespace scree::bench
