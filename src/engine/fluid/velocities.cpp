// What neighbours' velocities do: vorticity confinement (Macklin & Müller 2013, eqs. 15 and 16) and viscosity as XSPH (eq. 17, with the
// mean mass of a pair, so that momentum is kept whatever the masses).
#include <algorithm>

#include "engine/exec/loops.hpp"
#include "engine/fluid/neighbour.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

SCREE_HD void load_velocity(const Row4* velocity, Vec3 from, Index j, LoadedLane to) {
    const double* v = velocity[j].value;
    to[3] = static_cast<Real>(v[0] - from.x);
    to[4] = static_cast<Real>(v[1] - from.y);
    to[5] = static_cast<Real>(v[2] - from.z);
}

/// Sum of grad W × (v_j - v_i).
struct CurlRow {
    static constexpr int loaded = 6, summed = 3;
    FluidWorld world;
    const Row4 *place, *velocity;
    Vec3 from, own;

    SCREE_HD void load(Index j, LoadedLane to) const {
        load_offset(world, place, from, j, to);
        load_velocity(velocity, own, j, to);
    }
    SCREE_HD void fill(LoadedLane to) const {
        fill_offset(to);
        to[3] = to[4] = to[5] = 0;
    }
    SCREE_HD void add(LoadedLane at, SummedLane sum) const {
        const Real slope = kernel_at(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]).slope;
        sum[0] += slope * (at[1] * at[5] - at[2] * at[4]);
        sum[1] += slope * (at[2] * at[3] - at[0] * at[5]);
        sum[2] += slope * (at[0] * at[4] - at[1] * at[3]);
    }
};

/// Gradient of the curl's size.
struct CurlSlopeRow {
    static constexpr int loaded = 4, summed = 3;
    FluidWorld world;
    const Row4* place;
    Vec3View<Real> curl;
    Vec3 from;
    Real own;

    SCREE_HD void load(Index j, LoadedLane to) const {
        load_offset(world, place, from, j, to);
        to[3] = norm(curl[j]) - own;
    }
    SCREE_HD void fill(LoadedLane to) const {
        fill_offset(to);
        to[3] = 0;
    }
    SCREE_HD void add(LoadedLane at, SummedLane sum) const {
        const Real scale = at[3] * kernel_at(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]).slope;
        sum[0] += scale * at[0];
        sum[1] += scale * at[1];
        sum[2] += scale * at[2];
    }
};

struct ViscosityRow {
    static constexpr int loaded = 7, summed = 3;
    FluidWorld world;
    const Row4 *place, *velocity;
    Vec3 from, own;
    Real inverse_mass;

    SCREE_HD void load(Index j, LoadedLane to) const {
        load_offset(world, place, from, j, to);
        load_velocity(velocity, own, j, to);
        to[6] = static_cast<Real>(place[j].value[3]);
    }
    SCREE_HD void fill(LoadedLane to) const {
        fill_offset(to);
        to[3] = to[4] = to[5] = to[6] = 0;
    }
    SCREE_HD void add(LoadedLane at, SummedLane sum) const {
        const Real scale = kernel_at(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]).value / (inverse_mass + at[6]);
        sum[0] += scale * at[3];
        sum[1] += scale * at[4];
        sum[2] += scale * at[5];
    }
};

SCREE_HD Vec3 vector_of(const Row4& row) {
    return {row.value[0], row.value[1], row.value[2]};
}

void find_curl(const Exec& exec, const FluidWorld& world, const Row4* velocity, FluidBuffers& buffers, Gate gate) {
    buffers.curl.resize(world.bodies);
    const Row4* place = buffers.place.rows.data();
    const NeighbourRowsView rows = buffers.rows.view();
    const Vec3View<Real> curl = buffers.curl.view();
    for_each(
        exec, "fluid/curl", world.bodies,
        SCREE_LAMBDA(Index i)->void {
            Real sum[3];
            sum_row(CurlRow{world, place, velocity, vector_of(place[i]), vector_of(velocity[i])}, rows.row(i), rows.count[i], sum);
            curl.set(i, (world.gradient * world.inverse_h) * Vec3T<Real>{sum[0], sum[1], sum[2]});
        },
        gate);
}

/// Where the curl hardly differs from place to place, its gradient has no direction worth following: below this part of it over h.
constexpr double even_curl = 0.01;

void confine_vorticity(const Exec& exec, const FluidWorld& world, RowView velocity, FluidBuffers& buffers, Gate gate) {
    find_curl(exec, world, velocity.row, buffers, gate);
    const Row4* place = buffers.place.rows.data();
    const NeighbourRowsView rows = buffers.rows.view();
    const Vec3View<Real> curl = buffers.curl.view();
    for_each(
        exec, "fluid/vorticity", world.bodies,
        SCREE_LAMBDA(Index i)->void {
            Real sum[3];
            const Vec3T<Real> own = curl[i];
            const Real size = norm(own);
            sum_row(CurlSlopeRow{world, place, curl, vector_of(place[i]), size}, rows.row(i), rows.count[i], sum);
            const Vec3T<Real> slope = world.gradient * Vec3T<Real>{sum[0], sum[1], sum[2]};
            const Real even = static_cast<Real>(even_curl) * size, length = std::sqrt(norm2(slope) + even * even);
            if (!(length > Real(0))) return;
            velocity.set(i, velocity[i] + cast<double>((world.vorticity / length) * cross(slope, own)));
        },
        gate);
}

void add_viscosity(const Exec& exec, const FluidWorld& world, RowArray& velocities, FluidBuffers& buffers, Gate gate) {
    buffers.changed.rows.resize(world.bodies);
    const Row4 *place = buffers.place.rows.data(), *velocity = velocities.rows.data();
    Row4* changed = buffers.changed.rows.data();
    const NeighbourRowsView rows = buffers.rows.view();
    for_each(
        exec, "fluid/viscosity", world.bodies,
        SCREE_LAMBDA(Index i)->void {
            Real sum[3];
            const Row4 v = velocity[i];
            const Real inverse_mass = static_cast<Real>(place[i].value[3]);
            sum_row(ViscosityRow{world, place, velocity, vector_of(place[i]), vector_of(v), inverse_mass}, rows.row(i), rows.count[i], sum);
            const Real scale = Real(2) * world.viscosity * world.volume_kernel * inverse_mass;
            changed[i] = {{v.value[0] + static_cast<double>(scale * sum[0]), v.value[1] + static_cast<double>(scale * sum[1]),
                           v.value[2] + static_cast<double>(scale * sum[2]), v.value[3]}};
        },
        gate);
    std::swap(velocities, buffers.changed);
}

}  // namespace

void change_velocities(const Exec& exec, const FluidWorld& world, State& state, FluidBuffers& buffers, Gate gate) {
    // Confinement changes a particle's own velocity only, and reads no other's after the curl is known.
    if (world.vorticity > Real(0)) confine_vorticity(exec, world, state.bodies.velocity.view(), buffers, gate);
    if (world.viscosity > Real(0)) add_viscosity(exec, world, state.bodies.velocity, buffers, gate);
}

void take_back_velocities(const FluidWorld& world, State& state, FluidBuffers& buffers) {
    if (world.viscosity > Real(0)) std::swap(state.bodies.velocity, buffers.changed);
}

}  // namespace scree::SCREE_FLAVOR
