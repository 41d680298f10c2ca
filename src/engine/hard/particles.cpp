#include "engine/hard/particles.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "model/limits.hpp"

namespace scree::SCREE_FLAVOR {

HardWorld world_of(const Model& model, HardParticles& particles, HardBuffers& buffers) {
    HardWorld world{};
    for (int a = 0; a < 3; ++a) {
        world.low[a] = buffers.box.low[a];
        world.period[a] = buffers.box.periodic[a] ? buffers.box.length(a) : 0.0;
        world.inverse_period[a] = buffers.box.periodic[a] ? 1 / buffers.box.length(a) : 0.0;
    }
    world.bodies = particles.size();
    world.planes = static_cast<std::int32_t>(buffers.planes.size());
    world.plane = buffers.planes.data();
    world.materials = static_cast<std::int32_t>(model.materials.size());
    world.restitution = buffers.restitution.data();
    world.elastic_below = model.hard.elastic_below;
    world.dt = model.dt;
    return world;
}

void load_hard(const Model& model, HardParticles& particles, HardBuffers& buffers) {
    const BodyTable& table = model.bodies;
    const std::size_t n = table.size();
    require_within<Error>(static_cast<double>(n), count_limits().bodies, "bodies", fewer_bodies);
    std::vector<double> inverse_mass;
    for (std::size_t i = 0; i < n; ++i) {
        inverse_mass.push_back(1 / table.mass[i]);
        buffers.largest = std::max(buffers.largest, 2 * table.radius[i]);
    }
    buffers.box = hard_box(model);
    particles.position.assign(table.position, table.radius);
    particles.velocity.assign(table.velocity, inverse_mass);
    particles.reference.assign(table.position);
    particles.material.assign(table.material);
    std::vector<HardPlane> planes;
    for (std::size_t w = 0; w < model.walls.size(); ++w)
        for (const Plane& p : model.walls[w].planes)
            planes.push_back({p.point, p.normal, static_cast<std::int32_t>(w), model.walls[w].material});
    buffers.planes.assign(planes);
    std::vector<double> restitution;
    for (std::size_t a = 0; a < model.materials.size(); ++a)
        for (std::size_t b = 0; b < model.materials.size(); ++b) restitution.push_back(model.pairs(a, b).restitution);
    buffers.restitution.assign(restitution);
    const auto count = static_cast<Index>(n);
    particles.flight.resize_zero(count);
    for (Array<double>* sum : {&particles.virial, &particles.lost, &particles.lost_time}) sum->resize_zero(count);
    particles.impulse.resize_zero(count * static_cast<Index>(planes.size()));
    particles.hits.resize_zero(count);
    particles.wall_hits.resize_zero(count);
    buffers.choice.resize_zero(count);
    buffers.meeting.resize_zero(count);
    buffers.changed.resize_zero(count);
    buffers.words.resize_zero(1);
}

}  // namespace scree::SCREE_FLAVOR
