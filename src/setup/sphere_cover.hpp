// Closed mesh -> few spheres that overlap and together are about the solid.
#pragma once

#include <cstdint>
#include <vector>

#include "setup/clumps.hpp"
#include "setup/meshes/closed_mesh.hpp"

namespace scree {

struct SphereCover {
    std::vector<Ball> spheres;  // in the order they were found, about the largest first
    // Shares of the mesh's volume, counted on a lattice: each point counts once, however many spheres hold it.
    double missing{0};  // inside the mesh, in no sphere
    double excess{0};   // outside the mesh, in a sphere
    /// What the error was with so many spheres.
    struct Step {
        std::int64_t spheres{0};
        double error{0};
    };
    std::vector<Step> steps;

    double error() const { return missing + excess; }
};

/// At most `most` spheres (1 or more), and no more than it takes for an error of `tolerance` or below; larger where that is not reached.
/// `surface`: share of its radius by which a sphere may stick out of the mesh, from 0 to 1. Each sphere begins at a point of the medial
/// axis, where it adds most; after each, those near it are moved and resized while the error falls. The same on every machine.
SphereCover cover_by_spheres(const ClosedMesh& mesh, std::int64_t most, double tolerance, double surface);

}  // namespace scree
