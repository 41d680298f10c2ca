// Bodies, pairs and places of walls -> the input of a contact law. Shared by the force kernels and by energies and contact records.
#pragma once

#include "engine/laws/contact.hpp"
#include "engine/narrow/sphere_sphere.hpp"
#include "engine/narrow/sphere_surface.hpp"
#include "engine/state/bodies.hpp"
#include "engine/state/relative.hpp"
#include "engine/state/walls.hpp"

namespace scree::SCREE_FLAVOR {

/// The contact of two spheres i (A) and j (B); lever: arm over radius, the same for both.
template <class T>
SCREE_HD ContactInput<T> sphere_contact(const BodyView& body, Index i, Index j, Vec3T<T> stretch, T& lever) {
    const double r_a = body.radius[i], r_b = body.radius[j];
    const SphereGap<T> gap = sphere_gap<T>(relative_position(body.position[i], body.position[j]), r_a, r_b);
    const Vec3T<T> v = cast<T>(relative_velocity(body.velocity[i], body.velocity[j]));
    const Vec3T<T> w_a = cast<T>(body.angular_velocity[i]), w_b = cast<T>(body.angular_velocity[j]);
    const T a = static_cast<T>(r_a), b = static_cast<T>(r_b);
    lever = gap.distance / (a + b);
    const Vec3T<T> surface = (a * lever) * w_a + (b * lever) * w_b;
    ContactInput<T> in;
    in.normal = gap.normal;
    in.delta = gap.delta;
    in.velocity = v - cross(surface, gap.normal);
    in.spin = T(0.5) * dot(w_a + w_b, gap.normal);
    in.R_eff = a * b / (a + b);
    in.m_eff = T(1) / static_cast<T>(body.inverse_mass[i] + body.inverse_mass[j]);
    in.stretch = stretch;
    return in;
}

/// The contact of a sphere i (A) with a surface (B) at a distance along `normal`, from the velocity of the surface against the sphere's
/// centre and the sum of their angular velocities.
template <class T>
SCREE_HD ContactInput<T> surface_contact_from(const BodyView& body, Index i, const SurfaceGap& gap, Vec3T<T> v, Vec3T<T> spins,
                                              Vec3T<T> stretch, T& lever) {
    const double r = body.radius[i];
    const Vec3T<T> n = cast<T>(gap.normal);
    const Vec3T<T> w = cast<T>(body.angular_velocity[i]);
    ContactInput<T> in;
    in.normal = n;
    in.delta = static_cast<T>(r - gap.distance);
    in.velocity = v - static_cast<T>(gap.distance) * cross(w, n);
    in.spin = dot(spins, n) * T(0.5);
    in.R_eff = static_cast<T>(r);
    in.m_eff = static_cast<T>(1.0 / body.inverse_mass[i]);
    in.stretch = stretch;
    lever = static_cast<T>(gap.distance / r);
    return in;
}

/// With a surface at rest.
template <class T>
SCREE_HD ContactInput<T> surface_contact(const BodyView& body, Index i, const SurfaceGap& gap, Vec3T<T> stretch, T& lever) {
    return surface_contact_from<T>(body, i, gap, -cast<T>(body.velocity[i]), cast<T>(body.angular_velocity[i]), stretch, lever);
}

/// Where a sphere meets a surface.
SCREE_HD Vec3 surface_point(const BodyView& body, Index i, const SurfaceGap& gap) {
    return body.position[i] + gap.distance * gap.normal;
}

/// With a surface that moves with its wall; wall_inverse_mass: of the body that carries it, or 0.
template <class T>
SCREE_HD ContactInput<T> surface_contact(const BodyView& body, Index i, const SurfaceGap& gap, const RigidVelocity& wall,
                                         double wall_inverse_mass, Vec3T<T> stretch, T& lever) {
    const Vec3 v = relative_velocity(body.velocity[i], velocity_at(wall, surface_point(body, i, gap)));
    const Vec3 spins = body.angular_velocity[i] + wall.angular;
    ContactInput<T> in = surface_contact_from<T>(body, i, gap, cast<T>(v), cast<T>(spins), stretch, lever);
    in.m_eff = static_cast<T>(1.0 / (body.inverse_mass[i] + wall_inverse_mass));
    return in;
}

/// Gap of a body to a surface by its index in the class's table.
struct PlaneSurfaces {
    PlaneView view;
    SCREE_HD SurfaceGap gap(Index s, Vec3 c) const { return plane_gap(c, view.point[s], view.normal[s]); }
    SCREE_HD std::int32_t wall(Index s) const { return view.wall[s]; }
};
struct CylinderSurfaces {
    CylinderView view;
    SCREE_HD SurfaceGap gap(Index s, Vec3 c) const {
        return cylinder_gap(c, view.point[s], view.axis[s], view.radius[s], view.length[s], view.inside[s] != 0);
    }
    SCREE_HD std::int32_t wall(Index s) const { return view.wall[s]; }
};

/// The same of a plane model's arcs.
struct ArcSurfaces {
    CylinderView view;
    SCREE_HD SurfaceGap gap(Index s, Vec3 c) const {
        return arc_gap(c, view.point[s], view.radius[s], view.middle[s], view.cosine[s], view.sine[s]);
    }
    SCREE_HD std::int32_t wall(Index s) const { return view.wall[s]; }
};
/// Cylinders or arcs, for kernels that are not vector code.
struct RoundSurfaces {
    CylinderView view;
    bool arcs;
    SCREE_HD SurfaceGap gap(Index s, Vec3 c) const { return arcs ? ArcSurfaces{view}.gap(s, c) : CylinderSurfaces{view}.gap(s, c); }
    SCREE_HD std::int32_t wall(Index s) const { return view.wall[s]; }
};

/// The gap to a surface of a wall that has moved: found in the wall's frame, told in the world's.
template <class Surfaces>
SCREE_HD SurfaceGap placed_gap(const Surfaces& surfaces, Index s, const WallPlace* places, Vec3 c) {
    const Pose pose = pose_in(places + surfaces.wall(s));
    const SurfaceGap gap = surfaces.gap(s, in_frame(pose, c));
    return {rotate(pose.turn, gap.normal), gap.distance};
}
/// places: null where no wall moves.
template <class Surfaces>
SCREE_HD SurfaceGap gap_to(const Surfaces& surfaces, Index s, const WallPlace* places, Vec3 c) {
    return places == nullptr ? surfaces.gap(s, c) : placed_gap(surfaces, s, places, c);
}

}  // namespace scree::SCREE_FLAVOR
