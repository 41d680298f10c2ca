#include "engine/fluid/fluid.hpp"

#include <algorithm>
#include <cmath>

namespace scree::SCREE_FLAVOR {

namespace {

void fill(Array<Real>& to, const std::vector<double>& from) {
    to.assign(std::vector<Real>(from.begin(), from.end()));
}

}  // namespace

void load_fluid(const Model& model, FluidBuffers& buffers) {
    buffers.rest = fluid_rest(model.fluid, model.dimensions);
    buffers.spacing = buffers.heaviest = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        buffers.spacing = std::max(buffers.spacing, 2 * model.bodies.radius[i]);
        buffers.heaviest = std::max(buffers.heaviest, model.bodies.mass[i]);
    }
    if (model.bodies.size() == 0) buffers.spacing = buffers.heaviest = 1;
    buffers.h = buffers.spacing * model.fluid.support;
    buffers.volume = std::pow(buffers.spacing, model.dimensions);
    fill(buffers.wall_density, buffers.rest.wall_density);
    fill(buffers.wall_gradient, buffers.rest.wall_gradient);
}

FluidWorld fluid_world(const Model& model, const State& state, const FluidBuffers& buffers) {
    const FluidRest& rest = buffers.rest;
    const FluidSettings& s = model.fluid;
    FluidWorld w{};
    w.bodies = state.bodies.count;
    w.wide_h = buffers.h;
    w.off_plane = rest.dimensions == 2 ? 0.0 : 1.0;
    w.wide_inverse_h = 1 / buffers.h;
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
    w.wall_density = buffers.wall_density.data();
    w.wall_gradient = buffers.wall_gradient.data();
    w.wall_steps = static_cast<std::int32_t>(rest.wall_density.size()) - 1;
    return w;
}

}  // namespace scree::SCREE_FLAVOR
