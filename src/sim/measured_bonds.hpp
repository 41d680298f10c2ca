// Bonds as measures and files tell of them: how many hold, how others broke, and into what parts the bonded bodies fall.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace scree {

/// Columns of the measure "bonds".
std::vector<std::string> bond_columns();
/// In their order; bodies that were taken out are in no part.
std::vector<std::optional<double>> bond_values(const Model& model, const BondSums& sums, const std::vector<BrokenBond>& broken,
                                               const Snapshot& bodies);

/// A part of what was bonded: bodies that bonds which hold, or clumps, join.
struct Fragment {
    std::int64_t bodies{0};  // of clumps their members
    double mass{0};          // [kg]
};
/// Of the bodies of a snapshot that ever had a bond, the heaviest first.
std::vector<Fragment> fragments_of(const Model& model, const std::vector<BrokenBond>& broken, const Snapshot& bodies);

/// bonds.csv: a line for each bond that broke, by time.
std::string broken_bonds_text(const Model& model, const std::vector<BrokenBond>& broken);
/// fragments.csv: a line for each part.
std::string fragments_text(const std::vector<Fragment>& fragments);

}  // namespace scree
