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

/// Shares of a force at `centre` (in the plane across n) for each point, such that they balance it: the least ones in the sense of least
/// squares, without negative ones. count: 1 to 4.
SCREE_HD void shares_of(const ContactPoints<Real>& c, Vec3R n, Vec3R middle, Vec3R centre, Real* share) {
    const Vec3R side = std::fabs(n.x) < Real(0.7) ? Vec3R{Real(1), Real(0), Real(0)} : Vec3R{Real(0), Real(1), Real(0)};
    const Vec3R e = normalized(cross(n, side)), f = cross(n, e);
    Real ee = 0, ef = 0, ff = 0;
    for (std::int32_t q = 0; q < c.count; ++q) {
        const Real x = dot(c.point[q] - middle, e), y = dot(c.point[q] - middle, f);
        ee += x * x;
        ef += x * y;
        ff += y * y;
    }
    const Real whole = ee + ff, determinant = ee * ff - ef * ef;
    const Real x = dot(centre - middle, e), y = dot(centre - middle, f);
    // On a line the second equation says nothing: the first one alone, along it.
    const bool flat = !(determinant > Real(1e-4) * whole * whole);
    const Real a = flat ? x / whole : (ff * x - ef * y) / determinant, b = flat ? y / whole : (ee * y - ef * x) / determinant;
    Real sum = 0;
    for (std::int32_t q = 0; q < c.count; ++q) {
        const Vec3R d = c.point[q] - middle;
        const Real even = Real(1) / static_cast<Real>(c.count);
        const Real w = whole > Real(0) ? even + a * dot(d, e) + b * dot(d, f) : even;
        share[q] = w > Real(0) ? w : Real(0);
        sum += share[q];
    }
    for (std::int32_t q = 0; q < c.count; ++q) share[q] /= sum;
}

/// Pushes on B at the present points.
SCREE_HD void carried_pushes(const ContactPoints<Real>& c, const RememberedPoints& old, Vec3R* push) {
    Vec3R lost{}, torque = old.torque, middle{};
    for (std::int32_t q = 0; q < c.count; ++q) {
        push[q] = {};
        middle += c.point[q] / static_cast<Real>(c.count);
    }
    for (int m = 0; m < 4; ++m) {
        std::int32_t same = -1;
        for (std::int32_t q = 0; q < c.count; ++q) same = c.key[q] == old.key[m] ? q : same;
        if (same < 0) {
            lost += old.push[m];
        } else {
            push[same] = old.push[m];
            torque -= cross(c.point[same], old.push[m]);
        }
    }
    const Real lost2 = norm2(lost);
    if (!(lost2 > Real(0))) return;
    // Where the lost force acts: on its line, at the height of the points.
    const Vec3R n = c.normal[0], on_line = cross(lost, torque) / lost2;
    const Real across = dot(lost, n);
    const bool steep = across * across > Real(0.1) * lost2;
    const Vec3R centre = steep ? on_line + (dot(middle - on_line, n) / across) * lost : on_line;
    Real share[4];
    shares_of(c, n, middle, centre, share);
    for (std::int32_t q = 0; q < c.count; ++q) push[q] += share[q] * lost;
}

}  // namespace scree::SCREE_FLAVOR
