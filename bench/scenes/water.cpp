#include "scenes/water.hpp"

#include <cmath>

namespace scree::bench {

Model water_column(std::int64_t n, int dimensions, std::int64_t iterations, double support) {
    constexpr double d = 0.01, g = 9.81, density = 1000;
    const double ratio = 0.5 * static_cast<double>(n);
    const auto across = static_cast<int>(std::lround(dimensions == 2 ? std::sqrt(ratio) : std::cbrt(ratio)));
    const int deep = dimensions == 2 ? 1 : across;
    Model m;
    m.dimensions = dimensions;
    m.method = Method::Fluid;
    m.fluid.iterations = iterations;
    m.fluid.support = support;
    m.gravity = {0, -g, 0};
    Material water;
    water.name = "water";
    water.density = density;
    m.materials = {water};
    m.pairs = PairTable(1);
    for (int k = 0; k < deep; ++k)
        for (int j = 0; j < 2 * across; ++j)
            for (int i = 0; i < across; ++i) {
                m.bodies.add_sphere({(i + 0.5) * d, (j + 0.5) * d, dimensions == 2 ? 0.0 : (k + 0.5) * d}, 0.5 * d, 0, density);
                m.bodies.mass.back() = density * std::pow(d, dimensions);
            }
    const Vec3 low{0, 0, 0}, high{4 * across * d, 4 * across * d, across * d};
    Wall tank;
    tank.name = "tank";
    tank.planes = {{low, {1, 0, 0}}, {low, {0, 1, 0}}, {high, {-1, 0, 0}}, {high, {0, -1, 0}}};
    if (dimensions == 3) {
        tank.planes.push_back({low, {0, 0, 1}});
        tank.planes.push_back({high, {0, 0, -1}});
    }
    m.walls = {tank};
    m.dt = 0.1 * d / std::sqrt(2 * g * 2 * across * d);
    return m;
}

}  // namespace scree::bench
