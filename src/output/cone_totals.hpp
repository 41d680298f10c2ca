// What the cone problems of many steps amount to: of a whole run for its summary, and of the steps since a row of series.csv for measures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "engine/snapshot.hpp"

namespace scree {

struct ConeTotals {
    std::int64_t steps{0};
    std::int64_t not_converged{0};    // steps
    std::int64_t contacts{0};         // of the last step
    std::int64_t iterations{0};       // of all steps together
    std::int64_t most_iterations{0};  // of a step
    double residual{0};               // largest [m/s]

    void add(const ConeReport& step) {
        ++steps;
        not_converged += step.converged ? 0 : 1;
        contacts = step.contacts;
        iterations += step.iterations;
        most_iterations = std::max(most_iterations, step.iterations);
        residual = std::max(residual, step.residual);
    }
    double mean_iterations() const { return steps > 0 ? static_cast<double>(iterations) / static_cast<double>(steps) : 0; }
    bool operator==(const ConeTotals&) const = default;
};

/// The totals of a measure (its name), or of the run (no name).
struct NamedConeTotals {
    std::string name;
    ConeTotals totals;
};

}  // namespace scree
