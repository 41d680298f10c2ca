// What follows from a look at the residual in the Gauss-Seidel method. It lies in memory of kernels, and one thread of them decides there,
// so that the host sends sweeps ahead of what it knows. Sweeps work in place: the best iterate is a copy. How many sweeps lie between two
// looks follows from their number alone, so that host and kernels agree on it.
#pragma once

#include <limits>

#include "engine/cone/sweeps/sweep_sizes.hpp"

namespace scree::SCREE_FLAVOR {

struct GaussSeidelControl {
    static constexpr std::uint32_t stop = 1;         // bit of `done`: nothing is left to do
    static constexpr std::uint32_t worse = 2;        // another: x is not the best iterate so far
    static constexpr std::uint32_t misfit = 4;       // another: the layout of sweeps does not fit; x is still the guess, in K
    static constexpr std::int64_t least_sweeps = 8;  // between looks, each of which may cost as much as three sweeps

    std::uint32_t done{0};  // the gate of all kernels
    std::int32_t looks_without_low{0};
    std::int64_t iteration{1};      // sweeps and looks so far
    std::int64_t iterations{0};     // at most
    double tolerance{0};            // of the residual [m/s]
    double found{0}, lowest{0};     // residual of x, and of the best iterate [m/s]
    double omega{1};                // of the next sweeps
    bool adapts{false};             // omega shrinks while the residual finds no new low
    double miss[2]{};               // residual of this look: contacts, scalar rows
    const SweepFit* laid{nullptr};  // where kernels find what the layout of sweeps is; null: none yet, or none needed
    SweepSizes sizes{};             // of the layout
};

/// A layout has come: does it fit?
SCREE_HD void take_layout(GaussSeidelControl& c) {
    if (c.laid == nullptr) return;
    c.sizes = c.laid->sizes;
    if (c.laid->misfit != 0) c.done |= GaussSeidelControl::stop | GaussSeidelControl::misfit;
}

namespace detail {

constexpr double least_omega = 0.6;     // below 2/3, where each block's own step is sure (gauss_seidel.cpp)
constexpr double omega_decrease = 0.8;  // where the residual finds no new low
constexpr double allowed_growth = 2.0;  // of the residual over its low: it fluctuates by less where sweeps converge
constexpr int allowed_looks = 3;        // without a new low

}  // namespace detail

/// Sweeps before the next look; none where the iterations are used up.
SCREE_HD std::int64_t sweeps_after(std::int64_t iteration, std::int64_t iterations) {
    constexpr std::int64_t least = GaussSeidelControl::least_sweeps;
    const std::int64_t left = iterations - iteration - 1, wanted = iteration / 4 > least ? iteration / 4 : least;
    if (left <= 0) return 0;
    return left < wanted + least / 2 ? left : wanted;  // few at the end are not worth a look of their own
}

/// Is another sweep worth it?
SCREE_HD bool goes_on(const GaussSeidelControl& c) {
    return c.found > c.tolerance && sweeps_after(c.iteration, c.iterations) > 0 && c.found < std::numeric_limits<double>::infinity();
}

/// Judges what the sweeps have made of x.
SCREE_HD void decide(GaussSeidelControl& c) {
    c.iteration += sweeps_after(c.iteration, c.iterations) + 1;
    c.found = c.miss[0] > c.miss[1] ? c.miss[0] : c.miss[1];
    c.looks_without_low = c.found < c.lowest ? 0 : c.looks_without_low + 1;
    c.done = c.found <= c.lowest ? 0 : GaussSeidelControl::worse;
    if (c.found <= c.lowest) c.lowest = c.found;
    if (c.adapts && (c.found > detail::allowed_growth * c.lowest || c.looks_without_low >= detail::allowed_looks)) {
        const double smaller = c.omega * detail::omega_decrease;
        c.omega = smaller > detail::least_omega ? smaller : detail::least_omega;
        c.looks_without_low = 0;
    }
    if (!goes_on(c)) c.done |= GaussSeidelControl::stop;
}

}  // namespace scree::SCREE_FLAVOR
