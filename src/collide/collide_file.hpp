// Collision detection on a file of spheres, from reading to the report: what `scree collide` does.
#pragma once

#include <cstddef>
#include <string>

#include "engine/collide.hpp"

namespace scree {

struct CollideOptions {
    std::string input, output;  // output: empty, .csv or .h5
    CollideSettings settings;   // its memory is set from `memory`
    std::size_t memory{0};      // most bytes in all, bodies included; 0: no limit
    Devices devices{Device::Auto};
    Precision precision{Precision::Double};
};

/// Finds the contacts, writes them where asked, and returns the report as JSON. Throws Error, RunError.
std::string collide_file(const CollideOptions& options);

/// "4GB", "500 MB", "2GiB", "1e9" -> bytes. Throws Error.
std::size_t parse_bytes(const std::string& text);

}  // namespace scree
