// The measure "cell": how far a periodic cell has gone, and how fast it goes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cell.hpp"

namespace scree {

/// Columns after the measure's name.
const std::vector<std::string>& cell_columns(int dimensions);

/// Strain of each length, ln(length / length at the start), and of the shear; lengths [m]; rates of strain [1/s].
std::vector<std::optional<double>> cell_values(const Cell& start, int dimensions, const Cell& now);

}  // namespace scree
