// What `scree shape` says of a closed mesh: its mass properties, and how well spheres fill it.
#pragma once

#include <cstdint>
#include <string>

namespace scree {

struct ShapeOptions {
    std::string input;     // mesh file
    double scale{1};       // the file's unit [m]
    double density{1000};  // [kg/m3]
    double radius{0};      // of the spheres [m]; 0: it is not filled
    bool random{false};
    double surface{0.1};  // as of a shape of kind "packed"
    std::uint64_t seed{0};
    bool json{false};
    std::string output;  // file for the spheres, or empty
};

/// Returns the report, and writes the spheres where asked. Throws Error where the mesh is not that of a solid, or holds no sphere.
std::string shape_report(const ShapeOptions& options);

}  // namespace scree
