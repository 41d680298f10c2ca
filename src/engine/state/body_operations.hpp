// What is done to all fields of bodies alike: choosing entries, appending, reading and setting by name. Whoever does it tells the lists and
// the map of ids (Workspace::slot_of_id), which name slots.
#pragma once

#include <string>
#include <vector>

#include "engine/exec/config.hpp"
#include "engine/state/bodies.hpp"

namespace scree::SCREE_FLAVOR {

/// Entry i becomes that of order[i], for i in [0, n); all others go. `buffers`: grows to n rows, undefined then.
void choose_bodies(const Exec& exec, Bodies& bodies, const std::uint32_t* order, Index n, Array<Row4>& buffers);

/// Appends the entries of `more`, which uses the same fields; forces that only one of the two holds are dropped of both.
void append_bodies(Bodies& bodies, Bodies& more);

/// Numbers of a field, by slot; of rows of four all, one after the other. Throws Error where there is no such field. Empty where it is not
/// in use.
std::vector<double> field_values(Bodies& bodies, const std::string& name);

/// Sets a field that is in use; as many numbers as field_values gives. Throws Error where the name or the count is wrong.
void set_field(Bodies& bodies, const std::string& name, const std::vector<double>& values);

}  // namespace scree::SCREE_FLAVOR
