// Fluids that the tests share. To be included after doctest.
#pragma once

#include <cmath>

#include "model/fluid_kernel.hpp"
#include "systems.hpp"

namespace scree::test {

inline constexpr double water = 1000;  // [kg/m3]

/// No bodies and no gravity; steps of 1 ms unless set.
inline Model fluid_model(int dimensions) {
    Model m = empty_model(Law::Hertz, 0, 0);
    m.method = Method::Fluid;
    m.dimensions = dimensions;
    m.fluid.viscosity = 0;
    m.dt = 1e-3;
    return m;
}

inline void add_fluid(Model& m, Vec3 at, double spacing, Vec3 velocity = {}, double rho = water) {
    m.bodies.add_sphere(at, 0.5 * spacing, 0, rho, velocity);
    m.bodies.mass.back() = rho * std::pow(spacing, m.dimensions);
}

/// counts[0] × counts[1] × counts[2] particles, the first half a spacing above `corner` along each axis; in two dimensions one layer at z =
/// 0.
inline void add_fluid_block(Model& m, const int (&counts)[3], double spacing, Vec3 corner = {}, double rho = water) {
    for (int k = 0; k < (m.dimensions == 3 ? counts[2] : 1); ++k)
        for (int j = 0; j < counts[1]; ++j)
            for (int i = 0; i < counts[0]; ++i) {
                const double z = m.dimensions == 3 ? corner.z + (k + 0.5) * spacing : 0.0;
                add_fluid(m, {corner.x + (i + 0.5) * spacing, corner.y + (j + 0.5) * spacing, z}, spacing, {}, rho);
            }
}

/// Planes from `low` upwards along each axis, and from `high` downwards; in two dimensions those along x and y.
inline Wall tank(const Model& m, Vec3 low, Vec3 high) {
    Wall w;
    w.name = "tank";
    w.planes = {{low, {1, 0, 0}}, {low, {0, 1, 0}}, {high, {-1, 0, 0}}, {high, {0, -1, 0}}};
    if (m.dimensions == 3) {
        w.planes.push_back({low, {0, 0, 1}});
        w.planes.push_back({high, {0, 0, -1}});
    }
    return w;
}

}  // namespace scree::test
