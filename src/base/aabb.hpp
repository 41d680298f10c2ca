// Axis-aligned boxes.
#pragma once

#include "base/vec3.hpp"

namespace scree {

/// A closed box [min, max]; empty where min > max in any component.
struct Aabb {
    Vec3 min{1e300, 1e300, 1e300};
    Vec3 max{-1e300, -1e300, -1e300};

    SCREE_HD void include(Vec3 p) {
        min = {p.x < min.x ? p.x : min.x, p.y < min.y ? p.y : min.y, p.z < min.z ? p.z : min.z};
        max = {p.x > max.x ? p.x : max.x, p.y > max.y ? p.y : max.y, p.z > max.z ? p.z : max.z};
    }
    SCREE_HD bool contains(Vec3 p) const {
        return p.x >= min.x && p.x <= max.x && p.y >= min.y && p.y <= max.y && p.z >= min.z && p.z <= max.z;
    }
    SCREE_HD bool empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
};

SCREE_HD bool overlaps(const Aabb& a, const Aabb& b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z && b.min.z <= a.max.z;
}
/// The box grown by margin [m] on every side.
SCREE_HD Aabb grown(const Aabb& a, double margin) {
    const Vec3 m{margin, margin, margin};
    return {a.min - m, a.max + m};
}

}  // namespace scree
