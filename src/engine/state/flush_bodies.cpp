#include "engine/state/flush_bodies.hpp"

#include <algorithm>

#include "model/compounds.hpp"
#include "model/flush_groups.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Of each body: is it, or the compound that carries it, fixed to the ground?
std::vector<bool> held_bodies(const Model& model) {
    std::vector<bool> held(model.bodies.size(), false);
    for (const Joint& joint : model.joints) {
        const std::int32_t body = std::max(joint.a, joint.b);
        if (joint.kind == JointKind::Fixed && std::min(joint.a, joint.b) == Joint::ground && body >= 0)
            held[static_cast<std::size_t>(body)] = true;
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
        const std::int32_t owner = model.bodies.owner_of(i);
        if (owner >= 0 && held[static_cast<std::size_t>(owner)]) held[i] = true;
    }
    return held;
}

/// The surface of polyhedron i where it is at the start.
TriangleMesh surface_of(const Model& model, std::size_t i) {
    const BodyTable& bodies = model.bodies;
    const ConvexShape& shape = model.shapes[static_cast<std::size_t>(bodies.shape[i])];
    TriangleMesh mesh;
    mesh.vertices.reserve(shape.vertex.size());
    for (const Vec3& v : shape.vertex) mesh.vertices.push_back(bodies.position[i] + rotate(bodies.orientation[i], bodies.radius[i] * v));
    for (std::size_t f = 0; f < shape.faces(); ++f) {
        const auto first = static_cast<std::size_t>(shape.face_start[f]), last = static_cast<std::size_t>(shape.face_start[f + 1]);
        for (std::size_t k = first + 1; k + 1 < last; ++k)
            mesh.triangles.push_back({shape.face_vertex[first], shape.face_vertex[k], shape.face_vertex[k + 1]});
    }
    return mesh;
}

}  // namespace

void load_flush_bodies(const Model& model, FlushBodies& flush) {
    const std::vector<bool> held = held_bodies(model);
    std::vector<MeshTopology> topology;
    std::vector<std::size_t> body;
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (!held[i] || model.bodies.shape[i] < 0 || is_compound(model, i)) continue;
        topology.push_back(mesh_topology(surface_of(model, i)));
        body.push_back(i);
    }
    if (body.size() < 2) return;
    std::vector<MeshInPlace> meshes;
    meshes.reserve(topology.size());
    for (const MeshTopology& mesh : topology) meshes.push_back({&mesh, true});
    const FlushJoints joints = flush_groups(meshes);
    if (!joints.any()) return;
    std::vector<std::int32_t> start(held.size() + 1, 0);
    std::vector<FlushFace> faces;
    std::size_t next = 0, patch = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (next < body.size() && body[next] == i) {
            const MeshTopology& mesh = topology[next++];
            for (std::size_t k = 0; k < mesh.patches(); ++k, ++patch) {
                if (joints.group[patch] >= 0) faces.push_back({joints.group[patch], mesh.patch_normal[k], mesh.patch_point[k]});
            }
        }
        start[i + 1] = static_cast<std::int32_t>(faces.size());
    }
    flush.start.assign(start);
    flush.face.assign(faces);
}

}  // namespace scree::SCREE_FLAVOR
