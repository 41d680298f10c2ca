// What the narrow phase of polyhedra is tested against, in double and by other means: the region two shapes share from all their planes,
// and the least depth over all axes. In: placed shapes. Out: as the kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/narrow/convex.hpp"

namespace scree::test {

struct HalfSpace {
    Vec3 normal;
    double offset;
    bool of_a;
};

/// The planes of a placed shape in the common frame.
template <class T>
std::vector<HalfSpace> half_spaces(const PlacedConvex<T>& s, bool of_a) {
    std::vector<HalfSpace> planes;
    for (std::int32_t f = 0; f < s.shape.faces; ++f) {
        const Vec3 n = normalized(cast<double>(s.normal(f)));
        planes.push_back({n, dot(n, cast<double>(s.at)) + static_cast<double>(s.scale) * static_cast<double>(s.shape.h[f]), of_a});
    }
    return planes;
}

/// What of plane k is within all others: a square of `size` in the plane, clipped.
inline std::vector<Vec3> face_of(const std::vector<HalfSpace>& planes, std::size_t k, double size) {
    const Vec3 n = planes[k].normal;
    const Vec3 u = normalized(cross(n, std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0})), v = cross(n, u), p = planes[k].offset * n;
    std::vector<Vec3> polygon{p + size * (u + v), p + size * (v - u), p - size * (u + v), p + size * (u - v)};
    for (std::size_t j = 0; j < planes.size(); ++j) {
        if (j == k) continue;
        // Planes that coincide: the first counts.
        if (norm(planes[j].normal - n) < 1e-9 && std::fabs(planes[j].offset - planes[k].offset) < 1e-12) {
            if (j < k) return {};
            continue;
        }
        std::vector<Vec3> left;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const Vec3 a = polygon[i], b = polygon[(i + 1) % polygon.size()];
            const double da = dot(planes[j].normal, a) - planes[j].offset, db = dot(planes[j].normal, b) - planes[j].offset;
            if (da <= 0) left.push_back(a);
            if ((da > 0) != (db > 0)) left.push_back(a + (da / (da - db)) * (b - a));
        }
        polygon = left;
    }
    return polygon;
}

/// Moments of what is within all planes, by cones from the origin.
inline Overlap<double> moments_of(const std::vector<HalfSpace>& planes, double size) {
    Overlap<double> sum;
    for (std::size_t k = 0; k < planes.size(); ++k) {
        const std::vector<Vec3> polygon = face_of(planes, k, size);
        for (std::size_t i = 2; i < polygon.size(); ++i) {
            const Vec3 c = 0.5 * cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
            const Vec3 middle = (polygon[0] + polygon[i - 1] + polygon[i]) / 3.0;
            const double v = dot(polygon[0], c) / 3;
            sum.volume += v;
            sum.moment += 0.75 * v * middle;
            if (!planes[k].of_a) continue;
            sum.area += c;
            sum.couple += cross(middle, c);
        }
    }
    return sum;
}

template <class T>
Overlap<double> reference_overlap(const PlacedConvex<T>& a, const PlacedConvex<T>& b) {
    std::vector<HalfSpace> planes = half_spaces(a, true);
    const std::vector<HalfSpace> more = half_spaces(b, false);
    planes.insert(planes.end(), more.begin(), more.end());
    return moments_of(planes, 10 * static_cast<double>(a.scale + b.scale) + norm(cast<double>(a.at)) + norm(cast<double>(b.at)));
}

/// Lowest of B minus highest of A along n.
template <class T>
double gap_along(const PlacedConvex<T>& a, const PlacedConvex<T>& b, Vec3 n) {
    double high = -1e300, low = 1e300;
    for (std::int32_t k = 0; k < a.shape.vertices; ++k) high = std::fmax(high, dot(n, cast<double>(a.vertex(k))));
    for (std::int32_t k = 0; k < b.shape.vertices; ++k) low = std::fmin(low, dot(n, cast<double>(b.vertex(k))));
    return low - high;
}

template <class T>
Vec3 edge_way(const PlacedConvex<T>& s, std::int32_t e) {
    return cast<double>(s.vertex(s.shape.edge[2 * e + 1])) - cast<double>(s.vertex(s.shape.edge[2 * e]));
}

/// The greatest gap over all face normals and all cross products of edges: the separation theorem without any pruning.
template <class T>
double reference_gap(const PlacedConvex<T>& a, const PlacedConvex<T>& b) {
    double best = -1e300;
    for (std::int32_t f = 0; f < a.shape.faces; ++f) best = std::fmax(best, gap_along(a, b, normalized(cast<double>(a.normal(f)))));
    for (std::int32_t f = 0; f < b.shape.faces; ++f) best = std::fmax(best, gap_along(a, b, -normalized(cast<double>(b.normal(f)))));
    for (std::int32_t i = 0; i < a.shape.edges; ++i) {
        for (std::int32_t j = 0; j < b.shape.edges; ++j) {
            const Vec3 u = edge_way(a, i), v = edge_way(b, j), c = cross(u, v);
            if (norm(c) < 1e-9 * norm(u) * norm(v)) continue;
            best = std::fmax(best, std::fmax(gap_along(a, b, normalized(c)), gap_along(a, b, -normalized(c))));
        }
    }
    return best;
}

}  // namespace scree::test
