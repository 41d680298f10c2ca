#include "engine/bonds/element.hpp"
#include "engine/exec/loops.hpp"
#include "engine/exec/reduce.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// A bond that breaks between two steps.
struct Breaking {
    BondsView v;
    std::int32_t* how;
    std::int64_t* broken_step;
    double *dissipated, *power, *freed;
    Vec3View<double> place, push, couple;  // the latter two null without accounts
    std::int64_t step;
    double dt;

    SCREE_HD Vec3 middle(const BondNow& s, Index k) const {
        const Vec3 x = v.body.position[v.a[k]] + 0.5 * s.arm;
        const Cell& at = v.motion == nullptr ? v.cell : v.motion->cell;
        return at.any() ? x + at.shift(at.home(x, 0.0)) : x;
    }
    /// It has acted on the step that ended, and does for half of the next: what it gives then is taken off what it holds now.
    SCREE_HD void breaks(const BondNow& s, Index k) const {
        const BondRow row = v.rows[k];
        const BondKindRow kind = v.kinds[v.kind[k]];
        const double energy = energy_of(row, kind.compressed > 0, s, 1 - v.damage[k]);
        BondForce f = left_of(elastic(row, kind.compressed > 0, s), v.damage[k], s.n);
        if (kind.damping > 0) add_damped(damped(row, kind, s, 1 - v.damage[k]), s, f);
        how[k] = static_cast<std::int32_t>(BondBreak::Region);
        broken_step[k] = step;
        freed[k] = energy;
        dissipated[k] += energy - 0.5 * dt * (dot(f.force, s.velocity) + dot(f.torque_a, s.spin_a) + dot(f.torque_b, s.spin_b));
        power[k] = 0;
        place.set(k, v.body.position[v.a[k]] + 0.5 * s.arm);
        if (push.x == nullptr) return;
        push.set(k, {});
        couple.set(k, {});
    }
};

}  // namespace

bool break_bonds(const Model& model, State& state, Workspace& work, const Region& region, const std::vector<std::int32_t>& chosen) {
    if (!work.bonds) return false;
    Bonds& bonds = *work.bonds;
    const Array<std::int32_t> taken(chosen);
    const std::int32_t* takes = taken.data();
    const Breaking b{view_of(state, work),
                     bonds.how.data(),
                     bonds.broken_step.data(),
                     bonds.dissipated.data(),
                     bonds.power.data(),
                     bonds.freed.data(),
                     bonds.place.view(),
                     bonds.push.view(),
                     bonds.couple.view(),
                     state.step,
                     model.dt};
    const Region where = region;
    flag_each(
        work.exec, "bonds/region", bonds.count, bonds.broke.data(), SCREE_LAMBDA(Index k)->std::uint32_t {
            const std::int32_t kind = b.v.kind[k];
            if (b.v.a[k] < 0 || b.how[k] != 0 || takes[kind] == 0) return 0u;
            const BondNow s = b.v.now(k);
            if (!where.contains(b.middle(s, k))) return 0u;
            b.breaks(s, k);
            return b.v.kinds[kind].keeps_contact > 0 ? 0u : 1u;
        });
    return misses_broken(work);
}

}  // namespace scree::SCREE_FLAVOR
