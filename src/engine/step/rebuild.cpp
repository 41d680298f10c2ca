#include "engine/step/rebuild.hpp"

#include <algorithm>

#include "engine/bonds/bonds.hpp"
#include "engine/broad/broad.hpp"
#include "engine/cone/respond.hpp"
#include "engine/fused/fused.hpp"
#include "engine/measure/measure.hpp"
#include "engine/motion/walls.hpp"
#include "engine/penalty/gather_all.hpp"
#include "engine/penalty/liquid.hpp"
#include "engine/space/drive.hpp"
#include "engine/space/images.hpp"
#include "engine/step/fluid_step.hpp"
#include "engine/step/look_ahead.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Energy of contacts in the middle of the step that is under way or to come: a contact that is there from now on acts from there on, one
/// that is no more up to there. What such a one's tangential spring held counts as friction by itself.
double energy_of_contacts(const Model& model, State& state, Workspace& work, bool tangential) {
    const BodyView body = state.bodies.view();
    const double back = (state.drifted ? 0.5 : -0.5) * model.dt;
    Array<Row4> rows(state.bodies.count);
    Row4* kept = rows.data();
    for_each(
        work.exec, "step/half_back", state.bodies.count, SCREE_LAMBDA(Index i)->void {
            kept[i] = body.position.row[i];
            body.position.set(i, body.position[i] - back * body.velocity[i]);
        });
    move_images(state, work);
    const Energy e = measure_state(model, state, work).energy;
    for_each(
        work.exec, "step/forth_again", state.bodies.count, SCREE_LAMBDA(Index i)->void { body.position.row[i] = kept[i]; });
    move_images(state, work);
    return tangential ? e.elastic_normal + e.elastic_tangential : e.elastic_normal;
}

/// Has the list to come other contacts, since bonds have broken or been made whose bodies have none?
bool bonds_change_contacts(const Workspace& work) {
    return work.bonds && (work.bonds->joined || misses_broken(work));
}

/// Forces of pairs of spheres, kept while their list is made anew.
struct PairForces {
    Vec3Array<Real> force, twist;

    PairForces() = default;
    explicit PairForces(const Contacts& from) {
        copy(from.force, force);
        copy(from.twist, twist);
    }
    void swap(Contacts& with) {
        force.swap(with.force);
        twist.swap(with.twist);
    }

private:
    static void copy(const Vec3Array<Real>& from, Vec3Array<Real>& to) {
        to.x.assign(from.x.host());
        to.y.assign(from.y.host());
        to.z.assign(from.z.host());
    }
};

constexpr double narrowest_skin = 0.02;  // of the smallest diameter
constexpr std::int64_t patience = 500;   // steps a list may last before its skin counts as too wide

/// Adapts the skin to how long lists last: short-lived ones cost rebuilds, wide skins cost candidates. A list that looks ahead lasts nearly
/// twice as long with the same skin, so that the two balance at longer lives. The choice changes no result.
void adapt_skin(const Model& model, State& state, const Workspace& work, bool exhausted) {
    const double d = 2 * work.min_radius;
    if (model.penalty.skin > 0) {
        state.skin = model.penalty.skin;
    } else if (state.skin == 0) {
        state.skin = 0.1 * d;
    } else if (exhausted) {
        const std::int64_t lasted = state.step - state.list_step;
        const bool ahead = looks_ahead(state, work) && state.look.on, tried = looks_ahead(state, work) && state.look.turned;
        const std::int64_t least = ahead ? 80 : 30, most = ahead ? 220 : 150;
        if (lasted < least && !tried) state.skin = std::min(0.25 * d, 1.25 * state.skin);
        if (lasted > most && !tried) state.skin = std::max(narrowest_skin * d, 0.8 * state.skin);
        if (lasted >= patience) state.skin = std::max(narrowest_skin * d, 0.5 * state.skin);
    }
}

}  // namespace

bool skin_too_wide(const Model& model, const State& state, const Workspace& work, std::int64_t step) {
    return model.penalty.skin == 0 && step - state.list_step >= patience && state.skin > 1.01 * narrowest_skin * 2 * work.min_radius;
}

void rebuild(const Model& model, State& state, Workspace& work, StageTimers& timers, bool exhausted, bool loaded) {
    if (model.method == Method::Fluid) {
        rebuild_fluid(state, work);
        return;
    }
    const auto timer = timers.measure("pair list");
    work.replay.forget();
    forget_counts(work);
    // What the list to come has more is given by nobody, what it has less is lost.
    const bool charged = !loaded && state.account && model.method == Method::Penalty && bonds_change_contacts(work),
               tangential = charged && !work.bonds->joined;
    const double held = charged ? energy_of_contacts(model, state, work, tangential) : 0.0;
    if (!loaded && !state.drifted) settle_forces(state, work);  // of the contacts that now go, for the first half kick
    // Between two steps, where bonds, bodies or walls have changed, forces of pairs are looked at before the next one finds them anew.
    const bool looked_at = !loaded && !state.drifted && model.method == Method::Penalty;
    PairForces looked = looked_at ? PairForces(state.lists[kSpheres].contacts) : PairForces();
    take_forces_back(state, work);
    work.fused.used = can_fuse(model, state, work);
    if (!loaded) {
        note_held_liquid(state, work);
        work.fused.place.swap(work.old_lists[kSpheres].partner);  // places are dealt anew when history has been carried
        set_contacts_aside(state, work, model.method != Method::Penalty);
    }
    const double skin = state.skin;
    adapt_skin(model, state, work, exhausted);
    if (exhausted && looks_ahead(state, work)) adapt_look_ahead(state, skin);
    list_bonded_apart(work);
    if (model.method == Method::Cone) cone_reach(model, state, work);
    look_at_cell(model, work);
    limit_skin(state, work);
    with_bodies_ahead(model, state, work, [&] {
        lay_cells(state, work);
        reorder(state, work);
        place_walls(model, state, work);
        lay_lattice(state, work);
        find_images(state, work);
        find_body_pairs(model, state, work);
        find_wall_pairs(model, state, work);
    });
    move_images(state, work);
    find_bonded(state, work);
    if (looked_at || (loaded && work.old_lists[kSpheres].first.size() > 0)) {  // as are those of a checkpoint
        ContactList& spheres = state.lists[kSpheres];
        spheres.contacts.force.resize_zero(spheres.size());
        spheres.contacts.twist.resize_zero(spheres.size());
    }
    if (looked_at) looked.swap(work.old_lists[kSpheres].contacts);
    carry_history(state, work);
    if (looked_at) looked.swap(work.old_lists[kSpheres].contacts);
    if (!loaded) return_lost_liquid(state, work);
    work.fused.planned = work.fused.placed = false;
    work.fused.place.swap(work.old_lists[kSpheres].partner);
    if (work.fused.used) plan_fused(state, work);
    state.list_step = state.step;
    ++state.rebuilds;
    if (charged) work.bonds->given += energy_of_contacts(model, state, work, tangential) - held;
}

}  // namespace scree::SCREE_FLAVOR
