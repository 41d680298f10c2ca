#include "model/fluid_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {

namespace {

constexpr double pi = std::numbers::pi;
constexpr int wall_nodes = 256;  // linear between them: an error of some 1e-5 of the density at a wall

/// The integral over a plane of f(distance) at height z above it, of a line in two dimensions. Simpson's rule; f is a smooth polynomial
/// up to q = 1 and 0 beyond.
template <class F>
double over_layer(int dimensions, double z, F f) {
    if (z >= 1) return 0;
    constexpr int parts = 400;
    const double widest = std::sqrt(1 - z * z), step = widest / parts;
    double sum = 0;
    for (int k = 0; k <= parts; ++k) {
        const double x = k * step, weight = k == 0 || k == parts ? 1 : k % 2 == 1 ? 4 : 2;
        sum += weight * f(std::sqrt(x * x + z * z)) * (dimensions == 3 ? 2 * pi * x : 2.0);
    }
    return sum * step / 3;
}

/// Calls visit(x, y, z) for all places of the lattice within h of the origin [h].
template <class Visit>
void each_place(const FluidRest& rest, Visit visit) {
    const int reach = static_cast<int>(1 / rest.spacing) + 1, deep = rest.dimensions == 3 ? reach : 0;
    for (int k = -deep; k <= deep; ++k)
        for (int j = -reach; j <= reach; ++j)
            for (int i = -reach; i <= reach; ++i) {
                const double x = i * rest.spacing, y = j * rest.spacing, z = k * rest.spacing;
                if (x * x + y * y + z * z < 1) visit(x, y, z);
            }
}

void calibrate(const FluidKernel& kernel, FluidRest& rest) {
    double sum = 0, moment = 0, squares = 0;
    each_place(rest, [&](double x, double y, double z) {
        const double q = std::sqrt(x * x + y * y + z * z), slope = kernel.slope(q);
        sum += kernel.value(q);
        if (q > 0) {
            moment += slope / q * x * x;
            squares += slope * slope;
        }
        ++rest.near;
    });
    rest.volume = 1 / sum;
    rest.gradient = 3 * kernel.peak / moment;
    rest.response = squares / (moment * moment);
}

/// Square of the gradient's sum over the lattice for displacements that are a wave: what the constraints answer to multipliers that are
/// one.
double response_of_wave(const FluidRest& rest, double kx, double ky, double kz) {
    double gx = 0, gy = 0, gz = 0;
    each_place(rest, [&](double x, double y, double z) {
        const double q = std::sqrt(x * x + y * y + z * z);
        if (!(q > 0)) return;
        const double scale = rest.gradient * (1 - q) * (1 - q) / q * std::sin(kx * x + ky * y + kz * z);
        gx += scale * x;
        gy += scale * y;
        gz += scale * z;
    });
    return gx * gx + gy * gy + gz * gz;
}

double largest_response(const FluidRest& rest) {
    constexpr int parts = 12;  // of half a zone along each axis: the response is a smooth hill
    double largest = 0;
    for (int k = 0; k <= (rest.dimensions == 3 ? parts : 0); ++k)
        for (int j = 0; j <= parts; ++j)
            for (int i = 0; i <= parts; ++i) {
                const double unit = pi / (parts * rest.spacing);
                largest = std::max(largest, response_of_wave(rest, i * unit, j * unit, k * unit));
            }
    return largest;
}

/// Layers behind a wall at distance s, scaled by some per mille so that a lattice half a spacing beside it has the density 1 exactly.
void lay_wall(const FluidKernel& kernel, FluidRest& rest) {
    const double d = rest.spacing, layer = rest.dimensions == 3 ? d * d : d;
    const auto layers = [&](double s, auto of_layer) {
        double sum = 0;
        for (double z = s + 0.5 * d; z < 1; z += d) sum += of_layer(z);
        return sum / layer;
    };
    const auto density = [&](double z) { return rest.volume * over_layer(rest.dimensions, z, [&](double q) { return kernel.value(q); }); };
    const auto gradient = [&](double z) {
        return rest.gradient / (3 * kernel.peak) *
               over_layer(rest.dimensions, z, [&](double q) { return q > 0 ? kernel.slope(q) * z / q : 0.0; });
    };
    double own = 0;
    each_place(rest, [&](double x, double y, double z) {
        const double away = rest.dimensions == 3 ? z : y;
        if (away > -0.5 * d) own += rest.volume * kernel.value(std::sqrt(x * x + y * y + z * z));
    });
    const double beside = layers(0.5 * d, density), fit = beside > 0 ? (1 - own) / beside : 1.0;
    rest.wall_step = 1.0 / wall_nodes;
    for (int k = 0; k <= wall_nodes; ++k) {
        rest.wall_density.push_back(fit * layers(k * rest.wall_step, density));
        rest.wall_gradient.push_back(fit * layers(k * rest.wall_step, gradient));
    }
}

}  // namespace

FluidKernel fluid_kernel(int dimensions) {
    return {(dimensions == 2 ? 10 : 15) / pi};
}

FluidRest fluid_rest(const FluidSettings& settings, int dimensions) {
    FluidRest rest;
    rest.dimensions = dimensions;
    rest.spacing = 1 / settings.support;
    const FluidKernel kernel = fluid_kernel(dimensions);
    calibrate(kernel, rest);
    rest.spread = largest_response(rest) / rest.response;
    lay_wall(kernel, rest);
    return rest;
}

}  // namespace scree
