// Contact points of a prism (A) and an arc in a plane model: corners against the arc from within, the nearest point from without, and the
// arc's ends against the prism. In: the arc relative to the origin the body was placed in, in double, its centre in the plane. The arc has
// no thickness.
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

    /// Does the segment from `start` reach x, which the arc faces, on the arc's inner side? Told by where it last passes an end, between
    /// the centre and the end or beyond it; by its start if it passes none.
    SCREE_HD bool reached_within(Vec3 start, Vec3 x) const {
        const Vec3 a = radial(start), b = radial(x);
        double last = -1, rho = norm(a);
        for (int k = 0; k < 2; ++k) {
            const Vec3 way = (end(k) - centre) / radius;
            const double from = way.x * a.y - way.y * a.x, to = way.x * b.y - way.y * b.x;
            if ((from < 0) == (to < 0)) continue;
            const double s = from / (from - to), along = dot(way, a + s * (b - a));
            if (!(along > 0) || s < last) continue;
            last = s;
            rho = along;
        }
        return rho < radius;
    }

    /// Does the segment from `start`, outside the circle, to x come in through the arc, or not in at all? Where x is beside an end, or a
    /// body reaches past the centre, no sign of a rounded product decides here.
    SCREE_HD bool not_round_an_end(Vec3 start, Vec3 x) const {
        const Vec3 a = radial(start), way = radial(x) - a;
        if (norm(a + way) >= radius) return true;
        // a.a + 2 s a.way + s^2 way.way = R^2, the first of both roots; 0 <= a.a - R^2, way.way > 0.
        const double half = dot(a, way), way2 = norm2(way), root2 = half * half - way2 * (norm2(a) - radius * radius);
        const double s = (-half - std::sqrt(root2 > 0 ? root2 : 0)) / way2;
        return faces(a + s * way, radius);
    }
};

/// Is a prism on the inner side of an arc: its centre, or a corner that the arc faces and that is reached between the ends? A tall prism
/// that stands in a bowl has its centre outside the circle.
template <class T>
SCREE_HD bool within_arc(const PlacedConvex<T>& a, const PlacedArc& arc) {
    const Vec3 own = cast<double>(a.at);
    if (norm(arc.radial(own)) < arc.radius) return true;
    for (std::int32_t k = 0; k < a.shape.vertices; ++k) {
        const Vec3 x = cast<double>(a.vertex(k)), radial = arc.radial(x);
        if (x.z >= 0 && arc.faces(radial, norm(radial)) && arc.reached_within(own, x)) return true;
    }
    return false;
}

namespace points {

/// Corners of the prism, of its upper face alone, against the arc from within: those the prism reaches on that side. Where the prism's
/// centre is beside the arc, a corner that is farther beyond the arc than behind its end belongs to the end.
template <class T>
SCREE_HD void add_within_arc(const PlacedConvex<T>& a, const PlacedArc& arc, double envelope, RoundList<T>& list) {
    const Vec3 own = arc.radial(cast<double>(a.at));
    const bool beside = !arc.faces(own, norm(own));
    for (std::int32_t k = 0; k < a.shape.vertices; ++k) {
        const Vec3 x = cast<double>(a.vertex(k)), radial = arc.radial(x);
        const double rho = norm(radial), gap = arc.radius - rho;
        if (x.z < 0 || !(rho > 0) || gap > envelope || !arc.faces(radial, rho)) continue;
        if (!arc.reached_within(cast<double>(a.at), x)) continue;
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
    points::add_within_arc(a, arc, margin, list);
    if (rho >= arc.radius) {
        const NearestPoint<T> near = nearest_to(a, cast<T>(arc.centre));
        const Vec3 nearest = cast<double>(near.point), radial = arc.radial(nearest);
        const Vec3 centre = cast<double>(a.at);
        if (arc.faces(radial, norm(radial)) && !arc.reached_within(centre, nearest) && arc.not_round_an_end(centre, nearest))
            points::add_nearest(a, arc.centre, arc.radius, margin, point_key::of_vertex(false, 2), list);
    }
    for (int k = 0; k < 2; ++k) points::add_nearest(a, arc.end(k), 0, margin, point_key::of_vertex(false, k), list);
    return list.choose(a.scale, envelope);
}

}  // namespace scree
