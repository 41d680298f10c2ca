#include "engine/state/shapes.hpp"

#include <algorithm>
#include <cmath>

namespace scree::SCREE_FLAVOR {

namespace {

constexpr std::size_t whole = 8;  // entries of a padded table come in multiples of this

void pad(std::vector<Real>& values) {
    while (values.size() % whole != 0) values.push_back(values.back());
}

/// The joint tables while they grow on the host.
struct JointShapes {
    std::vector<ShapeEntry> entry;
    std::vector<Real> x, y, z, nx, ny, nz, h;
    std::vector<std::int32_t> face_start, face_vertex, edge, edge_face;

    void add(const ConvexShape& s) {
        ShapeEntry e{};
        e.vertex = static_cast<std::int32_t>(x.size());
        e.face = static_cast<std::int32_t>(nx.size());
        e.start = static_cast<std::int32_t>(face_start.size());
        e.loop = static_cast<std::int32_t>(face_vertex.size());
        e.edge = static_cast<std::int32_t>(edge.size() / 2);
        e.vertices = static_cast<std::int32_t>(s.vertex.size());
        e.faces = static_cast<std::int32_t>(s.faces());
        e.edges = static_cast<std::int32_t>(s.edge.size());
        e.box_min = cast<Real>(s.box_min);
        e.box_max = cast<Real>(s.box_max);
        e.volume = s.volume;
        e.inertia = s.inertia;
        e.inradius = s.inradius;
        e.smooth = s.smooth;
        const double top = std::max({s.inertia.x, s.inertia.y, s.inertia.z}), low = std::min({s.inertia.x, s.inertia.y, s.inertia.z});
        e.isotropic = top - low <= 1e-12 * top ? 1 : 0;
        e.is_small = e.small.set(s.face_start.data(), s.face_vertex.data(), e.vertices, e.faces) ? 1 : 0;
        entry.push_back(e);
        for (const Vec3& v : s.vertex) {
            x.push_back(static_cast<Real>(v.x));
            y.push_back(static_cast<Real>(v.y));
            z.push_back(static_cast<Real>(v.z));
        }
        for (std::size_t f = 0; f < s.faces(); ++f) {
            nx.push_back(static_cast<Real>(s.normal[f].x));
            ny.push_back(static_cast<Real>(s.normal[f].y));
            nz.push_back(static_cast<Real>(s.normal[f].z));
            h.push_back(static_cast<Real>(s.offset[f]));
        }
        for (std::vector<Real>* t : {&x, &y, &z, &nx, &ny, &nz, &h}) pad(*t);
        face_start.insert(face_start.end(), s.face_start.begin(), s.face_start.end());
        face_vertex.insert(face_vertex.end(), s.face_vertex.begin(), s.face_vertex.end());
        for (const auto& pair : s.edge) edge.insert(edge.end(), pair.begin(), pair.end());
        for (const auto& pair : s.edge_face) edge_face.insert(edge_face.end(), pair.begin(), pair.end());
    }
};

}  // namespace

void load_shapes(const Model& model, ShapeTable& table) {
    JointShapes joint;
    table.most_corners = 0;
    std::size_t corners = 8, faces = 10, vertices = 16;  // those of the prisms that walls are cut into
    for (const ConvexShape& s : model.shapes) {
        joint.add(s);
        faces = std::max(faces, s.faces());
        vertices = std::max(vertices, (s.vertex.size() + whole - 1) / whole * whole);
        for (std::size_t f = 0; f < s.faces(); ++f) {
            corners = std::max(corners, static_cast<std::size_t>(s.face_start[f + 1] - s.face_start[f]));
        }
    }
    table.most_corners = static_cast<Index>(std::max(corners + faces, (vertices + 1) / 2));
    table.entry.assign(joint.entry);
    table.x.assign(joint.x);
    table.y.assign(joint.y);
    table.z.assign(joint.z);
    table.nx.assign(joint.nx);
    table.ny.assign(joint.ny);
    table.nz.assign(joint.nz);
    table.h.assign(joint.h);
    table.face_start.assign(joint.face_start);
    table.face_vertex.assign(joint.face_vertex);
    table.edge.assign(joint.edge);
    table.edge_face.assign(joint.edge_face);
}

}  // namespace scree::SCREE_FLAVOR
