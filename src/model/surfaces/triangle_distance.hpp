// Distances of points from segments and triangles, on the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/vec3.hpp"

namespace scree {

inline double distance_to_segment(Vec3 p, Vec3 a, Vec3 b) {
    const Vec3 along = b - a;
    const double length2 = norm2(along);
    const double share = length2 > 0 ? std::clamp(dot(p - a, along) / length2, 0.0, 1.0) : 0.0;
    return norm(p - a - share * along);
}

/// From a point to the nearest of a triangle.
inline double distance_to_triangle(Vec3 p, const Vec3 (&corner)[3]) {
    const Vec3 twice_area = cross(corner[1] - corner[0], corner[2] - corner[0]);
    bool above = norm2(twice_area) > 0;
    double edges = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
        const Vec3 a = corner[k], b = corner[(k + 1) % 3];
        above = above && dot(cross(b - a, p - a), twice_area) >= 0;
        edges = std::min(edges, distance_to_segment(p, a, b));
    }
    return above ? std::min(edges, std::fabs(dot(p - corner[0], twice_area)) / norm(twice_area)) : edges;
}

}  // namespace scree
