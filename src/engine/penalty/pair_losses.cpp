#include "engine/penalty/pair_losses.hpp"

#include "engine/laws/dissipation.hpp"
#include "engine/laws/laws.hpp"
#include "engine/penalty/contact_state.hpp"
#include "engine/penalty/gather.hpp"
#include "engine/penalty/sphere_pairs.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct LossView {
    BodyView body;
    const Slot *a, *b;
    const std::int32_t* law;
    IncidenceView rows;
    ForceSettings settings;
};

/// Losses of pair p, of which slot i is A or, `second`, B; each pair is computed for both of its bodies, as no array keeps them.
template <class Law>
SCREE_HD LossSum loss_of(const LossView& v, Index p, bool second) {
    const Quad zero = quad_of({}, 0);
    if (!overlap(v.body, v.a[p], v.b[p])) return {zero, zero};
    Real buffers[pair_packs * 4];
    const StageSlot<Real> slot{buffers, 4};
    load_pair(v.body, v.a[p], v.b[p], slot);
    Real lever;
    const ContactInput<Real> in = packed_contact(slot, packed_distance(slot), {}, lever);
    const PressedContact<Real> pressed = pressed_contact<Law>(v.settings.rows[law_of(v.law, p)], in, v.settings.dt);
    const ContactLoss<Real> loss = contact_loss(pressed, v.rows.contact.force[p], v.rows.contact.stretch[p]);
    const double sign = second ? -1.0 : 1.0;
    return {quad_of(sign * cast<double>(loss.damping), static_cast<double>(loss.damping_power)),
            quad_of(sign * cast<double>(loss.friction), static_cast<double>(loss.friction_power))};
}

struct PairSums {
    LossSum loss;
    Quad twist;
};

SCREE_HD void add(PairSums& to, const PairSums& of) {
    to.loss.damping = to.loss.damping + of.loss.damping;
    to.loss.friction = to.loss.friction + of.loss.friction;
    to.twist = to.twist + of.twist;
}

/// In the order and the parts of gather().
template <class Law>
SCREE_HD PairSums pairs_of(const LossView& v, Index i) {
    constexpr int chunk = 64;
    const Index first = v.rows.row_start[i], last = v.rows.row_start[i + 1];
    const Quad zero = quad_of({}, 0);
    const PairSums none{{zero, zero}, zero};
    PairSums total = none, part = none;
    int touching = 0;
    for (Index k = first; k < last; ++k) {
        const std::uint32_t e = v.rows.entry[k];
        const Index p = static_cast<Index>(e >> 1);
        const Vec3 force = cast<double>(v.rows.contact.force[p]), twist = cast<double>(v.rows.contact.twist[p]);
        add(part, {loss_of<Law>(v, p, (e & 1u) != 0), quad_of(twist, 0)});
        if (last - first <= chunk || (norm2(force) == 0 && norm2(twist) == 0) || ++touching < chunk) continue;
        add(total, part);
        part = none;
        touching = 0;
    }
    add(total, part);
    return total;
}

template <class Law>
void account_with(State& state, Workspace& work, const LossView& v, Vec3 gravity, double dt) {
    for_each(
        work.exec, "penalty/pair_losses", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            const PairSums sum = pairs_of<Law>(v, i);
            const Gathered all = gather(v.rows, i);
            add_losses(v.body, i, sum.loss, sum.twist, quad_of(all.force, 0), quad_of(all.twist, 0), gravity, dt);
        },
        work.flags.gate());
}

}  // namespace

void account_pairs(const Model& model, State& state, Workspace& work) {
    ContactList& pairs = state.lists[kSpheres];
    const LossView v{state.bodies.view(), pairs.a.data(),   pairs.b.data(),
                     pairs.law.data(),    incidence(state), force_settings(model, work, model.dt)};
    with_law(model.penalty.law, [&](auto law) {
        if constexpr (!std::is_same_v<decltype(law), PowerLaw>) account_with<decltype(law)>(state, work, v, model.gravity, model.dt);
    });
}

}  // namespace scree::SCREE_FLAVOR
