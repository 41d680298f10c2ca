// Parts of space in which bodies are counted or taken, by their centres, and which of those there.
#pragma once

#include <cstdint>
#include <limits>

#include "base/aabb.hpp"

namespace scree {

struct Region {
    enum class Kind { Box, Cylinder, Sphere, HalfSpace } kind{Kind::Box};
    Aabb box;
    Vec3 point, axis{0, 0, 1};  // cylinder: unit axis starts at point; sphere: its centre; half space: a point of its plane, normal into it
    double radius{0}, length{0};
    std::int32_t material{-1};                                             // of bodies that count; -1: of all
    double smallest{0}, largest{std::numeric_limits<double>::infinity()};  // radii of bodies that count [m]

    /// Does a body of this material and radius (of the sphere that bounds it) count?
    SCREE_HD bool takes(std::int32_t of, double body_radius) const {
        return (material < 0 || material == of) && body_radius >= smallest && body_radius <= largest;
    }
    SCREE_HD bool contains(Vec3 x) const {
        if (kind == Kind::Box) return box.contains(x);
        const Vec3 from = x - point;
        if (kind == Kind::Sphere) return norm2(from) <= radius * radius;
        const double s = dot(from, axis);
        if (kind == Kind::HalfSpace) return s >= 0;
        return s >= 0 && s <= length && norm2(from - s * axis) <= radius * radius;
    }
};

}  // namespace scree
