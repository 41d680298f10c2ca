#include "engine/penalty/cohesion.hpp"

#include "engine/exec/reduce.hpp"
#include "engine/penalty/liquid.hpp"
#include "engine/penalty/contact_state.hpp"
#include "engine/penalty/mesh_gaps.hpp"
#include "engine/penalty/pulled_pair.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Of one list.
struct PullColumns {
    Vec3View<Real> force;
    Real *pull, *bond;
    const Real* liquid;  // null where none is shared
};
PullColumns columns_of(ContactList& list) {
    return {list.contacts.force.view(), list.contacts.pull.data(), list.contacts.bond.data(), liquid_of(list)};
}

/// The pull of pair p at a gap along n, from A to B; `starts`: no step follows.
template <class Law>
SCREE_HD void pull_on(const PullColumns& to, Index p, const LawValues& of, Vec3 n, double gap, double R_eff, bool starts) {
    const double volume = to.liquid == nullptr ? 0.0 : static_cast<double>(to.liquid[p]);
    const LawValues q = with_liquid<Law>(of, to.liquid == nullptr ? nullptr : &volume);
    const Pull<double> found = pull_at<Law, double>(q, R_eff, gap, static_cast<double>(to.bond[p]), starts);
    to.bond[p] = static_cast<Real>(found.bond);
    to.pull[p] = static_cast<Real>(found.force);
    if (found.force != 0) to.force.set(p, to.force[p] + cast<Real>(found.force * n));
}

template <class Law, bool OneMaterial>
void pull_bodies(Workspace& work, const BodyView& body, ContactList& pairs, bool starts) {
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const LawValuesOf<Real>* rows = work.pulls.data();
    const LawValuesOf<Real> only = work.only_pull;
    const Vec3View<Real> force = pairs.contacts.force.view();
    Real *pull = pairs.contacts.pull.data(), *bond = pairs.contacts.bond.data();
    const Real* liquid = liquid_of(pairs);
    for_each_staged<pair_packs, Real>(
        work.exec, "penalty/pulls", pairs.size(),
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->void { load_pair(body, a[p], b[p], slot); },
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->void {
            const LawValuesOf<Real> q = with_liquid<Law>(OneMaterial ? only : rows[law[p]], liquid == nullptr ? nullptr : liquid + p);
            const PulledPair found = pulled_pair<Law>(slot, q, bond[p], starts);
            force.set(p, force[p] + found.pull.force * found.normal);
            pull[p] = found.pull.force;
            bond[p] = found.pull.bond;
        },
        work.flags.gate());
}

template <class Law, class Surfaces>
void pull_to(Workspace& work, const BodyView& body, const Surfaces& surfaces, ContactList& pairs, bool starts) {
    const Slot* slot = pairs.a.data();
    const std::int32_t *surface = pairs.b.data(), *law = pairs.law.data();
    const LawValues* rows = work.cohesion.data();
    const PullColumns to = columns_of(pairs);
    const WallPlace* places = work.walls.motions.places();
    for_each(
        work.exec, "penalty/wall_pulls", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = slot[p], s = surface[p];
            const Vec3 x = body.position[i];
            const SurfaceGap gap = gap_to(surfaces, s, places, x);
            const double r = body.radius[i];
            pull_on<Law>(to, p, rows[law[p]], gap.normal, gap.distance - r, r, starts);
        },
        work.flags.gate());
}

/// The same of planes at rest, in vector code.
template <class Law>
void pull_to_planes(Workspace& work, const BodyView& body, ContactList& pairs, bool starts) {
    const Slot* slot = pairs.a.data();
    const std::int32_t *surface = pairs.b.data(), *law = pairs.law.data();
    const PlaneSurfaces planes{work.walls.plane_view()};
    const LawValuesOf<Real>* rows = work.pulls.data();
    const Vec3View<Real> force = pairs.contacts.force.view();
    Real *pull = pairs.contacts.pull.data(), *bond = pairs.contacts.bond.data();
    const Real* liquid = liquid_of(pairs);
    for_each_simd(
        work.exec, "penalty/plane_pulls", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = slot[p];
            const SurfaceGap gap = planes.gap(surface[p], body.position[i]);
            const double r = body.radius[i];
            const LawValuesOf<Real>* of = rows + law[p];
            const LawValuesOf<Real> row{{of->value[0], of->value[1], of->value[2], of->value[3]}, of->modulus, of->law};
            const LawValuesOf<Real> q = with_liquid<Law>(row, liquid == nullptr ? nullptr : liquid + p);
            const Pull<Real> found = pull_at<Law, Real>(q, static_cast<Real>(r), static_cast<Real>(gap.distance - r), bond[p], starts);
            force.set(p, force[p] + found.force * cast<Real>(gap.normal));
            pull[p] = found.force;
            bond[p] = found.bond;
        },
        work.flags.gate());
}

/// Gaps to patches are those of the forces.
template <class Law>
void pull_to_patches(Workspace& work, const BodyView& body, ContactList& list, bool starts) {
    const MeshPairView pairs = view_of(list);
    const LawValues* rows = work.cohesion.data();
    const PullColumns to = columns_of(list);
    const double reach = work.pull_reach;
    for_each(
        work.exec, "penalty/patch_pulls", list.near_body.size(),
        SCREE_LAMBDA(Index k)->void {
            const Index i = pairs.near_body[k];
            const double r = body.radius[i];
            const NearPatches near{pairs.normal,       pairs.distance,         to.bond,  nullptr, pairs.law, rows,
                                   pairs.row_start[i], pairs.row_start[i + 1], r + reach};
            if (Law::bonds) near.pass_bonds();
            for (Index p = near.first; p < near.last; ++p) {
                if (pairs.distance[p] < near.far && near.nearest_like(p) != p) {
                    to.pull[p] = Real(0);
                    continue;
                }
                pull_on<Law>(to, p, rows[pairs.law[p]], pairs.normal[p], pairs.distance[p] - r, r, starts);
            }
        },
        work.flags.gate());
}

template <class Law>
void all_pulls(State& state, Workspace& work, bool starts, bool walls_alone) {
    const BodyView body = state.bodies.view();
    if (!walls_alone) {
        if (work.pulls.size() == 1) {
            pull_bodies<Law, true>(work, body, state.lists[kSpheres], starts);
        } else {
            pull_bodies<Law, false>(work, body, state.lists[kSpheres], starts);
        }
    }
    if (work.walls.motions.any) {
        pull_to<Law>(work, body, PlaneSurfaces{work.walls.plane_view()}, state.lists[kPlanes], starts);
    } else {
        pull_to_planes<Law>(work, body, state.lists[kPlanes], starts);
    }
    pull_to<Law>(work, body, RoundSurfaces{work.walls.cylinder_view(), work.walls.arcs}, state.lists[kCylinders], starts);
    pull_to_patches<Law>(work, body, state.lists[kMeshes], starts);
}

struct PullView {
    SphereContacts contacts;
    const LawValues* rows;  // by row of the law table
    PullColumns of[sphere_classes];
};

PullView pull_view(State& state, Workspace& work) {
    PullView v{sphere_contacts(state, work), work.cohesion.data(), {}};
    each_list(
        [&](const ListLayout& layout, ContactList& list) {
            if (layout.has_patch()) return;
            v.of[layout.two_bodies() ? 0 : 1 + layout.surface_class()] = columns_of(list);
        },
        state.lists);
    return v;
}

/// Of the pull of contact c [J].
template <class Law>
SCREE_HD double pull_energy(const PullView& v, const ContactState& c) {
    const PullColumns& of = v.of[c.list];
    if (of.pull[c.pair] == Real(0)) return 0.0;
    const double volume = of.liquid == nullptr ? 0.0 : static_cast<double>(of.liquid[c.pair]);
    return Law::energy(with_liquid<Law>(v.rows[c.row], of.liquid == nullptr ? nullptr : &volume), c.in.R_eff, -c.in.delta);
}

template <class Law>
struct AddPullEnergy {
    static constexpr bool touching = false;
    const PullView* view;
    double* sum;
    SCREE_HD void operator()(const ContactState& c, Slot) const { *sum += pull_energy<Law>(*view, c); }
};

template <class Law>
struct AddPullPower {
    static constexpr bool touching = false;
    const PullView* view;
    double dt;
    ContactPower* sum;

    SCREE_HD void operator()(const ContactState& c, Slot) const {
        const PullColumns& of = view->of[c.list];
        if (Law::bonds && of.bond[c.pair] == Real(kNewBond)) sum->damping -= pull_energy<Law>(*view, c) / dt;
        sum->walls += static_cast<double>(of.pull[c.pair]) * dot(c.in.normal, c.wall);
    }
};

template <class Law>
double energy_with(const PullView& view, Workspace& work) {
    const Slot* slot = work.slot_of_id.data();
    return sum_of(
        work.exec, "measure/cohesive_energy", work.slot_of_id.size(), SCREE_LAMBDA(Index id)->double {
            double sum = 0;
            if (slot[id] >= 0) each_contact(view.contacts, slot[id], AddPullEnergy<Law>{&view, &sum});
            return sum;
        });
}

template <class Law>
void account_with(const PullView& view, Workspace& work, Index bodies, double dt) {
    for_each(
        work.exec, "measure/cohesive_work", bodies,
        SCREE_LAMBDA(Index i)->void {
            ContactPower power{0, 0, 0};
            each_contact(view.contacts, i, AddPullPower<Law>{&view, dt, &power});
            add_to_account(view.contacts.body, i, power, dt);
        },
        work.flags.gate());
}

#if !defined(SCREE_ON_CUDA)

/// As pull_bodies, on what a stage of the fused step has found.
template <class Law, bool OneMaterial>
void pull_part(const PullContext& v, Index begin, Index count, Real* packs, Real* found) {
    const LawValuesOf<Real> only = v.only;
    const LawValuesOf<Real>* rows = v.rows;
    const std::int32_t* law = v.law;
    Real* bond = v.bond;
    const auto pull = SCREE_LAMBDA(Index p, const StageSlot<Real>& slot, const Found<Real>& to)->LaneFlags {
        const PulledPair of = pulled_pair<Law>(slot, OneMaterial ? only : rows[law[p]], Law::bonds ? bond[p] : Real(kNoBond), false);
        to.set(0, to.vector(0) + of.pull.force * of.normal);
        if (Law::bonds) bond[p] = of.pull.bond;
        return 0;
    };
    detail::compute_each<Real>(begin, count, packs, found, pull);
}

#endif

}  // namespace

PullStage pull_stage(const Model& model, State& state, const Workspace& work) {
    PullStage stage{};
    if (!state.pulls) return stage;
    ContactList& pairs = state.lists[kSpheres];
    stage.context = {work.only_pull, work.pulls.data(), pairs.law.data(), pairs.contacts.bond.data()};
    (void)model;  // asked below, on the host alone
#if !defined(SCREE_ON_CUDA)
    with_cohesion(model.penalty.cohesion, [&](auto law) {
        using Law = decltype(law);
        stage.run = work.pulls.size() == 1 ? pull_part<Law, true> : pull_part<Law, false>;
    });
#endif
    return stage;
}

void cohesive_pulls(const Model& model, State& state, Workspace& work, double dt, bool walls_alone) {
    if (!state.pulls) return;
    share_liquid(state, work);
    with_cohesion(model.penalty.cohesion, [&](auto law) { all_pulls<decltype(law)>(state, work, !(dt > 0), walls_alone); });
}

double cohesive_energy(const Model& model, State& state, Workspace& work) {
    double sum = 0;
    if (!state.pulls) return sum;
    const PullView view = pull_view(state, work);
    with_cohesion(model.penalty.cohesion, [&](auto law) { sum = energy_with<decltype(law)>(view, work); });
    return sum;
}

void account_pulls(const Model& model, State& state, Workspace& work) {
    if (!state.pulls) return;
    const PullView view = pull_view(state, work);
    with_cohesion(model.penalty.cohesion, [&](auto law) {
        if (!decltype(law)::bonds && !work.walls.motions.any) return;  // nothing is taken, and nobody works
        account_with<decltype(law)>(view, work, state.bodies.count, model.dt);
    });
}

}  // namespace scree::SCREE_FLAVOR
