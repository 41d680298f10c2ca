// Contacts of two smooth bodies of which one is a superquadric, where the direction to start from is near: Newton's method for the two
// points whose normals are opposite and on one line. Where a face is flat its support function has no second derivative, and meet() of
// smooth_contact.hpp takes many steps in the direction; its curvature there is 0, and in points one or two do.
// With K_A, K_B the curvatures in the tangent plane of A, s the overlap, w the points' distance and m the sum of both normals in that
// plane,
//   (K_A + K_B - s K_B K_A) dx = -(m + K_B w),  dy = (1 - s K_A) dx + w.
#pragma once

#include <cmath>

#include "engine/narrow/ellipsoids.hpp"

namespace scree {

/// x^p for x >= 0: by products where p is a small whole number.
SCREE_HD double power_of(double x, double p) {
    if (p == 2) return x * x;
    constexpr double most = 18;
    const int whole = p <= most ? static_cast<int>(p) : 0;
    if (static_cast<double>(whole) != p) return std::pow(x, p);
    double result = 1, square = x;
    for (int left = whole; left > 0; left >>= 1, square *= square)
        if ((left & 1) != 0) result *= square;
    return result;
}

/// How a superquadric is at a place near its surface, in the world: with F the sum of powers that is 1 on it.
struct SurfacePlace {
    Vec3 normal;            // outward unit vector along F's gradient
    double height;          // of the place over the surface, to first order [m]
    Vec3 own;               // F's gradient in the body's frame, over the exponent of the axis
    double xx, xy, yy, zz;  // F's second derivatives there, over the same, and over the gradient's length [1/m]

    /// u . K v for directions of the body's frame in the tangent plane [1/m].
    SCREE_HD double along(Vec3 u, Vec3 v) const { return u.x * (xx * v.x + xy * v.y) + u.y * (xy * v.x + yy * v.y) + zz * u.z * v.z; }
};
SCREE_HD SurfacePlace place_on(const PlacedSmooth& a, Vec3 at) {
    constexpr double beside = 1e-3;  // as SmoothSurface::curvature()
    const SmoothSurface& s = a.surface;
    const double P = s.side, Q = s.top;
    const Vec3 p = (1 / a.scale) * transposed_times(a.turn, at - a.at);
    const double x = std::fabs(p.x / s.axes.x), y = std::fabs(p.y / s.axes.y), z = std::fabs(p.z / s.axes.z);
    const auto off = [](double u) { return u > beside ? u : beside; };
    const double X = power_of(x, P - 2), Y = power_of(y, P - 2), Z = power_of(z, Q - 2), flat = X * x * x + Y * y * y;
    const double outer = P == Q ? 1.0 : (flat > 0 ? std::pow(flat, Q / P - 1) : 0.0);
    SurfacePlace place;
    place.own = {std::copysign(outer * X * x / s.axes.x, p.x), std::copysign(outer * Y * y / s.axes.y, p.y),
                 std::copysign(Z * z / s.axes.z, p.z)};
    const double length = norm(place.own);
    place.normal = a.turn * ((1 / length) * place.own);
    place.height = a.scale * (outer * flat + Z * z * z - 1) / (Q * length);
    const double bx = off(x), by = off(y), BX = bx == x ? X : power_of(bx, P - 2), BY = by == y ? Y : power_of(by, P - 2);
    const double there = BX * bx * bx + BY * by * by, outer_there = P == Q ? 1.0 : std::pow(there, Q / P - 1);
    const double k = 1 / (length * a.scale), cross_of = P == Q ? 0.0 : outer_there * (Q - P) / there;
    const double dx = std::copysign(BX * bx / s.axes.x, p.x), dy = std::copysign(BY * by / s.axes.y, p.y);
    place.xx = k * (outer_there * (P - 1) * BX / (s.axes.x * s.axes.x) + cross_of * dx * dx);
    place.xy = k * cross_of * dx * dy;
    place.yy = k * (outer_there * (P - 1) * BY / (s.axes.y * s.axes.y) + cross_of * dy * dy);
    place.zz = k * (Q - 1) * Z / (s.axes.z * s.axes.z);
    return place;
}

SCREE_HD Bend bend_at(const PlacedSmooth& a, const SurfacePlace& place, const Tangents& t) {
    const Vec3 u = transposed_times(a.turn, t.u), v = transposed_times(a.turn, t.v);
    return {place.along(u, u), place.along(u, v), place.along(v, v)};
}

/// A ball's, likewise.
struct BallPlace {
    Vec3 normal;
    double height;
};
SCREE_HD BallPlace place_on(const PlacedBall& b, Vec3 at) {
    const Vec3 from = at - b.at;
    const double length = norm(from);
    return {(1 / length) * from, length - b.scale};
}
SCREE_HD Bend bend_at(const PlacedBall& b, const BallPlace&, const Tangents&) {
    return {1 / b.scale, 0, 1 / b.scale};
}

/// What came of a search in points.
enum class InPoints { Met, Apart, Unknown };

/// n: where to start, a unit vector from A to B. Apart: touch.normal is a direction that shows it. Unknown where the steps do not close on
/// a place where the two are the least deep.
template <class B>
SCREE_HD_SHARED InPoints meet_in_points(const PlacedSmooth& a, const B& b, Vec3 n, double margin, SmoothTouch& touch) {
    constexpr int most_steps = 8;
    constexpr double close = 1e-6;  // of 1 and of the smaller body's size: the overlap misses the square of that
    const double size = a.scale < b.scale ? a.scale : b.scale;
    Vec3 x = a.support(n), y = b.support(-n);
    touch.normal = n;
    if (!(dot(x - y, n) > -margin)) return InPoints::Apart;
    for (int step = 0; step < most_steps; ++step) {
        const auto of_a = place_on(a, x);
        const auto of_b = place_on(b, y);
        x = x - of_a.height * of_a.normal;
        y = y - of_b.height * of_b.normal;
        const Tangents t = tangents_of(of_a.normal);
        const Bend A = bend_at(a, of_a, t), K = bend_at(b, of_b, t);
        const Vec3 apart = x - y;
        const double s = dot(apart, of_a.normal), wu = dot(apart, t.u), wv = dot(apart, t.v), mu = dot(of_b.normal, t.u),
                     mv = dot(of_b.normal, t.v);
        if (!(dot(of_a.normal, of_b.normal) < 0)) return InPoints::Unknown;
        // M = K_A + K_B (1 - s K_A), as a matrix with rows u and v.
        const double quu = 1 - s * A.uu, quv = -s * A.uv, qvv = 1 - s * A.vv;
        const double Muu = A.uu + K.uu * quu + K.uv * quv, Muv = A.uv + K.uu * quv + K.uv * qvv, Mvu = A.uv + K.uv * quu + K.vv * quv,
                     Mvv = A.vv + K.uv * quv + K.vv * qvv;
        const double det = Muu * Mvv - Muv * Mvu, least = least_radius / size;
        if (!(Muu + Mvv > 0 && det > least * least)) return InPoints::Unknown;
        if (mu * mu + mv * mv < close * close && wu * wu + wv * wv < close * close * size * size &&
            std::fabs(of_a.height) + std::fabs(of_b.height) < close * size) {
            touch.normal = of_a.normal;
            if (!(s > -margin)) return InPoints::Apart;
            touch.overlap = s;
            touch.point = touching_point(x, A, y, K, t, size);
            fit_paraboloid(A + K, size, touch);
            return InPoints::Met;
        }
        const double ru = -(mu + K.uu * wu + K.uv * wv), rv = -(mv + K.uv * wu + K.vv * wv);
        double xu = (Mvv * ru - Muv * rv) / det, xv = (Muu * rv - Mvu * ru) / det;
        double yu = quu * xu + quv * xv + wu, yv = quv * xu + qvv * xv + wv;
        const double far2 = std::fmax(xu * xu + xv * xv, yu * yu + yv * yv), most = 0.2 * size;
        if (!(far2 < 25 * most * most)) return InPoints::Unknown;
        if (far2 > most * most) {
            const double part = most / std::sqrt(far2);
            xu *= part, xv *= part, yu *= part, yv *= part;
        }
        // Along the surfaces, to second order.
        x += xu * t.u + xv * t.v - (0.5 * (A.uu * xu * xu + 2 * A.uv * xu * xv + A.vv * xv * xv)) * of_a.normal;
        y += yu * t.u + yv * t.v - (0.5 * (K.uu * yu * yu + 2 * K.uv * yu * yv + K.vv * yv * yv)) * of_b.normal;
    }
    return InPoints::Unknown;
}

}  // namespace scree
