#include "engine/step/segment.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "engine/bonds/bonds.hpp"
#include "engine/cone/respond.hpp"
#include "engine/fused/fused.hpp"
#include "engine/motion/verlet.hpp"
#include "engine/motion/walls.hpp"
#include "engine/space/drive.hpp"
#include "engine/space/images.hpp"
#include "engine/step/boundary.hpp"
#include "engine/step/fault.hpp"
#include "engine/step/joint_forces.hpp"
#include "engine/step/rebuild.hpp"
#include "engine/step/stages.hpp"

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

/// Sends for the contacts of the step after `step` where the cone method will want them: the report of this one then tells their number.
void count_next(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t step, std::int64_t target) {
    if (model.method != Method::Cone || step >= target || skin_too_wide(model, state, work, step)) return;
    const auto timer = timers.measure("contacts");
    count_ahead(model, state, work);
}

constexpr std::int64_t worth_fusing = 8;  // steps from where on it pays to save the state for them

/// Can the steps from here up to `target` be fused? The last one can not: its forces are looked at.
bool fuses_to(const Model& model, const State& state, const Workspace& work, std::int64_t target) {
    if (!work.fused.planned || !can_fuse(model, state, work)) return false;
    if ((work.flags.read().up & gating_flags) != 0) return false;  // a flag at hand is for the step by step
    return target - state.step > (work.fused.saved ? 1 : worth_fusing);
}

/// A step that was fused went wrong: back to where its list was first fused, to go on step by step to the state that is at fault.
void go_back(const Model& model, State& state, Workspace& work, BatchReport& report) {
    report.steps_done -= state.step - work.fused.saved_step;
    restore_from_fused(state, work);
    state.time = static_cast<double>(state.step) * model.dt;
    work.flags.start_at(state.step);
    move_walls(state, work, model.dt);
    move_images(state, work);
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

}  // namespace

void count_ahead_of_step(const Model& model, State& state, Workspace& work, StageTimers& timers) {
    if (model.method != Method::Cone || counts_available(work)) return;
    const auto timer = timers.measure("contacts");
    count_ahead(model, state, work);
    note_counts(work, read_report(model, state, work));
}

bool run_segment(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t target, bool account,
                 BatchReport& report) {
    work.fused.saved = false;  // never back past what has been reported
    work.flags.start_at(state.step);
    forget_counts(work);
    while (state.step < target) {
        if (!state.drifted) {
            const auto timer = timers.measure("motion");
            start_step(model, state, work);
            move_surroundings(model, state, work);
            move_images_in_step(state, work);
            commit_flags(work);
            state.drifted = true;
        }
        bool fused = false;
        FlagWords flags;
        with_chosen_threads(work.thread_choice, work.exec, [&] {
            count_ahead_of_step(model, state, work, timers);
            fused = fuses_to(model, state, work, target);
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
            rebuild(model, state, work, timers, !misses_broken(work));  // for bonds alone it is not worn out
        }
    }
    return true;
}

}  // namespace scree::SCREE_FLAVOR
