// Patches of meshes that lie flush against each other, edge along edge: what a body finds there is one surface, whoever owns its parts.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/surfaces/mesh_topology.hpp"

namespace scree {

/// A mesh where it is at the start.
struct MeshInPlace {
    const MeshTopology* topology;
    bool stays;  // in place; others take no part
    // Meshes join that are there at the same times [s].
    double from{0}, to{std::numeric_limits<double>::infinity()};
};

/// What joins flush.
struct FlushJoints {
    std::vector<std::int32_t> group;                // of each patch, counted through the meshes; -1: no other joins it
    std::vector<std::vector<std::uint8_t>> joined;  // of each mesh, by edge: 1: two patches join there
    /// For each patch up to so many groups behind whose plane it begins at an edge where the group's patches join: what lies before such a
    /// plane does not meet it. -1: no more.
    static constexpr std::size_t most_behind = 4;
    std::vector<std::array<std::int32_t, most_behind>> behind;

    bool any() const;
};

/// Joints of these meshes. Patches of one group join others of it along a piece of an edge, lie in one plane
/// and on both sides of that edge. Planes count as one that miss each other by 1e-4 or less of the edges at hand,
/// and whose normals differ by no more. Only edges at which a mesh ends or folds by more than 30 degrees are looked at, and none where they
/// are more than 200,000. O(edges log edges) for edges that are as long as the space between them.
FlushJoints flush_groups(const std::vector<MeshInPlace>& meshes);

}  // namespace scree
