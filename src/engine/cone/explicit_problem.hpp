// A cone complementarity problem written out: u = N x + r over contacts alone. What files hold, what direct methods factorise; double and
// on the host in every flavor.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/vec3.hpp"

namespace scree {

/// A sparse matrix of 3 x 3 blocks in rows; any pattern, symmetric or not. Columns of a row ascend.
struct BlockMatrix {
    std::vector<std::int64_t> row_start;        // rows + 1: first block of each row
    std::vector<std::int32_t> column;           // blocks: their column
    std::vector<std::array<double, 9>> values;  // blocks: by rows [1/kg]

    std::int64_t rows() const { return row_start.empty() ? 0 : static_cast<std::int64_t>(row_start.size()) - 1; }
};

/// Find x in K with u = N x + r in K*, <x, u> = 0; K the product of the contacts' cones |x_t| <= mu x_n. Vectors stand in the frame in
/// which the normals are given: (1, 0, 0) where components are normal, tangent 1, tangent 2.
struct ExplicitProblem {
    BlockMatrix matrix;        // N
    std::vector<Vec3> r;       // contacts: velocities without impulses [m/s]
    std::vector<Vec3> normal;  // contacts, unit
    std::vector<double> mu;    // contacts
};

}  // namespace scree
