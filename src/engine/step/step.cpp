#include "engine/step/step.hpp"

#include <algorithm>

#include "engine/bonds/bonds.hpp"
#include "engine/cone/respond.hpp"
#include "engine/motion/members.hpp"
#include "engine/motion/verlet.hpp"
#include "engine/space/drive.hpp"
#include "engine/step/boundary.hpp"
#include "engine/step/fluid_step.hpp"
#include "engine/step/joint_forces.hpp"
#include "engine/step/rebuild.hpp"
#include "engine/step/segment.hpp"
#include "engine/step/stages.hpp"

namespace scree::SCREE_FLAVOR {

BatchReport advance_steps(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t steps, bool account) {
    BatchReport report;
    const std::int64_t end = state.step + steps;
    while (state.step < end) {
        // Before slots change: what the account asks of the list that goes is asked of these.
        if (misses_broken(work)) rebuild(model, state, work, timers, false);
        bool stale = update_active_walls(model, state, work);
        const BoundaryCheck check = check_domain(model, state, work, report);
        if (check == BoundaryCheck::Fault) return report;
        stale = stale || check == BoundaryCheck::Removed;
        // Where bodies have gone, slots are numbered anew first.
        if (check != BoundaryCheck::Removed) stale = bring_back(model, state, work) || stale;
        // A fluid's slots move only when bodies go: a restart at an event of walls sees no event.
        const bool in_place = model.method == Method::Fluid && check != BoundaryCheck::Removed;
        if (stale && in_place) forget_walls(work);
        if (stale && !in_place) rebuild(model, state, work, timers, false);
        if (check == BoundaryCheck::Removed && bring_back(model, state, work)) rebuild(model, state, work, timers, false);
        const std::int64_t target = std::min(end, next_boundary_event(model, state));
        const bool done = model.method == Method::Fluid ? run_fluid(model, state, work, timers, target, report)
                                                        : run_segment(model, state, work, timers, target, account, report);
        if (!done) return report;
    }
    if (misses_broken(work)) rebuild(model, state, work, timers, false);
    return report;
}

void prepare(const Model& model, State& state, Workspace& work, StageTimers& timers, bool fresh) {
    work.flags.clear();
    work.inside_at = -1;
    state.envelope = model.method == Method::Cone ? cone_envelope(model, work) : 0.0;
    update_active_walls(model, state, work);
    if (model.method == Method::Fluid) {
        prepare_fluid(model, state, work, fresh);
        return;
    }
    if (fresh) place_members(state, work);
    rebuild(model, state, work, timers, false, true);
    for (Vec3Array<Real>* v : {&work.old_lists[kSpheres].contacts.force, &work.old_lists[kSpheres].contacts.twist}) *v = {};
    if (!fresh) return;
    // Forces at the start; nothing is remembered of them. Flags raised here come up again in the first step.
    count_ahead_of_step(model, state, work, timers);
    respond(model, state, work, 0.0);
    drive_cell(model, state, work);
    if (model.method == Method::Cone) {
        note_solution(model, work, work.flags.read());
        work.flags.clear();
        return;
    }
    // They act for half a step before the first drift.
    if (work.joints) joint_forces(model, state, work, state.time, 0.5 * model.dt);
    each_list(
        [](const ListLayout&, ContactList& list) {
            list.contacts.stretch.resize_zero(list.contacts.stretch.size());
            list.patches.turn.resize_zero(list.patches.turn.size());
        },
        state.lists);
    Model still = {};
    still.gravity = {0, 0, 0};
    still.dt = 0;
    finish_step(still, state, work);
    account_bonds(state, work, 0, 0.5 * model.dt);
    work.flags.clear();
}

}  // namespace scree::SCREE_FLAVOR
