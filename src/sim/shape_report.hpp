// What `scree shape` says of a closed mesh: its mass properties, and how well spheres that fill it, few spheres that overlap, or convex
// parts stand for it.
#pragma once

#include <cstdint>
#include <string>

namespace scree {

struct ShapeOptions {
    std::string input;     // mesh file
    double scale{1};       // the file's unit [m]
    double density{1000};  // [kg/m3]
    std::string as;        // kind of shape: packed, spheres or decomposition; empty: the mesh alone
    double radius{0};      // of the spheres that fill it [m]
    bool random{false};
    double surface{0.1};  // as of these shapes
    std::uint64_t seed{0};
    std::int64_t most{0};  // spheres or parts; 0: as of such a shape, and so is the tolerance
    double tolerance{0};
    bool json{false};
    std::string output;  // file for the parts, or empty
    bool overwrite{false};
    std::string picture;  // file for a picture, or empty
};

/// Returns the report, and writes the parts where asked. Throws Error where the mesh is not that of a solid, or holds no sphere.
std::string shape_report(const ShapeOptions& options);

}  // namespace scree
