// Surfaces near particles as planes, and what they stand for where several meet.
#include <algorithm>

#include "engine/exec/loops.hpp"
#include "engine/fluid/fluid.hpp"
#include "engine/penalty/contact_input.hpp"
#include "engine/penalty/mesh_gaps.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct WallSearch {
    FluidWorld world;
    const Row4* place;
    PlaneSurfaces planes;
    RoundSurfaces cylinders;
    MeshView mesh;
    const std::int32_t *plane, *cylinder;
    MeshPairView patches;
    const WallPlace* places;  // null where no wall moves
};

SCREE_HD FluidWall as_plane(const FluidWorld& world, const SurfaceGap& gap) {
    const double away = gap.distance * world.wide_inverse_h;
    const Vec3 in_space{gap.normal.x, gap.normal.y, world.off_plane * gap.normal.z};
    return {cast<Real>(in_space), static_cast<Real>(away < 4 ? away : 4.0), Real(0), Real(0), 0};
}

template <class Surfaces>
SCREE_HD FluidWall met(const WallSearch& s, const Surfaces& surfaces, Index k, Vec3 x) {
    return as_plane(s.world, s.places == nullptr ? surfaces.gap(k, x) : placed_gap(surfaces, k, s.places, x));
}

/// Half-spaces behind surfaces overlap where surfaces meet. What the nearer one has already counts less of the next: nothing of it if they
/// face the same way, by the product of both across each other (exact for a Gaussian kernel), all of it if they face each other. The sum is
/// then shared out evenly.
SCREE_HD void share_out(const FluidWorld& world, FluidWall* wall, Index count) {
    Real sum = 0, joint = 0;
    for (Index k = 0; k < count; ++k) {
        wall[k].share = at_wall(world, world.wall_density, wall[k].distance);  // until all are known
        sum += wall[k].share;
    }
    for (Index k = 0; k < count; ++k) {
        Real left = wall[k].share;
        for (Index m = 0; m < count; ++m) {
            const bool nearer = wall[m].share > wall[k].share || (wall[m].share == wall[k].share && m < k);
            if (!nearer) continue;
            const Real c = dot(wall[k].normal, wall[m].normal), other = wall[m].share;
            left *= Real(1) - (c > 0 ? c + (Real(1) - c) * other : (Real(1) + c) * other);
        }
        joint += left;
    }
    const Real share = sum > 0 ? joint / sum : Real(1);
    for (Index k = 0; k < count; ++k) wall[k].share = share;
}

/// Keeps those within h of a particle's walls, in their order.
struct NearWalls {
    FluidWall* wall;
    std::int32_t count{0}, seen{0};
    SCREE_HD void take(FluidWall w) {
        w.pair = seen++;
        if (w.distance < Real(1)) wall[count++] = w;
    }
};

/// Walls that were kept, asked for by all pairs of a particle in turn.
struct KeptWalls {
    const FluidWall *wall, *end;
    std::int32_t asked{0};
    /// One without push and with pair < 0 where the pair's wall is not among them.
    SCREE_HD FluidWall next() {
        const bool here = wall < end && wall->pair == asked;
        ++asked;
        return here ? *wall++ : FluidWall{{}, Real(0), Real(0), Real(0), -1};
    }
};

/// On a particle: `factor` [N] for a push of 1.
SCREE_HD Vec3T<Real> force_of(const FluidWall& wall, double factor) {
    return static_cast<Real>(-factor * static_cast<double>(wall.push)) * wall.normal;
}

WallSearch search_of(const FluidWorld& world, State& state, Workspace& work, FluidBuffers& buffers) {
    return {world,
            buffers.place.rows.data(),
            {work.walls.plane_view()},
            {work.walls.cylinder_view(), work.walls.arcs},
            work.walls.mesh_view(),
            state.lists[kPlanes].b.data(),
            state.lists[kCylinders].b.data(),
            view_of(state.lists[kMeshes]),
            work.walls.motions.places()};
}

}  // namespace

void meet_walls(const FluidWorld& world, State& state, Workspace& work, FluidBuffers& buffers, Gate gate) {
    buffers.walls.resize(state.lists[kPlanes].size() + state.lists[kCylinders].size() + state.lists[kMeshes].size());
    if (buffers.walls.size() == 0) {
        buffers.wall_count.resize_zero(world.bodies);
        return;
    }
    buffers.wall_count.resize(world.bodies);
    const WallSearch s = search_of(world, state, work, buffers);
    const FluidWallRows rows = wall_rows(state, buffers);
    for_each(
        work.exec, "fluid/meet_walls", world.bodies,
        SCREE_LAMBDA(Index i)->void {
            NearWalls near{rows.wall + rows.first(i)};
            const Row4 at = s.place[i];
            const Vec3 x{at.value[0], at.value[1], at.value[2]};
            for (Index p = rows.planes[i]; p < rows.planes[i + 1]; ++p) near.take(met(s, s.planes, s.plane[p], x));
            for (Index p = rows.cylinders[i]; p < rows.cylinders[i + 1]; ++p) near.take(met(s, s.cylinders, s.cylinder[p], x));
            const Index from = rows.meshes[i], end = rows.meshes[i + 1];
            find_patch_gaps(s.mesh, s.patches, s.places, from, end, x, world.wide_h);
            keep_one_of_equals(s.mesh, s.patches.patch, s.patches.normal, s.patches.distance, from, end, world.wide_h);
            for (Index p = from; p < end; ++p) near.take(as_plane(world, SurfaceGap{s.patches.normal[p], s.patches.distance[p]}));
            share_out(world, near.wall, near.count);
            rows.count[i] = near.count;
        },
        gate);
}

void keep_wall_forces(const Model& model, const FluidWorld& world, State& state, Workspace& work, FluidBuffers& buffers, Gate gate) {
    if (buffers.walls.size() == 0) return;
    const FluidWallRows rows = wall_rows(state, buffers);
    const Row4* place = buffers.place.rows.data();
    const Vec3View<Real> plane = state.lists[kPlanes].contacts.force.view(), cylinder = state.lists[kCylinders].contacts.force.view(),
                         mesh = state.lists[kMeshes].contacts.force.view();
    double* distance = state.lists[kMeshes].distance.data();
    const double scale = buffers.heaviest * buffers.h / (model.dt * model.dt);
    for_each(
        work.exec, "fluid/wall_forces", world.bodies,
        SCREE_LAMBDA(Index i)->void {
            KeptWalls kept{rows.wall + rows.first(i), rows.wall + rows.last(i)};
            const double factor = scale / place[i].value[3];
            for (Index p = rows.planes[i]; p < rows.planes[i + 1]; ++p) plane.set(p, force_of(kept.next(), factor));
            for (Index p = rows.cylinders[i]; p < rows.cylinders[i + 1]; ++p) cylinder.set(p, force_of(kept.next(), factor));
            for (Index p = rows.meshes[i]; p < rows.meshes[i + 1]; ++p) {
                const FluidWall wall = kept.next();
                mesh.set(p, force_of(wall, factor));
                distance[p] = wall.pair < 0 ? no_contact : world.wide_h * static_cast<double>(wall.distance);
            }
        },
        gate);
}

}  // namespace scree::SCREE_FLAVOR
