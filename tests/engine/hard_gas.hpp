// Gases of hard particles that the tests share. To be included after doctest.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rng.hpp"
#include "engine/hard/events/event_system.hpp"
#include "systems.hpp"

namespace scree::test {

inline Model hard_model(int dimensions, HardStepping stepping, double restitution = 1) {
    Model m = empty_model(Law::Hertz, restitution, 0);
    m.method = Method::Hard;
    m.hard.stepping = stepping;
    m.dimensions = dimensions;
    m.dt = 0.01;
    return m;
}

/// A sphere, or a disk of unit thickness, of density 1.
inline void add_hard(Model& m, Vec3 at, double radius, Vec3 velocity) {
    m.bodies.add_sphere(at, radius, 0, 1, velocity);
    if (m.dimensions == 2) m.bodies.mass.back() = pi * radius * radius;
}

/// `edge`^d bodies on a lattice of unit spacing in a periodic box, at this packing; radii within `spread` of each other; normally
/// distributed velocities without momentum.
inline Model hard_gas(int dimensions, HardStepping stepping, int edge, double packing, double restitution = 1, double spread = 0) {
    Model m = hard_model(dimensions, stepping, restitution);
    const double mean = dimensions == 2 ? std::sqrt(packing / pi) : std::cbrt(packing * 3 / (4 * pi));
    Rng rng(7, 1);
    const int layers = dimensions == 2 ? 1 : edge;
    for (int k = 0; k < layers; ++k)
        for (int j = 0; j < edge; ++j)
            for (int i = 0; i < edge; ++i) {
                const double r = mean * (1 + spread * rng.uniform(-1, 1));
                const double x = rng.normal(), y = rng.normal();
                add_hard(m, {i + 0.5, j + 0.5, dimensions == 2 ? 0.0 : k + 0.5}, r, {x, y, dimensions == 2 ? 0.0 : rng.normal()});
            }
    Vec3 momentum;
    double mass = 0;
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
        momentum += m.bodies.mass[i] * m.bodies.velocity[i];
        mass += m.bodies.mass[i];
    }
    for (Vec3& v : m.bodies.velocity) v -= momentum / mass;
    const double length = edge;
    m.domain.box = {{0, 0, dimensions == 2 ? -1.0 : 0.0}, {length, length, dimensions == 2 ? 1.0 : length}};
    for (int a = 0; a < dimensions; ++a) m.domain.periodic[a] = true;
    return m;
}

/// The same gas between walls.
inline Model walled(Model m) {
    m.domain.periodic[0] = m.domain.periodic[1] = m.domain.periodic[2] = false;
    const Vec3 low = m.domain.box.min, high = m.domain.box.max;
    Wall box;
    box.name = "box";
    box.planes = {{low, {1, 0, 0}}, {high, {-1, 0, 0}}, {low, {0, 1, 0}}, {high, {0, -1, 0}}};
    if (m.dimensions == 3) {
        box.planes.push_back({low, {0, 0, 1}});
        box.planes.push_back({high, {0, 0, -1}});
    }
    m.walls = {box};
    m.domain.box = Domain{}.box;
    return m;
}

inline double kinetic_energy(const Model& m, const std::vector<Vec3>& velocity) {
    double sum = 0;
    for (std::size_t i = 0; i < velocity.size(); ++i) sum += 0.5 * m.bodies.mass[i] * norm2(velocity[i]);
    return sum;
}

inline Vec3 momentum_of(const Model& m, const std::vector<Vec3>& velocity) {
    Vec3 sum;
    for (std::size_t i = 0; i < velocity.size(); ++i) sum += m.bodies.mass[i] * velocity[i];
    return sum;
}

/// Distance of two places, of the nearest images where the model is periodic.
inline double apart(const Model& m, Vec3 a, Vec3 b) {
    const Vec3 L = m.domain.box.max - m.domain.box.min;
    const auto near = [&](double d, double period, int axis) { return m.domain.periodic[axis] ? d - period * std::round(d / period) : d; };
    return norm(Vec3{near(a.x - b.x, L.x, 0), near(a.y - b.y, L.y, 1), near(a.z - b.z, L.z, 2)});
}

/// Compressibility factor P V / (N k T) of equal particles in a periodic box between two reports. In a box at rest as a whole k T is
/// 2 K / (d (N - 1)), and the relative speeds that collisions see are those of that temperature (Erpenbeck & Wood 1984, J. Stat. Phys.
/// 35:321).
inline double compressibility(const Model& m, double kinetic, const HardReport& from, const HardReport& to, double time) {
    const double n = static_cast<double>(m.bodies.size());
    return 1 + (to.virial - from.virial) * (n - 1) / (time * n * 2 * kinetic);
}

}  // namespace scree::test
