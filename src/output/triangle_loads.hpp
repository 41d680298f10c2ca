// Contacts of a frame -> what each triangle of a wall bears.
#pragma once

#include <array>
#include <vector>

#include "engine/snapshot.hpp"

namespace scree {

/// The force of the bodies on each triangle of wall `wall` [N]: each contact's on the triangle that is nearest to its point. vertex: where
/// the wall is now [m]. Sums over a wall are its wall_load. Vectors as long as the triangles.
std::vector<Vec3> triangle_forces(const std::vector<ContactRecord>& contacts, std::size_t wall, const std::vector<Vec3>& vertex,
                                  const std::vector<std::array<std::int32_t, 3>>& triangle);

/// Twice the area of a triangle times its normal, by the order of its corners [m2].
Vec3 area_vector2(const std::vector<Vec3>& vertex, const std::array<std::int32_t, 3>& triangle);

}  // namespace scree
