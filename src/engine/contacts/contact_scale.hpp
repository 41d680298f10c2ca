// What controllers take a contact for: its stiffness and impedance, from which their gains and times come where none are given.
#pragma once

#include <cmath>

#include "base/macros.hpp"
#include "model/model.hpp"

namespace scree::SCREE_FLAVOR {

/// Its impedance is the root of mass times stiffness, that of Hertz' law at the force it carries.
struct ContactScale {
    double mass{0}, diameter{0};  // of bodies, mean [kg], [m]
    double damping{0};            // of its dashpot at the heaviest body, over the root of the stiffness [kg^0.5]
    double stiffness{0};          // [N/m]; of Hertz' law force over overlap^1.5 [N/m^1.5]
    bool hertz{false};

    /// Of one that carries `force` [N/m].
    SCREE_HD double stiffness_at(double force) const { return hertz ? 1.5 * std::cbrt(stiffness * stiffness * force) : stiffness; }
};

/// A controller's rate: gain (missing + integral), within `most`. The integral, of what is missing over `time`, rests at that bound and
/// where it does not run.
SCREE_HD double controlled_rate(double gain, double missing, double time, double most, bool runs, double dt, double& integral) {
    const double next = runs ? integral + missing * dt / time : integral;
    const double rate = gain * (missing + next);
    if (rate > most) return most;
    if (rate < -most) return -most;
    integral = next;
    return rate;
}

/// The stiffest that the model's laws make, of a body of mean size.
ContactScale contact_scale(const Model& model);

}  // namespace scree::SCREE_FLAVOR
