#include "engine/hard/events/measure.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace scree {

double inertia_of(int dimensions, double mass, double radius) {
    return (dimensions == 2 ? 0.5 : 0.4) * mass * radius * radius;
}

Snapshot hard_snapshot(const Model& model, std::int64_t step, double time, std::vector<Vec3> positions, std::vector<Vec3> velocities,
                       std::uint32_t parts) {
    Snapshot s;
    s.step = step;
    s.time = time;
    s.position = std::move(positions);
    s.velocity = std::move(velocities);
    if ((parts & kSnapshotSpins) != 0) s.angular_velocity = model.bodies.angular_velocity;
    if ((parts & kSnapshotForces) != 0) s.force.resize(model.bodies.size());
    if ((parts & kSnapshotConstants) != 0) {
        s.radius = model.bodies.radius;
        s.mass = model.bodies.mass;
        s.material = model.bodies.material;
    }
    s.id.resize(model.bodies.size());
    std::iota(s.id.begin(), s.id.end(), 0u);
    s.walls.resize(model.walls.size());
    return s;
}

Measurement measure_hard(const Model& model, const Snapshot& at, const HardReport& report) {
    Measurement m;
    m.step = at.step;
    m.time = at.time;
    m.bodies = static_cast<std::int64_t>(at.id.size());
    for (std::size_t i = 0; i < at.id.size(); ++i) {
        const double mass = at.mass[i], inertia = inertia_of(model.dimensions, mass, at.radius[i]);
        const Vec3 p = mass * at.velocity[i];
        m.mass += mass;
        m.energy.kinetic_translation += 0.5 * dot(p, at.velocity[i]);
        m.energy.kinetic_rotation += 0.5 * inertia * norm2(at.angular_velocity[i]);
        m.momentum += p;
        m.angular_momentum += cross(at.position[i], p) + inertia * at.angular_velocity[i];
        m.max_speed = std::max(m.max_speed, norm(at.velocity[i]));
    }
    m.walls.resize(model.walls.size());
    m.wall_power.assign(model.walls.size(), 0);
    m.hard = report;
    return m;
}

RegionSum sum_in_region(const Snapshot& at, const Region& region) {
    RegionSum sum;
    for (std::size_t i = 0; i < at.id.size(); ++i) {
        if (!region.contains(at.position[i]) || !region.takes(at.material[i], at.radius[i])) continue;
        sum.mass += at.mass[i];
        ++sum.count;
    }
    return sum;
}

}  // namespace scree
