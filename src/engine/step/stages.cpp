#include "engine/step/stages.hpp"

#include "engine/bonds/bonds.hpp"
#include "engine/cone/respond.hpp"
#include "engine/fused/fused.hpp"
#include "engine/measure/measure.hpp"
#include "engine/motion/fields.hpp"
#include "engine/motion/servos.hpp"
#include "engine/motion/verlet.hpp"
#include "engine/motion/walls.hpp"
#include "engine/penalty/cohesion.hpp"
#include "engine/penalty/convex_forces.hpp"
#include "engine/penalty/flush_history.hpp"
#include "engine/penalty/forces.hpp"
#include "engine/penalty/gather_all.hpp"
#include "engine/penalty/member_mobility.hpp"
#include "engine/penalty/pair_losses.hpp"
#include "engine/penalty/rolling.hpp"
#include "engine/space/drive.hpp"
#include "engine/space/images.hpp"
#include "engine/step/joint_forces.hpp"

namespace scree::SCREE_FLAVOR {

void commit_flags(Workspace& work) {
    FlagWords* words = work.flags.words.data();
    for_each(
        work.exec, "step/commit_flags", 1, SCREE_LAMBDA(Index)->void { words->up |= words->pending; });
}

namespace {

/// The same, and counts a step whose forces came through: it will be finished.
void commit_and_count(Workspace& work) {
    FlagWords* words = work.flags.words.data();
    for_each(
        work.exec, "step/commit_and_count", 1, SCREE_LAMBDA(Index)->void {
            words->up |= words->pending;
            if ((words->up & gating_flags) == 0) ++words->step;
        });
}

/// Counts a step that begins with no flag up.
void count_step(Workspace& work) {
    FlagWords* words = work.flags.words.data();
    for_each(
        work.exec, "step/count", 1, SCREE_LAMBDA(Index)->void { ++words->step; }, work.flags.gate());
}

void all_contacts(const Model& model, State& state, Workspace& work, double dt) {
    lend_forces(state, work);
    weigh_members(model, state, work);
    weigh_images(state, work);
    share_history(state, work);
    contact_forces(model, state, work, dt);
    if (state.has_polyhedra) convex_forces(model, state, work, dt);
    rolling_couples(model, state, work, dt);
    cohesive_pulls(model, state, work, dt);
    bond_forces(model, state, work, dt);
}

void contacts(const Model& model, State& state, Workspace& work, StageTimers& timers) {
    const auto timer = timers.measure("contacts");
    respond(model, state, work, model.dt);
}

void joints(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t step) {
    if (!work.joints || model.method != Method::Penalty) return;
    const auto timer = timers.measure("joints");
    commit_flags(work);
    joint_forces(model, state, work, static_cast<double>(step) * model.dt, model.dt);
}

void motion(const Model& model, State& state, Workspace& work, StageTimers& timers, bool last, bool account) {
    const auto timer = timers.measure("motion");
    commit_and_count(work);
    drive_cell(model, state, work);
    if (!last && !account) {
        finish_and_start(model, state, work);
    } else {
        if (account && accounts_by_pairs(model, state)) account_pairs(model, state, work);
        finish_step(model, state, work);
        if (account) {
            move_images_in_step(state, work);  // with the velocities that their bodies now have
            account_dissipation(model, state, work);
            account_cell(model, state, work);
            account_bonds(state, work, model.dt, model.dt);
        }
        if (!last) start_step(model, state, work);
    }
    if (!last) move_surroundings(model, state, work);
    move_images_in_step(state, work);
    commit_flags(work);
}

}  // namespace

void move_surroundings(const Model& model, State& state, Workspace& work) {
    kick_by_fields(model, state, work);
    drive_servos(model, state, work);
    move_walls(state, work, model.dt);
    move_cell(model, state, work);
    look_for_broken(work);
}

void respond(const Model& model, State& state, Workspace& work, double dt) {
    if (model.method == Method::Cone) {
        cone_response(model, state, work, dt > 0 ? dt : 0.5 * model.dt);  // the first kick is half a one
        return;
    }
    all_contacts(model, state, work, dt);
    if (state.stores_forces) gather_all(state, work);
}

void one_step(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t step, bool last, bool account) {
    contacts(model, state, work, timers);
    joints(model, state, work, timers, step);
    motion(model, state, work, timers, last, account);
}

void one_fused_step(const Model& model, State& state, Workspace& work, StageTimers& timers) {
    const auto timer = timers.measure("contacts and motion");
    if (!work.fused.saved) begin_fused(model, state, work);
    fused_step(model, state, work);
    count_step(work);
    turn_bodies(model, state, work);
    move_surroundings(model, state, work);
    move_images_in_step(state, work);
    commit_flags(work);
}

}  // namespace scree::SCREE_FLAVOR
