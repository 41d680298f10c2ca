// The block step of a contact in every lane of one or more blocks, with their bodies at hand. Blocks side by side (LaneGroup): a step waits
// for what the one before it made of the same two bodies, through a root and a quotient, and the core has time for other bodies.
#pragma once

#include "engine/cone/sweeps/body_sweeps.hpp"
#include "engine/exec/lane_rows.hpp"

namespace scree::SCREE_FLAVOR {

/// A vector in each lane of so many blocks.
template <int Count>
using Vec3Group = Vec3T<LaneGroup<Count>>;

/// Values of a point in each block: the second block's lie `stride` after the first's.
template <int Count>
struct PointValues {
    Real* first;
    Index stride;

    SCREE_HD Real* at(int j, int value) const { return first + j * stride + value * lane_count; }
    SCREE_HD LaneGroup<Count> scalar(int value) const {
        return LaneGroup<Count>::of([&](int j) { return load_lanes(at(j, value)); });
    }
    SCREE_HD Vec3Group<Count> vector(int value) const { return {scalar(value), scalar(value + 1), scalar(value + 2)}; }
    SCREE_HD void put(int value, const LaneGroup<Count>& g) const {
        for (int j = 0; j < Count; ++j) store_lanes(at(j, value), g.part[j]);
    }
    SCREE_HD void put(int value, const Vec3Group<Count>& g) const {
        put(value, g.x);
        put(value + 1, g.y);
        put(value + 2, g.z);
    }
    SCREE_HD PointValues after(Index values) const { return {first + values * lane_count, stride}; }
};

/// One body of each lane.
template <int Count>
struct BodyLanes {
    Vec3Group<Count> v, w;
};
/// Its BodyMass, which stays in memory: registers are few.
template <int Count>
using MassLanes = LaneGroup<Count>[row_values];

/// Rows of BodyTwist to register j and back, rows of BodyMass to it.
template <int Count>
SCREE_HD void load_twists(const Real* const* row, int j, BodyLanes<Count>& b) {
    Lanes t[row_values];
    load_rows(row, t);
    b.v.x.part[j] = t[0];
    b.v.y.part[j] = t[1];
    b.v.z.part[j] = t[2];
    b.w.x.part[j] = t[4];
    b.w.y.part[j] = t[5];
    b.w.z.part[j] = t[6];
}
template <int Count>
SCREE_HD void store_twists(const BodyLanes<Count>& b, int j, Real* const* row) {
    const Lanes zero = Real(0);
    const Lanes t[row_values] = {b.v.x.part[j], b.v.y.part[j], b.v.z.part[j], zero, b.w.x.part[j], b.w.y.part[j], b.w.z.part[j], zero};
    store_rows(t, row);
}
template <int Count>
SCREE_HD void load_masses(const Real* const* row, int j, MassLanes<Count>& mass) {
    Lanes m[row_values];
    load_rows(row, m);
    for (int k = 0; k < row_values; ++k) mass[k].part[j] = m[k];
}

template <int Count>
SCREE_HD void push(BodyLanes<Count>& b, const MassLanes<Count>& mass, const Vec3Group<Count>& arm, const Vec3Group<Count>& g) {
    const Vec3Group<Count> t = cross(arm, g);
    const LaneGroup<Count>* I = mass + 1;
    b.v += mass[0] * g;
    b.w +=
        Vec3Group<Count>{I[0] * t.x + I[3] * t.y + I[4] * t.z, I[3] * t.x + I[1] * t.y + I[5] * t.z, I[4] * t.x + I[5] * t.y + I[2] * t.z};
}

/// Parts of a projection: it is normal n + tangential g_t.
template <int Count>
struct Projected {
    LaneGroup<Count> normal, tangential;
};
/// As project_cone(g, n, mu, stretch) of cones.hpp, of g with the normal part gn and the rest gt; steep = mu stretch^2, shrink =
/// 1 / (1 + mu steep). Without a tangential part g is inside or in the polar cone.
template <int Count>
SCREE_HD Projected<Count> project_lanes(const LaneGroup<Count>& gn, const Vec3Group<Count>& gt, const LaneGroup<Count>& mu,
                                        const LaneGroup<Count>& steep, const LaneGroup<Count>& shrink) {
    const auto zero = LaneGroup<Count>::all(Real(0)), one = LaneGroup<Count>::all(Real(1));
    const LaneGroup<Count> t = root_of(norm2(gt));
    const LaneGroup<Count> onto = steep * t;
    const auto polar = onto <= -gn, inside = t <= mu * gn;
    const LaneGroup<Count> normal = choose(inside, gn, (gn + onto) * shrink),
                           tangential = choose(inside, one, (gn / t + steep) * (mu * shrink));
    return {choose(polar, zero, normal), choose(polar, zero, tangential)};
}

/// As project_disk(g, n, mu) of cones.hpp.
template <int Count>
SCREE_HD Projected<Count> project_disk_lanes(const LaneGroup<Count>& gn, const Vec3Group<Count>& gt, const LaneGroup<Count>& mu) {
    const auto zero = LaneGroup<Count>::all(Real(0)), one = LaneGroup<Count>::all(Real(1));
    const LaneGroup<Count> t = root_of(norm2(gt)), normal = choose(gn <= zero, zero, gn), most = mu * normal;
    return {normal, choose(t <= most, one, most / t)};
}

/// One block step of a point in each lane and its effect on the two bodies. Normal and tangential parts go their own ways, which is the
/// shortest chain of operations from the velocities of the bodies to the impulse. slides: under Coulomb's law.
template <bool slides, int Count>
SCREE_HD void relax_lanes(const PointValues<Count>& point, const Vec3Group<Count>& between, const LaneGroup<Count>& omega,
                          const MassLanes<Count> (&mass)[2], BodyLanes<Count>& a, BodyLanes<Count>& b) {
    const Vec3Group<Count> arm = point.vector(kArm), n = point.vector(kNormal), before = point.vector(kImpulse), arm_b = arm - between;
    const Vec3Group<Count> u = b.v + cross(b.w, arm_b) - a.v - cross(a.w, arm) + point.vector(kBase);
    const LaneGroup<Count> un = dot(u, n), before_n = dot(before, n), across = point.scalar(kAcross);
    const LaneGroup<Count> gn = before_n - omega * point.scalar(kAlong) * un;
    const Vec3Group<Count> gt = (before - before_n * n) - (omega * across) * (u - un * n);
    Projected<Count> p;
    if constexpr (slides) {
        p = project_disk_lanes(gn, gt, point.scalar(kMu));
    } else {
        p = project_lanes(gn, gt, point.scalar(kMu), point.scalar(kSteep), point.scalar(kShrink));
    }
    const Vec3Group<Count> relaxed = p.normal * n + p.tangential * gt;
    // Points that nothing moves keep what they have.
    const auto moves = across > LaneGroup<Count>::all(Real(0));
    const Vec3Group<Count> now{choose(moves, relaxed.x, before.x), choose(moves, relaxed.y, before.y), choose(moves, relaxed.z, before.z)};
    point.put(kImpulse, now);
    const Vec3Group<Count> g = now - before;
    push(b, mass[1], arm_b, g);
    push(a, mass[0], arm, -g);
}

/// |x - P(x - eta u)| / eta of a point in each lane; zero where it does not move. Under Coulomb's law u has De Saxcé's term.
template <bool slides>
SCREE_HD Lanes miss_lanes(const PointValues<1>& point, const Vec3Group<1>& between, const BodyLanes<1>& a, const BodyLanes<1>& b) {
    const auto zero = LaneGroup<1>::all(Real(0)), one = LaneGroup<1>::all(Real(1));
    const Vec3Group<1> arm = point.vector(kArm), n = point.vector(kNormal), x = point.vector(kImpulse), arm_b = arm - between;
    Vec3Group<1> u = b.v + cross(b.w, arm_b) - a.v - cross(a.w, arm) + point.vector(kBase);
    const LaneGroup<1> eta = point.scalar(kEta), mu = point.scalar(kMu);
    if constexpr (slides) u += (mu * root_of(norm2(u - dot(u, n) * n))) * n;
    const Vec3Group<1> g = x - eta * u;
    const LaneGroup<1> gn = dot(g, n);
    const Vec3Group<1> gt = g - gn * n;
    const Projected<1> p = project_lanes(gn, gt, mu, mu, one / (one + mu * mu));
    const Vec3Group<1> miss = x - (p.normal * n + p.tangential * gt);
    const auto moves = eta > zero;
    return choose(moves, root_of(norm2(miss)) / choose(moves, eta, one), zero).part[0];
}

}  // namespace scree::SCREE_FLAVOR
