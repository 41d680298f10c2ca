#include "engine/step/fluid_step.hpp"

#include "engine/broad/broad.hpp"
#include "engine/exec/bounds.hpp"
#include "engine/fluid/fluid.hpp"
#include "engine/motion/walls.hpp"
#include "engine/step/boundary.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr std::int64_t reorder_every = 32;  // steps; a fixed number, so that a restart changes nothing
constexpr double farthest = 0.5;            // spacings that a particle may move in a step: half of the way through a wall without thickness
constexpr double wall_skin = 1;             // spacings, of the lists of walls: ten steps or so of the fastest particle
constexpr std::uint32_t faults = kNotFinite | kTooFast;

/// Velocities are those of whole steps; of the half step before, which positions followed, half of the step's acceleration is taken back.
void predict(const Model& model, State& state, Workspace& work, FluidBuffers& buffers) {
    const BodyView body = state.bodies.view();
    const Vec3 gravity = model.gravity;
    const double dt = model.dt, most = farthest * buffers.spacing, most2 = most * most, heaviest = buffers.heaviest;
    const double skin2 = 0.25 * state.skin * state.skin;
    const bool watch = buffers.walls_listed;
    buffers.place.rows.resize(state.bodies.count);
    buffers.next.rows.resize(state.bodies.count);
    buffers.listed.resize(state.bodies.count);
    buffers.way.resize_zero(state.bodies.count);
    buffers.multiplier.resize_zero(state.bodies.count);
    buffers.change.resize(state.bodies.count);
    Row4* place = buffers.place.rows.data();
    const Vec3View<double> listed = buffers.listed.view();
    flag_each(
        work.exec, "fluid/predict", state.bodies.count, work.flags.pending(), SCREE_LAMBDA(Index i)->std::uint32_t {
            const Vec3 v = body.velocity[i] + (0.5 * dt) * (gravity - body.inverse_mass[i] * body.force[i]);
            const Vec3 from = body.position[i], way = dt * v, x = from + way;
            body.velocity.set(i, v);
            body.reference.set(i, from);
            body.position.set(i, x);
            const std::uint32_t fault = !(norm2(x) < 1e60) ? kNotFinite : norm2(way) <= most2 ? 0u : kTooFast;
            const Vec3 at = fault == 0 ? x : from;  // in the box that is searched, whatever happened
            place[i] = {{at.x, at.y, at.z, body.inverse_mass[i] * heaviest}};
            return watch && norm2(x - listed[i]) > skin2 ? fault | kSkinExhausted : fault;
        });
}

/// For positions at hand.
void list_walls(const Model& model, State& state, Workspace& work, FluidBuffers& buffers) {
    state.reach = buffers.h - 0.5 * buffers.spacing;  // beyond a particle's own radius
    place_walls(model, state, work);
    find_wall_pairs(model, state, work);
    buffers.listed.resize(state.bodies.count);
    const BodyView body = state.bodies.view();
    const Vec3View<double> listed = buffers.listed.view();
    for_each(
        work.exec, "fluid/list_walls", state.bodies.count, SCREE_LAMBDA(Index i)->void { listed.set(i, body.position[i]); });
    buffers.walls_listed = true;
    ++state.rebuilds;
}

/// A little more than h, for what the iterations move.
double search_range(const FluidBuffers& buffers) {
    return buffers.h + 0.05 * buffers.spacing;
}

/// Of predicted positions. Raises kRowsFull.
void find_rows(const Model& model, State& state, Workspace& work, FluidBuffers& buffers) {
    Aabb box = buffers.bounds;  // a step before
    const double way = farthest * buffers.spacing;
    const Vec3 wider{way, way, model.dimensions == 3 ? way : 0.0};
    box.min -= wider;
    box.max += wider;
    send_neighbour_rows(work.exec, buffers.place.view(), state.bodies.count, box, search_range(buffers), buffers.rest.near, buffers.rows,
                        work.flags.pending(), kRowsFull);
}

/// Displacements -> positions, forces and the velocities of the half step. Raises kListSoon where the next step might need walls that are
/// not listed.
void finish(const Model& model, State& state, Workspace& work, FluidBuffers& buffers) {
    const BodyView body = state.bodies.view();
    const Row4* place = buffers.place.rows.data();
    const Vec3View<double> way = buffers.way.view();
    const Real* multiplier = buffers.multiplier.data();
    double* pressure = state.bodies.pressure.data();
    const double dt = model.dt, h = buffers.h, most = farthest * buffers.spacing, most2 = most * most;
    const double scale = h * h * buffers.heaviest / (dt * dt * buffers.volume), half_skin = 0.5 * state.skin;
    const Vec3View<double> listed = buffers.listed.view();
    flag_each(
        work.exec, "fluid/finish", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t {
            const Vec3 x{place[i].value[0], place[i].value[1], place[i].value[2]};
            const Vec3 moved = (h / dt) * way[i];
            body.position.set(i, x);
            body.velocity.set(i, body.velocity[i] + moved);
            body.force.set(i, (1 / (dt * body.inverse_mass[i])) * moved);
            pressure[i] = 0.0 - scale * static_cast<double>(multiplier[i]);
            if (!(norm2(x) < 1e60)) return kNotFinite;
            const double moved2 = norm2(x - body.reference[i]);
            if (!(moved2 <= most2)) return kTooFast;
            return norm(x - listed[i]) + std::sqrt(moved2) > half_skin ? kListSoon : 0u;
        },
        work.flags.gate());
}

/// From the half step to the whole one.
void complete(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const Vec3 gravity = model.gravity;
    const double half = 0.5 * model.dt;
    for_each(
        work.exec, "fluid/complete", state.bodies.count,
        SCREE_LAMBDA(Index i)->void { body.velocity.set(i, body.velocity[i] + half * (gravity + body.inverse_mass[i] * body.force[i])); },
        work.flags.gate());
}

void commit_flags(Workspace& work) {
    FlagWords* words = work.flags.words.data();
    for_each(
        work.exec, "fluid/commit_flags", 1, SCREE_LAMBDA(Index)->void { words->up |= words->pending; });
}

struct JoinWords {
    SCREE_HD void operator()(FluidWords& all, const FluidWords& part) const {
        join(all.bounds, part.bounds);
        if (part.longest > all.longest) all.longest = part.longest;
    }
};

/// Where particles are, the longest row and what was raised. Counts a step that came through.
FluidWords read_report(State& state, Workspace& work, FluidBuffers& buffers) {
    const RowView position = state.bodies.position.view();
    const std::int32_t* count = buffers.rows.count.data();
    fold_into(
        work.exec, "fluid/report", state.bodies.count, buffers.words.data(),
        SCREE_LAMBDA(Index i)->FluidWords {
            FluidWords one;
            one.bounds.include(position[i]);
            one.longest = count[i];
            return one;
        },
        JoinWords{});
    FluidWords* words = buffers.words.data();
    FlagWords* flags = work.flags.words.data();
    for_each(
        work.exec, "fluid/report_flags", 1, SCREE_LAMBDA(Index)->void {
            words->flags = flags->up | flags->pending;
            if ((flags->up & gating_flags) == 0) ++flags->step;
            flags->up = flags->pending = 0;
        });
    return buffers.words.at(0);
}

Fault fault_of(State& state, std::uint32_t flags, double spacing) {
    Fault f;
    f.step = state.step;
    f.time = state.time;
    f.kind = (flags & kNotFinite) != 0 ? FaultKind::NotFinite : FaultKind::TooFast;
    const std::vector<std::uint32_t> id = state.bodies.id.host();
    const std::vector<Vec3> to = state.bodies.position.host(), from = state.bodies.reference.host();
    for (std::size_t i = 0; i < id.size(); ++i) {
        const double moved = norm(to[i] - from[i]) / spacing;
        const bool lost = !(norm2(to[i]) < 1e60);
        const bool worse = f.kind == FaultKind::NotFinite ? lost && id[i] < f.body : moved > f.value;
        if (!worse) continue;
        f.body = id[i];
        f.position = to[i];
        f.value = moved;
    }
    return f;
}

/// Predicted positions and rows of neighbours -> the state at the end of the step. Nothing where a flag is up before it.
FluidWords resolve(const Model& model, State& state, Workspace& work, StageTimers& timers, FluidBuffers& buffers) {
    const FluidWorld world = fluid_world(model, state, buffers);
    const Gate gate = work.flags.gate();
    {
        const auto timer = timers.measure("walls");
        meet_walls(world, state, work, buffers, gate);
    }
    {
        const auto timer = timers.measure("density");
        for (std::int64_t k = 0; k < model.fluid.iterations; ++k) move_to_density(work.exec, world, state, buffers, gate);
        keep_wall_forces(model, world, state, work, buffers, gate);
        finish(model, state, work, buffers);
        commit_flags(work);
    }
    const auto timer = timers.measure("velocities");
    change_velocities(work.exec, world, state, buffers, gate);
    complete(model, state, work);
    const FluidWords words = read_report(state, work, buffers);
    if ((words.flags & (kSkinExhausted | kRowsFull)) != 0) take_back_moves(model.fluid, buffers);
    if ((words.flags & gating_flags) != 0) take_back_velocities(world, state, buffers);
    return words;
}

/// Puts slots in the order of space. `box`: that all are in.
void reorder_fluid(const Aabb& box, State& state, Workspace& work) {
    state.reach = work.fluid->h - work.fluid->spacing - state.skin;  // cells as wide as the kernels
    lay_cells_in(box, state, work);
    reorder(state, work);
    work.fluid->walls_listed = false;
}

/// Returns the faults of the step.
std::uint32_t one_step(const Model& model, State& state, Workspace& work, StageTimers& timers, FluidBuffers& buffers) {
    if (state.step % reorder_every == 0) {
        const auto timer = timers.measure("reorder");
        reorder_fluid(buffers.bounds, state, work);
    }
    {
        const auto timer = timers.measure("predict");
        predict(model, state, work, buffers);
        state.drifted = true;
    }
    for (bool found = false;;) {
        if (!found) {
            const auto timer = timers.measure("neighbours");
            find_rows(model, state, work, buffers);
        }
        if (buffers.walls_listed) {
            commit_flags(work);
            move_walls(state, work, model.dt);
        } else {
            const std::uint32_t raised = work.flags.read().pending & faults;
            if (raised != 0) return raised;
            const auto timer = timers.measure("walls");
            list_walls(model, state, work, buffers);
        }
        commit_flags(work);
        const FluidWords words = resolve(model, state, work, timers, buffers);
        if ((words.flags & faults) != 0) return words.flags & faults;
        if ((words.flags & (kSkinExhausted | kListSoon)) != 0) buffers.walls_listed = false;
        if ((words.flags & kRowsFull) != 0) lengthen_rows(buffers.rows, words.longest, buffers.rest.near);
        found = (words.flags & kRowsFull) == 0;
        if ((words.flags & gating_flags) != 0) continue;
        buffers.bounds = words.bounds;
        return 0;
    }
}

}  // namespace

void rebuild_fluid(State& state, Workspace& work) {
    reorder_fluid(bounds_of(work.exec, state.bodies.position.view(), state.bodies.count), state, work);
    work.fluid->bounds_step = work.fluid->walls_step = -1;
}

void forget_walls(Workspace& work) {
    work.fluid->walls_listed = false;
}

void prepare_fluid(const Model& model, State& state, Workspace& work, bool fresh) {
    if (!work.fluid) {
        work.fluid = std::make_shared<FluidBuffers>();
        load_fluid(model, *work.fluid);
        work.fluid->words.resize(1);
    }
    // A checkpoint holds densities.
    work.fluid->density_step = fresh ? -1 : state.step;
    work.fluid->walls_step = work.fluid->bounds_step = -1;
    work.fluid->walls_listed = false;
    work.flags.start_at(state.step);
    state.drifted = false;
    state.skin = wall_skin * work.fluid->spacing;
    if (fresh) list_walls(model, state, work, *work.fluid);
}

bool run_fluid(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t target, BatchReport& report) {
    FluidBuffers& buffers = *work.fluid;
    if (buffers.bounds_step != state.step) buffers.bounds = bounds_of(work.exec, state.bodies.position.view(), state.bodies.count);
    while (state.step < target) {
        std::uint32_t raised = 0;
        with_chosen_threads(work.thread_choice, work.exec, [&] {
            raised = one_step(model, state, work, timers, buffers);
            return 1;
        });
        ++state.step;
        ++report.steps_done;
        state.time = static_cast<double>(state.step) * model.dt;
        state.drifted = false;
        buffers.walls_step = buffers.bounds_step = state.step;
        if (raised == 0) {
            note_bounds(model, state, work, buffers.bounds);
            continue;
        }
        work.flags.clear();
        report.fault = fault_of(state, raised, buffers.spacing);
        return false;
    }
    return true;
}

void update_density(const Model& model, State& state, Workspace& work) {
    FluidBuffers& buffers = *work.fluid;
    if (buffers.density_step == state.step) return;
    const BodyView body = state.bodies.view();
    buffers.place.rows.resize(state.bodies.count);
    Row4* place = buffers.place.rows.data();
    const double heaviest = buffers.heaviest;
    for_each(
        work.exec, "fluid/places", state.bodies.count, SCREE_LAMBDA(Index i)->void {
            const Vec3 x = body.position[i];
            place[i] = {{x.x, x.y, x.z, body.inverse_mass[i] * heaviest}};
        });
    find_neighbour_rows(work.exec, buffers.place.view(), state.bodies.count, search_range(buffers), buffers.rest.near, buffers.rows);
    const FluidWorld world = fluid_world(model, state, buffers);
    if (buffers.walls_step != state.step) meet_walls(world, state, work, buffers);  // of a step's walls the distances were kept
    buffers.walls_step = state.step;
    find_density(work.exec, world, state, buffers);
    buffers.density_step = state.step;
}

FluidReport report_fluid(const Model& model, State& state, Workspace& work) {
    update_density(model, state, work);
    const BodyView body = state.bodies.view();
    const double *density = state.bodies.density.data(), *pressure = state.bodies.pressure.data(), volume = work.fluid->volume;
    const Slot* slot = work.slot_of_id.data();
    FluidReport report;
    const double sum = sum_of(
        work.exec, "fluid/mean_compression", work.slot_of_id.size(), SCREE_LAMBDA(Index id)->double {
            const Slot i = slot[id];
            if (i < 0) return 0.0;
            const double excess = density[i] * body.inverse_mass[i] * volume - 1;
            return excess > 0 ? excess : 0.0;
        });
    if (state.bodies.count > 0) report.mean_compression = sum / static_cast<double>(state.bodies.count);
    report.max_compression = max_of(
        work.exec, "fluid/max_compression", state.bodies.count, 0.0,
        SCREE_LAMBDA(Index i)->double { return density[i] * body.inverse_mass[i] * volume - 1; });
    report.max_pressure = max_of(
        work.exec, "fluid/max_pressure", state.bodies.count, 0.0, SCREE_LAMBDA(Index i)->double { return pressure[i]; });
    return report;
}

}  // namespace scree::SCREE_FLAVOR
