#include "engine/cone/respond.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/cone/contact_geometry.hpp"
#include "engine/exec/reduce.hpp"
#include "engine/penalty/joined_bodies.hpp"
#include "engine/state/reach.hpp"
#include "model/compounds.hpp"
#include "model/way_limit.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double joints_kept = 1e-6;  // a larger miss after the drift, over the mechanism's size, is told
// Corrections of joints to their places after the drift: each gains a digit or more at a tenth of a radian a step, three at a hundredth. A
// few in any case, more while each takes half of the miss away: rounding and joints that contradict each other leave some.
constexpr int few_corrections = 4, most_corrections = 20;
constexpr double gained = 0.5;

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

ContactBuild build_settings(const Model& model, const State& state, Workspace& work) {
    const ConeSettings& s = model.cone;
    // A fifth of the smallest body's half thickness in a hundred steps: fast enough to be seen, too slow to throw a body.
    double recovery = s.recovery_speed;
    if (!(recovery > 0)) {
        double& thickness = work.cone->half_thickness;
        if (!(thickness > 0)) thickness = least_half_thickness(model, work);
        recovery = 0.2 * thickness / (100 * model.dt);
    }
    return {model.dt, recovery, s.restitution_threshold, state.envelope, model.penalty.overlap_warning, model.penalty.overlap_limit};
}

SolveSettings solve_settings(const Model& model) {
    const ConeSettings& s = model.cone;
    const double g = norm(model.gravity);
    SolveSettings out;
    out.solver = s.solver;
    out.friction = s.friction;
    out.iterations = s.iterations;
    out.tolerance = s.tolerance > 0 ? s.tolerance : (g > 0 ? 1e-3 * g * model.dt : 1e-6);
    out.omega = s.omega;
    out.lambda = s.lambda;
    out.coulomb_iterations = s.coulomb_iterations;
    return out;
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

/// Wrenches on the joined bodies: what is applied, and what their rows did over the kick.
std::vector<CentreWrench> joint_wrenches(const JointRun& run, const std::vector<Wrench>& applied) {
    std::vector<CentreWrench> sum;
    for (const Wrench& w : applied) sum.push_back({w.force, w.torque});
    const auto push = [&](std::int32_t body, Vec3 linear, Vec3 angular, double by) {
        if (body < 0) return;
        sum[static_cast<std::size_t>(body)].force += by * linear;
        sum[static_cast<std::size_t>(body)].torque += by * angular;
    };
    const auto add = [&](const std::vector<JointRow>& rows, const std::vector<double>& impulse) {
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const JointRow& row = rows[r];
            const double force = impulse[r] / run.kick;
            push(row.a, row.linear_a, row.angular_a, force);
            push(row.b, row.linear_b, row.angular_b, force);
            push(row.c, row.linear_c, row.angular_c, force);
            push(row.d, row.linear_d, row.angular_d, force);
        }
    };
    add(run.system.bilateral(), run.response.bilateral);
    add(run.system.bounded(), run.response.bounded);
    return sum;
}

/// Has any joined body a row of the table? A body that is gone has none.
bool joined_touch(const State& state, Workspace& work, const ContactTable& table) {
    JointRun& run = *work.joints;
    run.touched.resize(run.id.size());
    std::uint32_t* touched = run.touched.data();
    const std::uint32_t* id = run.id.data();
    const Slot* slot = work.slot_of_id.data();
    const Index* row_start = table.row_start.data();
    const Index bodies = state.bodies.count;
    for_each(
        work.exec, "cone/joined_touch", run.id.size(), SCREE_LAMBDA(Index k)->void {
            const Slot i = slot[id[k]];
            touched[k] = i >= 0 && i < bodies && row_start[i + 1] > row_start[i] ? 1u : 0u;
        });
    const std::vector<std::uint32_t> all = run.touched.host();
    return std::any_of(all.begin(), all.end(), [](std::uint32_t t) { return t != 0; });
}

void fetch_joints(const Model& model, State& state, Workspace& work, double kick) {
    JointRun& run = *work.joints;
    fetch_joined(state, work);
    run.kick = kick;
    run.time = static_cast<double>(state.step + (state.drifted ? 1 : 0)) * model.dt;
}

/// Mechanisms that nothing touches go their way in parts of the step.
void joints_alone(const Model& model, State& state, Workspace& work) {
    JointRun& run = *work.joints;
    std::vector<Wrench> external;
    for (const JointBody& body : run.system.bodies()) external.push_back({(1 / body.inverse_mass) * model.gravity, {}});
    SubstepSettings settings;
    settings.time = run.time;
    settings.dt = model.dt;
    settings.count = static_cast<int>(model.cone.joint_substeps);
    settings.kick = run.kick;
    settings.tolerance = model.cone.joint_tolerance;
    std::vector<CentreWrench> wrenches;
    for (const Wrench& w : substeps(run.system, external, settings, run.alone)) wrenches.push_back({w.force, w.torque});
    work.cone->report.joint_miss = run.alone.miss;
    add_to_joined(wrenches, state, work);
}

/// The joints' rows at the positions at hand, and springs, dampers and prescribed efforts on the joined bodies.
std::vector<Wrench> evaluate_joints(const Model& model, JointRun& run) {
    run.alone = {};
    run.system.evaluate(run.time, model.dt);
    std::vector<Wrench> applied;
    for (std::size_t k = 0; k < run.system.ids().size(); ++k) applied.push_back(run.system.applied(k));
    return applied;
}

/// Impulses of the joints' rows out of the unknowns: bounded rows come first, bilateral ones follow where they are iterated.
void keep_joint_impulses(JointRun& run, Unknowns& x, bool direct) {
    const std::vector<Real> scalar = x.scalar.host();
    const std::size_t bounded = run.system.bounded().size();
    run.response.bounded.assign(scalar.begin(), scalar.begin() + static_cast<std::ptrdiff_t>(bounded));
    if (!direct) run.response.bilateral.assign(scalar.begin() + static_cast<std::ptrdiff_t>(bounded), scalar.end());
}

void raise_not_finite(Workspace& work) {
    std::uint32_t* word = work.flags.pending();
    for_each(
        work.exec, "cone/not_finite", 1, SCREE_LAMBDA(Index)->void { *word |= kNotFinite; });
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
    if (!work.cone) work.cone = std::make_shared<ConeRoom>();
    count_contacts(model, state, work, build_settings(model, state, work), work.cone->table);
    work.cone->counting = true;
}

void note_counts(Workspace& work, const FlagWords& flags) {
    if (work.cone && std::exchange(work.cone->counting, false)) work.cone->counted = flags;
}

void forget_counts(Workspace& work) {
    if (!work.cone) return;
    work.cone->counting = false;
    work.cone->counted.reset();
}

void cone_response(const Model& model, State& state, Workspace& work, double kick) {
    if (!work.cone || !work.cone->counted) {
        count_ahead(model, state, work);
        note_counts(work, work.flags.read());
    }
    ConeRoom& room = *work.cone;
    const FlagWords counted = *std::exchange(room.counted, std::nullopt);
    if ((counted.up & gating_flags) != 0) return;
    const bool direct = model.cone.direct_joints;
    build_contacts(model, state, work, build_settings(model, state, work), kick, counted.contacts, room.table, room.x);
    if (work.joints) fetch_joints(model, state, work, kick);
    const bool alone = work.joints && direct && model.cone.joint_substeps > 1 && !joined_touch(state, work, room.table);
    JointSystem* joints = work.joints && !alone ? &work.joints->system : nullptr;
    const std::vector<Wrench> applied = joints != nullptr ? evaluate_joints(model, *work.joints) : std::vector<Wrench>{};
    BodyOperator problem(model, state, work, room.table, room.bodies, joints, direct, kick);
    problem.set_free(kick, applied);
    room.x.scalar.resize_zero(room.bodies.scalar_row.size());
    if (!model.cone.warm_start) problem.shape(room.x);
    const SolveSettings settings = solve_settings(model);
    room.report = {};
    room.report.contacts = room.table.count;
    double missed = std::numeric_limits<double>::infinity();
    for (int pass = 1; pass <= most_corrections; ++pass) {
        const SolveReport solved = solve(problem, settings, room.solve, room.x);
        room.report.iterations += solved.iterations;
        room.report.residual = solved.residual;
        room.report.converged = solved.converged;
        if (joints == nullptr || !direct) break;
        std::vector<double>& bilateral = work.joints->response.bilateral;
        bilateral.assign(joints->bilateral().size(), 0.0);
        problem.twists(view_of(room.x), true, &bilateral);
        room.report.joint_miss = joints->correct(problem.joined_twists(), model.dt);
        const bool falls = room.report.joint_miss < gained * missed;
        missed = room.report.joint_miss;
        if (missed <= model.cone.joint_tolerance || (pass >= few_corrections && !falls)) break;
    }
    if (!std::isfinite(room.report.residual)) raise_not_finite(work);
    write_forces(state, work, room.table, room.x, kick);
    if (joints != nullptr) {
        keep_joint_impulses(*work.joints, room.x, direct);
        add_to_joined(joint_wrenches(*work.joints, applied), state, work);
    }
    if (alone) joints_alone(model, state, work);
    if (room.report.joint_miss > joints_kept) room.report.converged = false;
    keep_forces(state, work, kick, room.table, room.x);
}

}  // namespace scree::SCREE_FLAVOR
