#include "engine/penalty/cohesion.hpp"

#include "engine/exec/reduce.hpp"
#include "engine/penalty/contact_state.hpp"
#include "engine/penalty/mesh_gaps.hpp"
#include "laws/cohesion.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Of one list.
struct PullColumns {
    Vec3View<Real> force;
    Real* pull;
    std::int32_t* bond;
};
PullColumns columns_of(ContactList& list) {
    return {list.contacts.force.view(), list.contacts.pull.data(), list.contacts.bond.data()};
}

/// The pull of pair p at a gap along n, from A to B; `starts`: no step follows.
template <class Law>
SCREE_HD void pull_on(const PullColumns& to, Index p, const LawValues& q, Vec3 n, double gap, double R_eff, bool starts) {
    bool holds = gap < Law::reach(q, R_eff) || gap < 0;
    if (Law::bonds) {
        const std::int32_t was = to.bond[p];
        holds = q.value[0] > 0 && (gap < 0 || (was != kNoBond && holds));
        if (!starts || was == kNoBond) to.bond[p] = !holds ? kNoBond : (was == kNoBond && !starts ? kNewBond : kBond);
    }
    const double pull = holds ? Law::pull(q, R_eff, gap) : 0.0;
    to.pull[p] = static_cast<Real>(pull);
    if (pull != 0) to.force.set(p, to.force[p] + cast<Real>(pull * n));
}

template <class Law>
void pull_bodies(Workspace& work, const BodyView& body, ContactList& pairs, bool starts) {
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const LawValues* rows = work.cohesion.data();
    const PullColumns to = columns_of(pairs);
    const double reach = work.pull_reach;
    for_each(
        work.exec, "penalty/pulls", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = a[p], j = b[p];
            const double r_a = body.radius[i], r_b = body.radius[j], far = r_a + r_b + reach;
            const Vec3 d = relative_position(body.position[i], body.position[j]);
            if (!(norm2(d) < far * far) && to.bond[p] == kNoBond) {
                to.pull[p] = Real(0);
                return;
            }
            const SphereGap<double> gap = sphere_gap<double>(d, r_a, r_b);
            pull_on<Law>(to, p, rows[law_of(law, p)], gap.normal, -gap.delta, r_a * r_b / (r_a + r_b), starts);
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
            const SurfaceGap gap = places == nullptr ? surfaces.gap(s, x) : placed_gap(surfaces, s, places, x);
            const double r = body.radius[i];
            pull_on<Law>(to, p, rows[law[p]], gap.normal, gap.distance - r, r, starts);
        },
        work.flags.gate());
}

/// Patches that one sphere is near, of which those that face it nearly alike count as one surface: the nearest of them pulls. So a ball
/// that rolls from facet to facet, or from wall to flush wall, has one bond, which passes on where both are equally far.
struct NearPatches {
    Vec3View<double> normal;
    const double* distance;
    std::int32_t* bond;
    Index first, last;
    double far;  // from the centre, up to which one pulls [m]

    static constexpr double alike = 0.86602540378443865;  // 30 degrees

    SCREE_HD bool before(Index q, Index p) const { return distance[q] < distance[p] || (distance[q] == distance[p] && q < p); }
    /// The nearest that faces the sphere as p does; -1: none.
    SCREE_HD Index nearest_like(Index p) const {
        Index nearest = -1;
        for (Index q = first; q < last; ++q) {
            if (!(distance[q] < far) || dot(normal[p], normal[q]) < alike) continue;
            if (nearest < 0 || before(q, nearest)) nearest = q;
        }
        return nearest;
    }
    /// Bonds with patches that others stand for pass on to those.
    SCREE_HD void pass_bonds() const {
        for (Index p = first; p < last; ++p) {
            if (bond[p] == kNoBond || (distance[p] < no_contact && !(distance[p] < far))) continue;  // ends where it is out of reach
            const Index to = nearest_like(p);
            if (to < 0 || to == p) continue;
            if (bond[to] == kNoBond) bond[to] = bond[p];
            bond[p] = kNoBond;
        }
    }
};

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
            const NearPatches near{pairs.normal, pairs.distance, to.bond, pairs.row_start[i], pairs.row_start[i + 1], r + reach};
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
void all_pulls(State& state, Workspace& work, bool starts) {
    const BodyView body = state.bodies.view();
    pull_bodies<Law>(work, body, state.lists[kSpheres], starts);
    pull_to<Law>(work, body, PlaneSurfaces{work.walls.plane_view()}, state.lists[kPlanes], starts);
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
    return Law::energy(v.rows[c.row], c.in.R_eff, -c.in.delta);
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
        if (Law::bonds && of.bond[c.pair] == kNewBond) sum->damping -= pull_energy<Law>(*view, c) / dt;
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

}  // namespace

void cohesive_pulls(const Model& model, State& state, Workspace& work, double dt) {
    if (!state.pulls) return;
    with_cohesion(model.penalty.cohesion, [&](auto law) { all_pulls<decltype(law)>(state, work, !(dt > 0)); });
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
