// What a polyhedron's contacts can do at worst, for the choice of the step: how wide they are, and how much of the body they move.
// All numbers are of the template (bounding radius 1, mass 1), so lengths scale with R and inverse masses with 1/m.
#pragma once

#include "model/convex_shape.hpp"

namespace scree {

/// Inverse masses are relative to that of the centre: 1 + lever^2 m / I along the direction of the force.
struct ShapeContact {
    double face_area{0};  // of the largest face
    /// Largest product of contact radius (over that of the largest face) and inverse mass, over patches of faces: a face touched in full
    /// has lever 0 and share 1, the end of a needle a lever but a smaller patch.
    double wide{1};
    /// Largest inverse mass of a point contact, at the worst vertex and in the worst direction.
    double point{1};
    double face_turn{0};   // largest eigenvalue of m I^-1 J_n: tilt of a face on a bed of springs over it
    double face_slide{0};  // the same of m I^-1 J_t: tangential springs at the middle of a face
    double corner{0};      // largest product of contact radius (relative) and inverse mass of edge and vertex contacts
};

/// `overlap`: depth of the contact over the bounding radius, above 0. O(faces · edges).
ShapeContact shape_contact(const ConvexShape& shape, double overlap);

}  // namespace scree
