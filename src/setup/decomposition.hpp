// Closed mesh -> few convex polyhedra that together are about the solid.
#pragma once

#include <cstdint>
#include <vector>

#include "model/convex_shape.hpp"
#include "setup/meshes/closed_mesh.hpp"

namespace scree {

struct Decomposition {
    std::vector<FaceList> parts;  // in the mesh's frame [m], the largest first
    // Shares of the mesh's volume, bounds of how far parts and solid differ.
    double excess{0};   // by which the hulls of the pieces are larger than these
    double missing{0};  // that hulls lost as they were given fewer faces
    /// What the error was after so many parts, one after the other; without the loss of faces.
    struct Step {
        std::int64_t parts{0};
        double error{0};
    };
    std::vector<Step> steps;

    double error() const { return excess + missing; }
};

/// At most `most` parts, and no more than it takes for an error of `tolerance` or below; larger where that is not reached. The solid is cut
/// by planes, each where the hulls of both sides come closest to it, into more pieces than are wanted; then those are joined again whose
/// common hull adds least. Parts do not overlap. The same on every machine.
Decomposition decompose(const ClosedMesh& mesh, std::int64_t most, double tolerance);

}  // namespace scree
