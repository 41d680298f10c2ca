// Corrections of joints to their places after the drift, decided in memory of kernels: each gains a digit or more at a tenth of a radian a
// step, three at a hundredth. A few in any case, more while each takes half of the miss away: rounding and joints that contradict each
// other leave some.
#pragma once

#include <limits>

#include "engine/cone/solvers/outer_control.hpp"

namespace scree::SCREE_FLAVOR {

inline constexpr int few_corrections = 4, most_corrections = 20;

struct CorrectionControl : OuterControl {
    std::int32_t passes{0};                                  // done
    double tolerance{0};                                     // of what is missed [-]
    double found{0};                                         // by the pass before this decision
    double missed{std::numeric_limits<double>::infinity()};  // by the pass before that; the last one's once decided
};

/// Takes what the last pass missed.
SCREE_HD void decide(CorrectionControl& c) {
    constexpr double gained = 0.5;
    const bool falls = c.found < gained * c.missed;
    c.missed = c.found;
    ++c.passes;
    if (c.missed <= c.tolerance || (c.passes >= few_corrections && !falls) || c.passes >= most_corrections)
        c.done = CorrectionControl::stop;
}

}  // namespace scree::SCREE_FLAVOR
