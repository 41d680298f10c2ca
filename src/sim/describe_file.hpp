// What `scree info` says of a run directory, an HDF5 file of Scree, or a mesh file.
#pragma once

#include <string>

namespace scree {

/// Throws Error where the path is missing or of none of these kinds.
std::string describe_file(const std::string& path);

}  // namespace scree
