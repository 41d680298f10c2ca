#include "engine/penalty/liquid.hpp"

#include "engine/penalty/contact_input.hpp"
#include "engine/penalty/mesh_gaps.hpp"
#include "laws/cohesion.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// What becomes of a bridge in this step; stands in Contacts::pull until the pull does.
enum Change : std::int32_t { kBreaks = -1, kStays = 0, kForms = 1 };

/// Bridges of one list.
struct Bridges {
    const std::int32_t* law;
    const LawValues* rows;
    const Real* bond;
    Real *liquid, *change;

    /// Of pair p at this gap [m].
    SCREE_HD void decide(Index p, double R_eff, double gap) const {
        const LawValues& row = rows[law_of(law, p)];
        change[p] = Real(kStays);
        if (row.law != double(CohesionLaws::number<SharedCapillary>())) return;
        const double volume = static_cast<double>(liquid[p]);
        const bool bound = bond[p] != Real(kNoBond);
        const bool near = gap < SharedCapillary::reach(with_liquid<SharedCapillary>(row, &volume), R_eff);
        const bool holds = gap < 0 || (bound && near);
        if (holds && !bound) change[p] = Real(kForms);
        // Bonds end as numbers of contacts say, in which `near` may be another: what is left in a bridge without a bond goes back too.
        if (!holds && volume > 0) change[p] = Real(kBreaks);
    }
};

Bridges bridges_of(ContactList& list, Workspace& work) {
    return {list.law.data(), work.cohesion.data(), list.contacts.bond.data(), list.contacts.liquid.data(), list.contacts.pull.data()};
}

void decide_pairs(Workspace& work, const BodyView& body, ContactList& pairs) {
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    const Bridges bridges = bridges_of(pairs, work);
    for_each(
        work.exec, "penalty/bridges", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = a[p], j = b[p];
            const double r_a = body.radius[i], r_b = body.radius[j];
            const double gap = norm(relative_position(body.position[i], body.position[j])) - (r_a + r_b);
            bridges.decide(p, r_a * r_b / (r_a + r_b), gap);
        },
        work.flags.gate());
}

template <class Surfaces>
void decide_surfaces(Workspace& work, const BodyView& body, const Surfaces& surfaces, ContactList& pairs) {
    const Slot* slot = pairs.a.data();
    const std::int32_t* surface = pairs.b.data();
    const WallPlace* places = work.walls.motions.places();
    const Bridges bridges = bridges_of(pairs, work);
    for_each(
        work.exec, "penalty/wall_bridges", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = slot[p];
            const double r = body.radius[i];
            bridges.decide(p, r, gap_to(surfaces, surface[p], places, body.position[i]).distance - r);
        },
        work.flags.gate());
}

/// Patches that others stand for have none.
void decide_patches(Workspace& work, const BodyView& body, ContactList& list) {
    const MeshPairView pairs = view_of(list);
    const Bridges bridges = bridges_of(list, work);
    Real* bond = list.contacts.bond.data();
    const double reach = work.pull_reach;
    for_each(
        work.exec, "penalty/patch_bridges", list.near_body.size(),
        SCREE_LAMBDA(Index k)->void {
            const Index i = pairs.near_body[k];
            const double r = body.radius[i];
            const NearPatches near{pairs.normal,       pairs.distance,         bond,     bridges.liquid, bridges.law, bridges.rows,
                                   pairs.row_start[i], pairs.row_start[i + 1], r + reach};
            near.pass_bonds();
            for (Index p = near.first; p < near.last; ++p) {
                bridges.change[p] = Real(kStays);
                if (pairs.distance[p] < near.far && near.nearest_like(p) != p) continue;
                bridges.decide(p, r, pairs.distance[p] - r);
            }
        },
        work.flags.gate());
}

/// Of one body: how many bridges form, and what it gets of those that break [m3].
struct Taken {
    Index form;
    double back;
    SCREE_HD void add(Real change, Real liquid, double share) {
        form += change == Real(kForms) ? 1 : 0;
        back += change == Real(kBreaks) ? share * static_cast<double>(liquid) : 0.0;
    }
};

struct WallBridges {
    const RowStart* start;  // null where the list is empty
    const Real *change, *liquid;

    SCREE_HD void add_to(Taken& taken, Index i) const {
        const PairRow row = row_of(start, i);
        for (Index p = row.first; p < row.last; ++p) taken.add(change[p], liquid[p], 1.0);
    }
};
WallBridges wall_bridges(ContactList& list) {
    return {list.size() > 0 ? list.row_start.data() : nullptr, list.contacts.pull.data(), list.contacts.liquid.data()};
}

/// What each body gives and gets, in the order of its rows.
void share_out(State& state, Workspace& work) {
    ContactList& pairs = state.lists[kSpheres];
    work.film_given.resize(state.bodies.count);
    const RowStart* row_start = pairs.row_start.data();
    const std::uint32_t* entry = pairs.entry.data();
    const Real *change = pairs.contacts.pull.data(), *liquid = pairs.contacts.liquid.data();
    const WallBridges planes = wall_bridges(state.lists[kPlanes]), cylinders = wall_bridges(state.lists[kCylinders]),
                      meshes = wall_bridges(state.lists[kMeshes]);
    double *film = state.bodies.film.data(), *given = work.film_given.data();
    const double most = 0.5 * work.bridge_capacity;  // of either side
    for_each(
        work.exec, "penalty/films", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            Taken taken{0, 0};
            for (Index k = row_start[i]; k < row_start[i + 1]; ++k) {
                const Index p = static_cast<Index>(entry[k] >> 1);
                taken.add(change[p], liquid[p], 0.5);
            }
            planes.add_to(taken, i);
            cylinders.add_to(taken, i);
            meshes.add_to(taken, i);
            const double share = taken.form > 0 ? film[i] / static_cast<double>(taken.form) : 0.0;
            given[i] = share < most ? share : most;
            film[i] += taken.back - static_cast<double>(taken.form) * given[i];
        },
        work.flags.gate());
}

/// b: null of walls, which give nothing.
void fill_bridges(Workspace& work, const Slot* a, const Slot* b, ContactList& pairs) {
    Real *change = pairs.contacts.pull.data(), *liquid = pairs.contacts.liquid.data();
    const double* given = work.film_given.data();
    const ImagesOf of = images_of(work.images);
    for_each(
        work.exec, "penalty/fill_bridges", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            if (change[p] == Real(kForms)) liquid[p] += static_cast<Real>(given[of(a[p])] + (b != nullptr ? given[of(b[p])] : 0.0));
            if (change[p] == Real(kBreaks)) liquid[p] = Real(0);
        },
        work.flags.gate());
}

/// What bridges hold of a body: half of those with bodies, all of those with walls.
struct HeldLiquid {
    const RowStart* row_start;  // null without pairs
    const std::uint32_t* entry;
    const Real* liquid;
    WallBridges planes, cylinders, meshes;

    SCREE_HD double of(Index i) const {
        double held = 0;
        const PairRow row = row_of(row_start, i);
        for (Index k = row.first; k < row.last; ++k) held += 0.5 * static_cast<double>(liquid[entry[k] >> 1]);
        for (const WallBridges* walls : {&planes, &cylinders, &meshes}) {
            const PairRow on = row_of(walls->start, i);
            for (Index p = on.first; p < on.last; ++p) held += static_cast<double>(walls->liquid[p]);
        }
        return held;
    }
};
HeldLiquid held_liquid(State& state) {
    ContactList& pairs = state.lists[kSpheres];
    return {pairs.size() > 0 ? pairs.row_start.data() : nullptr,
            pairs.entry.data(),
            pairs.contacts.liquid.data(),
            wall_bridges(state.lists[kPlanes]),
            wall_bridges(state.lists[kCylinders]),
            wall_bridges(state.lists[kMeshes])};
}

}  // namespace

void note_held_liquid(State& state, Workspace& work) {
    if (!(work.bridge_capacity > 0) || work.film_noted) return;
    work.film_noted = true;
    work.film_held.resize_zero(work.slot_of_id.size());  // of bodies that are not there yet nothing
    double* noted = work.film_held.data();
    const std::uint32_t* id = state.bodies.id.data();
    const HeldLiquid held = held_liquid(state);
    for_each(
        work.exec, "penalty/held_liquid", state.bodies.count, SCREE_LAMBDA(Index i)->void { noted[id[i]] = held.of(i); });
}

void return_lost_liquid(State& state, Workspace& work) {
    if (!(work.bridge_capacity > 0)) return;
    work.film_noted = false;
    const double* noted = work.film_held.data();
    double* film = state.bodies.film.data();
    const std::uint32_t* id = state.bodies.id.data();
    const HeldLiquid held = held_liquid(state);
    for_each(
        work.exec, "penalty/lost_liquid", state.bodies.count, SCREE_LAMBDA(Index i)->void {
            const double now = held.of(i), was = noted[id[i]];
            if (was > now) film[i] += was - now;  // sums of the same bridges, in the same order, are the same
        });
}

void share_liquid(State& state, Workspace& work) {
    if (!(work.bridge_capacity > 0)) return;
    const BodyView body = state.bodies.view();
    decide_pairs(work, body, state.lists[kSpheres]);
    decide_surfaces(work, body, PlaneSurfaces{work.walls.plane_view()}, state.lists[kPlanes]);
    decide_surfaces(work, body, RoundSurfaces{work.walls.cylinder_view(), work.walls.arcs}, state.lists[kCylinders]);
    decide_patches(work, body, state.lists[kMeshes]);
    share_out(state, work);
    ContactList& pairs = state.lists[kSpheres];
    fill_bridges(work, pairs.a.data(), pairs.b.data(), pairs);
    for (const int list : {kPlanes, kCylinders, kMeshes}) fill_bridges(work, state.lists[list].a.data(), nullptr, state.lists[list]);
}

}  // namespace scree::SCREE_FLAVOR
