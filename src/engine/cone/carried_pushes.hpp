// What the points of a pair start from: the pushes that the same points had a step ago. Where a face rocks on another, other corners of
// their common polygon are chosen from step to step; without more, a cube would start with part of the load it carries missing, and the
// solver would begin with residuals of metres per second. So pushes of points that are gone go to the present ones, with the same force
// and, as far as none of them pulls, the same torque.
#pragma once

#include "engine/cone/contact_table.hpp"

namespace scree::SCREE_FLAVOR {

/// What a pair remembers.
struct RememberedPoints {
    std::int32_t key[4];
    Vec3R push[4];  // on B [N]
    Vec3R torque;   // of all of them on B about the centre of A [N m]
};

/// Coordinates of the points across n, about their middle.
struct PointPlane {
    Vec3R middle, e, f;  // e, f: across n, with it a right-handed frame
    Real x[4], y[4];
};
SCREE_HD PointPlane plane_of(const ContactPoints<Real>& c, Vec3R n) {
    PointPlane s{};
    for (std::int32_t q = 0; q < c.count; ++q) s.middle += c.point[q] / static_cast<Real>(c.count);
    const Vec3R side = std::fabs(n.x) < Real(0.7) ? Vec3R{Real(1), Real(0), Real(0)} : Vec3R{Real(0), Real(1), Real(0)};
    s.f = normalized(cross(n, side));
    s.e = cross(s.f, n);
    for (std::int32_t q = 0; q < c.count; ++q) {
        s.x[q] = dot(c.point[q] - s.middle, s.e);
        s.y[q] = dot(c.point[q] - s.middle, s.f);
    }
    return s;
}

/// Changes the forces along n by as little as possible (in the sense of least squares), without negative ones, so that they sum up to
/// `sum` and their moments to sum_x and sum_y; nearly, where the points cannot. A point that would pull is left out and the rest goes to
/// the others.
SCREE_HD void balance(std::int32_t count, const PointPlane& s, Real sum, Real sum_x, Real sum_y, Real* along) {
    bool used[4] = {true, true, true, true};
    for (int pass = 0; pass < 4; ++pass) {
        Real points = 0, x = 0, y = 0;
        for (std::int32_t q = 0; q < count; ++q) {
            if (!used[q]) continue;
            points += Real(1);
            x += s.x[q];
            y += s.y[q];
        }
        if (!(points > Real(0))) return;
        x /= points;
        y /= points;
        Real xx = 0, xy = 0, yy = 0, miss = sum, miss_x = sum_x, miss_y = sum_y;
        for (std::int32_t q = 0; q < count; ++q) {
            miss -= along[q];
            miss_x -= along[q] * s.x[q];
            miss_y -= along[q] * s.y[q];
            if (!used[q]) continue;
            xx += (s.x[q] - x) * (s.x[q] - x);
            xy += (s.x[q] - x) * (s.y[q] - y);
            yy += (s.y[q] - y) * (s.y[q] - y);
        }
        miss_x -= miss * x;
        miss_y -= miss * y;
        // On a line moments across it cannot be met: the gradient runs along it.
        const Real whole = xx + yy, determinant = xx * yy - xy * xy;
        Real by_x = 0, by_y = 0;
        if (determinant > Real(1e-4) * whole * whole) {
            by_x = (yy * miss_x - xy * miss_y) / determinant;
            by_y = (xx * miss_y - xy * miss_x) / determinant;
        } else if (whole > Real(0)) {
            by_x = miss_x / whole;
            by_y = miss_y / whole;
        }
        bool pulls = false;
        for (std::int32_t q = 0; q < count; ++q) {
            if (!used[q]) continue;
            along[q] += miss / points + by_x * (s.x[q] - x) + by_y * (s.y[q] - y);
            if (along[q] < Real(0)) {
                along[q] = Real(0);
                used[q] = false;
                pulls = true;
            }
        }
        if (!pulls) return;
    }
}

/// Pushes on B at the present points.
SCREE_HD void carried_pushes(const ContactPoints<Real>& c, const RememberedPoints& old, Vec3R* push) {
    Vec3R lost{}, all{};
    for (std::int32_t q = 0; q < c.count; ++q) push[q] = {};
    for (int m = 0; m < 4; ++m) {
        std::int32_t same = -1;
        for (std::int32_t q = 0; q < c.count; ++q) same = c.key[q] == old.key[m] ? q : same;
        all += old.push[m];
        if (same < 0) {
            lost += old.push[m];
        } else {
            push[same] = old.push[m];
        }
    }
    if (!(norm2(lost) > Real(0))) return;
    const Vec3R n = c.normal[0];
    const PointPlane s = plane_of(c, n);
    const Vec3R torque = old.torque - cross(s.middle, all);
    Real along[4], sum = 0;
    for (std::int32_t q = 0; q < c.count; ++q) along[q] = dot(push[q], n);
    balance(c.count, s, dot(all, n), -dot(torque, s.f), dot(torque, s.e), along);
    Vec3R centre{};  // of the load, from the middle
    for (std::int32_t q = 0; q < c.count; ++q) {
        sum += along[q];
        centre += along[q] * (c.point[q] - s.middle);
    }
    if (sum > Real(0)) centre = centre / sum;
    // Across n: what is lost goes with the load, then a turn about n makes up for the rest of the moment.
    const Vec3R lost_across = lost - dot(lost, n) * n;
    Real spin = dot(torque, n), spread = 0, far2 = 0;
    for (std::int32_t q = 0; q < c.count; ++q) {
        const Vec3R kept = push[q] - dot(push[q], n) * n;
        push[q] = along[q] * n + kept + (sum > Real(0) ? along[q] / sum : Real(0)) * lost_across;
        spin -= dot(cross(c.point[q] - s.middle, push[q]), n);
        const Real r2 = norm2(c.point[q] - s.middle - centre);
        spread += along[q] * r2;
        far2 = r2 > far2 ? r2 : far2;
    }
    if (!(spread > Real(0))) return;
    // Friction bounds what points near to each other can turn.
    const Real most = Real(0.3) / std::sqrt(far2), asked = spin / spread;
    const Real turn = asked > most ? most : (asked < -most ? -most : asked);
    for (std::int32_t q = 0; q < c.count; ++q) push[q] += (turn * along[q]) * cross(n, c.point[q] - s.middle - centre);
}

}  // namespace scree::SCREE_FLAVOR
