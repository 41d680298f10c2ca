#include <algorithm>

#include "engine/exec/loops.hpp"
#include "engine/fluid/neighbour.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// The density of neighbours, its gradient, and the sum of the squares of their gradients times their inverse masses.
struct DensityRow {
    static constexpr int loaded = 4, summed = 5;
    FluidWorld world;
    const Row4* place;
    Vec3 from;

    SCREE_HD void load(Index j, LoadedLane to) const {
        load_offset(world, place, from, j, to);
        to[3] = static_cast<Real>(place[j].value[3]);
    }
    SCREE_HD void fill(LoadedLane to) const {
        fill_offset(to);
        to[3] = 0;
    }
    SCREE_HD void add(LoadedLane at, SummedLane sum) const {
        const Real q2 = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
        const KernelAt k = kernel_at(q2);
        sum[0] += k.value;
        sum[1] += k.slope * at[0];
        sum[2] += k.slope * at[1];
        sum[3] += k.slope * at[2];
        sum[4] += at[3] * (k.slope * k.slope * q2);
    }
};

/// Displacement by neighbours.
template <bool Artificial>
struct WayRow {
    static constexpr int loaded = 4, summed = 3;
    FluidWorld world;
    const Row4* place;
    const Real* change;
    Vec3 from;
    Real own;

    SCREE_HD void load(Index j, LoadedLane to) const {
        load_offset(world, place, from, j, to);
        to[3] = change[j];
    }
    SCREE_HD void fill(LoadedLane to) const {
        fill_offset(to);
        to[3] = 0;
    }
    SCREE_HD void add(LoadedLane at, SummedLane sum) const {
        const Real q2 = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
        const KernelAt k = kernel_at(q2);
        Real pressure = own + at[3];
        if constexpr (Artificial) {
            // Macklin & Müller, eq. (13).
            const Real ratio = k.value * world.inverse_at * world.inverse_at * world.inverse_at;
            Real power = ratio;
            for (std::int32_t n = 1; n < world.power; ++n) power *= ratio;
            pressure -= world.artificial * power;
        }
        const Real scale = pressure * k.slope;
        sum[0] += scale * at[0];
        sum[1] += scale * at[1];
        sum[2] += scale * at[2];
    }
};

struct ByWalls {
    Real density;
    Vec3T<Real> gradient;
};
SCREE_HD ByWalls by_walls(const FluidWorld& world, const FluidWallRows& walls, Index i) {
    ByWalls sum{};
    for (Index k = walls.first(i); k < walls.last(i); ++k) {
        const FluidWall& w = walls.wall[k];
        sum.density += w.share * at_wall(world, world.wall_density, w.distance);
        sum.gradient += (w.share * at_wall(world, world.wall_gradient, w.distance)) * w.normal;
    }
    return sum;
}

/// C_i, and over what a change of the multiplier is to be divided.
struct Constraint {
    Real excess, response;
};
SCREE_HD Constraint constraint_of(const FluidWorld& world, const Row4* place, const NeighbourRowsView& rows, const FluidWallRows& walls,
                                  Index i) {
    Real sum[DensityRow::summed];
    const Row4 own = place[i];
    sum_row(DensityRow{world, place, {own.value[0], own.value[1], own.value[2]}}, rows.row(i), rows.count[i], sum);
    const ByWalls w = by_walls(world, walls, i);
    const Vec3T<Real> gradient = world.gradient * Vec3T<Real>{sum[1], sum[2], sum[3]} + w.gradient;
    return {world.volume_kernel * sum[0] + w.density - Real(1),
            static_cast<Real>(own.value[3]) * (norm2(gradient) + world.relaxation) + world.gradient * world.gradient * sum[4]};
}

void find_multipliers(const Exec& exec, const FluidWorld& world, State& state, FluidBuffers& buffers, Gate gate) {
    const Row4* place = buffers.place.rows.data();
    const NeighbourRowsView rows = buffers.rows.view();
    const FluidWallRows walls = wall_rows(state, buffers);
    Real *change = buffers.change.data(), *multiplier = buffers.multiplier.data();
    for_each(
        exec, "fluid/multipliers", world.bodies,
        SCREE_LAMBDA(Index i)->void {
            const Constraint c = constraint_of(world, place, rows, walls, i);
            const Real before = multiplier[i], wanted = before - c.excess / c.response;
            const Real after = wanted < Real(0) ? wanted : Real(0);  // a fluid pushes and does not pull
            multiplier[i] = after;
            change[i] = after - before;
        },
        gate);
}

/// Distances after a displacement, which walls then limit. Their normals stay: a step is short.
SCREE_HD Vec3T<Real> held_off(const FluidWorld& world, const FluidWallRows& walls, Index i, Vec3T<Real> way) {
    const Index first = walls.first(i), last = walls.last(i);
    for (Index k = first; k < last; ++k) walls.wall[k].distance -= dot(walls.wall[k].normal, way);
    // Once for walls across each other; more where they meet in a sharp edge.
    for (int round = 0; round < 8; ++round) {
        bool held = true;
        for (Index k = first; k < last; ++k) {
            const Real deep = world.half_spacing - walls.wall[k].distance;
            if (!(deep > Real(0))) continue;
            held = false;
            const Vec3T<Real> back = -deep * walls.wall[k].normal;
            walls.wall[k].push += deep;
            way += back;
            for (Index m = first; m < last; ++m) walls.wall[m].distance -= dot(walls.wall[m].normal, back);
        }
        if (held) break;
    }
    return way;
}

template <bool Artificial>
void move(const Exec& exec, const FluidWorld& world, State& state, FluidBuffers& buffers, Gate gate) {
    const Row4* place = buffers.place.rows.data();
    Row4* next = buffers.next.rows.data();
    const NeighbourRowsView rows = buffers.rows.view();
    const FluidWallRows walls = wall_rows(state, buffers);
    const Real* change = buffers.change.data();
    const Vec3View<double> total = buffers.way.view();
    for_each(
        exec, "fluid/move", world.bodies,
        SCREE_LAMBDA(Index i)->void {
            Real sum[3];
            const Row4 own = place[i];
            const Vec3 from{own.value[0], own.value[1], own.value[2]};
            const Real changed = change[i], inverse_mass = static_cast<Real>(own.value[3]);
            sum_row(WayRow<Artificial>{world, place, change, from, changed}, rows.row(i), rows.count[i], sum);
            Vec3T<Real> way = (inverse_mass * world.gradient) * Vec3T<Real>{sum[0], sum[1], sum[2]};
            // A wall mirrors the pressure of what is before it.
            for (Index k = walls.first(i); k < walls.last(i); ++k) {
                FluidWall& w = walls.wall[k];
                const Real push = Real(-1) * inverse_mass * changed * w.share * at_wall(world, world.wall_gradient, w.distance);
                w.push += push;
                way -= push * w.normal;
            }
            way = held_off(world, walls, i, way);
            const Vec3 wide = cast<double>(way);
            total.set(i, total[i] + wide);
            const Vec3 to = from + world.wide_h * wide;
            next[i] = {{to.x, to.y, to.z, own.value[3]}};
        },
        gate);
    std::swap(buffers.place, buffers.next);
}

}  // namespace

void move_to_density(const Exec& exec, const FluidWorld& world, State& state, FluidBuffers& buffers, Gate gate) {
    find_multipliers(exec, world, state, buffers, gate);
    if (world.artificial > Real(0)) {
        move<true>(exec, world, state, buffers, gate);
    } else {
        move<false>(exec, world, state, buffers, gate);
    }
}

void take_back_moves(const FluidSettings& settings, FluidBuffers& buffers) {
    if (settings.iterations % 2 != 0) std::swap(buffers.place, buffers.next);
}

void find_density(const Exec& exec, const FluidWorld& world, State& state, FluidBuffers& buffers) {
    const Row4* place = buffers.place.rows.data();
    const NeighbourRowsView rows = buffers.rows.view();
    const FluidWallRows walls = wall_rows(state, buffers);
    const BodyView body = state.bodies.view();
    double* density = state.bodies.density.data();
    const double volume = buffers.volume;
    for_each(
        exec, "fluid/density", world.bodies, SCREE_LAMBDA(Index i)->void {
            const double excess = static_cast<double>(constraint_of(world, place, rows, walls, i).excess);
            density[i] = (1 + excess) / (body.inverse_mass[i] * volume);
        });
}

}  // namespace scree::SCREE_FLAVOR
