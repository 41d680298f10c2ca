// Contact points of prisms and disks in a plane model: what a prism has at both ends of its height is one point in the plane.
// In: points of the narrow phase, whose normals lie in the plane but for rounding. Out: the same in the plane, each once.
#pragma once

#include "engine/narrow/contact_points.hpp"

namespace scree {

/// `size`: bounding radius of the smaller body [m]. Of points that are one the lowest key holds, which does not depend on rounding.
template <class T>
SCREE_HD ContactPoints<T> planar_points(const ContactPoints<T>& found, T size) {
    const T near2 = T(1e-6) * size * size;  // a thousandth of the size: far above rounding, far below a side
    ContactPoints<T> result;
    for (std::int32_t q = 0; q < found.count; ++q) {
        const Vec3T<T> n{found.normal[q].x, found.normal[q].y, T(0)};
        const T length = std::sqrt(norm2(n));
        if (!(length > T(0.5))) continue;  // across the plane: no contact here
        const Vec3T<T> at{found.point[q].x, found.point[q].y, T(0)};
        std::int32_t same = -1;
        for (std::int32_t k = 0; k < result.count; ++k) {
            if (norm2(result.point[k] - at) < near2 && dot(result.normal[k], n) > T(0.99)) same = k;
        }
        if (same >= 0) {
            if (found.key[q] < result.key[same]) result.key[same] = found.key[q];
            if (found.gap[q] < result.gap[same]) result.gap[same] = found.gap[q];
            continue;
        }
        const std::int32_t k = result.count++;
        result.normal[k] = n / length;
        result.point[k] = at;
        result.gap[k] = found.gap[q];
        result.key[k] = found.key[q];
    }
    return result;
}

}  // namespace scree
