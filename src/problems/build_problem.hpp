// What the readers share: a matrix from single entries, embedded in three dimensions, and the checks every problem passes.
#pragma once

#include <vector>

#include "problems/friction_problem.hpp"

namespace scree {

/// Numbers past this overflow where solvers square them.
constexpr double most_magnitude = 1e150;

struct Entry {
    std::int64_t row, column;
    double value;
};

/// The problem with these entries (those of one place are added up), q and mu of `dimensions` components per contact. Blocks that are zero
/// are left out. Throws Error naming `path` where sizes do not fit, a number is not finite, mu is negative, or an entry is out of range.
FrictionProblem build_problem(const std::string& path, int dimensions, std::vector<Entry> entries, const std::vector<double>& q,
                              const std::vector<double>& mu);

}  // namespace scree
