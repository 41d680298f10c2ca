#include "engine/fluid/fluid.hpp"

#include <algorithm>
#include <cmath>

namespace scree::SCREE_FLAVOR {

namespace {

void fill(Array<Real>& to, const std::vector<double>& from) {
    to.assign(std::vector<Real>(from.begin(), from.end()));
}

}  // namespace

void load_fluid(const Model& model, FluidBuffers& room) {
    room.rest = fluid_rest(model.fluid, model.dimensions);
    room.spacing = room.heaviest = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        room.spacing = std::max(room.spacing, 2 * model.bodies.radius[i]);
        room.heaviest = std::max(room.heaviest, model.bodies.mass[i]);
    }
    if (model.bodies.size() == 0) room.spacing = room.heaviest = 1;
    room.h = room.spacing * model.fluid.support;
    room.volume = std::pow(room.spacing, model.dimensions);
    fill(room.wall_density, room.rest.wall_density);
    fill(room.wall_gradient, room.rest.wall_gradient);
}

FluidWorld fluid_world(const Model& model, const State& state, const FluidBuffers& room) {
    const FluidRest& rest = room.rest;
    const FluidSettings& s = model.fluid;
    FluidWorld w{};
    w.bodies = state.bodies.count;
    w.wide_h = room.h;
    w.off_plane = rest.dimensions == 2 ? 0.0 : 1.0;
    w.wide_inverse_h = 1 / room.h;
    w.inverse_h = static_cast<Real>(w.wide_inverse_h);
    w.volume_kernel = static_cast<Real>(rest.volume * fluid_kernel(rest.dimensions).peak);
    w.gradient = static_cast<Real>(rest.gradient);
    w.relaxation = static_cast<Real>(s.relaxation * rest.spread * rest.response);
    w.half_spacing = static_cast<Real>(0.5 * rest.spacing);
    w.artificial = static_cast<Real>(s.artificial_pressure / rest.response);
    w.inverse_at = static_cast<Real>(1 / (1 - s.pressure_at));
    w.power = static_cast<std::int32_t>(s.pressure_power);
    w.viscosity = static_cast<Real>(s.viscosity);
    w.vorticity = static_cast<Real>(s.vorticity * model.dt);
    w.wall_density = room.wall_density.data();
    w.wall_gradient = room.wall_gradient.data();
    w.wall_steps = static_cast<std::int32_t>(rest.wall_density.size()) - 1;
    return w;
}

}  // namespace scree::SCREE_FLAVOR
