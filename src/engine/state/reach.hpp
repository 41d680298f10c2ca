// How near surfaces must be to make a contact of the cone method's next step: so near that they may meet in it.
#pragma once

#include "engine/state/state.hpp"
#include "engine/state/wall_motion.hpp"

namespace scree::SCREE_FLAVOR {

/// [m], where surfaces may come nearer by `nearer` in a step; at least the envelope, and half of it past what motion as it is covers.
SCREE_HD double contact_reach(double envelope, double nearer) {
    const double half = 0.5 * envelope;
    return half + (nearer > half ? nearer : half);
}

/// Bound of the speed of any point of collider i [m/s]; a sphere's surface stays where it turns.
SCREE_HD double fastest_point(const BodyView& body, Index i) {
    const double v = norm(body.velocity[i]);
    return body.is_sphere(i) ? v : v + norm(body.angular_velocity[i]) * body.radius[i];
}

/// The same relative to a wall, which is at `place`; null: it stands.
SCREE_HD double fastest_point(const BodyView& body, Index i, const WallPlace* place) {
    if (place == nullptr) return fastest_point(body, i);
    const RigidVelocity wall = velocity_in(&place->mid);
    const double v = norm(body.velocity[i] - velocity_at(wall, body.position[i]));
    const double turn = norm(body.angular_velocity[i]) + norm(wall.angular);
    return body.is_sphere(i) ? v : v + turn * body.radius[i];
}

/// What collider i takes up of half the list's margin to see its contacts of the next step: two such shares bound any pair's
/// contact_reach. `most`: past this speed times step lists would become too long.
SCREE_HD double reach_share(const BodyView& body, Index i, double envelope, double dt, double most) {
    const double way = dt * fastest_point(body, i), quarter = 0.25 * envelope;
    const double bounded = way < most ? way : most;
    return quarter + (bounded > quarter ? bounded : quarter);
}

}  // namespace scree::SCREE_FLAVOR
