// Contact points of a sphere: one at most, with its gap also apart. The existing gap functions find normal and distance (sphere_sphere.hpp,
// sphere_surface.hpp, sphere_mesh.hpp, convex_sphere.hpp); here they become points.
#pragma once

#include "engine/narrow/convex_sphere.hpp"
#include "engine/narrow/point_choice.hpp"
#include "engine/narrow/points_smooth.hpp"
#include "engine/narrow/sphere_sphere.hpp"
#include "engine/narrow/sphere_surface.hpp"

namespace scree {

/// Two spheres, `between` from A's centre to B's, formed in double; points relative to A's centre.
template <class T>
SCREE_HD ContactPoints<T> sphere_points(Vec3 between, double r_a, double r_b, T envelope) {
    ContactPoints<T> result;
    const SphereGap<T> g = sphere_gap<T>(between, r_a, r_b);
    if (-g.delta <= envelope) add_point(result, g.normal, (static_cast<T>(r_a) - T(0.5) * g.delta) * g.normal, -g.delta, 0);
    return result;
}

/// A sphere (A) and a surface that is `distance` from its centre along the unit `normal`: of plane_gap, cylinder_gap or patch_gap. Points
/// relative to the centre. Give patch_gap a radius greater by the envelope, and take no point where the patch does not own it.
template <class T>
SCREE_HD ContactPoints<T> sphere_surface_points(Vec3 normal, double distance, double radius, T envelope) {
    ContactPoints<T> result;
    const T gap = static_cast<T>(distance - radius);
    if (gap <= envelope) add_point(result, cast<T>(normal), cast<T>((0.5 * (distance + radius)) * normal), gap, 0);
    return result;
}

/// A polyhedron (A) and a sphere (B) about `centre`, in the origin the polyhedron was placed in. Outside, the distance is exact.
template <class T>
SCREE_HD ContactPoints<T> convex_sphere_points(const PlacedConvex<T>& a, Vec3T<T> centre, T radius, T envelope) {
    ContactPoints<T> result;
    const T reach = a.scale + radius + envelope;
    if (norm2(centre - a.at) > reach * reach) return result;
    if (a.shape.smooth != nullptr) {
        SmoothTouch touch;
        const PlacedBall ball{cast<double>(centre), static_cast<double>(radius)};
        if (smooth_with_ball(smooth_of(a), ball, static_cast<double>(envelope), touch)) add_point(result, touch);
        return result;
    }
    const NearestPoint<T> near = nearest_to(a, centre);
    const T gap = near.distance - radius;
    if (gap <= envelope) add_point(result, near.normal, near.point + (T(0.5) * gap) * near.normal, gap, 0);
    return result;
}

}  // namespace scree
