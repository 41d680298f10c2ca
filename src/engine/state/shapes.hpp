// The templates of polyhedra where kernels read them: all shapes in one set of tables, constant while a run goes on.
#pragma once

#include "engine/exec/array.hpp"
#include "model/convex_view.hpp"
#include "model/model.hpp"

namespace scree::SCREE_FLAVOR {

/// Where one shape's tables begin, and its numbers.
struct ShapeEntry {
    std::int32_t vertex, face, start, loop, edge;  // first entries in the joint tables
    std::int32_t vertices, faces, edges;           // counts
    Vec3T<Real> box_min, box_max;                  // bounding box in the principal frame, over bounding radius
    double volume;                                 // over bounding radius cubed
    Vec3 inertia;                                  // principal moments over mass and bounding radius squared
    double inradius;                               // over bounding radius
    std::int32_t isotropic;                        // 1: its three moments are equal
    std::int32_t is_small;                         // 1: `small` holds its faces
    SmallFaces small;
    SmoothSurface smooth;
};

struct ShapeView {
    const ShapeEntry* entry;
    const Real *x, *y, *z, *nx, *ny, *nz, *h;
    const std::int32_t *face_start, *face_vertex, *edge, *edge_face;

    SCREE_HD ConvexView<Real> operator[](std::int32_t s) const {
        const ShapeEntry& e = entry[s];
        return {x + e.vertex,
                y + e.vertex,
                z + e.vertex,
                nx + e.face,
                ny + e.face,
                nz + e.face,
                h + e.face,
                face_start + e.start,
                face_vertex + e.loop,
                edge + 2 * e.edge,
                edge_face + 2 * e.edge,
                e.vertices,
                e.faces,
                e.edges,
                e.box_min,
                e.box_max,
                e.is_small != 0 ? &e.small : nullptr,
                e.smooth.any() ? &e.smooth : nullptr};
    }
};

struct ShapeTable {
    Array<ShapeEntry> entry;
    Array<Real> x, y, z;        // vertices, padded to multiples of 8 with copies of the last
    Array<Real> nx, ny, nz, h;  // faces, padded alike
    Array<std::int32_t> face_start, face_vertex, edge, edge_face;
    Index most_corners{0};  // of the polygons that clipping one shape by another can give

    ShapeView view() const {
        return {entry.data(), x.data(), y.data(),          z.data(),           nx.data(),   ny.data(),
                nz.data(),    h.data(), face_start.data(), face_vertex.data(), edge.data(), edge_face.data()};
    }
    std::size_t bytes() const {
        return entry.bytes() + 3 * x.bytes() + 4 * h.bytes() + face_start.bytes() + face_vertex.bytes() + edge.bytes() + edge_face.bytes();
    }
};

/// Fills the tables from the model's shapes.
void load_shapes(const Model& model, ShapeTable& table);

}  // namespace scree::SCREE_FLAVOR
