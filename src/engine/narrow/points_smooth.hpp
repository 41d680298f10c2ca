// Contact points of smooth bodies: where the surfaces are the least deep in each other or the least apart; of capsules on flat places two.
#pragma once

#include "engine/narrow/point_choice.hpp"
#include "engine/narrow/smooth_features.hpp"

namespace scree {

template <class T>
SCREE_HD void add_point(ContactPoints<T>& points, const SmoothTouch& touch) {
    add_point(points, cast<T>(touch.normal), cast<T>(touch.point), static_cast<T>(-touch.overlap), 0);
}

template <class T>
SCREE_HD void add_points(ContactPoints<T>& points, const SmoothTouches& all) {
    for (int k = 0; k < all.count; ++k) {
        const SmoothTouch& t = all.touch[k];
        add_point(points, cast<T>(t.normal), cast<T>(t.point), static_cast<T>(-t.overlap), k);
    }
}

/// One of the two smooth, or both: A and B in one origin near them.
template <class T>
SCREE_HD ContactPoints<T> smooth_points(const PlacedConvex<T>& a, const PlacedConvex<T>& b, T envelope) {
    ContactPoints<T> result;
    const double margin = static_cast<double>(envelope);
    SmoothTouch touch;
    if (a.shape.smooth != nullptr && b.shape.smooth != nullptr) {
        if (smooth_pair(smooth_of(a), smooth_of(b), {}, margin, touch)) add_point(result, touch);
    } else if (a.shape.smooth != nullptr) {
        if (smooth_with_convex(smooth_of(a), b, margin, touch)) add_point(result, touch);
    } else if (smooth_with_convex(smooth_of(b), a, margin, touch)) {
        turn_round(touch);
        add_point(result, touch);
    }
    return result;
}

}  // namespace scree
