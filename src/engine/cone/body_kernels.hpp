// What the kernels of the body operator share: what impulses do to bodies, and vectors in stages.
#pragma once

#include "engine/cone/body_operator.hpp"

namespace scree::SCREE_FLAVOR {

/// I^-1 t.
SCREE_HD Vec3R times(const BodyMass& m, Vec3R t) {
    const Real* I = m.inverse_inertia;
    return {I[0] * t.x + I[3] * t.y + I[4] * t.z, I[3] * t.x + I[1] * t.y + I[5] * t.z, I[4] * t.x + I[5] * t.y + I[2] * t.z};
}

/// A vector in a pack of a stage.
SCREE_HD void put(const StageSlot<Real>& slot, int pack, Vec3R v) {
    Real* to = slot.pack(pack);
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}
SCREE_HD Vec3R take(const StageSlot<Real>& slot, int pack) {
    return {slot.at(pack, 0), slot.at(pack, 1), slot.at(pack, 2)};
}

SCREE_HD Real scalar_rate(const ScalarRow& r, const BodyTwist* twist) {
    Real rate = 0;
    for (const ScalarTerm& t : r.term) {
        if (t.body >= 0) rate += dot(t.linear, twist[t.body].v) + dot(t.angular, twist[t.body].w);
    }
    return rate;
}
SCREE_HD void push_scalar(const ScalarRow& r, Real impulse, BodyTwist* twist, const BodyMass* mass) {
    for (const ScalarTerm& t : r.term) {
        if (t.body < 0) continue;
        twist[t.body].v += (impulse * mass[t.body].inverse_mass) * t.linear;
        twist[t.body].w += times(mass[t.body], impulse * t.angular);
    }
}

}  // namespace scree::SCREE_FLAVOR
