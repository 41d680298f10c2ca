// The surface of an ellipsoid or superquadric,
//   ((|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q)^(1/q) = 1,  p, q >= 2,
// in its principal frame: its outermost point along a direction, and how it curves there. p = q = 2 is an ellipsoid; the larger p, the
// closer the section across z comes to a rectangle; the larger q, the closer the body comes to a prism with that section (Barr 1981, IEEE
// Comput. Graph. Appl. 1(1):11-23). The left side is a norm, and the body its unit ball, so that its support function is the dual norm,
// with exponents p / (p - 1) and q / (q - 1). A capsule is the ball of radius a whose centre goes along a stretch of its z axis.
#pragma once

#include <cmath>

#include "base/vec3.hpp"

namespace scree {

/// In units of the bounding radius of its shape.
struct SmoothSurface {
    Vec3 axes;               // a, b, c; 0: none
    double side{2}, top{2};  // p, q
    double stick{0};         // of a capsule, whose axes are equal: half the stretch

    SCREE_HD bool any() const { return axes.x > 0; }
    SCREE_HD bool ellipsoid() const { return side == 2 && top == 2; }

    /// The point of the surface whose outward normal has the direction of n, which is not 0.
    SCREE_HD Vec3 support(Vec3 n) const {
        const Vec3 s{axes.x * n.x, axes.y * n.y, axes.z * n.z};
        if (ellipsoid()) {
            const double h = norm(s);
            return {axes.x * (s.x / h), axes.y * (s.y / h), axes.z * (s.z / h) + (s.z < 0 ? -stick : stick)};
        }
        // h^m = w^m + z^m, m = q / (q - 1), and of its slope (z / h)^(m - 1) = z^m / z h / h^m; of w alike.
        const Joined w = join(s.x, s.y, side), h = join(w.value, s.z, top);
        return {axes.x * (h.first * w.first), axes.y * (h.first * w.second), axes.z * h.second};
    }

    /// The norm whose unit ball the body is, unless it is a capsule.
    SCREE_HD double gauge(Vec3 at) const {
        const double x = std::fabs(at.x / axes.x), y = std::fabs(at.y / axes.y), z = std::fabs(at.z / axes.z);
        if (ellipsoid()) return std::sqrt(x * x + y * y + z * z);
        return length(length(x, y, side), z, top);
    }

    /// A direction near that of the gradient of gauge() at a point that is not the centre: where to start from.
    SCREE_HD Vec3 outwards(Vec3 at) const { return {at.x / (axes.x * axes.x), at.y / (axes.y * axes.y), at.z / (axes.z * axes.z)}; }

    /// u . K v for directions u, v in the tangent plane at a point of the surface, K its curvature (second fundamental form); `height`:
    /// of the tangent plane over the centre.
    struct Curvature {
        double xx, xy, yy, zz;
        SCREE_HD double along(Vec3 u, Vec3 v) const { return u.x * (xx * v.x + xy * v.y) + u.y * (xy * v.x + yy * v.y) + zz * u.z * v.z; }
    };
    SCREE_HD Curvature curvature(Vec3 at, double height) const {
        if (ellipsoid()) {
            return {height / (axes.x * axes.x), 0, height / (axes.y * axes.y), height / (axes.z * axes.z)};
        }
        // Of F = (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q, whose gradient has the length q / height. On the planes of symmetry derivatives
        // of F may be infinite in one direction and 0 in another: there they are those of a point beside.
        constexpr double beside = 1e-3;
        const double x = away(at.x / axes.x, beside), y = away(at.y / axes.y, beside), z = std::fabs(at.z / axes.z);
        const double X = std::pow(x, side - 2), Y = std::pow(y, side - 2), sum = X * x * x + Y * y * y;
        const double power = top / side, outer = std::pow(sum, power - 1), inner = (power - 1) * side * side * outer / sum;
        const double dx = std::copysign(X * x / axes.x, at.x), dy = std::copysign(Y * y / axes.y, at.y);
        const double own = side * (side - 1) * outer, scale = height / top;
        return {scale * power * (inner * dx * dx + own * X / (axes.x * axes.x)), scale * power * inner * dx * dy,
                scale * power * (inner * dy * dy + own * Y / (axes.y * axes.y)),
                scale * top * (top - 1) * std::pow(z, top - 2) / (axes.z * axes.z)};
    }

private:
    SCREE_HD static double away(double x, double from) { return std::fabs(x) > from ? std::fabs(x) : from; }
    /// The dual norm of (x, y) for the exponent p, and its slopes along both.
    struct Joined {
        double value, first, second;
    };
    SCREE_HD static Joined join(double x, double y, double p) {
        if (p == 2) {
            const double r = std::sqrt(x * x + y * y), inverse = r > 0 ? 1 / r : 0.0;
            return {r, x * inverse, y * inverse};
        }
        const double m = p / (p - 1), along = std::fabs(x), across = std::fabs(y), large = along > across ? along : across;
        if (!(large > 0)) return {0, 0, 0};
        const double u = along / large, v = across / large, U = u < 1 ? std::pow(u, m) : 1.0, V = v < 1 ? std::pow(v, m) : 1.0;
        const double sum = U + V, root = std::pow(sum, 1 / m), scale = root / sum;
        return {large * root, std::copysign(u > 0 ? U / u * scale : 0.0, x), std::copysign(v > 0 ? V / v * scale : 0.0, y)};
    }
    SCREE_HD static double length(double x, double y, double p) {
        if (p == 2) return std::sqrt(x * x + y * y);
        const double large = x > y ? x : y, small = x > y ? y : x;
        return large > 0 ? large * std::pow(1 + std::pow(small / large, p), 1 / p) : 0.0;
    }
};

}  // namespace scree
