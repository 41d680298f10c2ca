// Bodies that start in walls, or on the side of a wall where no body belongs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/pose.hpp"
#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// What one wall holds of the bodies at the start.
struct WallOverlap {
    double worst{0};                    // way out of the body that is deepest, in shares of its radius
    double depth{0};                    // the same [m]
    std::int32_t body{-1};              // its id; -1: none is in the wall
    std::int64_t past_warning{0};       // bodies
    std::int64_t past_limit{0};         // bodies, also counted in past_warning
    std::int32_t first_past_limit{-1};  // the deepest of those
    double depth_past_limit{0};         // [m]
};

/// For every wall of the model that is there at the start, where its motion then has it. Of a sphere the depth is the one that the engine
/// finds. Of a polyhedron it is the shortest way out, which is more than the mean depth that the engine stops at; a polyhedron is past the
/// limit where its centre is beyond the surface, whose mean depth is past any limit. A block (box, side = "outside") and a rod are solid
/// throughout; the triangles of meshes, quads and segments are felt from both sides, and have no inside. What a wall's carrier carries or
/// is joined to does not count. O(n) for each plane and cylinder; of meshes each triangle costs what is near it.
std::vector<WallOverlap> find_wall_overlaps(const Scene& scene, const Model& model, double warning, double limit);

/// Where each wall of the model is at some time, as a turn and shift of its first place, and whether it is there.
struct WallsNow {
    std::vector<Pose> pose;
    std::vector<bool> there;
};
/// The same of other bodies than the model's, which nothing joins to walls, at another time. Their ids count from 0.
std::vector<WallOverlap> find_wall_overlaps(const Scene& scene, const Model& model, const BodyTable& bodies, const WallsNow& now,
                                            double warning, double limit);

}  // namespace scree
