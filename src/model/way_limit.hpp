// How far lists of the cone method look out for what a fast body may meet in a step. The engine and the memory forecast share it.
#pragma once

#include <algorithm>
#include <cmath>

namespace scree {

/// The way [m] of the fastest body in a step; where there are many bodies at most the largest radius, or what leaves each some 64 others in
/// reach as they are spread over `volume` [m3]: one body that flies off must not have all others list each other.
inline double limited_way(double way, double bodies, double volume, double largest_radius) {
    constexpr double neighbours = 64;
    if (bodies <= neighbours || way <= largest_radius) return way;
    const double spacing = std::cbrt(volume / bodies);
    return std::min(way, std::max(largest_radius, std::cbrt(neighbours) / 4 * spacing));
}

}  // namespace scree
