// Size levels of the pair search: bodies are binned by diameter, each level on cells of its own. Only speed depends on the choice.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace scree {

inline constexpr std::size_t kMaxSizeLevels = 16;

/// Largest diameters of the levels, ascending [m]. One level up to a ratio of 1.5, and where Search::Grid asks for it. Else octaves from
/// the largest down; Search::Auto leaves out those without bodies and joins an octave with the next one where their bodies, packed as in a
/// bed, are few enough for one cell: several bodies a cell cost less than many empty cells. Compounds are not searched for. O(n).
std::vector<double> size_levels(const Model& model);

}  // namespace scree
