// From the table of a model's bodies to what the engine keeps of them: at the start, and as bodies come while a run goes on.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/state/bodies.hpp"
#include "model/model.hpp"

namespace scree::SCREE_FLAVOR {

/// Fills every field of `parts` (model/body_fields.hpp) but kForceSums for bodies of the model, by ids. Row k of `start` says where body
/// ids[k] is, how it is turned and how it moves; all else is read from the model, whose start may be forgotten.
void load_bodies(const Model& model, std::uint32_t parts, const std::vector<std::int32_t>& ids, const BodyTable& start, Bodies& bodies);

/// What load_bodies reads of `start`, for these rows of a table.
BodyTable start_of(const BodyTable& table, const std::vector<std::int32_t>& rows);

/// Of polyhedra and compounds, zero for others and for members [kg m2/s]: bodies as in load_bodies.
std::vector<Vec3> angular_momenta(const Model& model, const std::vector<std::int32_t>& ids, const BodyTable& start);

}  // namespace scree::SCREE_FLAVOR
