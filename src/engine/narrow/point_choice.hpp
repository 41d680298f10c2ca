// Which contact points stay where there are more than four: the deepest and the three that spread widest with it, none twice.
// The choice is meant to stay the same from step to step: within a window of the best, the candidate with the lowest rank is taken, so that
// noise does not decide. Ranks come from features, not from the order in which they were found.
#pragma once

#include <cstdint>

#include "engine/narrow/contact_points.hpp"

namespace scree {

/// Keys of contact points: kind * 2^28 + index. Vertices of either body, or a pair of edges, 14 bits for each.
namespace point_key {

enum Kind : std::int32_t { VertexOfA = 0, VertexOfB = 1, SidePair = 2, EdgePair = 3 };
inline constexpr std::int32_t kind_shift = 28;
inline constexpr std::int32_t side_shift = 14;
inline constexpr std::int32_t side_limit = 1 << side_shift;

SCREE_HD std::int32_t of_vertex(bool of_a, std::int32_t vertex) {
    return ((of_a ? VertexOfA : VertexOfB) << kind_shift) + vertex;
}
/// Sides of two faces (entries of the loop tables) that cross.
SCREE_HD std::int32_t of_sides(std::int32_t side_of_a, std::int32_t side_of_b) {
    return (SidePair << kind_shift) + ((side_of_a % side_limit) << side_shift) + side_of_b % side_limit;
}
SCREE_HD std::int32_t of_edges(std::int32_t edge_of_a, std::int32_t edge_of_b) {
    return (EdgePair << kind_shift) + ((edge_of_a % side_limit) << side_shift) + edge_of_b % side_limit;
}
/// The same for A and B changed over.
SCREE_HD std::int32_t rank_of(std::int32_t key) {
    const std::int32_t kind = key >> kind_shift, index = key & ((1 << kind_shift) - 1);
    if (kind < SidePair) return index;
    const std::int32_t i = index >> side_shift, j = index & (side_limit - 1);
    return (SidePair << kind_shift) + (i < j ? (i << side_shift) + j : (j << side_shift) + i);
}

}  // namespace point_key

/// A point that may become a contact point.
template <class T>
struct PointCandidate {
    Vec3T<T> at;
    T gap;
    std::int32_t key;
};

/// What counts as equal when points are chosen.
template <class T>
struct ChoiceWindow {
    T depth;  // gaps this near to the least are as deep [m]
    T same;   // points this near to each other are one [m]
};

namespace choice {

template <class T>
SCREE_HD bool leads(T value, std::int32_t key, T bound, std::int32_t best, std::int32_t best_rank) {
    return value >= bound && (best < 0 || point_key::rank_of(key) < best_rank);
}

/// The candidate of lowest rank among those as deep as the deepest.
template <class T>
SCREE_HD std::int32_t deepest(const PointCandidate<T>* c, std::int32_t n, T window) {
    T least = c[0].gap;
    for (std::int32_t i = 1; i < n; ++i) least = c[i].gap < least ? c[i].gap : least;
    std::int32_t best = -1, rank = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        if (!leads(-c[i].gap, c[i].key, -least - window, best, rank)) continue;
        best = i;
        rank = point_key::rank_of(c[i].key);
    }
    return best;
}

/// The candidate of lowest rank among those nearly as far as the farthest from `from`; -1 where all are there.
template <class T>
SCREE_HD std::int32_t farthest(const PointCandidate<T>* c, std::int32_t n, Vec3T<T> from, T same2) {
    T most = same2;
    for (std::int32_t i = 0; i < n; ++i) {
        const T d2 = norm2(c[i].at - from);
        most = d2 > most ? d2 : most;
    }
    if (!(most > same2)) return -1;
    std::int32_t best = -1, rank = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        if (!leads(norm2(c[i].at - from), c[i].key, T(0.96) * most, best, rank)) continue;
        best = i;
        rank = point_key::rank_of(c[i].key);
    }
    return best;
}

/// The same for the distance from the line through `from` along which `across` is zero; -1 where none is farther than `same`.
template <class T>
SCREE_HD std::int32_t farthest_beside(const PointCandidate<T>* c, std::int32_t n, Vec3T<T> from, Vec3T<T> across, T same) {
    T most = same;
    for (std::int32_t i = 0; i < n; ++i) {
        const T d = dot(c[i].at - from, across);
        most = d > most ? d : most;
    }
    if (!(most > same)) return -1;
    std::int32_t best = -1, rank = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        if (!leads(dot(c[i].at - from, across), c[i].key, T(0.96) * most, best, rank)) continue;
        best = i;
        rank = point_key::rank_of(c[i].key);
    }
    return best;
}

}  // namespace choice

/// Takes out corners of a ring that lie on the straight line between their neighbours, within `same`: where sides of two faces run along
/// each other they cross anywhere. Returns how many stay, at least two of more.
template <class T>
SCREE_HD std::int32_t straighten(PointCandidate<T>* c, std::int32_t n, T same) {
    std::int32_t kept = 0;
    Vec3T<T> before = c[n - 1].at;
    for (std::int32_t i = 0; i < n; ++i) {
        const Vec3T<T> way = (i + 1 < n ? c[i + 1].at : (kept > 0 ? c[0].at : before)) - before, to = c[i].at - before;
        const T length2 = norm2(way), along = dot(to, way);
        const Vec3T<T> off = !(along > T(0)) ? to : along < length2 ? to - (along / length2) * way : to - way;
        if (norm2(off) < same * same && kept + (n - i) > 2) continue;
        before = c[i].at;
        c[kept++] = c[i];
    }
    return kept;
}

/// Twice the area across m of four corners of a convex ring, given by their places in it.
template <class T>
SCREE_HD T twice_area(const PointCandidate<T>* c, const std::int32_t* four, Vec3T<T> m) {
    std::int32_t ring[4] = {four[0], four[1], four[2], four[3]};
    for (int pass = 0; pass < 3; ++pass) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t low = ring[k] < ring[k + 1] ? ring[k] : ring[k + 1];
            ring[k + 1] = ring[k] < ring[k + 1] ? ring[k + 1] : ring[k];
            ring[k] = low;
        }
    }
    return std::fabs(dot(m, cross(c[ring[2]].at - c[ring[0]].at, c[ring[3]].at - c[ring[1]].at)));
}

/// The candidates nearest to four points chosen before, in their order, each once; false where they are no choice now: where they span
/// less than `spread` of what the `fresh` choice spans, or a corner that is not among them is deeper than all by more than `depth`.
template <class T>
SCREE_HD bool choose_again(const PointCandidate<T>* c, std::int32_t n, Vec3T<T> m, const Vec3T<T>* held, const std::int32_t* fresh,
                           T spread, T depth, std::int32_t* chosen) {
    T least = c[0].gap, least_chosen = T(0);
    for (std::int32_t i = 1; i < n; ++i) least = c[i].gap < least ? c[i].gap : least;
    for (int k = 0; k < 4; ++k) {
        std::int32_t best = -1;
        T near2 = T(0);
        for (std::int32_t i = 0; i < n; ++i) {
            bool taken = false;
            for (int j = 0; j < k; ++j) taken = taken || chosen[j] == i;
            if (taken) continue;
            const Vec3T<T> to = c[i].at - held[k];
            const T up = dot(to, m), d2 = norm2(to) - up * up;
            if (best >= 0 && !(d2 < near2)) continue;
            best = i;
            near2 = d2;
        }
        chosen[k] = best;
        least_chosen = k == 0 || c[best].gap < least_chosen ? c[best].gap : least_chosen;
    }
    return least_chosen <= least + depth && twice_area(c, chosen, m) >= spread * twice_area(c, fresh, m);
}

/// Puts at most four of n candidates, in a plane across m, into `chosen`; returns how many. O(n).
template <class T>
SCREE_HD std::int32_t choose_points(const PointCandidate<T>* c, std::int32_t n, Vec3T<T> m, ChoiceWindow<T> window, std::int32_t* chosen) {
    const T same2 = window.same * window.same;
    std::int32_t count = 0;
    if (n > ContactPoints<T>::most) {
        std::int32_t wanted[4] = {choice::deepest(c, n, window.depth), -1, -1, -1};
        const Vec3T<T> first = c[wanted[0]].at;
        wanted[1] = choice::farthest(c, n, first, same2);
        if (wanted[1] >= 0) {
            const Vec3T<T> across = cross(m, c[wanted[1]].at - first);
            const T length2 = norm2(across);
            const Vec3T<T> beside = length2 > T(0) ? across / std::sqrt(length2) : Vec3T<T>{};
            wanted[2] = choice::farthest_beside(c, n, first, beside, window.same);
            wanted[3] = choice::farthest_beside(c, n, first, -beside, window.same);
        }
        for (const std::int32_t k : wanted) {
            bool fresh = k >= 0;
            for (std::int32_t j = 0; j < count && fresh; ++j) fresh = norm2(c[k].at - c[chosen[j]].at) > same2;
            if (fresh) chosen[count++] = k;
        }
        return count;
    }
    for (std::int32_t k = 0; k < n; ++k) {
        std::int32_t twin = -1;
        for (std::int32_t j = 0; j < count && twin < 0; ++j) twin = norm2(c[k].at - c[chosen[j]].at) > same2 ? -1 : j;
        if (twin < 0) {
            chosen[count++] = k;
        } else if (c[k].gap < c[chosen[twin]].gap) {
            chosen[twin] = k;
        }
    }
    return count;
}

template <class T>
SCREE_HD void add_point(ContactPoints<T>& points, Vec3T<T> normal, Vec3T<T> point, T gap, std::int32_t key) {
    const std::int32_t k = points.count++;
    points.normal[k] = normal;
    points.point[k] = point;
    points.gap[k] = gap;
    points.key[k] = key;
}

/// The same contact with A and B changed over; keys stay as they are.
template <class T>
SCREE_HD ContactPoints<T> reversed(ContactPoints<T> points) {
    for (std::int32_t k = 0; k < points.count; ++k) points.normal[k] = -points.normal[k];
    return points;
}

}  // namespace scree
