// Contact points of smooth bodies: one at most, where the surfaces are the least deep in each other or the least apart.
#pragma once

#include "engine/narrow/point_choice.hpp"
#include "engine/narrow/smooth_contact.hpp"

namespace scree {

template <class T>
SCREE_HD void add_point(ContactPoints<T>& points, const SmoothTouch& touch) {
    add_point(points, cast<T>(touch.normal), cast<T>(touch.point), static_cast<T>(-touch.overlap), 0);
}

/// Both smooth: A and B in one origin near them.
template <class T>
SCREE_HD ContactPoints<T> smooth_points(const PlacedConvex<T>& a, const PlacedConvex<T>& b, T envelope) {
    ContactPoints<T> result;
    SmoothTouch touch;
    if (smooth_pair(smooth_of(a), smooth_of(b), {}, static_cast<double>(envelope), touch)) add_point(result, touch);
    return result;
}

}  // namespace scree
