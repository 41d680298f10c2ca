// The space of penalty and cone methods: which axes repeat themselves, and how far away and how fast the images of a body are. Image (i, j,
// k) of a body is i, j, k periods up the axes from it. Under Lees and Edwards' boundaries (J. Phys. C 5 (1972) 1921) the images up one axis
// move along another, by `rate` times the period between them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vec3.hpp"

namespace scree {

struct Model;

/// Periods from a body to its image, along x, y, z.
struct ImageStep {
    std::int32_t k[3];
};

struct Cell {
    bool periodic[3]{};
    double low[3]{}, length[3]{};  // of periodic axes [m]
    bool sheared{false};
    int along{0}, across{0};  // axes: images one period up `across` move along `along`
    double speed{0};          // of those [m/s]

    SCREE_HD bool any() const { return periodic[0] || periodic[1] || periodic[2]; }
    /// By how much images one period up `across` have moved at time t [m].
    SCREE_HD double offset(double t) const { return sheared ? speed * t : 0.0; }
    /// From a body to its image [m].
    SCREE_HD Vec3 shift(ImageStep s, double t) const {
        double to[3] = {s.k[0] * length[0], s.k[1] * length[1], s.k[2] * length[2]};
        if (sheared) to[along] += s.k[across] * offset(t);
        return {to[0], to[1], to[2]};
    }
    /// What the velocity of an image has more than that of the body [m/s].
    SCREE_HD Vec3 drift(ImageStep s) const {
        double v[3] = {0, 0, 0};
        if (sheared) v[along] = s.k[across] * speed;
        return {v[0], v[1], v[2]};
    }
    /// From a body to the nearest image of another, from the way d to that [m].
    SCREE_HD Vec3 nearest(Vec3 d, double t) const {
        double at[3] = {d.x, d.y, d.z};
        const auto whole = [](double x) { return static_cast<double>(static_cast<std::int64_t>(x < 0 ? x - 0.5 : x + 0.5)); };
        if (sheared) at[along] -= whole(at[across] / length[across]) * offset(t);
        for (int a = 0; a < 3; ++a) {
            if (periodic[a]) at[a] -= whole(at[a] / length[a]) * length[a];
        }
        return {at[0], at[1], at[2]};
    }
    /// Periods by which a coordinate is above the box, where it is outside by more than `beyond` [m]; else 0.
    SCREE_HD std::int32_t periods_above(int axis, double x, double beyond) const {
        const double above = x - low[axis];
        if (!periodic[axis] || !(above < -beyond || above >= length[axis] + beyond)) return 0;
        const double far = above / length[axis];
        if (!(far < 1e9 && far > -1e9)) return 0;  // lost, which is told elsewhere
        return static_cast<std::int32_t>(far) - (far < 0 ? 1 : 0);
    }
    /// From x, where it is outside the box by more than `beyond` [m], to its image inside.
    SCREE_HD ImageStep home(Vec3 x, double t, double beyond) const {
        double at[3] = {x.x, x.y, x.z};
        ImageStep s{{0, 0, 0}};
        if (sheared) {
            s.k[across] = -periods_above(across, at[across], beyond);
            at[along] += s.k[across] * offset(t);
        }
        for (int a = 0; a < 3; ++a) {
            if (!sheared || a != across) s.k[a] = -periods_above(a, at[a], beyond);
        }
        return s;
    }
};

/// From x to its images in the box and in the boxes around it at time t; without periods to x alone.
std::vector<ImageStep> nearest_images(const Cell& cell, Vec3 x, double t);

/// The cell of a model; without periods where another method has its own.
Cell cell_of(const Model& model);

}  // namespace scree
