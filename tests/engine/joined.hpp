// Joints between bodies of a model as they stand, for tests of mechanisms.
#pragma once

#include "clumps.hpp"

namespace scree::test {

inline Quat turn(Vec3 axis, double angle) {
    return rotation_by(angle * normalized(axis));
}

/// Joins a and b (or the ground) at a point of the world, axis z of both frames along `axis`, at the places where the bodies start.
inline Joint joined(const Model& m, JointKind kind, std::int32_t a, std::int32_t b, Vec3 point, Vec3 axis = {0, 0, 1}) {
    const Vec3 z{0, 0, 1}, n = normalized(axis), c = cross(z, n);
    const Quat frame = norm(c) > 0 ? turn(c, std::atan2(norm(c), dot(z, n))) : Quat{};
    const auto in = [&](std::int32_t id) {
        if (id < 0) return Pose{frame, point};
        const auto i = static_cast<std::size_t>(id);
        const Quat back = conjugate(m.bodies.orientation[i]);
        return Pose{back * frame, rotate(back, point - m.bodies.position[i])};
    };
    Joint j;
    j.name = "joint";
    j.kind = kind;
    j.a = a;
    j.b = b;
    j.frame_a = in(a);
    j.frame_b = in(b);
    return j;
}

}  // namespace scree::test
