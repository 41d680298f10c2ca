// What a touching pair is: where each surface is deepest in the other, the normal between, and their distance.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/vec3.hpp"
#include "engine/collide/problem.hpp"

namespace scree {

struct Contact {
    std::uint32_t a{0}, b{0};  // a < b
    Vec3 point_a, point_b;     // on the surface of each [m]
    Vec3 normal;               // unit, from a to b
    double distance{0};        // of the surfaces, negative where they overlap [m]
};

/// Points lie where the line of centres leaves a and enters b. The normal of equal centres is the x axis.
inline Contact contact_of(const SphereView& s, std::uint32_t a, std::uint32_t b) {
    const Vec3 ca{s.x[a], s.y[a], s.z[a]}, cb{s.x[b], s.y[b], s.z[b]};
    const Vec3 d = cb - ca;
    const double length = norm(d);
    const Vec3 n = length > 0 ? d / length : Vec3{1, 0, 0};
    return {a, b, ca + s.r[a] * n, cb - s.r[b] * n, n, length - (s.r[a] + s.r[b])};
}

}  // namespace scree
