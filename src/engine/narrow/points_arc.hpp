// Contact points of a prism (A) and an arc in a plane model: corners against the arc from within, the nearest point from without, and the
// arc's ends against the prism. In: the arc relative to the origin the body was placed in, in double. The arc has no thickness.
#pragma once

#include "engine/narrow/points_cylinder.hpp"

namespace scree {

/// As for arc_gap: the part of the circle within an angle of the unit vector `middle`.
struct PlacedArc {
    Vec3 centre;
    double radius;
    Vec3 middle;
    double cosine, sine;

    SCREE_HD Vec3 radial(Vec3 x) const { return {x.x - centre.x, x.y - centre.y, 0}; }
    SCREE_HD bool faces(Vec3 radial_way, double rho) const { return dot(radial_way, middle) >= cosine * rho; }
    SCREE_HD Vec3 end(int which) const {
        const double turn = which == 0 ? -sine : sine;
        return centre + radius * Vec3{cosine * middle.x - turn * middle.y, cosine * middle.y + turn * middle.x, 0};
    }
};

namespace points {

/// Corners of the prism, of its upper face alone, against the arc from within. Where the prism's centre is beside the arc, a corner that is
/// farther beyond the arc than behind its end belongs to the end.
template <class T>
SCREE_HD void add_within_arc(const PlacedConvex<T>& a, const PlacedArc& arc, double envelope, RoundList<T>& list) {
    const Vec3 own = arc.radial(cast<double>(a.at));
    const bool beside = !arc.faces(own, norm(own));
    for (std::int32_t k = 0; k < a.shape.vertices; ++k) {
        const Vec3 x = cast<double>(a.vertex(k)), radial = arc.radial(x);
        const double rho = norm(radial), gap = arc.radius - rho;
        if (x.z < 0 || !(rho > 0) || gap > envelope || !arc.faces(radial, rho)) continue;
        const double to_first = norm(arc.end(0) - x), to_last = norm(arc.end(1) - x);
        if (beside && -gap > 0.5 * (to_first < to_last ? to_first : to_last)) continue;
        list.add({x.x, x.y, 0}, radial / rho, gap, point_key::of_vertex(true, k));
    }
}

template <class T>
SCREE_HD void add_nearest(const PlacedConvex<T>& a, Vec3 p, double beyond, double envelope, std::int32_t key, RoundList<T>& list) {
    const NearestPoint<T> near = nearest_to(a, cast<T>(p));
    const double gap = static_cast<double>(near.distance) - beyond;
    if (gap <= envelope) list.add(cast<double>(near.point), cast<double>(near.normal), gap, key);
}

}  // namespace points

/// Up to four points with gaps up to `envelope` [m]. O(vertices + edges).
template <class T>
SCREE_HD ContactPoints<T> arc_points(const PlacedConvex<T>& a, const PlacedArc& arc, T envelope) {
    points::RoundList<T> list;
    const double r = static_cast<double>(a.scale), margin = static_cast<double>(envelope);
    const Vec3 own = arc.radial(cast<double>(a.at));
    const double rho = norm(own);
    if (std::fabs(rho - arc.radius) > r + margin) return {};
    if (rho < arc.radius) {
        points::add_within_arc(a, arc, margin, list);
    } else {
        const NearestPoint<T> near = nearest_to(a, cast<T>(arc.centre));
        const Vec3 radial = arc.radial(cast<double>(near.point));
        if (arc.faces(radial, norm(radial))) points::add_nearest(a, arc.centre, arc.radius, margin, point_key::of_vertex(false, 2), list);
    }
    for (int k = 0; k < 2; ++k) points::add_nearest(a, arc.end(k), 0, margin, point_key::of_vertex(false, k), list);
    return list.choose(a.scale, envelope);
}

}  // namespace scree
