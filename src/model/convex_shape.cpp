// Mass properties by exact integrals over the tetrahedra from one point to the triangles of all faces (Tonon 2004, "Explicit exact formulas
// for the 3-D tetrahedron inertia tensor", J. Math. Stat. 1:8-11; equivalent to Mirtich 1996): with corners 0, a, b, c and s = a + b + c,
//   V = a . (b x c) / 6,  integral x dV = V s / 4,  integral x x^T dV = V / 20 (a a^T + b b^T + c c^T + s s^T).
#include "model/convex_shape.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "model/convex_faces.hpp"
#include "model/symmetric3.hpp"

namespace scree {

namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

/// Adds weight · v v^T.
void add_square(Mat3& m, double weight, Vec3 v) {
    m.row[0] += weight * v.x * v;
    m.row[1] += weight * v.y * v;
    m.row[2] += weight * v.z * v;
}

struct Solid {
    double volume{0};
    Vec3 centre;
    Mat3 inertia;  // about the centre, of density 1
};

Solid solid_of(const ConvexFaces& faces) {
    Vec3 origin;
    for (const Vec3& p : faces.vertex) origin += p / static_cast<double>(faces.vertex.size());
    double volume = 0.0;
    Vec3 first;
    Mat3 second{};
    for (const std::vector<std::int32_t>& loop : faces.face)
        for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
            const Vec3 a = faces.vertex[at(loop[0])] - origin, b = faces.vertex[at(loop[k])] - origin,
                       c = faces.vertex[at(loop[k + 1])] - origin;
            const Vec3 s = a + b + c;
            const double V = dot(a, cross(b, c)) / 6.0;
            volume += V;
            first += V / 4.0 * s;
            for (const Vec3& v : {a, b, c, s}) add_square(second, V / 20.0, v);
        }
    const Vec3 centre = first / volume;
    add_square(second, -volume, centre);
    const double trace = second.row[0].x + second.row[1].y + second.row[2].z;
    Mat3 inertia;
    inertia.row[0] = Vec3{trace, 0, 0} - second.row[0];
    inertia.row[1] = Vec3{0, trace, 0} - second.row[1];
    inertia.row[2] = Vec3{0, 0, trace} - second.row[2];
    return {volume, origin + centre, inertia};
}

/// Edges in the order in which faces run along them, with the two faces at each.
void add_edges(ConvexShape& shape) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> known;
    for (std::size_t f = 0; f < shape.faces(); ++f) {
        const std::int32_t first = shape.face_start[f], last = shape.face_start[f + 1];
        for (std::int32_t k = first; k < last; ++k) {
            const std::int32_t a = shape.face_vertex[at(k)], b = shape.face_vertex[at(k + 1 < last ? k + 1 : first)];
            const std::pair<std::int32_t, std::int32_t> ends{std::min(a, b), std::max(a, b)};
            const auto [entry, is_new] = known.emplace(ends, shape.edge.size());
            if (is_new) {
                shape.edge.push_back({ends.first, ends.second});
                shape.edge_face.push_back({static_cast<std::int32_t>(f), -1});
            } else {
                shape.edge_face[entry->second][1] = static_cast<std::int32_t>(f);
            }
        }
    }
    const std::size_t euler = shape.vertex.size() + shape.faces() - shape.edge.size();
    if (euler != 2) throw Error("shape \"" + shape.name + "\" is no simple solid: its faces close around a hole or touch themselves");
}

}  // namespace

ConvexShape make_convex_shape(const std::string& name, const std::vector<Vec3>& vertices,
                              const std::vector<std::vector<std::int32_t>>& faces) {
    const ConvexFaces clean = clean_convex_faces(name, vertices, faces);
    const Solid solid = solid_of(clean);
    const Axes3 axes = principal_axes(solid.inertia);

    ConvexShape shape;
    shape.name = name;
    shape.centre = solid.centre;
    for (const Vec3& p : clean.vertex) shape.vertex.push_back(axes.axis * (p - solid.centre));
    double R = 0.0;
    for (const Vec3& p : shape.vertex) R = std::max(R, norm(p));
    if (!(solid.volume > 0.0 && std::isfinite(R) && std::isnormal(solid.volume / (R * R * R))))
        throw Error("shape \"" + name + "\" has no volume");
    shape.bounding_radius = R;
    shape.to_given = conjugate(quaternion_of(axes.axis));
    shape.volume = solid.volume / (R * R * R);
    shape.inertia = axes.value / (solid.volume * R * R);
    for (Vec3& p : shape.vertex) p *= 1.0 / R;

    shape.face_start.push_back(0);
    shape.inradius = 1.0;
    for (std::size_t f = 0; f < clean.face.size(); ++f) {
        const std::vector<std::int32_t>& loop = clean.face[f];
        shape.face_vertex.insert(shape.face_vertex.end(), loop.begin(), loop.end());
        shape.face_start.push_back(static_cast<std::int32_t>(shape.face_vertex.size()));
        const Vec3 n = axes.axis * clean.normal[f];
        double offset = 0.0;
        for (const std::int32_t v : loop) offset += dot(n, shape.vertex[at(v)]) / static_cast<double>(loop.size());
        shape.normal.push_back(n);
        shape.offset.push_back(offset);
        shape.inradius = std::min(shape.inradius, offset);
    }
    add_edges(shape);
    shape.box_min = shape.box_max = shape.vertex[0];
    for (const Vec3& p : shape.vertex) {
        shape.box_min = {std::min(shape.box_min.x, p.x), std::min(shape.box_min.y, p.y), std::min(shape.box_min.z, p.z)};
        shape.box_max = {std::max(shape.box_max.x, p.x), std::max(shape.box_max.y, p.y), std::max(shape.box_max.z, p.z)};
    }
    return shape;
}

ConvexShape box_shape(const std::string& name, Vec3 edges) {
    std::vector<Vec3> vertex;
    for (const double z : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
            for (const double x : {-0.5, 0.5}) vertex.push_back({x * edges.x, y * edges.y, z * edges.z});
    return make_convex_shape(name, vertex, {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}});
}

}  // namespace scree
