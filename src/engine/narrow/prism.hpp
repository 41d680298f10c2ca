// A wall's surface piece as a solid: a flat polygon with a slab of some depth behind it, its sides slanted as neighbours need it.
// In: corners in double relative to the body's centre, and where each goes with depth. Out: a placed convex polyhedron for `overlap`.
// Pieces far larger than the body are cut to its surroundings first: coordinates stay of the body's size, so that float keeps its digits.
#pragma once

#include "engine/narrow/convex.hpp"

namespace scree {

/// A convex polygon with the ways of its corners: corner k goes to corner + depth * way.
struct Slab {
    static constexpr int most = 8;
    Vec3 corner[most], way[most];
    int corners{0};
};

/// Keeps what is on the side of the plane n . x <= h. A corner that the cut makes goes straight down along the cut, in the slanted side of
/// its edge: all sides stay flat, and the new one does not lean.
SCREE_HD void cut_slab(Slab& s, Vec3 n, double h) {
    Slab kept;
    for (int i = 0; i < s.corners; ++i) {
        const int before = i == 0 ? s.corners - 1 : i - 1;
        const double d0 = dot(n, s.corner[before]) - h, d1 = dot(n, s.corner[i]) - h;
        if (((d0 > 0 && d1 < 0) || (d0 < 0 && d1 > 0)) && kept.corners < Slab::most) {
            const double t = d0 / (d0 - d1);
            kept.corner[kept.corners] = s.corner[before] + t * (s.corner[i] - s.corner[before]);
            const Vec3 along = s.corner[i] - s.corner[before], way = s.way[before] + t * (s.way[i] - s.way[before]);
            kept.way[kept.corners++] = way - (dot(way, n) / (d1 - d0)) * along;
        }
        if (d1 <= 0 && kept.corners < Slab::most) {
            kept.corner[kept.corners] = s.corner[i];
            kept.way[kept.corners++] = s.way[i];
        }
    }
    s = kept;
}

/// Cuts a slab with unit normal n to within `reach` [m] of the origin's foot in its plane, on four sides. False where nothing is left.
SCREE_HD bool cut_to_reach(Slab& s, Vec3 n, double reach) {
    bool inside = true;
    for (int k = 0; k < s.corners; ++k) inside = inside && norm2(s.corner[k]) < 2 * reach * reach;
    if (inside) return true;
    const Vec3 helper = std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 u = normalized(cross(n, helper)), v = cross(n, u);
    for (const Vec3 side : {u, -u, v, -v}) {
        cut_slab(s, side, reach);
        if (s.corners < 3) return false;
    }
    return true;
}

/// The tables of a prism; a view of it is valid while it lives.
template <class T>
struct Prism {
    static constexpr int padded = 16;  // at least 2 * Slab::most vertices and Slab::most + 2 faces, a multiple of 8
    T x[padded], y[padded], z[padded], nx[padded], ny[padded], nz[padded], h[padded];
    std::int32_t face_start[Slab::most + 3], face_vertex[6 * Slab::most];
    std::int32_t vertex_count{0}, face_count{0};
    SmallFaces small;
    bool is_small{false};

    SCREE_HD PlacedConvex<T> placed(T scale) const {
        PlacedConvex<T> p;
        p.shape = {x,
                   y,
                   z,
                   nx,
                   ny,
                   nz,
                   h,
                   face_start,
                   face_vertex,
                   nullptr,
                   nullptr,
                   vertex_count,
                   face_count,
                   0,
                   {},
                   {},
                   is_small ? &small : nullptr};
        p.at = {};
        p.turn = {{{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}};
        p.scale = scale;
        return p;
    }

    SCREE_HD void set_face(int f, Vec3 normal, Vec3 point, double scale) {
        const Vec3 n = normalized(normal);
        nx[f] = static_cast<T>(n.x);
        ny[f] = static_cast<T>(n.y);
        nz[f] = static_cast<T>(n.z);
        h[f] = static_cast<T>(dot(n, point) / scale);
    }

    /// The slab `depth` deep behind its polygon, whose unit normal n points to the free side. Coordinates are stored over `scale`.
    SCREE_HD void set(const Slab& s, Vec3 n, double depth, double scale) {
        const int c = s.corners;
        Vec3 base[Slab::most], back[Slab::most];
        // Counterclockwise from the free side, whatever the order given.
        const bool turned = dot(cross(s.corner[1] - s.corner[0], s.corner[c - 1] - s.corner[0]), n) < 0;
        for (int k = 0; k < c; ++k) {
            const int from = turned ? c - 1 - k : k;
            base[k] = s.corner[from];
            back[k] = s.corner[from] + depth * s.way[from];
        }
        vertex_count = 2 * c;
        face_count = c + 2;
        for (int k = 0; k < padded; ++k) {
            const int q = k < 2 * c ? k : 2 * c - 1;
            const Vec3 p = q < c ? base[q] : back[q - c];
            x[k] = static_cast<T>(p.x / scale);
            y[k] = static_cast<T>(p.y / scale);
            z[k] = static_cast<T>(p.z / scale);
        }
        int at = 0;
        face_start[0] = 0;
        for (int k = 0; k < c; ++k) face_vertex[at++] = k;
        face_start[1] = at;
        for (int k = 0; k < c; ++k) face_vertex[at++] = 2 * c - 1 - k;
        face_start[2] = at;
        set_face(0, n, base[0], scale);
        set_face(1, -n, back[0], scale);
        for (int k = 0; k < c; ++k) {
            const int next = k + 1 == c ? 0 : k + 1;
            const std::int32_t loop[4] = {next, k, c + k, c + next};
            for (const std::int32_t v : loop) face_vertex[at++] = v;
            face_start[k + 3] = at;
            set_face(k + 2, cross(base[k] - base[next], back[k] - base[k]), base[k], scale);
        }
        is_small = small.set(face_start, face_vertex, vertex_count, face_count);
        for (int f = face_count; f < padded; ++f) {
            nx[f] = nx[face_count - 1];
            ny[f] = ny[face_count - 1];
            nz[f] = nz[face_count - 1];
            h[f] = h[face_count - 1];
        }
    }
};

}  // namespace scree
