#include "engine/state/flush_bodies.hpp"

#include <algorithm>

#include "model/compounds.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Of each body: is it, or the compound that carries it, fixed to the ground?
std::vector<bool> are_held(const Model& model) {
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

HeldBodies held_bodies(const Model& model) {
    const std::vector<bool> held = are_held(model);
    HeldBodies out;
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (!held[i] || model.bodies.shape[i] < 0 || is_compound(model, i)) continue;
        out.surface.push_back(mesh_topology(surface_of(model, i)));
        out.body.push_back(i);
    }
    return out;
}

void load_flush_bodies(const Model& model, const HeldBodies& held, const FlushJoints& joints, std::size_t first_patch, FlushBodies& flush) {
    std::vector<std::int32_t> start(model.bodies.size() + 1, 0);
    std::vector<FlushFace> faces;
    std::size_t next = 0, patch = first_patch;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (next < held.body.size() && held.body[next] == i) {
            const MeshTopology& mesh = held.surface[next++];
            for (std::size_t k = 0; k < mesh.patches(); ++k, ++patch) {
                const std::int32_t group = joints.group[patch];
                if (group < 0) continue;
                faces.push_back({group, mesh.patch_normal[k], mesh.patch_point[k]});
                // Groups go by their first patch, and meshes come first.
                flush.walls = flush.walls || static_cast<std::size_t>(group) < first_patch;
            }
        }
        start[i + 1] = static_cast<std::int32_t>(faces.size());
    }
    if (faces.empty()) return;
    flush.start.assign(start);
    flush.face.assign(faces);
}

}  // namespace scree::SCREE_FLAVOR
