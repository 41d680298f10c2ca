// The measure "stress": stress, fabric and packing of a periodic cell, or of a box.
// In: the model, a snapshot and the contacts; out: the values of one row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/snapshot.hpp"
#include "model/cell.hpp"
#include "model/model.hpp"

namespace scree {

/// What is measured: a box, or all of a cell that is periodic along every axis; and what that needs to know of the model.
struct StressRegion {
    bool whole{false};
    Aabb box;
    int dimensions{3};
    std::vector<double> density;  // of materials [kg/m3]
    std::size_t ids{0};           // of bodies
};

/// Of a box, or without one of the whole cell.
StressRegion stress_region(const Model& model, const std::optional<Aabb>& box);

/// Columns after the measure's name.
const std::vector<std::string>& stress_columns(int dimensions);

/// P_ij V = sum over bodies of m dv_i dv_j + sum over contacts of F_i l_j, in its symmetric part: above 0 where pressed. dv: velocity less
/// the mean and the flow of a cell that moves; F: force of A on B; l: from the centre of A to that of B, or to the place on a wall. Of a
/// box those bodies and contacts whose centre and place are inside. Fabric: mean of n_i n_j over contacts, n the normal.
std::vector<std::optional<double>> stress_values(const StressRegion& region, const Snapshot& bodies,
                                                 const std::vector<ContactRecord>& contacts, const std::vector<ContactRecord>& bonds);

}  // namespace scree
