// How a rigid body answers to a force at a point of its surface. Members of compounds answer as their compound.
// Symbols: m mass, I tensor of inertia about the centre, r arm from the centre to the point, n unit normal.
#pragma once

#include "base/mat3.hpp"
#include "engine/state/bodies.hpp"
#include "engine/state/shapes.hpp"

namespace scree::SCREE_FLAVOR {

/// Principal moments of polyhedron or compound i [kg m2].
SCREE_HD Vec3 moments_of(const BodyView& body, const ShapeView& shapes, Index i) {
    const double r = body.radius[i];
    return (r * r / body.inverse_mass[i]) * shapes.entry[body.shape[i]].inertia;
}

/// The entry that moves when i is pushed: of a member its compound, else itself. slot_of: by id.
SCREE_HD Index rigid_entry(const BodyView& body, const Slot* slot_of, Index i) {
    return body.is_member(i) ? static_cast<Index>(slot_of[body.owner[i]]) : i;
}

/// (r x n) . I^-1 (r x n) of a polyhedron or compound [1/kg]; arm r [m].
SCREE_HD double turning_mobility(const BodyView& body, const ShapeView& shapes, Index i, Vec3 arm, Vec3 n) {
    const Vec3 t = transposed_times(rotation_matrix(body.orientation[i]), cross(arm, n)), moments = moments_of(body, shapes, i);
    return t.x * t.x / moments.x + t.y * t.y / moments.y + t.z * t.z / moments.z;
}

/// 1/m + (r x n) . I^-1 (r x n) of body i pushed along n at a point [1/kg]; `point`: from the centre of i, which may be a member, to there.
/// A sphere by itself is pushed through its centre. What members that touch have been weighed with goes before.
SCREE_HD double mobility_along(const BodyView& body, const ShapeView& shapes, const Slot* slot_of, Index i, Vec3 point, Vec3 n) {
    const Index at = rigid_entry(body, slot_of, i);
    const double alone = body.inverse_mass[at];
    if (body.is_sphere(at)) return alone;
    if (body.inverse_mass[i] > alone) return body.inverse_mass[i];
    return alone + turning_mobility(body, shapes, at, body.position[i] + point - body.position[at], n);
}

}  // namespace scree::SCREE_FLAVOR
