// Points of spheres with spheres and walls: one a pair, its gap exact near and apart. Rows of all lists, and forces back to the lists.
#include <algorithm>

#include "engine/cone/carried_pushes.hpp"
#include "engine/cone/points/contact_geometry.hpp"
#include "engine/narrow/passing.hpp"
#include "engine/penalty/mesh_gaps.hpp"
#include "engine/state/reach.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

void count_sphere_pairs(State& state, Workspace& work, double envelope, double dt, PairRows& rows) {
    const BodyView body = state.bodies.view();
    const Slot* a = state.lists[kSpheres].a.data();
    const Slot* b = state.lists[kSpheres].b.data();
    std::int32_t* count = rows.count.data();
    for_each(
        work.exec, "cone/count_spheres", state.lists[kSpheres].size(),
        SCREE_LAMBDA(Index p)->void {
            const Vec3 d = relative_position(body.position[a[p]], body.position[b[p]]);
            const double touch = body.radius[a[p]] + body.radius[b[p]], d2 = norm2(d);
            bool near = d2 < (touch + envelope) * (touch + envelope);
            if (!near) {
                const double reach =
                    touch + contact_reach(envelope, -dt * dot(body.velocity[b[p]] - body.velocity[a[p]], d) / std::sqrt(d2));
                near = d2 < reach * reach;
            }
            count[p] = near ? 1 : 0;
        },
        work.flags.gate());
}

template <class Surfaces>
SCREE_HD SurfaceGap surface_now(const Surfaces& surfaces, Index s, const WallPlace* places, Vec3 centre) {
    return places == nullptr ? surfaces.gap(s, centre) : placed_gap(surfaces, s, places, centre);
}

template <class Surfaces>
void count_surface_pairs(State& state, Workspace& work, Surfaces surfaces, ContactList& pairs, double envelope, double dt, PairRows& rows) {
    const BodyView body = state.bodies.view();
    const Slot* slot = pairs.a.data();
    const std::int32_t* surface = pairs.b.data();
    const WallPlace* places = work.walls.motions.places();
    std::int32_t* count = rows.count.data();
    for_each(
        work.exec, "cone/count_surfaces", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = slot[p];
            const double gap = surface_now(surfaces, surface[p], places, body.position[i]).distance - body.radius[i];
            const WallPlace* place = places == nullptr ? nullptr : &places[surfaces.wall(surface[p])];
            count[p] = gap < envelope || gap < contact_reach(envelope, dt * fastest_point(body, i, place)) ? 1 : 0;
        },
        work.flags.gate());
}

/// Where the step leads body i past the patch of pair p, or to another place of it than the nearest: direction and distance of that.
SCREE_HD void pass_patch(const MeshView& mesh, const MeshPairView& pairs, const WallPlace* place, const BodyView& body, Index i, Index p,
                         double dt, double reach) {
    const Vec3 centre = body.position[i], n = pairs.normal[p];
    const double radius = body.radius[i];
    const Vec3 wall = place == nullptr ? Vec3{} : velocity_at(velocity_in(&place->mid), centre);
    const Way<double> way{dt * (wall - body.velocity[i]), {}, Way<double>::share * radius};
    if (passing::settled(way, n, {}, pairs.distance[p] - radius)) return;
    const auto look = [&](double w) {
        const Vec3 there = centre - w * way.along;
        const Vec3 c = place == nullptr ? there : in_frame(pose_in(place), there);
        const PatchGap gap = patch_gap(mesh, pairs.patch[p], pairs.triangle, pairs.triangle_start[p], pairs.triangle_end[p], c, reach);
        return passing::SeenSurface{place == nullptr ? gap.normal : rotate(pose_in(place).turn, gap.normal), gap.distance,
                                    gap.owns || w == 0};
    };
    const passing::PassedSurface passed = passing::passed_surface(look, -way.along, radius, way.slack);
    pairs.normal.set(p, passed.normal);
    pairs.distance[p] = radius + passed.gap;
}

void count_mesh_pairs(State& state, Workspace& work, double envelope, double dt, PairRows& rows) {
    ContactList& list = state.lists[kMeshes];
    const BodyView body = state.bodies.view();
    const MeshView mesh = work.walls.mesh_view();
    const MeshPairView pairs = view_of(list);
    const WallPlace* places = work.walls.motions.places();
    std::int32_t* count = rows.count.data();
    for_each(
        work.exec, "cone/count_patches", list.near_body.size(),
        SCREE_LAMBDA(Index k)->void {
            const Index i = pairs.near_body[k];
            const Index first = pairs.row_start[i], last = pairs.row_start[i + 1];
            double speed = fastest_point(body, i);
            if (places != nullptr) {
                for (Index p = first; p < last; ++p) {
                    const double now = fastest_point(body, i, &places[mesh.patch_wall[pairs.patch[p]]]);
                    speed = now > speed ? now : speed;
                }
            }
            const double reach = body.radius[i] + contact_reach(envelope, dt * speed);
            find_patch_gaps(mesh, pairs, places, first, last, body.position[i], reach);
            for (Index p = first; p < last; ++p) {
                if (!(pairs.distance[p] < reach)) continue;
                pass_patch(mesh, pairs, places == nullptr ? nullptr : &places[mesh.patch_wall[pairs.patch[p]]], body, i, p, dt, reach);
            }
            keep_one_of_equals(mesh, pairs.patch, pairs.normal, pairs.distance, first, last, reach);
            for (Index p = first; p < last; ++p) count[p] = pairs.distance[p] < reach ? 1 : 0;
        },
        work.flags.gate());
}

TableRowView row_view(ContactTable& t, Unknowns& x) {
    return {t.touch.data(),
            t.arms.data(),
            t.normal.data(),
            t.base.data(),
            x.impulse.data(),
            t.rolling ? x.couple.data() : nullptr,
            t.gap.data(),
            t.mu.data(),
            t.rolling ? t.rho.data() : nullptr,
            t.rolling ? t.sigma.data() : nullptr,
            t.reach.data(),
            t.pull.data(),
            t.pulling ? t.pulled.data() : nullptr,
            t.key.data(),
            t.origin.data()};
}

/// The start value of a sphere's row: what acted last, with the pull that the unknown has on top.
SCREE_HD void recall(const RowInput& s, const TableRowView& to, Index k, const ContactView& c, Index p) {
    to.impulse[k] = s.kick * (to.pull[k] * to.normal[k] - c.force[p]);
    if (to.couple != nullptr) to.couple[k] = s.kick * c.stretch[p];
}

void write_sphere_pairs(State& state, Workspace& work, RowInput s, TableRowView to, PairRows& rows) {
    ContactList& pairs = state.lists[kSpheres];
    const Slot* a = pairs.a.data();
    const Slot* b = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const ContactView c = pairs.contacts.view();
    const std::int32_t *count = rows.count.data(), *first = rows.first.data();
    for_each(
        work.exec, "cone/write_spheres", pairs.size(), SCREE_LAMBDA(Index p)->void {
            if (count[p] == 0) return;
            const Index i = a[p], j = b[p], k = first[p];
            const Vec3 between = relative_position(s.body.position[i], s.body.position[j]);
            const double radii = s.body.radius[i] + s.body.radius[j];
            const SphereGap<double> g = sphere_gap<double>(between, s.body.radius[i], s.body.radius[j]);
            passing::PassedSurface met{g.normal, -g.delta};
            if (-g.delta > 0) {
                const Vec3 way = static_cast<double>(s.dt) * (s.body.velocity[j] - s.body.velocity[i]);
                const double thinner = s.body.radius[i] < s.body.radius[j] ? s.body.radius[i] : s.body.radius[j];
                passing::passed_sphere(between, way, radii, Way<double>::share * thinner, met);
            }
            const double share = s.body.radius[i] + 0.5 * met.gap;
            write_row(s, to, k, row_pair(s, i, j, -1, law[p], s.body.id[j]),
                      {met.normal, share * met.normal, met.gap, {static_cast<std::int32_t>(p), kSpheres, 0}, 0});
            recall(s, to, k, c, p);
        });
}

template <class Surfaces>
void write_surface_pairs(Workspace& work, Surfaces surfaces, ContactList& pairs, std::uint8_t list, RowInput s, TableRowView to,
                         PairRows& rows) {
    const Slot* slot = pairs.a.data();
    const std::int32_t* surface = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const ContactView c = pairs.contacts.view();
    const std::int32_t *count = rows.count.data(), *first = rows.first.data();
    for_each(
        work.exec, "cone/write_surfaces", pairs.size(), SCREE_LAMBDA(Index p)->void {
            if (count[p] == 0) return;
            const Index i = slot[p], k = first[p];
            const SurfaceGap g = surface_now(surfaces, surface[p], s.places, s.body.position[i]);
            const double gap = g.distance - s.body.radius[i];
            const double share = s.body.radius[i] + 0.5 * gap;
            write_row(s, to, k, row_pair(s, i, -1, surfaces.wall(surface[p]), law[p], static_cast<std::uint32_t>(surface[p])),
                      {g.normal, share * g.normal, gap, {static_cast<std::int32_t>(p), list, 0}, 0});
            recall(s, to, k, c, p);
        });
}

/// Patches: their gaps stand in the list since they were counted.
struct PatchSurfaces {
    Vec3View<double> normal;
    const double* distance;
    const std::int32_t* patch_wall;
};

void write_mesh_pairs(State& state, Workspace& work, RowInput s, TableRowView to, PairRows& rows) {
    ContactList& pairs = state.lists[kMeshes];
    const PatchSurfaces patches{pairs.normal.view(), pairs.distance.data(), work.walls.patch_wall.data()};
    const Slot* slot = pairs.a.data();
    const std::int32_t* surface = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const ContactView c = pairs.contacts.view();
    const std::int32_t *count = rows.count.data(), *first = rows.first.data();
    for_each(
        work.exec, "cone/write_patches", pairs.size(), SCREE_LAMBDA(Index p)->void {
            if (count[p] == 0) return;
            const Index i = slot[p], k = first[p];
            const double gap = patches.distance[p] - s.body.radius[i];
            const Vec3 n = patches.normal[p];
            write_row(s, to, k, row_pair(s, i, -1, patches.patch_wall[surface[p]], law[p], static_cast<std::uint32_t>(surface[p])),
                      {n, (s.body.radius[i] + 0.5 * gap) * n, gap, {static_cast<std::int32_t>(p), kMeshes, 0}, 0});
            recall(s, to, k, c, p);
        });
}

/// Rows of lists whose points are kept: pairs of bodies where b is given, else of walls.
struct PointLists {
    const Slot *a, *b;
    const std::int32_t *surface, *law, *surface_wall;
    std::uint8_t list;
};

/// What the points of pair p had a step ago; of points that changed, what their pair's pushes come to.
SCREE_HD void remembered_pushes(const ContactPoints<Real>& c, const PointsView& memory, const ContactView& contact, Index p, Vec3R* push) {
    bool same = true;
    for (std::int32_t q = 0; q < 4; ++q) {
        push[q] = memory.push[q][p];
        same = same && memory.key[q][p] == (q < c.count ? c.key[q] : PointHistory::no_key);
    }
    if (same) return;
    RememberedPoints old{{}, {}, -contact.twist[p]};
    for (int m = 0; m < 4; ++m) {
        old.key[m] = memory.key[m][p];
        old.push[m] = old.key[m] != PointHistory::no_key ? push[m] : Vec3R{};
    }
    carried_pushes(c, old, push);
}

void write_point_pairs(Workspace& work, Index pairs, PointLists l, PointsView memory, ContactView contact, RowInput s, TableRowView to,
                       PairRows& rows) {
    const std::int32_t *count = rows.count.data(), *first = rows.first.data();
    const ContactPoints<Real>* points = rows.points.data();
    for_each(
        work.exec, "cone/write_points", pairs, SCREE_LAMBDA(Index p)->void {
            if (count[p] == 0) return;
            const Index i = l.a[p], j = l.b != nullptr ? static_cast<Index>(l.b[p]) : -1;
            const std::int32_t wall = l.b != nullptr ? -1 : l.surface_wall[l.surface[p]];
            const std::uint32_t other = l.b != nullptr ? s.body.id[j] : static_cast<std::uint32_t>(l.surface[p]);
            const ContactPoints<Real>& c = points[p];
            Vec3R push[ContactPoints<Real>::most];
            remembered_pushes(c, memory, contact, p, push);
            const RowPair pair = row_pair(s, i, j, wall, l.law[p], other);
            for (std::int32_t q = 0; q < count[p]; ++q) {
                const Index k = first[p] + q;
                write_row(s, to, k, pair,
                          {cast<double>(c.normal[q]),
                           cast<double>(c.point[q]),
                           static_cast<double>(c.gap[q]),
                           {static_cast<std::int32_t>(p), l.list, static_cast<std::uint8_t>(q)},
                           static_cast<std::uint32_t>(c.key[q])});
                to.impulse[k] = s.kick * (push[q] + to.pull[k] * to.normal[k]);
                if (to.couple != nullptr) to.couple[k] = {};
            }
        });
}

void write_convex_lists(State& state, Workspace& work, const RowInput& s, const TableRowView& to, ContactTable& t) {
    for (int l = 0; l < kPairLists; ++l) {
        const ListLayout& layout = list_layouts[l];
        if (!layout.has_patch()) continue;
        ContactList& pairs = state.lists[l];
        PointLists list{pairs.a.data(), nullptr, nullptr, pairs.law.data(), nullptr, static_cast<std::uint8_t>(l)};
        if (layout.two_bodies()) {
            list.b = pairs.b.data();
        } else {
            list.surface = pairs.b.data();
            list.surface_wall = work.walls.walls_of(layout.partner).data();
        }
        write_point_pairs(work, pairs.size(), list, pairs.patches.points.view(), pairs.contacts.view(), s, to, t.rows[l]);
    }
}

void flag_overlaps(Workspace& work, ContactTable& t) {
    const Origin* origin = t.origin.data();
    flag_each(
        work.exec, "cone/flag_overlaps", t.count, work.flags.pending(), SCREE_LAMBDA(Index k)->std::uint32_t { return origin[k].flags; });
}

}  // namespace

void find_points(const Model& model, State& state, Workspace& work, const ContactBuild& build, ContactTable& table) {
    for (int l = 0; l < kPairLists; ++l) {
        const Index n = state.lists[l].size();
        table.rows[l].count.resize(n);
        table.rows[l].first.resize(n);
        if (list_layouts[l].has_patch()) table.rows[l].points.resize(n);
    }
    count_sphere_pairs(state, work, build.envelope, build.dt, table.rows[kSpheres]);
    count_surface_pairs(state, work, PlaneSurfaces{work.walls.plane_view()}, state.lists[kPlanes], build.envelope, build.dt,
                        table.rows[kPlanes]);
    count_surface_pairs(state, work, RoundSurfaces{work.walls.cylinder_view(), work.walls.arcs}, state.lists[kCylinders], build.envelope,
                        build.dt, table.rows[kCylinders]);
    count_mesh_pairs(state, work, build.envelope, build.dt, table.rows[kMeshes]);
    if (state.has_polyhedra) find_convex_points(model, state, work, build, table);
}

void write_contacts(const Model& model, State& state, Workspace& work, const ContactBuild& build, double kick, ContactTable& table,
                    Unknowns& x) {
    if (table.pair_rows.size() == 0) {
        std::vector<ConePairRow> rows;
        for (std::size_t a = 0; a < model.pairs.count(); ++a) {
            for (std::size_t b = 0; b < model.pairs.count(); ++b) {
                const PairProperties& q = model.pairs(a, b);
                rows.push_back({static_cast<Real>(q.friction), static_cast<Real>(q.restitution), static_cast<Real>(q.rolling_friction),
                                static_cast<Real>(q.spinning_friction), static_cast<Real>(q.cohesion)});
            }
        }
        table.pair_rows.assign(rows);
    }
    const RowInput s{state.bodies.view(),
                     rigid_view(state, work),
                     work.walls.motions.places(),
                     table.pair_rows.data(),
                     work.shapes.view(),
                     static_cast<Real>(build.dt),
                     static_cast<Real>(build.recovery_speed),
                     static_cast<Real>(kick),
                     static_cast<Real>(build.restitution_threshold),
                     static_cast<Real>(build.threshold_run),
                     static_cast<Real>(build.overlap_warning),
                     static_cast<Real>(build.overlap_limit)};
    const TableRowView to = row_view(table, x);
    write_sphere_pairs(state, work, s, to, table.rows[kSpheres]);
    write_surface_pairs(work, PlaneSurfaces{work.walls.plane_view()}, state.lists[kPlanes], kPlanes, s, to, table.rows[kPlanes]);
    write_surface_pairs(work, RoundSurfaces{work.walls.cylinder_view(), work.walls.arcs}, state.lists[kCylinders], kCylinders, s, to,
                        table.rows[kCylinders]);
    write_mesh_pairs(state, work, s, to, table.rows[kMeshes]);
    if (state.has_polyhedra) write_convex_lists(state, work, s, to, table);
    flag_overlaps(work, table);
}

}  // namespace scree::SCREE_FLAVOR
