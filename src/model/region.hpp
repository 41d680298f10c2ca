// Parts of space in which bodies are counted or taken, by their centres.
#pragma once

#include "base/aabb.hpp"

namespace scree {

struct Region {
    enum class Kind { Box, Cylinder, Sphere, HalfSpace } kind{Kind::Box};
    Aabb box;
    Vec3 point, axis{0, 0, 1};  // cylinder: unit axis starts at point; sphere: its centre; half space: a point of its plane, normal into it
    double radius{0}, length{0};

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
