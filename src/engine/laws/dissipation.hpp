// What a contact of spheres takes from the motion: of its dashpots, and of tangential spring and slider together.
#pragma once

#include "engine/laws/contact.hpp"

namespace scree {

/// Of a dashpot [N s/m] that bears this force [W]: what a contact's tangential one takes is told from what a slider beside it takes by the
/// force that the spring leaves to it.
SCREE_HD double dashpot_power(Vec3 force, double damping) {
    return damping > 0 ? norm2(force) / damping : 0.0;
}

/// Half of what each of the two bodies is charged with, at the velocities that the force was computed with, and the forces on A that say
/// how it changes with these: a velocity of A that is higher by u, and one of B by w, change it by -F.u + F.w (and the tangential torques
/// likewise). Leapfrog's account closes with velocities at the time of the force, half a step later.
template <class T>
struct ContactLoss {
    Vec3T<T> damping, friction;       // normal dashpot's force on A, tangential force on A [N]
    T damping_power, friction_power;  // half of the contact's [W]
};

/// force, stretch: as the contact has them after the step. All zero where it does not touch.
template <class T>
SCREE_HD ContactLoss<T> contact_loss(const PressedContact<T>& in, Vec3T<T> force, Vec3T<T> stretch) {
    const T d = in.f_n - in.f_el;
    const Vec3T<T> f_t = force + in.f_n * in.normal, slid = f_t - in.S_t * stretch;
    const bool damped = in.c_t > T(0);
    const T taken = (damped ? norm2(slid) : T(0)) / (damped ? in.c_t : T(1));
    return {-d * in.normal, f_t, T(0.5) * (taken - d * in.v_n), T(0.5) * (dot(f_t, in.v_t) - taken)};
}

}  // namespace scree
