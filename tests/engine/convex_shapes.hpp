// Shapes for the tests of the narrow phase of polyhedra: hulls of a few points by trying all planes, and tables for the kernels.
// In: points. Out: ConvexShape, and its padded tables in T.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/quat.hpp"
#include "base/rng.hpp"
#include "engine/narrow/convex.hpp"
#include "model/convex_shape.hpp"

namespace scree::test {

/// Which points lie in the plane through points[i], and the loop they make about its normal.
struct PlaneLoop {
    std::vector<bool> in;
    std::vector<std::int32_t> loop;
};
inline PlaneLoop loop_in_plane(const std::vector<Vec3>& points, std::size_t i, Vec3 normal, double tolerance) {
    PlaneLoop result{std::vector<bool>(points.size()), {}};
    Vec3 middle{};
    double count = 0;
    for (std::size_t m = 0; m < points.size(); ++m) {
        result.in[m] = std::fabs(dot(normal, points[m] - points[i])) <= tolerance;
        if (!result.in[m]) continue;
        middle += points[m];
        count += 1;
    }
    middle = middle / count;
    const Vec3 u = normalized(points[i] - middle), v = cross(normal, u);
    std::vector<std::pair<double, std::int32_t>> order;
    for (std::size_t m = 0; m < points.size(); ++m) {
        const Vec3 d = points[m] - middle;
        if (result.in[m]) order.emplace_back(std::atan2(dot(v, d), dot(u, d)), static_cast<std::int32_t>(m));
    }
    std::sort(order.begin(), order.end());
    for (const auto& entry : order) result.loop.push_back(entry.second);
    return result;
}

/// Hull of points, all of which must be corners of it: every plane through three of them that has none outside, O(n^4).
inline ConvexShape hull_of(const std::vector<Vec3>& points) {
    const std::size_t n = points.size();
    double size = 0;
    for (const Vec3 p : points) size = std::fmax(size, norm(p - points[0]));
    const double tolerance = 1e-9 * size;
    std::vector<PlaneLoop> found;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
            for (std::size_t k = j + 1; k < n; ++k) {
                const Vec3 c = cross(points[j] - points[i], points[k] - points[i]);
                if (norm(c) < 1e-12 * size * size) continue;
                if (std::any_of(found.begin(), found.end(), [&](const PlaneLoop& f) { return f.in[i] && f.in[j] && f.in[k]; })) continue;
                const Vec3 normal = normalized(c);
                bool above = false, below = false;
                for (std::size_t m = 0; m < n && !(above && below); ++m) {
                    const double d = dot(normal, points[m] - points[i]);
                    above = above || d > tolerance;
                    below = below || d < -tolerance;
                }
                if (!(above && below)) found.push_back(loop_in_plane(points, i, above ? -normal : normal, tolerance));
            }
        }
    }
    std::vector<std::vector<std::int32_t>> faces;
    for (const PlaneLoop& f : found) faces.push_back(f.loop);
    return make_convex_shape("hull", points, faces);
}

inline ConvexShape test_box(double lx, double ly, double lz) {
    std::vector<Vec3> p;
    for (int k = 0; k < 8; ++k) p.push_back({(k & 1 ? 0.5 : -0.5) * lx, (k & 2 ? 0.5 : -0.5) * ly, (k & 4 ? 0.5 : -0.5) * lz});
    return hull_of(p);
}

/// A right prism over a regular polygon, axis z.
inline ConvexShape test_prism(int sides, double radius, double length) {
    std::vector<Vec3> p;
    for (int k = 0; k < sides; ++k) {
        const double angle = 2 * 3.14159265358979323846 * k / sides;
        for (const double z : {-0.5 * length, 0.5 * length}) p.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
    return hull_of(p);
}

/// n points on an ellipsoid, spread by a golden spiral and shaken by `shake` (0: regular).
inline ConvexShape test_round(int n, Vec3 half_axes, double shake, Rng& rng) {
    std::vector<Vec3> p;
    for (int k = 0; k < n; ++k) {
        const double z = 1 - (2 * k + 1.0) / n, angle = 2.399963229728653 * k;
        const double r = std::sqrt(1 - z * z);
        const Vec3 s{shake * (rng.uniform() - 0.5), shake * (rng.uniform() - 0.5), shake * (rng.uniform() - 0.5)};
        const Vec3 u = normalized(Vec3{r * std::cos(angle), r * std::sin(angle), z} + s);
        p.push_back({half_axes.x * u.x, half_axes.y * u.y, half_axes.z * u.z});
    }
    return hull_of(p);
}

/// Tables of a shape in the precision of the kernels.
template <class T>
struct ConvexTables {
    std::vector<T> x, y, z, nx, ny, nz, h;
    std::vector<std::int32_t> edge, edge_face;
    const ConvexShape* shape;
    SmallFaces small;
    bool is_small;

    explicit ConvexTables(const ConvexShape& s) : shape(&s) {
        for (const Vec3 v : s.vertex) push(x, y, z, v);
        while (x.size() % 8 != 0) push(x, y, z, s.vertex.back());
        for (std::size_t f = 0; f < s.faces() || f % 8 != 0; ++f) {
            push(nx, ny, nz, s.normal[std::min(f, s.faces() - 1)]);
            h.push_back(static_cast<T>(s.offset[std::min(f, s.faces() - 1)]));
        }
        for (const auto& e : s.edge) edge.insert(edge.end(), {e[0], e[1]});
        for (const auto& e : s.edge_face) edge_face.insert(edge_face.end(), {e[0], e[1]});
        is_small = small.set(s.face_start.data(), s.face_vertex.data(), static_cast<std::int32_t>(s.vertex.size()),
                             static_cast<std::int32_t>(s.faces()));
    }
    static void push(std::vector<T>& px, std::vector<T>& py, std::vector<T>& pz, Vec3 v) {
        px.push_back(static_cast<T>(v.x));
        py.push_back(static_cast<T>(v.y));
        pz.push_back(static_cast<T>(v.z));
    }
    ConvexView<T> view() const {
        return {x.data(),
                y.data(),
                z.data(),
                nx.data(),
                ny.data(),
                nz.data(),
                h.data(),
                shape->face_start.data(),
                shape->face_vertex.data(),
                edge.data(),
                edge_face.data(),
                static_cast<std::int32_t>(shape->vertex.size()),
                static_cast<std::int32_t>(shape->faces()),
                static_cast<std::int32_t>(shape->edge.size()),
                cast<T>(shape->box_min),
                cast<T>(shape->box_max),
                is_small ? &small : nullptr};
    }
};

template <class T>
PlacedConvex<T> placed(const ConvexTables<T>& tables, Vec3 at, Quat turn, double scale) {
    return {tables.view(), cast<T>(at), cast<T>(rotation_matrix(turn)), static_cast<T>(scale)};
}

}  // namespace scree::test
