#include "engine/step/fluid_step.hpp"

#include "engine/broad/broad.hpp"
#include "engine/exec/reduce.hpp"
#include "engine/fluid/fluid.hpp"
#include "engine/motion/walls.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr std::int64_t reorder_every = 32;  // steps; a fixed number, so that a restart changes nothing
constexpr double farthest = 0.5;            // spacings that a particle may move in a step: half of the way through a wall without thickness

/// Velocities are those of whole steps; of the half step before, which positions followed, half of the step's acceleration is taken back.
void predict(const Model& model, State& state, Workspace& work, FluidRoom& room) {
    const BodyView body = state.bodies.view();
    const Vec3 gravity = model.gravity;
    const double dt = model.dt, most = farthest * room.spacing, most2 = most * most, heaviest = room.heaviest;
    room.place.rows.resize(state.bodies.count);
    room.next.rows.resize(state.bodies.count);
    room.way.resize_zero(state.bodies.count);
    room.multiplier.resize_zero(state.bodies.count);
    room.change.resize(state.bodies.count);
    Row4* place = room.place.rows.data();
    flag_each(
        work.exec, "fluid/predict", state.bodies.count, work.flags.pending(), SCREE_LAMBDA(Index i)->std::uint32_t {
            const Vec3 v = body.velocity[i] + (0.5 * dt) * (gravity - body.inverse_mass[i] * body.force[i]);
            const Vec3 from = body.position[i], way = dt * v, x = from + way;
            body.velocity.set(i, v);
            body.reference.set(i, from);
            body.position.set(i, x);
            place[i] = {{x.x, x.y, x.z, body.inverse_mass[i] * heaviest}};
            if (!(norm2(x) < 1e60)) return kNotFinite;
            return norm2(way) <= most2 ? 0u : kTooFast;
        });
}

void list_walls(const Model& model, State& state, Workspace& work, const FluidRoom& room) {
    state.reach = room.h - 0.5 * room.spacing;  // beyond a particle's own radius
    place_walls(model, state, work);
    find_wall_pairs(model, state, work);
}

void find_rows(State& state, Workspace& work, FluidRoom& room) {
    // A little more than h, for what the iterations move.
    find_neighbour_rows(work.exec, room.place.view(), state.bodies.count, room.h + 0.05 * room.spacing, room.rest.near, room.rows);
}

/// Displacements -> positions, forces and the velocities of the half step.
void finish(const Model& model, State& state, Workspace& work, FluidRoom& room) {
    const BodyView body = state.bodies.view();
    const Row4* place = room.place.rows.data();
    const Vec3View<double> way = room.way.view();
    const Real* multiplier = room.multiplier.data();
    double* pressure = state.bodies.pressure.data();
    const double dt = model.dt, h = room.h, most = farthest * room.spacing, most2 = most * most;
    const double scale = h * h * room.heaviest / (dt * dt * room.volume);
    flag_each(
        work.exec, "fluid/finish", state.bodies.count, work.flags.pending(), SCREE_LAMBDA(Index i)->std::uint32_t {
            const Vec3 x{place[i].value[0], place[i].value[1], place[i].value[2]};
            const Vec3 moved = (h / dt) * way[i];
            body.position.set(i, x);
            body.velocity.set(i, body.velocity[i] + moved);
            body.force.set(i, (1 / (dt * body.inverse_mass[i])) * moved);
            pressure[i] = 0.0 - scale * static_cast<double>(multiplier[i]);
            if (!(norm2(x) < 1e60)) return kNotFinite;
            return norm2(x - body.reference[i]) <= most2 ? 0u : kTooFast;
        });
}

/// From the half step to the whole one.
void complete(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const Vec3 gravity = model.gravity;
    const double half = 0.5 * model.dt;
    for_each(
        work.exec, "fluid/complete", state.bodies.count,
        SCREE_LAMBDA(Index i)->void { body.velocity.set(i, body.velocity[i] + half * (gravity + body.inverse_mass[i] * body.force[i])); });
}

Fault fault_of(State& state, Workspace& work, double spacing) {
    const std::uint32_t flags = work.flags.read().pending;
    work.flags.clear();
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

/// Returns whether the step came through.
bool one_step(const Model& model, State& state, Workspace& work, StageTimers& timers, FluidRoom& room) {
    if (state.step % reorder_every == 0) {
        const auto timer = timers.measure("reorder");
        reorder_fluid(state, work);
    }
    {
        const auto timer = timers.measure("predict");
        predict(model, state, work, room);
        state.drifted = true;
    }
    if (work.flags.read().pending != 0) return false;
    {
        const auto timer = timers.measure("neighbours");
        find_rows(state, work, room);
    }
    const FluidWorld world = fluid_world(model, state, room);
    {
        const auto timer = timers.measure("walls");
        list_walls(model, state, work, room);
        meet_walls(world, state, work, room);
    }
    {
        const auto timer = timers.measure("density");
        for (std::int64_t k = 0; k < model.fluid.iterations; ++k) move_to_density(work.exec, world, state, room);
        keep_wall_forces(model, world, state, work, room);
        finish(model, state, work, room);
    }
    const bool came_through = work.flags.read().pending == 0;
    {
        const auto timer = timers.measure("velocities");
        if (came_through) change_velocities(work.exec, world, state, room);
        complete(model, state, work);
    }
    return came_through;
}

}  // namespace

void reorder_fluid(State& state, Workspace& work) {
    state.reach = work.fluid->h - work.fluid->spacing;  // cells as wide as the kernels
    lay_cells(state, work);
    reorder(state, work);
}

void prepare_fluid(const Model& model, State& state, Workspace& work, bool fresh) {
    if (!work.fluid) {
        work.fluid = std::make_shared<FluidRoom>();
        load_fluid(model, *work.fluid);
    }
    // A checkpoint holds densities.
    work.fluid->density_step = fresh ? -1 : state.step;
    state.drifted = false;
    if (fresh) list_walls(model, state, work, *work.fluid);
}

bool run_fluid(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t target, BatchReport& report) {
    FluidRoom& room = *work.fluid;
    while (state.step < target) {
        const bool came_through = one_step(model, state, work, timers, room);
        ++state.step;
        ++state.rebuilds;
        ++report.steps_done;
        state.time = static_cast<double>(state.step) * model.dt;
        state.drifted = false;
        if (came_through) continue;
        report.fault = fault_of(state, work, room.spacing);
        return false;
    }
    return true;
}

void know_density(const Model& model, State& state, Workspace& work) {
    FluidRoom& room = *work.fluid;
    if (room.density_step == state.step) return;
    const BodyView body = state.bodies.view();
    room.place.rows.resize(state.bodies.count);
    Row4* place = room.place.rows.data();
    const double heaviest = room.heaviest;
    for_each(
        work.exec, "fluid/places", state.bodies.count, SCREE_LAMBDA(Index i)->void {
            const Vec3 x = body.position[i];
            place[i] = {{x.x, x.y, x.z, body.inverse_mass[i] * heaviest}};
        });
    find_rows(state, work, room);
    const FluidWorld world = fluid_world(model, state, room);
    meet_walls(world, state, work, room);
    find_density(work.exec, world, state, room);
    room.density_step = state.step;
}

FluidReport report_fluid(const Model& model, State& state, Workspace& work) {
    know_density(model, state, work);
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
