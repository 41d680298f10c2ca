#include "engine/cone/respond.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/cone/points/contact_geometry.hpp"
#include "engine/exec/reduce.hpp"
#include "engine/penalty/joined_bodies.hpp"
#include "engine/state/reach.hpp"
#include "model/compounds.hpp"
#include "model/way_limit.hpp"
#include "model/weight.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double joints_kept = 1e-6;  // a larger miss after the drift, over the mechanism's size, is told

/// Smallest radius of a sphere or inradius of a polyhedron [m].
double least_half_thickness(const Model& model, const Workspace& work) {
    double least = work.max_radius;
    const BodyTable& bodies = model.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto s = static_cast<std::size_t>(bodies.shape[i]);
        if (is_compound(model, i)) continue;
        least = std::min(least, bodies.radius[i] * (bodies.shape[i] >= 0 ? model.shapes[s].inradius : 1.0));
    }
    return least;
}

SolveSettings solve_settings(const Model& model) {
    const ConeSettings& s = model.cone;
    SolveSettings out;
    out.solver = s.solver;
    out.friction = s.friction;
    out.iterations = s.iterations;
    out.tolerance = tolerance_of(s, strongest_gravity(model), model.dt);
    out.omega = s.omega;
    out.lambda = s.lambda;
    out.coulomb_iterations = s.coulomb_iterations;
    return out;
}

/// The same, looked up once.
double half_thickness(const Model& model, Workspace& work) {
    double& thickness = work.cone->half_thickness;
    if (!(thickness > 0)) thickness = least_half_thickness(model, work);
    return thickness;
}

/// A larger residual stops the run [m/s].
double residual_limit(const Model& model, Workspace& work) {
    return model.cone.residual_limit > 0 ? model.cone.residual_limit : 0.1 * half_thickness(model, work) / model.dt;
}

ContactBuild build_settings(const Model& model, const State& state, Workspace& work) {
    const ConeSettings& s = model.cone;
    // A fifth of the smallest body's half thickness in a hundred steps: fast enough to be seen, too slow to throw a body.
    double recovery = s.recovery_speed;
    if (!(recovery > 0)) {
        recovery = 0.2 * half_thickness(model, work) / (100 * model.dt);
    }
    // A body that a step of acceleration set moving from rest must end without rebound, or it would rattle for ever; twice that speed is
    // past it, and past what the solver leaves open.
    const bool given = s.restitution_threshold >= 0;
    const double caused = std::max(2 * norm(strongest_gravity(model)) * model.dt, 2 * solve_settings(model).tolerance);
    return {model.dt,
            recovery,
            given ? s.restitution_threshold : caused,
            given ? 0.0 : 4.0,
            state.envelope,
            model.penalty.overlap_warning,
            model.penalty.overlap_limit};
}

struct ForceInput {
    const Index* row_start;
    const std::uint32_t* entry;
    const Arms* arms;
    const Vec3R *impulse, *couple, *normal;
    const Real* pull;
    double per_kick;
};

/// Force and torque of every body from its contacts, in double and in the order of its rows; rows past 64 entries in chunks.
void write_forces(State& state, Workspace& work, ContactTable& t, Unknowns& x, double kick) {
    const BodyView body = state.bodies.view();
    const bool planar = state.planar;
    const ForceInput in{t.row_start.data(), t.entry.data(), t.arms.data(), x.impulse.data(), t.rolling ? x.couple.data() : nullptr,
                        t.normal.data(),    t.pull.data(),  1.0 / kick};
    for_each(
        work.exec, "cone/forces", state.bodies.count, SCREE_LAMBDA(Index i)->void {
            constexpr Index chunk = 64;
            Vec3 force{}, torque{};
            for (Index begin = in.row_start[i]; begin < in.row_start[i + 1]; begin += chunk) {
                Vec3 force_part{}, torque_part{};
                const Index end = begin + chunk < in.row_start[i + 1] ? begin + chunk : in.row_start[i + 1];
                for (Index k = begin; k < end; ++k) {
                    const Index c = static_cast<Index>(in.entry[k] >> 1);
                    const bool is_b = (in.entry[k] & 1u) != 0;
                    const double sign = is_b ? 1.0 : -1.0;
                    const Vec3 push =
                        sign * (in.per_kick * cast<double>(in.impulse[c]) - static_cast<double>(in.pull[c]) * cast<double>(in.normal[c]));
                    force_part += push;
                    torque_part += cross(cast<double>(is_b ? in.arms[c].b : in.arms[c].a), push);
                    if (in.couple != nullptr) torque_part += (sign * in.per_kick) * cast<double>(in.couple[c]);
                }
                force += force_part;
                torque += torque_part;
            }
            // Rounding of normals may leave a trace across a plane model.
            body.force.set(i, planar ? Vec3{force.x, force.y, 0} : force);
            body.torque.set(i, planar ? Vec3{0, 0, torque.z} : torque);
        });
}

/// Do mechanisms that nothing touches go their way in parts of the step? Bonds may hold on to them.
bool goes_alone(const Model& model, const Workspace& work) {
    return work.joints && model.cone.direct_joints && model.cone.joint_substeps > 1 && !work.bonds;
}

void begin_joints(const Model& model, const State& state, Workspace& work, double kick) {
    JointRun& run = *work.joints;
    place_joined(run);
    run.kick = kick;
    run.time = static_cast<double>(state.step + (state.drifted ? 1 : 0)) * model.dt;
}

void raise(Workspace& work, Flag flag) {
    std::uint32_t* word = work.flags.pending();
    for_each(
        work.exec, "cone/raise", 1, SCREE_LAMBDA(Index)->void { *word |= flag; });
}

/// Mechanisms that nothing touches go their way in parts of the step.
void joints_alone(const Model& model, State& state, Workspace& work) {
    JointRun& run = *work.joints;
    run.told = true;
    std::vector<Wrench> external;
    for (const JointBody& body : run.system.bodies()) external.push_back({(1 / body.inverse_mass) * model.gravity, {}});
    SubstepSettings settings;
    settings.time = run.time;
    settings.dt = model.dt;
    settings.count = static_cast<int>(model.cone.joint_substeps);
    settings.kick = run.kick;
    settings.tolerance = model.cone.joint_tolerance;
    std::vector<CentreWrench> wrenches;
    if (work.media.any) run.alone.middle.clear();  // which does not know what fields have given since
    for (const Wrench& w : substeps(run.system, external, settings, run.alone)) wrenches.push_back({w.force, w.torque});
    work.cone->report.joint_miss = run.alone.miss;
    if (!(run.alone.miss <= joints_lost)) raise(work, kJointsApart);
    add_to_joined(wrenches, state, work);
}

/// Impulses of the bilateral rows in the order of kernels -> in their own.
std::vector<double> in_rows(const std::vector<std::int32_t>& order, const std::vector<double>& impulse) {
    std::vector<double> out(order.size());
    for (std::size_t p = 0; p < order.size(); ++p) out[static_cast<std::size_t>(order[p])] = impulse[p];
    return out;
}

void add_solve(const SolveReport& solved, ConeBuffers& buffers) {
    buffers.report.iterations += solved.iterations;
    buffers.report.residual = solved.residual;
    buffers.report.converged = solved.converged;
    buffers.residual_told = solved.told;
}

/// Solves and corrects until joints are where they are to be after the drift; kernels decide. A solve that is sent too many learns that it
/// is not needed. Nothing is done where settings.within has ended.
void solve_and_correct(const Model& model, BodyOperator& problem, const SolveSettings& settings, double size, ConeBuffers& buffers) {
    JointRows& rows = buffers.bodies.joints;
    const Exec& exec = problem.exec();
    start_corrections(exec, model.cone.joint_tolerance, settings.tolerance, settings.within, rows);
    SolveSettings within = settings;
    within.within = rows.corrections.control<CorrectionControl>();
    rows.corrections.repeat_until_stop<CorrectionControl>(most_corrections, [&] {
        const SolveReport solved = solve(problem, within, buffers.solve, buffers.x);
        if (solved.closed) return false;
        add_solve(solved, buffers);
        problem.twists(view_of(buffers.x), true);
        send_correction(exec, model.dt, size, rows);
        return true;
    });
}

/// size: of mechanisms whose joints are solved directly [m], if any.
void solve_problem(const Model& model, BodyOperator& problem, const SolveSettings& settings, std::optional<double> size,
                   ConeBuffers& buffers) {
    if (size) {
        solve_and_correct(model, problem, settings, *size, buffers);
        return;
    }
    const SolveReport solved = solve(problem, settings, buffers.solve, buffers.x);
    if (!solved.closed) add_solve(solved, buffers);
}

/// Open contacts that held off what would not touch are left out, and the rest is solved from there on. The host looks where that costs
/// nothing, else kernels learn that there is nothing to do.
void look_and_solve(const Model& model, State& state, Workspace& work, BodyOperator& problem, const SolveSettings& settings,
                    std::optional<double> size) {
    ConeBuffers& buffers = *work.cone;
    if (!state.has_polyhedra || buffers.table.count == 0) return;
    LeaveOutControl* control = buffers.looks.control<LeaveOutControl>();
    start_looking(work.exec, settings.tolerance, control);
    if (!size) problem.twists(view_of(buffers.x), true);  // corrections leave those of their last pass
    leave_out(model, state, work, buffers.bodies.mass.data(), buffers.bodies.twist.data(), buffers.table, buffers.x, control);
    SolveSettings within = settings;
    within.within = control;
    const auto solve_again = [&] {
        problem.rows_changed();
        solve_problem(model, problem, within, size, buffers);
        return true;
    };
    // What is solved on the host takes the time of a wait, and does not ask kernels whether it is needed.
    buffers.looks.repeat_until_stop<LeaveOutControl>(1, solve_again, settings.solver == ConeSolver::InteriorPoint);
}

/// What corrections missed last, to where the host reads the flags.
void tell_miss(Workspace& work) {
    const CorrectionControl* control = work.cone->bodies.joints.corrections.control<CorrectionControl>();
    FlagWords* words = work.flags.words.data();
    for_each(
        work.exec, "cone/tell_miss", 1, SCREE_LAMBDA(Index)->void {
            words->joint_miss = control->missed;
            if (!(control->missed <= joints_lost)) words->pending |= kJointsApart;
        });
    work.cone->miss_told = true;
}

/// Raises what the residual of a step asks for; it is known here, or to kernels.
void hold_residual(const Model& model, Workspace& work) {
    const double limit = residual_limit(model, work), residual = work.cone->report.residual;
    if (!std::isfinite(residual)) raise(work, kNotFinite);
    if (!work.cone->residual_told) {
        if (residual > limit) raise(work, kNotSolved);
        return;
    }
    FlagWords* words = work.flags.words.data();
    for_each(
        work.exec, "cone/hold_residual", 1, SCREE_LAMBDA(Index)->void {
            if (words->residual > limit) words->pending |= kNotSolved;
        });
}

}  // namespace

double cone_envelope(const Model& model, const Workspace& work) {
    return model.cone.envelope > 0 ? model.cone.envelope : 0.05 * least_half_thickness(model, work);
}

void cone_reach(const Model& model, State& state, Workspace& work) {
    constexpr double rise = 1.25;  // of speeds while the list holds, before it is made anew for them
    const BodyView body = state.bodies.view();
    const Index n = state.bodies.count;
    const double fastest = max_of(
        work.exec, "cone/fastest", n, 0.0, SCREE_LAMBDA(Index i)->double { return body.is_compound(i) ? 0.0 : fastest_point(body, i); });
    double wall = 0;
    if (work.walls.motions.any) {
        for (const WallPlace& place : work.walls.motions.place.host()) {
            const RigidVelocity v = velocity_in(&place.mid);
            const double here = max_of(
                work.exec, "cone/fastest_wall", n, 0.0, SCREE_LAMBDA(Index i)->double { return norm(velocity_at(v, body.position[i])); });
            wall = std::max(wall, here);
        }
    }
    double way = rise * model.dt * std::max(fastest, wall);
    if (way > work.max_radius) {
        double volume = 1;
        for (int axis = 0; axis < 3; ++axis) {
            const auto extreme = [&](double sign) {
                return max_of(
                    work.exec, "cone/extent", n, -1e300, SCREE_LAMBDA(Index i)->double { return sign * body.position.row[i].value[axis]; });
            };
            volume *= extreme(1) + extreme(-1) + 2 * work.max_radius;
        }
        way = limited_way(way, static_cast<double>(n), volume, work.max_radius);
    }
    state.most_way = way;
    state.reach = 2 * (0.25 * state.envelope + std::max(0.25 * state.envelope, way));
}

void count_ahead(const Model& model, State& state, Workspace& work) {
    if (!work.cone) work.cone = std::make_shared<ConeBuffers>();
    count_contacts(model, state, work, build_settings(model, state, work), work.cone->table);
    if (goes_alone(model, work)) flag_touched(state, work, *work.joints, &work.flags.words.data()->joined_touch, work.cone->table);
    work.cone->counting = true;
}

void note_counts(Workspace& work, const FlagWords& flags) {
    if (work.cone && std::exchange(work.cone->counting, false)) work.cone->counted = flags;
}

bool counts_available(const Workspace& work) {
    return work.cone && work.cone->counted;
}

void forget_counts(Workspace& work) {
    if (!work.cone) return;
    work.cone->counting = false;
    work.cone->counted.reset();
}

void note_solution(const Model& model, const Workspace& work, const FlagWords& flags) {
    ConeReport& report = work.cone->report;
    if (std::exchange(work.cone->residual_told, false)) {
        report.residual = flags.residual;
        report.converged = report.residual <= solve_settings(model).tolerance;
    }
    if (std::exchange(work.cone->miss_told, false)) report.joint_miss = flags.joint_miss;
    if (report.joint_miss > joints_kept) report.converged = false;
}

void tell_joints(const Workspace& work) {
    JointRun& run = *work.joints;
    if (std::exchange(run.told, true)) return;
    ConeBuffers& buffers = *work.cone;
    JointRows& rows = buffers.bodies.joints;
    const std::vector<Real> scalar = buffers.x.scalar.host();
    const auto bounded = static_cast<std::ptrdiff_t>(run.system.bounded().size());
    const auto joined = static_cast<std::ptrdiff_t>(buffers.bodies.scalar_row.size());  // those of bonds follow
    run.response.bounded.assign(scalar.begin(), scalar.begin() + bounded);
    if (!rows.eliminates) {
        run.response.bilateral.assign(scalar.begin() + bounded, scalar.begin() + joined);
        return;
    }
    run.response.bilateral = in_rows(run.system.blocks().order, rows.impulse.host());
    run.system.look_after(rows.twist.host(), run.dt);
}

void cone_response(const Model& model, State& state, Workspace& work, double kick) {
    SCREE_ASSERT(counts_available(work));
    ConeBuffers& buffers = *work.cone;
    const FlagWords counted = *std::exchange(buffers.counted, std::nullopt);
    if ((counted.up & gating_flags) != 0) return;
    if (work.joints) begin_joints(model, state, work, kick);
    const bool alone = goes_alone(model, work) && counted.joined_touch == 0;
    JointRun* joints = alone ? nullptr : work.joints.get();
    if (joints != nullptr) {
        joints->alone = {};
        joints->system.evaluate(joints->time, model.dt);
    }
    load_joints(joints, model.cone.direct_joints, kick / model.dt, buffers.bodies);
    build_contacts(model, state, work, build_settings(model, state, work), kick, counted.contacts, buffers.table, buffers.x);
    BodyOperator problem(model, state, work, buffers.table, buffers.bodies, joints, model.cone.direct_joints);
    problem.set_free(kick);
    buffers.x.scalar.resize_zero(buffers.bodies.scalars());
    problem.guess(kick, buffers.x);
    if (!model.cone.warm_start) problem.shape(buffers.x);
    SolveSettings settings = solve_settings(model);
    settings.tell = &work.flags.words.data()->residual;
    buffers.report = {};
    buffers.residual_told = false;
    buffers.report.contacts = buffers.table.count;
    std::optional<double> size;
    if (joints != nullptr && model.cone.direct_joints) size = joints->system.size();
    solve_problem(model, problem, settings, size, buffers);
    look_and_solve(model, state, work, problem, settings, size);
    if (size) tell_miss(work);
    hold_residual(model, work);
    write_forces(state, work, buffers.table, buffers.x, kick);
    keep_bonds(state, work, model.dt, kick, kick == model.dt, buffers.bodies, buffers.x);  // none breaks before the first drift
    if (joints != nullptr) {
        add_joint_wrenches(state, work, buffers.bodies.joints, buffers.x.scalar, kick);
        joints->told = false;
        joints->dt = model.dt;
    }
    if (alone) joints_alone(model, state, work);
    keep_forces(state, work, kick, buffers.table, buffers.x);
}

}  // namespace scree::SCREE_FLAVOR
