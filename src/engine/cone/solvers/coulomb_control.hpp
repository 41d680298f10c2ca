// Where the fixed point of Coulomb's law stands. It lies in memory of kernels, and one thread of them decides there whether another inner
// problem is worth it, how good its solution must be and how far the shift goes, so that the host need not wait between inner problems.
#pragma once

#include <cmath>
#include <limits>

#include "engine/cone/solvers/outer_control.hpp"
#include "engine/cone/step_sums.hpp"

namespace scree::SCREE_FLAVOR {

struct CoulombControl : OuterControl {
    static constexpr std::uint32_t worse = 2;  // bit of `done`: x is not the best iterate so far

    bool moved{false};                // the shift has moved before: Aitken's rule has something to go by
    double tolerance{0};              // of the residual of Coulomb's problem [m/s]
    double found{0};                  // residual of x
    double relaxation{1};             // of the shift
    double miss[2]{};                 // residual of this iterate: contacts, scalar rows
    double along[2]{}, length2[2]{};  // products of the last changes: change_before . (change - change_before), and its square
};

namespace detail {

constexpr double inner_part = 0.1;   // of the residual left: inner solutions are as good as their shift
constexpr double inner_least = 0.3;  // of the tolerance
constexpr double least_relaxation = 0.1, most_relaxation = 4;

}  // namespace detail

/// Judges the iterate whose residual is in `miss`; `last`: no inner problem may follow.
SCREE_HD void judge(CoulombControl& c, bool last) {
    c.found = larger_miss(c.miss[0], c.miss[1]);
    c.done = c.found <= c.lowest ? 0 : CoulombControl::worse;
    if (c.found <= c.lowest) c.lowest = c.found;
    const bool worth = c.found > c.tolerance && c.found < std::numeric_limits<double>::infinity();
    if (last || !worth) c.done |= CoulombControl::stop;
    c.inner_tolerance = std::fmax(detail::inner_part * c.found, detail::inner_least * c.tolerance);
}

/// Relaxation of vector sequences after Aitken (Irons & Tuck 1969): what makes the last two changes cancel along their difference.
SCREE_HD void relax(CoulombControl& c) {
    if (c.moved) {
        const double along = c.along[0] + c.along[1], length2 = c.length2[0] + c.length2[1];
        if (length2 > 0 && std::fabs(along / length2) < std::numeric_limits<double>::infinity()) {
            const double wanted = -c.relaxation * along / length2;
            c.relaxation = std::fmin(std::fmax(wanted, detail::least_relaxation), detail::most_relaxation);
        }
    }
    c.moved = true;
}

}  // namespace scree::SCREE_FLAVOR
