// Convex polyhedra where kernels read them: one shape's tables, and a shape placed in space.
// Positions are relative to a common origin near the pair, formed in double before they are cast to T.
#pragma once

#include <cstdint>

#include "base/mat3.hpp"
#include "model/smooth_surface.hpp"

namespace scree {

/// Corners of the faces of a shape of at most 8 vertices and 8 faces, as kernels for such shapes read them.
struct SmallFaces {
    std::uint64_t corners[8];  // of each face: its vertices in order, a byte each, the last one repeated up to eight; 0 past the faces
    std::uint64_t masks;       // of each face a byte: bit v set where vertex v is a corner

    /// Fills it from loops of corners; false where the shape is too large.
    SCREE_HD bool set(const std::int32_t* face_start, const std::int32_t* face_vertex, std::int32_t vertices, std::int32_t faces) {
        masks = 0;
        for (std::int32_t f = 0; f < 8; ++f) corners[f] = 0;
        if (vertices > 8 || faces > 8) return false;
        for (std::int32_t f = 0; f < faces; ++f) {
            const std::int32_t begin = face_start[f], last = face_start[f + 1] - begin - 1;
            for (std::int32_t k = 0; k < 8; ++k) {
                const auto v = static_cast<std::uint64_t>(face_vertex[begin + (k < last ? k : last)]);
                corners[f] |= v << (8 * k);
                masks |= (std::uint64_t(1) << v) << (8 * f);
            }
        }
        return true;
    }
};

/// The tables of one shape (meaning: model/convex_shape.hpp). Coordinates and planes are padded to a multiple of 8 with copies of the last
/// entry, so that loops over them may run in whole vectors; `vertices` and `faces` count the true ones.
template <class T>
struct ConvexView {
    const T *x, *y, *z;         // vertices
    const T *nx, *ny, *nz, *h;  // faces: outward unit normal and offset
    const std::int32_t* face_start;
    const std::int32_t* face_vertex;
    const std::int32_t* edge;       // 2 per edge: vertices
    const std::int32_t* edge_face;  // 2 per edge: faces
    std::int32_t vertices, faces, edges;
    Vec3T<T> box_min, box_max;
    const SmallFaces* small{nullptr};      // null where the shape has more vertices or faces than that, or nobody asked
    const SmoothSurface* smooth{nullptr};  // null where its faces are its surface

    SCREE_HD Vec3T<T> vertex(std::int32_t k) const { return {x[k], y[k], z[k]}; }
    SCREE_HD Vec3T<T> normal(std::int32_t f) const { return {nx[f], ny[f], nz[f]}; }
};

/// A shape in space: its points are at + turn * (scale * vertex).
template <class T>
struct PlacedConvex {
    ConvexView<T> shape;
    Vec3T<T> at;
    Mat3T<T> turn;
    T scale;

    SCREE_HD Vec3T<T> vertex(std::int32_t k) const { return at + turn * (scale * shape.vertex(k)); }
    SCREE_HD Vec3T<T> normal(std::int32_t f) const { return turn * shape.normal(f); }
};

}  // namespace scree
