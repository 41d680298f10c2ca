// Contact points of a polyhedron and what is behind a plane: vertices within the envelope, up to four. A is the polyhedron.
#pragma once

#include "engine/narrow/face_points.hpp"
#include "engine/narrow/points_smooth.hpp"

namespace scree {

namespace points {

/// Candidates as they are found. Where there are more than fit, the deepest stay.
template <int Capacity, class T>
struct CandidateList {
    PointCandidate<T> entry[Capacity];
    std::int32_t count{0};

    SCREE_HD void add(Vec3T<T> at, T gap, std::int32_t key) {
        if (count < Capacity) {
            entry[count++] = {at, gap, key};
            return;
        }
        std::int32_t highest = 0;
        for (std::int32_t k = 1; k < Capacity; ++k) highest = entry[k].gap > entry[highest].gap ? k : highest;
        if (gap < entry[highest].gap) entry[highest] = {at, gap, key};
    }
};

}  // namespace points

/// Plane through `point` with unit `normal` towards the free side, relative to the origin the polyhedron was placed in. Keys: vertices.
/// O(vertices). Of more than 64 vertices within the envelope the deepest count.
template <class T>
SCREE_HD ContactPoints<T> plane_points(const PlacedConvex<T>& a, Vec3T<T> point, Vec3T<T> normal, T envelope) {
    ContactPoints<T> result;
    const T centre = dot(normal, a.at - point);
    if (!(centre <= a.scale + envelope)) return result;
    if (a.shape.smooth != nullptr) {
        add_points(result, smooth_with_plane(smooth_of(a), cast<double>(point), -cast<double>(normal), static_cast<double>(envelope)));
        return result;
    }
    const Vec3T<T> d = transposed_times(a.turn, normal);
    const T bound = (envelope - centre) / a.scale;
    points::CandidateList<64, T> list;
    for (std::int32_t k = 0; k < a.shape.vertices; ++k) {
        const Vec3T<T> v = a.shape.vertex(k);
        const T height = dot(v, d);
        if (height <= bound) list.add(a.scale * v, centre + a.scale * height, point_key::of_vertex(true, k));
    }
    if (list.count == 0) return result;
    std::int32_t chosen[ContactPoints<T>::most];
    const std::int32_t count = choose_points(list.entry, list.count, d, points::window_of(a.scale, a.scale, envelope), chosen);
    for (std::int32_t k = 0; k < count; ++k) {
        const PointCandidate<T>& c = list.entry[chosen[k]];
        add_point(result, -normal, a.at + a.turn * (c.at - (T(0.5) * c.gap) * d), c.gap, c.key);
    }
    return result;
}

}  // namespace scree
