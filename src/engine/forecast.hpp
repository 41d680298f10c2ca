// What an engine will take of memory, foretold from a model and from how many rows its arrays will have. Nothing is allocated.
#pragma once

#include "engine/engine.hpp"

namespace scree {

/// How many there will be, on the list with the most.
struct PairCounts {
    double spheres{0}, mixed{0}, polyhedra{0};  // pairs of two bodies
    struct WithWalls {
        double planes{0}, cylinders{0}, meshes{0};  // pairs of a body and a surface
        double triangles{0};                        // of meshes, near bodies: each counts once for each body
    };
    WithWalls sphere_walls, polyhedron_walls;
    double points{0};    // of contact, under the cone method
    double cells{0};     // of the search
    double touching{0};  // share of the pairs that touch
};

/// Bytes where kernels run, and on the host while it writes.
struct EngineForecast {
    double bodies{0};      // what a body has
    double pairs{0};       // lists, with forces and rows
    double history{0};     // lists before, and states to go back to
    double scratch{0};     // of searches, of solvers
    double measures{0};    // kept by measures that look at contacts of polyhedra
    double records{0};     // what a measure has of contacts of polyhedra at one time
    double snapshot{0};    // a frame before it is written, at its most
    double checkpoint{0};  // its largest parts at one time
    double engine() const { return bodies + pairs + history + scratch + measures; }
};

/// Of the flavor that `options` ask for, after its arrays have grown. threads: 0 counts as 1.
EngineForecast forecast_engine(const Model& model, const EngineOptions& options, const PairCounts& counts);

}  // namespace scree
