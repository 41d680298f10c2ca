// The points of two polyhedra that hardly move against each other are not searched for anew: each keeps its place on either body and its
// normal on A, and its gap follows from where the bodies are. A face's plane and what lies over it stay what they are, so gaps are exact to
// the second order of the motion since the search, and points lag by the first. What is kept is history: it goes from list to list and into
// checkpoints, so that neither lists nor restarts show.
#pragma once

#include "base/quat.hpp"
#include "engine/cone/contact_table.hpp"
#include "engine/narrow/face_points.hpp"
#include "engine/contacts/lists.hpp"
#include "model/convex_view.hpp"

namespace scree::SCREE_FLAVOR {

/// Motion since the search, in bounding radii of the smaller body: gaps then miss by its square, 2e-5, where a settled bed has overlaps of
/// 1e-3, and points lag by less than half a hundredth. With 10 sweeps a step, three quarters of a bed's pairs are within it; of a fourth
/// of it, a quarter.
constexpr Real still_within = Real(4e-3);
/// And in envelopes: what had no point was an envelope apart or more, and is not to come near without one.
constexpr Real still_of_envelope = Real(0.5);

/// Where B is and how it is turned, as seen from A.
struct SeenPlace {
    Vec3R at;
    Real turn[4];
};
SCREE_HD SeenPlace place_seen(const PlacedBody& a, Vec3R to_b, Quat of_a, Quat of_b) {
    const Quat q = conjugate(of_a) * of_b;
    return {transposed_times(a.turn, to_b),
            {static_cast<Real>(q.w), static_cast<Real>(q.x), static_cast<Real>(q.y), static_cast<Real>(q.z)}};
}

/// The points kept, brought to where the bodies are now, from the centre of A; false where they moved too far, or one is past the envelope.
SCREE_HD bool recall_points(const KeptPoints& kept, const PointsView& memory, Index p, const PlacedBody& a, const PlacedBody& b, Vec3R to_b,
                            const SeenPlace& place, Real envelope, ContactPoints<Real>& out) {
    Real same = 0, turned2 = 0;
    for (int k = 0; k < 4; ++k) same += place.turn[k] * kept.turn[k];
    for (int k = 0; k < 4; ++k) {
        // Both signs of a quaternion mean the same.
        const Real change = same < Real(0) ? place.turn[k] + kept.turn[k] : place.turn[k] - kept.turn[k];
        turned2 += change * change;
    }
    // Quaternions differ by half the angle.
    const Real moved = norm(place.at - kept.place) + Real(2) * std::sqrt(turned2) * (a.scale + b.scale);
    const Real by_size = still_within * (a.scale < b.scale ? a.scale : b.scale), by_envelope = still_of_envelope * envelope;
    if (!(moved < (by_size < by_envelope ? by_size : by_envelope))) return false;
    out.count = 0;
    for (int q = 0; q < 4 && memory.key[q][p] != PointHistory::no_key; ++q) {
        const Vec3R on_a = a.turn * kept.on_a[q], on_b = to_b + b.turn * kept.on_b[q], normal = a.turn * kept.normal[q];
        const Real gap = dot(on_b - on_a, normal);
        if (!(gap <= envelope)) return false;
        out.normal[q] = normal;
        out.point[q] = Real(0.5) * (on_a + on_b);
        out.gap[q] = gap;
        out.key[q] = memory.key[q][p];
        ++out.count;
    }
    return true;
}

/// The points of a step ago where they are now, on A; from its centre.
SCREE_HD points::HeldPoints<Real> held_points(const KeptPoints& kept, const PointsView& memory, Index p, const PlacedBody& a) {
    points::HeldPoints<Real> held;
    for (int q = 0; q < 4 && memory.key[q][p] != PointHistory::no_key; ++q) held.at[held.count++] = a.turn * kept.on_a[q];
    return held;
}

SCREE_HD void keep_points(const ContactPoints<Real>& found, const PlacedConvex<Real>& a, const PlacedConvex<Real>& b,
                          const SeenPlace& place, KeptPoints& kept) {
    kept.place = place.at;
    for (int k = 0; k < 4; ++k) kept.turn[k] = place.turn[k];
    for (int q = 0; q < ContactPoints<Real>::most; ++q) {
        if (q >= found.count) {
            kept.on_a[q] = kept.on_b[q] = kept.normal[q] = {};
            continue;
        }
        const Vec3R half = (Real(0.5) * found.gap[q]) * found.normal[q];
        kept.on_a[q] = transposed_times(a.turn, found.point[q] - half - a.at);
        kept.on_b[q] = transposed_times(b.turn, found.point[q] + half - b.at);
        kept.normal[q] = transposed_times(a.turn, found.normal[q]);
    }
}

}  // namespace scree::SCREE_FLAVOR
