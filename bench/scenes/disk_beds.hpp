// Disks in a box, in two dimensions, as they fall and as they lie.
// Recipe: radii uniform in 0.35 to 0.65 m, density 1 kg/m3 of unit thickness, linear law with k_n = 1.5e5 N/m, e 0.3, mu 0.4, g 9.81 m/s2,
// a box of three lines that the settled disks fill about as high as it is wide.
#pragma once

#include <cstdint>
#include <string>

#include "model/model.hpp"

namespace scree::bench {

/// Steps per frame at 60 frames per simulated second.
struct DiskStep {
    std::int64_t per_frame;
    double dt() const { return 1.0 / (60.0 * static_cast<double>(per_frame)); }
};

/// n disks on a jittered lattice above the floor, at rest.
Model falling_disks(std::int64_t n, DiskStep step, double skin);

/// The same after they have settled; read from `folder` or made and written there.
Model settled_disks(std::int64_t n, DiskStep step, double skin, const std::string& folder);

}  // namespace scree::bench
