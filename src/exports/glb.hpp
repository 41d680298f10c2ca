// One binary glTF 2.0 file (.glb) as it is put together: buffers, accessors, materials, meshes and nodes, in the order of adding. In:
// arrays; out: the file's bytes. Indices that come back are those of glTF.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "render/colours.hpp"

namespace scree {

using FloatVec3 = Vec3T<float>;

/// Triangles, or lines, around a point.
struct GltfMesh {
    std::vector<FloatVec3> vertex, normal;  // without normals faces are flat
    std::vector<std::uint32_t> corner;      // three for each triangle; two for each line
    bool lines{false};
};

class Glb {
public:
    /// A colour as linear light; an opacity below 1 blends. Both sides of its faces are seen.
    std::size_t material(const std::string& name, Rgb colour, double opacity = 1);

    /// Puts vertices and triangles into the file once, to be used by any number of meshes().
    std::size_t geometry(const GltfMesh& mesh);
    std::size_t mesh(const std::string& name, std::size_t geometry, std::size_t material);

    struct Placed {
        FloatVec3 shift;
        std::array<float, 4> turn{0, 0, 0, 1};  // unit quaternion x, y, z, w
        float size{1};
        std::uint32_t id{0};
    };
    /// A node for one mesh at one place.
    void node(const std::string& name, std::size_t mesh, const Placed& at);
    /// One node for many instances of a mesh (EXT_mesh_gpu_instancing), with the ids of their bodies as _ID.
    void instances(const std::string& name, std::size_t mesh, const std::vector<Placed>& places);

    /// The file. All nodes lie under one that turns z up to y up, as glTF has it; `extras` is an object of JSON on what was drawn.
    std::string finish(const std::string& name, const std::string& extras);

private:
    struct Geometry {
        std::size_t position, index;
        std::size_t normal{static_cast<std::size_t>(-1)};  // none
        bool lines;
    };

    template <class T>
    std::size_t accessor(const std::vector<T>& values, int component, const char* kind, int target, const std::string& bounds = "");

    std::string bytes_, views_, accessors_, materials_, meshes_, nodes_;
    std::size_t view_count_{0}, accessor_count_{0}, material_count_{0}, mesh_count_{0}, node_count_{1};  // node 0 turns all others
    std::vector<Geometry> geometries_;
    bool instanced_{false};
};

}  // namespace scree
