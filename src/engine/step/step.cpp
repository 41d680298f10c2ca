#include "engine/step/step.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "engine/broad/broad.hpp"
#include "engine/cone/respond.hpp"
#include "engine/measure/measure.hpp"
#include "engine/motion/members.hpp"
#include "engine/motion/verlet.hpp"
#include "engine/motion/walls.hpp"
#include "engine/penalty/convex_forces.hpp"
#include "engine/penalty/forces.hpp"
#include "engine/penalty/gather_all.hpp"
#include "engine/penalty/member_mobility.hpp"
#include "engine/step/boundary.hpp"
#include "engine/step/fault.hpp"
#include "engine/step/fluid_step.hpp"
#include "engine/step/joint_forces.hpp"
#include "engine/step/look_ahead.hpp"
#include "engine/fused/fused.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Is nothing of a step done by the host? Steps are then recorded.
bool runs_alone(const Model& model) {
    return model.joints.empty() && model.method == Method::Penalty;
}

/// Steps sent before the flags are read at their end. Joints have the host look in the middle of each.
Index steps_in_flight(const Model& model, const Workspace& work) {
    return model.method == Method::Penalty ? std::max(1, work.exec.steps_ahead) : 1;
}

/// The flags at the end of what has been sent, with all that the next step's solve begins from where that is the cone method's.
FlagWords read_report(const Model& model, State& state, Workspace& work) {
    return work.joints && model.method == Method::Cone ? read_joined(state, work) : work.flags.read();
}

/// pending -> up, where it gates the kernels that follow.
void commit_flags(Workspace& work) {
    FlagWords* words = work.flags.words.data();
    for_each(
        work.exec, "step/commit_flags", 1, SCREE_LAMBDA(Index)->void { words->up |= words->pending; });
}

/// The same, and counts a step whose forces came through: it will be finished.
void commit_and_count(Workspace& work) {
    FlagWords* words = work.flags.words.data();
    for_each(
        work.exec, "step/commit_and_count", 1, SCREE_LAMBDA(Index)->void {
            words->up |= words->pending;
            if ((words->up & gating_flags) == 0) ++words->step;
        });
}

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

/// A list that outlives its skin by far, at this step, carries candidates for nothing: make it anew, narrower.
bool skin_too_wide(const Model& model, const State& state, const Workspace& work, std::int64_t step) {
    return model.penalty.skin == 0 && step - state.list_step >= patience && state.skin > 1.01 * narrowest_skin * 2 * work.min_radius;
}

void all_contacts(const Model& model, State& state, Workspace& work, double dt) {
    lend_forces(state, work);
    weigh_members(model, state, work);
    contact_forces(model, state, work, dt);
    if (state.has_polyhedra) convex_forces(model, state, work, dt);
}

/// Positions at hand -> forces. Where the state stores forces, Bodies::force and torque are complete when this returns, else motion
/// gathers them from the pairs.
void respond(const Model& model, State& state, Workspace& work, double dt) {
    if (model.method == Method::Cone) {
        cone_response(model, state, work, dt > 0 ? dt : 0.5 * model.dt);  // the first kick is half a one
        return;
    }
    all_contacts(model, state, work, dt);
    if (state.stores_forces) gather_all(state, work);
}

/// One step of the batch, from positions drifted to step `step`: forces, then either the end of the step or its end and the next one's
/// start.
void one_step(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t step, bool last, bool account) {
    {
        const auto timer = timers.measure("contacts");
        respond(model, state, work, model.dt);
    }
    if (work.joints && model.method == Method::Penalty) {
        const auto timer = timers.measure("joints");
        commit_flags(work);
        joint_forces(model, state, work, static_cast<double>(step) * model.dt, model.dt);
    }
    const auto timer = timers.measure("motion");
    commit_and_count(work);
    if (!last && !account) {
        finish_and_start(model, state, work);
    } else {
        finish_step(model, state, work);
        if (account) account_dissipation(model, state, work);
        if (!last) start_step(model, state, work);
    }
    if (!last) move_walls(state, work, model.dt);
    commit_flags(work);
}

/// Sends for the contacts of the step after `step` where the cone method will want them: the report of this one then tells their number.
void count_next(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t step, std::int64_t target) {
    if (model.method != Method::Cone || step >= target || skin_too_wide(model, state, work, step)) return;
    const auto timer = timers.measure("contacts");
    count_ahead(model, state, work);
}

/// Counts the contacts that the next step of the cone method begins from, where no report of a step told their number: after a start or a
/// list. Waits then.
void know_next(const Model& model, State& state, Workspace& work, StageTimers& timers) {
    if (model.method != Method::Cone || counts_known(work)) return;
    const auto timer = timers.measure("contacts");
    count_ahead(model, state, work);
    note_counts(work, read_report(model, state, work));
}

constexpr std::int64_t worth_fusing = 8;  // steps from where on it pays to save the state for them

/// Can the steps from here up to `target` be fused? The last one can not: its forces are looked at.
bool fuses_to(const Model& model, const State& state, const Workspace& work, std::int64_t target, bool account) {
    if (!work.fused.planned || account || !can_fuse(model, state, work)) return false;
    if ((work.flags.read().up & gating_flags) != 0) return false;  // a flag at hand is for the step by step
    return target - state.step > (work.fused.saved ? 1 : worth_fusing);
}

/// Counts a step that begins with no flag up.
void count_step(Workspace& work) {
    FlagWords* words = work.flags.words.data();
    for_each(
        work.exec, "step/count", 1, SCREE_LAMBDA(Index)->void { ++words->step; }, work.flags.gate());
}

/// One step that is fused, from drifted positions.
void one_fused_step(const Model& model, State& state, Workspace& work, StageTimers& timers) {
    const auto timer = timers.measure("contacts and motion");
    if (!work.fused.saved) begin_fused(model, state, work);
    fused_step(model, state, work);
    count_step(work);
    turn_bodies(model, state, work);
    move_walls(state, work, model.dt);
    commit_flags(work);
}

/// A step that was fused went wrong: back to where its list was first fused, to go on step by step to the state that is at fault.
void go_back(const Model& model, State& state, Workspace& work, BatchReport& report) {
    report.steps_done -= state.step - work.fused.saved_step;
    restore_from_fused(state, work);
    state.time = static_cast<double>(state.step) * model.dt;
    work.flags.start_at(state.step);
    move_walls(state, work, model.dt);
    work.fused.planned = false;
}

/// How the step just done was solved: the cone method sends one step at a time.
void note_cone(const Model& model, const State& state, const Workspace& work, const FlagWords& flags, BatchReport& report) {
    if (model.method != Method::Cone) return;
    note_solution(model, work, flags);
    work.cone->report.step = state.step;
    report.cone.push_back(work.cone->report);
}

/// `burst` steps, the flags unread. Stretches of them that start the same kernels every time are replayed: all but the last step of a
/// segment.
void send_steps(const Model& model, State& state, Workspace& work, StageTimers& timers, Index burst, std::int64_t target, bool account) {
    const Index stretch = runs_alone(model) ? work.exec.steps_recorded : 0;
    for (Index sent = 0; sent < burst;) {
        const std::int64_t first = state.step + sent + 1;
        if (stretch > 0 && sent + stretch <= burst && first + stretch <= target) {
            work.replay.run(work.exec, "step/recorded_steps", [&] {
                for (Index k = 0; k < stretch; ++k) one_step(model, state, work, timers, first + k, false, account);
            });
            sent += stretch;
        } else {
            one_step(model, state, work, timers, first, first == target, account);
            ++sent;
        }
    }
}

/// Steps until `target`, without boundary events. Returns false where a fault ended it (report is filled).
bool run_segment(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t target, bool account,
                 BatchReport& report) {
    work.fused.saved = false;  // never back past what has been reported
    work.flags.start_at(state.step);
    forget_counts(work);
    while (state.step < target) {
        if (!state.drifted) {
            const auto timer = timers.measure("motion");
            start_step(model, state, work);
            move_walls(state, work, model.dt);
            commit_flags(work);
            state.drifted = true;
        }
        bool fused = false;
        FlagWords flags;
        with_chosen_threads(work.thread_choice, work.exec, [&] {
            know_next(model, state, work, timers);
            fused = fuses_to(model, state, work, target, account);
            if (fused) {
                one_fused_step(model, state, work, timers);
            } else {
                const Index burst = std::min<Index>(steps_in_flight(model, work), target - state.step);
                send_steps(model, state, work, timers, burst, target, account);
                if (state.step + burst == target) check_ahead(model, state, work, target);
                count_next(model, state, work, timers, state.step + 1, target);
            }
            flags = read_report(model, state, work);
            return flags.step - state.step;
        });
        note_counts(work, flags);
        const std::uint32_t up = flags.up;
        const std::int64_t counted = flags.step - state.step;
        state.step = flags.step;
        report.steps_done += counted;
        state.time = static_cast<double>(state.step) * model.dt;
        if (counted > 0) note_cone(model, state, work, flags, report);
        if (state.step == target) {
            state.drifted = false;
            note_check(model, state, work, flags);
        }
        if ((up & kOverlapWarning) != 0) report.overlap_warned = true;
        if ((flags.up | flags.pending) != 0) work.flags.clear();
        if (counted == 0 && (up & gating_flags) == 0)
            throw RunError("the device finished no step and raised no flag: its kernels did not run");
        if (fused && (up & fault_flags) != 0) {
            go_back(model, state, work, report);
            continue;
        }
        if ((up & fault_flags) != 0) {
            if ((up & (kNotSolved | kJointsApart)) != 0 && model.method == Method::Cone) note_solution(model, work, flags);
            report.fault = settle_fault(model, state, work, up);
            return false;
        }
        if (state.drifted && ((up & kSkinExhausted) != 0 || skin_too_wide(model, state, work, state.step))) {
            report.fault = too_fast(model, state, work);
            if (report.fault.kind != FaultKind::None) return false;
            rebuild(model, state, work, timers, true);
        }
    }
    return true;
}

}  // namespace

void rebuild(const Model& model, State& state, Workspace& work, StageTimers& timers, bool exhausted, bool loaded) {
    if (model.method == Method::Fluid) {
        rebuild_fluid(state, work);
        return;
    }
    const auto timer = timers.measure("pair list");
    work.replay.forget();
    forget_counts(work);
    if (!loaded && !state.drifted) settle_forces(state, work);  // of the contacts that now go, for the first half kick
    take_forces_back(state, work);
    work.fused.used = can_fuse(model, state, work);
    if (!loaded) {
        work.fused.place.swap(work.old_lists[kSpheres].partner);  // places are dealt anew when history has been carried
        set_contacts_aside(state, work, model.method != Method::Penalty);
    }
    const double skin = state.skin;
    adapt_skin(model, state, work, exhausted);
    if (exhausted && looks_ahead(state, work)) learn_to_look(state, skin);
    if (model.method == Method::Cone) cone_reach(model, state, work);
    with_bodies_ahead(model, state, work, [&] {
        lay_cells(state, work);
        reorder(state, work);
        place_walls(model, state, work);
        lay_lattice(state, work);
        find_body_pairs(model, state, work);
        find_wall_pairs(model, state, work);
    });
    if (loaded && work.old_lists[kSpheres].first.size() > 0) {  // from a checkpoint: its forces are looked at before the next step
        ContactList& spheres = state.lists[kSpheres];
        spheres.contacts.force.resize_zero(spheres.size());
        spheres.contacts.twist.resize_zero(spheres.size());
    }
    carry_history(state, work);
    work.fused.planned = work.fused.placed = false;
    work.fused.place.swap(work.old_lists[kSpheres].partner);
    if (work.fused.used) plan_fused(state, work);
    state.list_step = state.step;
    ++state.rebuilds;
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
    know_next(model, state, work, timers);
    respond(model, state, work, 0.0);
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
    work.flags.clear();
}

BatchReport advance_steps(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t steps, bool account) {
    BatchReport report;
    const std::int64_t end = state.step + steps;
    while (state.step < end) {
        bool stale = update_active_walls(model, state, work);
        const BoundaryCheck check = check_domain(model, state, work, report);
        if (check == BoundaryCheck::Fault) return report;
        stale = stale || check == BoundaryCheck::Removed;
        // A fluid's slots move only when bodies go: a restart at an event of walls sees no event.
        const bool in_place = model.method == Method::Fluid && check != BoundaryCheck::Removed;
        if (stale && in_place) forget_walls(work);
        if (stale && !in_place) rebuild(model, state, work, timers, false);
        const std::int64_t target = std::min(end, next_boundary_event(model, state));
        const bool done = model.method == Method::Fluid ? run_fluid(model, state, work, timers, target, report)
                                                        : run_segment(model, state, work, timers, target, account, report);
        if (!done) return report;
    }
    return report;
}

}  // namespace scree::SCREE_FLAVOR
