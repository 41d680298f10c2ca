// "Did it go well?": what a run came to, line by line, each with a verdict and what to do (docs/terminal.md says why the limits are where
// they are).
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "output/summary.hpp"

namespace scree {

/// Limits of the verdicts: up to the first a line is "ok", up to the second "look", else "bad".
struct VerdictLimits {
    static constexpr double step[2] = {0.5001, 1.0001};    // over the stable step, and what rounding adds
    static constexpr double overlap = 0.01;                // over the radius; the second is method.overlap_warning
    static constexpr double energy[2] = {0.01, 0.05};      // over the energy turned over
    static constexpr double not_converged[2] = {0, 0.01};  // share of steps
    static constexpr double steps_per_list = 5;            // below: look
    static constexpr double output_share = 0.3;            // of the time; above: look
    static constexpr double speed = 0.6;                   // of the usual one; below: look
    static constexpr double mass_rounding = 1e-9;          // by which masses of one balance may differ, over the largest
};

/// Lines in their order. `model`: the run's, for what a setting is called.
std::vector<Finding> findings_of(const Summary& summary, const Model& model);

/// "12.3 M", "4.5 k": three digits.
std::string short_number(double value);
/// "12,345".
std::string grouped(std::int64_t value);

}  // namespace scree
