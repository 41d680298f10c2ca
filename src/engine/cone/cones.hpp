// Projection onto friction cones (Anitescu & Tasora 2008; NOTES on eqs. 12-13 of Negrut et al. 2010): inside unchanged, in the polar cone
// zero, else orthogonally onto the surface. Contact impulses are vectors of any frame; n is the contact's normal in it.
// Symbols: g impulse on B [N s], c couple on B [N m s], mu friction, rho and sigma rolling and spinning friction lengths [m].
#pragma once

#include <cmath>

#include "base/vec3.hpp"

namespace scree {

/// Onto {g : |g - (g.n) n| <= mu g.n}.
template <class T>
SCREE_HD Vec3T<T> project_cone(Vec3T<T> g, Vec3T<T> n, T mu) {
    const T gn = dot(g, n);
    const Vec3T<T> gt = g - gn * n;
    const T t2 = norm2(gt);
    const T t = std::sqrt(t2);
    if (mu * t <= -gn) return {T(0), T(0), T(0)};  // first: without friction the axis' other half is in this cone, not in the next
    if (t <= mu * gn) return g;
    const T pn = (gn + mu * t) / (T(1) + mu * mu);
    return pn * n + (mu * pn / t) * gt;
}

/// The same, nearest in the metric in which parts along n weigh 1 / h_n and parts across 1 / h_t: in units of equal weight the cone has
/// the slope mu sqrt(h_n / h_t). stretch = sqrt(h_n / h_t). Without branches, for vector loops.
template <class T>
SCREE_HD Vec3T<T> project_cone(Vec3T<T> g, Vec3T<T> n, T mu, T stretch) {
    const T gn = dot(g, n);
    const Vec3T<T> gt = g - gn * n;
    const T slope = mu * stretch;
    const T t = stretch * std::sqrt(norm2(gt));
    const T on_surface = (gn + slope * t) / (T(1) + slope * slope);
    const bool polar = slope * t <= -gn, inside = t <= slope * gn;
    const T pn = polar ? T(0) : on_surface;
    const T part = (polar | inside) ? T(0) : slope * on_surface / t;
    const Vec3T<T> p = pn * n + part * gt;
    const bool keep = inside & !polar;
    return {keep ? g.x : p.x, keep ? g.y : p.y, keep ? g.z : p.z};
}

template <class T>
struct ImpulseAndCouple {
    Vec3T<T> impulse, couple;
};

/// Onto {(g, c) : |g_t| <= mu g_n, |c_t| <= rho g_n, |c_n| <= sigma g_n}, the couple weighed by 1 / scale (scale: a length [m], so that
/// c / scale is an impulse). The normal part solves p - g_n = sum_k m_k max(0, |x_k| - m_k p), which is monotonic and piecewise linear.
template <class T>
SCREE_HD ImpulseAndCouple<T> project_cone(ImpulseAndCouple<T> x, Vec3T<T> n, T mu, T rho, T sigma, T scale) {
    const T gn = dot(x.impulse, n);
    const Vec3T<T> gt = x.impulse - gn * n;
    const Vec3T<T> c = x.couple / scale;
    const T cn = dot(c, n);
    const Vec3T<T> ct = c - cn * n;
    const T length[3] = {norm(gt), norm(ct), std::fabs(cn)};
    const T slope[3] = {mu, rho / scale, sigma / scale};
    // p falls into one of four ranges by which terms are active; each term active once keeps being so for smaller p.
    T p = gn;
    for (int pass = 0; pass < 4; ++pass) {
        T above = gn, below = T(1);
        for (int k = 0; k < 3; ++k) {
            if (length[k] > slope[k] * p) {
                above += slope[k] * length[k];
                below += slope[k] * slope[k];
            }
        }
        const T next = above / below;
        if (next == p) break;
        p = next;
    }
    if (!(p > T(0))) return {{T(0), T(0), T(0)}, {T(0), T(0), T(0)}};
    T keep[3];
    for (int k = 0; k < 3; ++k) keep[k] = length[k] > slope[k] * p ? slope[k] * p / length[k] : T(1);
    return {p * n + keep[0] * gt, scale * (keep[1] * ct + (keep[2] * cn) * n)};
}

/// What a step of Coulomb's law does with a block: the normal part of no pull, then the tangential part into the disc of radius mu times
/// that (Alart & Curnier 1991), which slides without opening.
template <class T>
SCREE_HD Vec3T<T> project_disk(Vec3T<T> g, Vec3T<T> n, T mu) {
    const T gn = dot(g, n);
    const Vec3T<T> gt = g - gn * n;
    const T t = std::sqrt(norm2(gt));
    const T pn = gn > T(0) ? gn : T(0);
    const T most = mu * pn;
    const T part = t > most ? most / t : T(1);
    return pn * n + part * gt;
}

/// The same with couples, each part into its own disc: |c_t| <= rho g_n, |c_n| <= sigma g_n.
template <class T>
SCREE_HD ImpulseAndCouple<T> project_disk(ImpulseAndCouple<T> x, Vec3T<T> n, T mu, T rho, T sigma) {
    const T gn = dot(x.impulse, n);
    const Vec3T<T> impulse = project_disk(x.impulse, n, mu);
    const T pn = gn > T(0) ? gn : T(0);
    const T cn = dot(x.couple, n);
    const Vec3T<T> ct = x.couple - cn * n;
    const T t = std::sqrt(norm2(ct)), spin = std::fabs(cn);
    const T kept = t > rho * pn ? rho * pn / t : T(1), kept_spin = spin > sigma * pn ? sigma * pn / spin : T(1);
    return {impulse, kept * ct + (kept_spin * cn) * n};
}

}  // namespace scree
