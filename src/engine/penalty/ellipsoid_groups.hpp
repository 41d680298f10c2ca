// Pairs of ellipsoids, the search of four at once. Pairs that have been found apart keep a direction that shows it, rounded, in place of a
// feature: as long as that parts them they are not searched. It saves work and changes nothing.
#pragma once

#include "base/four.hpp"
#include "engine/exec/batches.hpp"
#include "engine/penalty/convex_pairs.hpp"

namespace scree::SCREE_FLAVOR {

SCREE_HD bool is_ellipsoid(const BodyView& body, const ShapeView& shapes, Index i) {
    const SmoothSurface& s = shapes.entry[body.shape[i]].smooth;
    return s.any() && s.ellipsoid() && !(s.stick > 0);
}

#if defined(SCREE_FOUR_AT_ONCE)

inline constexpr bool four_at_once = true;

/// Four pairs.
struct FourEllipsoids {
    EllipsoidForm<Four> a, b;
    Vec3T<Four> d;
    Four size;
};

/// The pairs of ellipsoids of one batch, in the order in which they were added.
class EllipsoidGroups {
public:
    void add(Index p) { pair_[count_++] = p; }

    void search(const BodyView& body, const ConvexPairView& v, const PatchSettings& s) {
        int some = 0;
        for (int k = 0; k < count_; ++k) {
            touching_[k] = false;
            const Vec3 axis = cast<double>(v.patch.axis[pair_[k]]);
            const double length = norm(axis);
            start_[k] = length > 0 ? (1 / length) * axis : Vec3{};
            if (length > 0) continue;
            if (v.patch.feature[pair_[k]] >= 0) {
                start_[k] = direction_of(v.patch.feature[pair_[k]]);
                some = queue(k, some);
                if (some == 4) some = part(body, v, s, some);
            } else {
                start_from(body, v, s, k);
            }
        }
        part(body, v, s, some);
        some = 0;
        for (int k = 0; k < count_; ++k) {
            if (apart_[k]) continue;
            some = queue(k, some);
            if (some == 4) some = meet(body, v, s, some);
        }
        meet(body, v, s, some);
    }

    PatchGeometry<Real> patch(int k, Law law) const { return touching_[k] ? patch_of(touch_[k], law) : PatchGeometry<Real>{}; }

private:
    Index pair_[longest_batch];
    Vec3 start_[longest_batch];  // unit vectors
    SmoothTouch touch_[longest_batch];
    bool touching_[longest_batch], apart_[longest_batch]{};
    int count_{0}, queue_[4]{};

    int queue(int k, int some) {
        queue_[some] = k;
        return some + 1;
    }
    void start_from(const BodyView& body, const ConvexPairView& v, const PatchSettings& s, int k) {
        const Index i = v.a[pair_[k]], j = v.b[pair_[k]];
        start_[k] = first_direction(placed_smooth(body, s.shapes, i, {}),
                                    placed_smooth(body, s.shapes, j, relative_position(body.position[i], body.position[j])));
    }

    /// The pairs of the queue; the first once more where there are less than four.
    FourEllipsoids gather(const BodyView& body, const ConvexPairView& v, const PatchSettings& s, int some, Vec3T<Four>& n) const {
        Four q[2][4], axes[2][3];
        FourEllipsoids four;
        for (int l = 0; l < 4; ++l) {
            const int k = queue_[l < some ? l : 0];
            const Index of[2] = {v.a[pair_[k]], v.b[pair_[k]]};
            for (int side = 0; side < 2; ++side) {
                const Quat turn = body.orientation[of[side]];
                const Vec3 half = body.radius[of[side]] * s.shapes.entry[body.shape[of[side]]].smooth.axes;
                q[side][0][l] = turn.w;
                q[side][1][l] = turn.x;
                q[side][2][l] = turn.y;
                q[side][3][l] = turn.z;
                axes[side][0][l] = half.x;
                axes[side][1][l] = half.y;
                axes[side][2][l] = half.z;
            }
            const Vec3 d = relative_position(body.position[of[0]], body.position[of[1]]);
            const double a = body.radius[of[0]], b = body.radius[of[1]];
            four.d.x[l] = d.x;
            four.d.y[l] = d.y;
            four.d.z[l] = d.z;
            four.size[l] = a < b ? a : b;
            n.x[l] = start_[k].x;
            n.y[l] = start_[k].y;
            n.z[l] = start_[k].z;
        }
        four.a = form_of({axes[0][0], axes[0][1], axes[0][2]}, turn_of(q[0][0], q[0][1], q[0][2], q[0][3]));
        four.b = form_of({axes[1][0], axes[1][1], axes[1][2]}, turn_of(q[1][0], q[1][1], q[1][2], q[1][3]));
        return four;
    }

    /// Are the pairs of the queue still apart along the directions that showed it last? Others start anew.
    int part(const BodyView& body, const ConvexPairView& v, const PatchSettings& s, int some) {
        if (some == 0) return 0;
        Vec3T<Four> n;
        const FourEllipsoids four = gather(body, v, s, some, n);
        const Four value = reach_of(four.a, four.b, four.d, n).value;
        for (int l = 0; l < some; ++l) {
            apart_[queue_[l]] = value[l] < 0;
            if (!apart_[queue_[l]]) start_from(body, v, s, queue_[l]);
        }
        return 0;
    }

    int meet(const BodyView& body, const ConvexPairView& v, const PatchSettings& s, int some) {
        if (some == 0) return 0;
        Vec3T<Four> n;
        const FourEllipsoids four = gather(body, v, s, some, n);
        EllipsoidTouch<Four> found;
        const FourAnswers near = meet_ellipsoids(four.a, four.b, four.d, n, four.size, 0, found);
        for (int l = 0; l < some; ++l) {
            const int k = queue_[l];
            const Vec3 normal{found.normal.x[l], found.normal.y[l], found.normal.z[l]};
            touching_[k] = near[l] != 0;
            if (!touching_[k]) {
                v.patch.feature[pair_[k]] = rounded_direction(normal);
                continue;
            }
            touch_[k] = {found.overlap[l], normal, {found.point.x[l], found.point.y[l], found.point.z[l]}, 0, 1};
            fit_paraboloid({found.bend.uu[l], found.bend.uv[l], found.bend.vv[l]}, four.size[l], touch_[k]);
        }
        return 0;
    }
};

#else

inline constexpr bool four_at_once = false;

class EllipsoidGroups {
public:
    SCREE_HD void add(Index) {}
    SCREE_HD void search(const BodyView&, const ConvexPairView&, const PatchSettings&) {}
    SCREE_HD PatchGeometry<Real> patch(int, Law) const { return {}; }
};

#endif

}  // namespace scree::SCREE_FLAVOR
