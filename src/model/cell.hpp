// The space of penalty and cone methods: which axes repeat themselves, and how far away and how fast the images of a body are. Image (i, j,
// k) of a body is i, j, k periods up the axes from it. Under Lees and Edwards' boundaries (J. Phys. C 5 (1972) 1921) the images up one axis
// move along another, by a rate times the period between them; those of a driven cell (model/cell_stage.hpp) go as its lengths grow, too.
#pragma once

#include <array>
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
    bool moves{false};    // it is sheared or driven, so that images move by themselves
    bool sheared{false};  // images one period up `across` move along `along`
    int along{0}, across{0};
    // Now:
    double low[3]{}, length[3]{};  // of periodic axes [m]
    double offset{0};              // by how much images one period up `across` have moved [m]
    double growth[3]{}, speed{0};  // of lengths and offset [m/s]
    double strain{0};              // of the shear: its rate over the time so far

    SCREE_HD bool any() const { return periodic[0] || periodic[1] || periodic[2]; }
    /// From a body to its image [m].
    SCREE_HD Vec3 shift(ImageStep s) const { return sum_of(s, length, offset); }
    /// What the velocity of an image has more than that of the body [m/s].
    SCREE_HD Vec3 drift(ImageStep s) const { return sum_of(s, growth, speed); }
    /// Growth of the offset over the period where lengths rest [1/s].
    SCREE_HD double shear_rate() const { return sheared ? (speed - growth[along] / length[along] * offset) / length[across] : 0.0; }
    /// The offset's speed at a rate of shear, while lengths grow as `growing` [m/s].
    SCREE_HD double speed_at(double rate, const double* growing) const {
        return growing[along] / length[along] * offset + rate * length[across];
    }
    /// Of a field of velocities that is linear in space and has images move at `growing` and `gliding`: at d from where it is 0 [m/s].
    SCREE_HD Vec3 flow(Vec3 d, const double* growing, double gliding) const {
        double share[3] = {d.x, d.y, d.z}, v[3];
        const double up = sheared ? share[across] / length[across] : 0.0;
        if (sheared) share[along] -= up * offset;
        for (int a = 0; a < 3; ++a) v[a] = periodic[a] ? share[a] / length[a] * growing[a] : 0.0;
        if (sheared) v[along] += up * gliding;
        return {v[0], v[1], v[2]};
    }
    SCREE_HD Vec3 flow(Vec3 d) const { return flow(d, growth, speed); }
    /// To a time dt later; grows about its centre.
    SCREE_HD void advance(double dt) {
        strain += shear_rate() * dt;
        for (int a = 0; a < 3; ++a) {
            low[a] -= 0.5 * growth[a] * dt;
            length[a] += growth[a] * dt;
        }
        offset += speed * dt;
    }
    /// From a body to the nearest image of another, from the way d to that [m].
    SCREE_HD Vec3 nearest(Vec3 d) const { return d + shift(nearest_step(d)); }
    /// Which image that is.
    SCREE_HD ImageStep nearest_step(Vec3 d) const {
        double at[3] = {d.x, d.y, d.z};
        const auto whole = [](double x) { return static_cast<std::int32_t>(x < 0 ? x - 0.5 : x + 0.5); };
        ImageStep s{{0, 0, 0}};
        if (sheared) {
            s.k[across] = -whole(at[across] / length[across]);
            at[along] += s.k[across] * offset;
        }
        for (int a = 0; a < 3; ++a) {
            if (periodic[a] && !(sheared && a == across)) s.k[a] = -whole(at[a] / length[a]);
        }
        return s;
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
    SCREE_HD ImageStep home(Vec3 x, double beyond) const {
        double at[3] = {x.x, x.y, x.z};
        ImageStep s{{0, 0, 0}};
        if (sheared) {
            s.k[across] = -periods_above(across, at[across], beyond);
            at[along] += s.k[across] * offset;
        }
        for (int a = 0; a < 3; ++a) {
            if (!sheared || a != across) s.k[a] = -periods_above(a, at[a], beyond);
        }
        return s;
    }

private:
    SCREE_HD Vec3 sum_of(ImageStep s, const double* each, double aslant) const {
        double to[3] = {s.k[0] * each[0], s.k[1] * each[1], s.k[2] * each[2]};
        if (sheared) to[along] += s.k[across] * aslant;
        return {to[0], to[1], to[2]};
    }
};

/// From x to its images in the box and in the boxes around it; without periods to x alone.
std::vector<ImageStep> nearest_images(const Cell& cell, Vec3 x);

/// Does the cell do nothing but shear at one rate from the start?
bool shears_steadily(const Model& model);
/// Its lower corner, then its edges [m]: 0 where it does not repeat itself.
std::array<Vec3, 4> vectors_of(const Cell& cell);
/// The cell with that corner and these edges, at rest.
Cell cell_with(const std::array<Vec3, 4>& vectors);
/// The cell of a model at the start; without periods where another method has its own.
Cell cell_of(const Model& model);

}  // namespace scree
