// Steps of one block in the metric of H (algebra.hpp), as kernels share them.
#pragma once

#include "engine/cone/operator.hpp"

namespace scree::SCREE_FLAVOR {

/// De Saxcé's term of a block with these velocities (De Saxcé & Feng 1998): mu |u_t|, with couples + rho |w_t| + sigma |w_n| [m/s].
SCREE_HD Real sliding_of(const ConeView& cone, const ImpulseAndCouple<Real>& u, Index k) {
    const Vec3R n = cone.normal[k];
    Real sum = cone.mu[k] * norm(u.impulse - dot(u.impulse, n) * n);
    if (cone.rolling == nullptr) return sum;
    const Real w_n = dot(u.couple, n);
    return sum + cone.rolling[k] * norm(u.couple - w_n * n) + cone.spinning[k] * std::fabs(w_n);
}

/// Nearest point of block k's cone in the metric of H^-1.
SCREE_HD ImpulseAndCouple<Real> project_in_metric(const ConeView& cone, const ImpulseAndCouple<Real>& g, bool rolls, Index k) {
    const BlockSteps h = steps_of(cone, k);
    const Real stretch = std::sqrt(h.along / h.across);
    const Vec3R n = cone.normal[k];
    if (!rolls) return {project_cone(g.impulse, n, cone.mu[k], stretch), g.couple};
    const auto stretched = [&](Vec3R v, Real by) { return by * v + ((Real(1) - by) * dot(v, n)) * n; };
    const ImpulseAndCouple<Real> p = project_cone(ImpulseAndCouple<Real>{stretched(g.impulse, stretch), g.couple}, n, stretch * cone.mu[k],
                                                  cone.rolling[k], cone.spinning[k], cone.reach[k] * std::sqrt(cone.eta[k] / h.along));
    return {stretched(p.impulse, Real(1) / stretch), p.couple};
}

SCREE_HD ImpulseAndCouple<Real> block_of(const UnknownsView& x, Index k) {
    return {x.impulse[k], x.couple != nullptr ? x.couple[k] : Vec3R{Real(0), Real(0), Real(0)}};
}

/// Block k into its discs, under Coulomb's law.
SCREE_HD ImpulseAndCouple<Real> into_disk(const ConeView& cone, const ImpulseAndCouple<Real>& g, bool rolls, Index k) {
    const Vec3R n = cone.normal[k];
    if (!rolls) return {project_disk(g.impulse, n, cone.mu[k]), g.couple};
    return project_disk(g, n, cone.mu[k], cone.rolling[k], cone.spinning[k]);
}

/// P(x - step H u); blocks that do not move keep what they have.
SCREE_HD ImpulseAndCouple<Real> stepped_block(const ConeView& cone, ImpulseAndCouple<Real> x, Real step, const ImpulseAndCouple<Real>& u,
                                              Index k) {
    const Real eta = cone.eta[k];
    if (!(eta > Real(0))) return x;
    const bool rolls = cone.rolling != nullptr;
    x.impulse -= step * scaled(steps_of(cone, k), cone.normal[k], u.impulse);
    if (rolls) x.couple -= (step * eta * cone.reach[k] * cone.reach[k]) * u.couple;
    return cone.slides ? into_disk(cone, x, rolls, k) : project_in_metric(cone, x, rolls, k);
}

/// |x - P(x - eta u)| / eta of a block, whatever the metric; u with De Saxcé's term under Coulomb's law.
SCREE_HD double miss_of(const ConeView& cone, const ImpulseAndCouple<Real>& x, ImpulseAndCouple<Real> u, Index k) {
    const Real eta = cone.eta[k];
    if (!(eta > Real(0))) return 0;
    if (cone.slides) u.impulse += sliding_of(cone, u, k) * cone.normal[k];
    if (cone.rolling == nullptr) {
        const Vec3R p = project_cone(x.impulse - eta * u.impulse, cone.normal[k], cone.mu[k], Real(1));
        return static_cast<double>(norm(x.impulse - p) / eta);
    }
    const Real reach = cone.reach[k];
    const ImpulseAndCouple<Real> p =
        project_cone(ImpulseAndCouple<Real>{x.impulse - eta * u.impulse, x.couple - (eta * reach * reach) * u.couple}, cone.normal[k],
                     cone.mu[k], cone.rolling[k], cone.spinning[k], reach);
    const double miss2 = static_cast<double>(norm2(x.impulse - p.impulse)) + static_cast<double>(norm2((x.couple - p.couple) / reach));
    return std::sqrt(miss2) / static_cast<double>(eta);
}

SCREE_HD Real stepped_scalar(const ConeView& cone, const UnknownsView& x, Real step, const UnknownsView& u, Index s) {
    const Real eta = cone.scalar_eta[s];
    return eta > Real(0) ? project_scalar(cone, x.scalar[s] - step * eta * u.scalar[s], s) : x.scalar[s];
}
/// |x - P(x - eta u)| / eta of a row.
SCREE_HD double miss_of_scalar(const ConeView& cone, const UnknownsView& x, const UnknownsView& u, Index s) {
    const Real eta = cone.scalar_eta[s];
    const double miss = std::fabs(static_cast<double>(x.scalar[s] - stepped_scalar(cone, x, Real(1), u, s)));
    return eta > Real(0) ? miss / static_cast<double>(eta) : miss;
}

/// By component: a struct copied out of an array keeps a loop from becoming vector code.
SCREE_HD Vec3R read(const Vec3R* a, Index k) {
    return {a[k].x, a[k].y, a[k].z};
}
SCREE_HD void write(Vec3R* a, Index k, Vec3R v) {
    a[k].x = v.x;
    a[k].y = v.y;
    a[k].z = v.z;
}
SCREE_HD Vec3R extrapolated(const Vec3R* x, const Vec3R* before, Real beta, Index k) {
    const Vec3R now = read(x, k);
    return now + beta * (now - read(before, k));
}

SCREE_HD ImpulseAndCouple<Real> extrapolated(const UnknownsView& x, const UnknownsView& before, Real beta, Index k) {
    ImpulseAndCouple<Real> y{x.impulse[k] + beta * (x.impulse[k] - before.impulse[k]), {}};
    if (x.couple != nullptr) y.couple = x.couple[k] + beta * (x.couple[k] - before.couple[k]);
    return y;
}
/// H u of block k, or H^-1 u; zero where the block does not move.
SCREE_HD ImpulseAndCouple<Real> scaled_block(const ConeView& cone, const ImpulseAndCouple<Real>& u, bool inverse, Index k) {
    const Real eta = cone.eta[k];
    const Real scale = eta > Real(0) ? (inverse ? Real(1) / eta : eta) : Real(0);
    const BlockSteps h = steps_of(cone, k);
    const bool moves = eta > Real(0);
    const BlockSteps by{moves ? (inverse ? Real(1) / h.along : h.along) : Real(0),
                        moves ? (inverse ? Real(1) / h.across : h.across) : Real(0)};
    ImpulseAndCouple<Real> out{scaled(by, cone.normal[k], u.impulse), {}};
    if (cone.rolling == nullptr) return out;
    const Real reach2 = cone.reach[k] * cone.reach[k];
    out.couple = (inverse ? scale / reach2 : scale * reach2) * u.couple;
    return out;
}
SCREE_HD Real scaled_scalar(const ConeView& cone, Real u, bool inverse, Index s) {
    const Real eta = cone.scalar_eta[s];
    return (eta > Real(0) ? (inverse ? Real(1) / eta : eta) : Real(0)) * u;
}

}  // namespace scree::SCREE_FLAVOR
