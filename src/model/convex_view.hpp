// Convex polyhedra where kernels read them: one shape's tables, and a shape placed in space.
// Positions are relative to a common origin near the pair, formed in double before they are cast to T.
#pragma once

#include <cstdint>

#include "base/mat3.hpp"

namespace scree {

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
