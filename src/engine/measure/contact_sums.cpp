#include "engine/measure/contact_sums.hpp"

#include "engine/exec/reduce.hpp"
#include "engine/measure/measure.hpp"
#include "engine/measure/patches.hpp"
#include "engine/penalty/cohesion.hpp"
#include "engine/penalty/contact_state.hpp"
#include "engine/penalty/pair_losses.hpp"
#include "engine/penalty/rolling.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

template <class Law>
struct AddNormalEnergy {
    static constexpr bool touching = true;
    double* sum;
    SCREE_HD void operator()(const ContactState& c, Slot) const { *sum += normal_energy<Law>(c); }
};
template <class Law>
struct AddTangentialEnergy {
    static constexpr bool touching = true;
    double* sum;
    SCREE_HD void operator()(const ContactState& c, Slot) const { *sum += tangential_energy<Law>(c); }
};
struct CountTouching {
    static constexpr bool touching = false;
    const Real* pull;  // of pairs of bodies; null without cohesion
    double* sum;
    SCREE_HD void operator()(const ContactState& c, Slot other) const {
        if (other < 0) return;
        const bool pulls = pull != nullptr && pull[c.pair] != Real(0);
        *sum += c.in.delta > 0 || pulls || norm2(c.force) > 0 ? 1.0 : 0.0;
    }
};
struct LargestOverlap {
    static constexpr bool touching = true;
    BodyView body;
    Index i;
    double* largest;
    SCREE_HD void operator()(const ContactState& c, Slot other) const {
        if (other < 0) return;
        const double r_a = body.radius[i], r_b = body.radius[other];
        const double ratio = c.in.delta / (r_a < r_b ? r_a : r_b);
        if (ratio > *largest) *largest = ratio;
    }
};
template <class Add>
double sum_by_id(const SphereContacts& l, Workspace& work) {
    const Slot* slot = work.slot_of_id.data();
    return sum_of(
        work.exec, "measure/sum_contacts", work.slot_of_id.size(), SCREE_LAMBDA(Index id)->double {
            double sum = 0;
            if (slot[id] >= 0) each_contact(l, slot[id], Add{&sum});
            return sum;
        });
}

double count_touching(const SphereContacts& l, Workspace& work) {
    const Slot* slot = work.slot_of_id.data();
    return sum_of(
        work.exec, "measure/count_contacts", work.slot_of_id.size(), SCREE_LAMBDA(Index id)->double {
            double sum = 0;
            if (slot[id] >= 0) each_contact(l, slot[id], CountTouching{l.pull, &sum});
            return sum;
        });
}

double largest_overlap(const SphereContacts& l, Workspace& work, Index bodies) {
    return max_of(
        work.exec, "measure/largest_overlap", bodies, 0.0, SCREE_LAMBDA(Index i)->double {
            double largest = 0;
            each_contact(l, i, LargestOverlap{l.body, i, &largest});
            return largest;
        });
}

template <class Law>
void add_work(const SphereContacts& l, Workspace& work, Index bodies, double dt, bool walls_alone) {
    for_each(
        work.exec, "measure/dissipation", bodies,
        SCREE_LAMBDA(Index i)->void {
            ContactPower power{0, 0, 0};
            if (walls_alone) {
                each_wall_contact(l, i, AddPower<Law>{&power});
            } else {
                each_contact(l, i, AddPower<Law>{&power});
            }
            add_to_account(l.body, i, power, dt);
        },
        work.flags.gate());
}

}  // namespace

ContactSums sum_contacts(const Model& model, State& state, Workspace& work) {
    const SphereContacts l = sphere_contacts(state, work);
    ContactSums s;
    // Rigid contacts store nothing.
    if (model.method == Method::Penalty)
        with_round_law(model.penalty, [&](auto law) {
            using Law = decltype(law);
            s.elastic_normal = sum_by_id<AddNormalEnergy<Law>>(l, work) + cohesive_energy(model, state, work);
            s.elastic_tangential = sum_by_id<AddTangentialEnergy<Law>>(l, work) + rolling_energy(model, state, work);
        });
    s.contacts = static_cast<std::int64_t>(count_touching(l, work));
    s.max_overlap = largest_overlap(l, work, state.bodies.count);
    return s;
}

void account_dissipation(const Model& model, State& state, Workspace& work) {
    if (model.method != Method::Penalty) return;
    const SphereContacts l = sphere_contacts(state, work);
    const bool walls_alone = accounts_by_pairs(model, state);
    if (state.rolls) {
        account_rolling(model, state, work);
    } else {
        with_round_law(model.penalty, [&](auto law) { add_work<decltype(law)>(l, work, state.bodies.count, model.dt, walls_alone); });
    }
    account_pulls(model, state, work);
    account_patches(model, state, work);
}

}  // namespace scree::SCREE_FLAVOR
