// Cylinders that go on flush in another, end to end on one axis, and arcs of a plane model on one circle: what a body finds there is one
// surface, whoever owns its parts. In: a model. Out: its cylinders, of each run the first as long as the whole and the others of length 0.
#pragma once

#include "model/model.hpp"

namespace scree {

struct JoinedCylinders {
    /// A wall's share of a run.
    struct Part {
        double from;  // along the axis [m], or, of arcs, round their centre from the first end of all [rad]
        std::int32_t wall;
    };
    struct Run {
        Cylinder whole;
        bool arc;
        std::int32_t wall;        // that all of it is met with: of its first cylinder
        std::vector<Part> parts;  // ascending; the first begins at 0
    };

    std::vector<Cylinder> cylinders;  // in the order of the walls
    std::vector<std::int32_t> wall;   // of each
    std::vector<Run> runs;

    /// The wall on whose part a point lies that was met with this wall.
    std::int32_t wall_at(std::int32_t met, Vec3 point) const;
};

/// Walls take part that stay in place, own one cylinder and nothing else, and are of one material and active at the same times. Ends count
/// as one that miss each other by 1e-6 of the radius or less. O(cylinders^2).
JoinedCylinders joined_cylinders(const Model& model);

}  // namespace scree
