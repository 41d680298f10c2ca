// A sphere against analytic wall surfaces. In: the centre. Out: direction from the centre to the surface and the distance, in double.
#pragma once

#include "base/vec3.hpp"

namespace scree {

struct SurfaceGap {
    Vec3 normal;      // unit, from the sphere to the surface
    double distance;  // of the centre from the surface [m]; negative beyond it
};

/// Plane through `point` with unit `normal` towards the bodies.
SCREE_HD SurfaceGap plane_gap(Vec3 centre, Vec3 point, Vec3 normal) {
    return {-normal, dot(centre - point, normal)};
}

/// Cylinder about point + s * axis, s in [0, length]; an infinite length means endless both ways.
/// Inside: a tube; with a length its ends are open, it has rims, and its outside is felt too. Outside: a rod with flat caps, felt from
/// without.
SCREE_HD SurfaceGap cylinder_gap(Vec3 centre, Vec3 point, Vec3 axis, double radius, double length, bool inside) {
    const Vec3 from = centre - point;
    const double s = dot(from, axis);
    const Vec3 radial = from - s * axis;
    const double rho = norm(radial);
    // On the axis every direction is as near: take one that depends on the axis alone.
    const Vec3 helper = std::fabs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 side = cross(axis, helper);
    const Vec3 out = rho > 0 ? radial / (rho > 0 ? rho : 1.0) : side / norm(side);
    const bool endless = length > 1e300;
    const bool beyond = !endless && (s < 0 || s > length);
    const double s_near = !beyond ? s : (s < 0 ? 0 : length);
    if (inside) {
        // A tube with ends is a thin shell: what is beside it from without is not inside its wall.
        if (!beyond && (endless || rho <= radius)) return {out, radius - rho};
        if (!beyond) return {-out, rho - radius};
        // Past an open end the rim is nearest.
        const Vec3 to = (s_near - s) * axis + (radius - rho) * out;
        const double distance = norm(to);
        return {distance > 0 ? to / distance : out, distance};
    }
    if (!beyond && rho >= radius) return {-out, rho - radius};
    if (beyond) {
        const double rho_near = rho > radius ? radius : rho;
        const Vec3 to = (s_near - s) * axis + (rho_near - rho) * out;
        const double distance = norm(to);
        return {distance > 0 ? to / distance : -out, distance};
    }
    // Within the rod: the nearest of side and caps, a negative distance.
    const double to_side = radius - rho, to_bottom = s, to_top = length - s;
    if (endless) return {-out, -to_side};
    if (to_side <= to_bottom && to_side <= to_top) return {-out, -to_side};
    return to_bottom < to_top ? SurfaceGap{axis, -to_bottom} : SurfaceGap{-axis, -to_top};
}

/// An arc in the plane z = 0 about `middle_point`: the part of the circle within an angle of the unit vector `middle`, given by its cosine
/// (-2: all round) and sine. Felt from both sides; beside it the nearer end is nearest.
SCREE_HD SurfaceGap arc_gap(Vec3 centre, Vec3 middle_point, double radius, Vec3 middle, double cosine, double sine) {
    const Vec3 from{centre.x - middle_point.x, centre.y - middle_point.y, 0};
    const double rho = norm(from);
    const Vec3 out = rho > 0 ? from / (rho > 0 ? rho : 1.0) : middle;
    const bool outside = rho > radius;
    const double along = dot(out, middle), aside = middle.x * out.y - middle.y * out.x;
    const double turn = aside < 0 ? -sine : sine;
    const Vec3 end{radius * (cosine * middle.x - turn * middle.y), radius * (cosine * middle.y + turn * middle.x), 0};
    const Vec3 to = end - from;
    const double beside = norm(to), sign = outside ? -1.0 : 1.0;
    const bool facing = along >= cosine, apart = beside > 0;
    const Vec3 to_end = apart ? to / (apart ? beside : 1.0) : out;
    return {facing ? sign * out : to_end, facing ? sign * (radius - rho) : beside};
}

}  // namespace scree
