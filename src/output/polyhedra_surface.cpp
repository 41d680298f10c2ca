#include "output/polyhedra_surface.hpp"

#include <limits>

#include "base/error.hpp"

namespace scree {
namespace {

const ShapeFaces& shape_at(const std::vector<ShapeFaces>& shapes, std::int32_t index) {
    if (static_cast<std::size_t>(index) < shapes.size()) return shapes[static_cast<std::size_t>(index)];
    throw Error("a body has shape number " + std::to_string(index) + ", but there are " + std::to_string(shapes.size()) + " shapes");
}

void add_face(PolyhedraSurface& surface, std::uint32_t body, std::initializer_list<std::int32_t> points) {
    surface.face_point.insert(surface.face_point.end(), points);
    surface.face_start.push_back(static_cast<std::int32_t>(surface.face_point.size()));
    surface.face_body.push_back(body);
}

void add_faces(PolyhedraSurface& surface, const ShapeFaces& shape, std::int32_t first, std::uint32_t body, Faces faces) {
    for (std::size_t f = 0; f < shape.faces(); ++f) {
        const auto begin = static_cast<std::size_t>(shape.face_start[f]), end = static_cast<std::size_t>(shape.face_start[f + 1]);
        if (faces == Faces::Triangles) {
            for (std::size_t k = begin + 2; k < end; ++k) {
                add_face(surface, body, {first + shape.face_vertex[begin], first + shape.face_vertex[k - 1], first + shape.face_vertex[k]});
            }
            continue;
        }
        for (std::size_t k = begin; k < end; ++k) surface.face_point.push_back(first + shape.face_vertex[k]);
        surface.face_start.push_back(static_cast<std::int32_t>(surface.face_point.size()));
        surface.face_body.push_back(body);
    }
}

}  // namespace

bool is_compound(const std::vector<ShapeFaces>& shapes, const Snapshot& snapshot, std::size_t i) {
    if (snapshot.shape.empty() || snapshot.shape[i] < 0) return false;
    const auto shape = static_cast<std::size_t>(snapshot.shape[i]);
    return shape < shapes.size() && shapes[shape].compound();
}

PolyhedraSurface polyhedra_surface(const std::vector<ShapeFaces>& shapes, const Snapshot& snapshot, Faces faces) {
    PolyhedraSurface surface;
    surface.face_start.push_back(0);
    if (snapshot.shape.empty() || snapshot.orientation.empty()) return surface;
    const SurfaceSize size = surface_size(shapes, snapshot.shape);
    if (3 * size.triangles > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        throw Error("the surfaces of the polyhedra have too many triangles for 32-bit numbers");
    }
    surface.point.reserve(size.points);
    surface.point_body.reserve(size.points);
    if (faces == Faces::Triangles) {
        surface.face_start.reserve(size.triangles + 1);
        surface.face_point.reserve(3 * size.triangles);
        surface.face_body.reserve(size.triangles);
    }
    for (std::size_t i = 0; i < snapshot.shape.size(); ++i) {
        if (!is_polyhedron(snapshot, i)) continue;
        const ShapeFaces& shape = shape_at(shapes, snapshot.shape[i]);
        const auto first = static_cast<std::int32_t>(surface.point.size());
        for (const Vec3& v : shape.vertex) {
            surface.point.push_back(snapshot.position[i] + rotate(snapshot.orientation[i], snapshot.radius[i] * v));
            surface.point_body.push_back(static_cast<std::uint32_t>(i));
        }
        add_faces(surface, shape, first, static_cast<std::uint32_t>(i), faces);
    }
    return surface;
}

SurfaceSize surface_size(const std::vector<ShapeFaces>& shapes, const std::vector<std::int32_t>& shape_of_bodies) {
    SurfaceSize size;
    for (const std::int32_t index : shape_of_bodies) {
        if (index < 0) continue;
        const ShapeFaces& shape = shape_at(shapes, index);
        size.points += shape.vertex.size();
        size.triangles += shape.triangles();
    }
    return size;
}

}  // namespace scree
