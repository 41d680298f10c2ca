// The walls of a frame as triangles: where they are at its time, planes as far as a region reaches, ends at cuts, and which are glass.
#pragma once

#include <vector>

#include "render/frame_world.hpp"

namespace scree {

/// A wall that is there and not hidden.
struct WallMesh {
    std::string name;
    DrawnMesh mesh;
    bool planes{false};  // and nothing else
};
std::vector<WallMesh> wall_meshes(const FrameParts& frame, const Look& look, const Aabb& region);

/// The same with opacities: as asked for, or glass where nearly all bodies lie behind the plane of a triangle as the camera sees it, or
/// where it hides some and none is before it.
std::vector<DrawnMesh> seen_walls(const FrameParts& frame, const Look& look, const Aabb& region, const Camera& camera);

}  // namespace scree
