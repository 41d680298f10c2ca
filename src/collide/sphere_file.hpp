// Spheres from a file: CSV with the columns x, y, z, r named in its first line, or HDF5 with arrays of these names at its root.
#pragma once

#include <string>
#include <vector>

#include "engine/collide.hpp"

namespace scree {

/// Spheres by component; a sphere's number is its place in the file, from 0.
struct SphereTable {
    std::vector<double> x, y, z, r;
    SphereView view() const { return {x.data(), y.data(), z.data(), r.data(), static_cast<std::int64_t>(x.size())}; }
};

/// Whether a file starts as HDF5 files do.
bool is_hdf5(const std::string& path);

/// Throws Error with line and column where something is not a number, not finite, or a radius is not above zero.
SphereTable read_spheres(const std::string& path);

}  // namespace scree
