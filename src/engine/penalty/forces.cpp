#include "engine/penalty/forces.hpp"

#include "engine/laws/laws.hpp"
#include "engine/laws/planar_contact.hpp"
#include "engine/penalty/contact_input.hpp"
#include "engine/penalty/flush_patches.hpp"
#include "engine/penalty/flush_spheres.hpp"
#include "engine/penalty/general_forces.hpp"
#include "engine/penalty/mesh_gaps.hpp"
#include "engine/penalty/sphere_pairs.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

template <class Law, bool OneMaterial>
void body_pair_forces(Workspace& work, BodyView body, ContactList& pairs, ForceSettings s) {
    const Slot* a = pairs.a.data();
    const Slot* b = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const ContactView c = pairs.contacts.view();
    flag_each_staged<pair_packs, Real>(
        work.exec, "penalty/body_pairs", pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->void { load_pair(body, a[p], b[p], slot); },
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->LaneFlags {
            const LawRow q = law_row<OneMaterial>(s, law, p);
            Real lever;
            const ContactInput<Real> in = packed_contact(slot, packed_distance(slot), c.stretch[p], lever);
            const ContactOutput<Real> out = contact_force<Law>(q, in, s.dt);
            // Before anything is written: a pack read twice, the second time after a store, costs the loop a scalar remainder.
            const LaneFlags flags = contact_flags(in.delta, smaller_radius(slot), out.normal_force, s);
            c.force.set(p, out.force);
            c.twist.set(p, lever * out.twist);
            c.stretch.set(p, out.stretch);
            return flags;
        },
        work.flags.gate());
}

/// What the contact of two disks needs, packed as by load_pair: x, y of d (B - A), s^2 - d^2, s; x, y of the velocity difference,
/// r_a w_a + r_b w_b, 1/m_a + 1/m_b; r_a.
SCREE_HD void load_disks(const BodyView& body, Index i, Index j, const StageSlot<Real>& slot) {
    const Row4 x_a = body.position.row[i], x_b = body.position.row[j];
    const Row4 v_a = body.velocity.row[i], v_b = body.velocity.row[j];
    const double r_a = x_a.value[3], r_b = x_b.value[3], s = r_a + r_b;
    const Vec3 d = relative_position(Vec3{x_a.value[0], x_a.value[1], 0}, Vec3{x_b.value[0], x_b.value[1], 0});
    Real *gap = slot.pack(0), *velocity = slot.pack(1), *radius = slot.pack(2);
    gap[0] = static_cast<Real>(d.x);
    gap[1] = static_cast<Real>(d.y);
    gap[2] = static_cast<Real>(s * s - (d.x * d.x + d.y * d.y));
    gap[3] = static_cast<Real>(s);
    velocity[0] = static_cast<Real>(v_b.value[0] - v_a.value[0]);
    velocity[1] = static_cast<Real>(v_b.value[1] - v_a.value[1]);
    velocity[2] = static_cast<Real>(r_a * body.angular_velocity.row[i].value[2] + r_b * body.angular_velocity.row[j].value[2]);
    velocity[3] = static_cast<Real>(v_a.value[3] + v_b.value[3]);
    radius[0] = static_cast<Real>(r_a);
}

/// Two disks of a plane model: x and y of the force, z of the twist, and n x xi along z as the stretch; all else stays zero.
template <class Law, bool OneMaterial>
void disk_pair_forces(Workspace& work, BodyView body, ContactList& pairs, ForceSettings s) {
    const Slot* a = pairs.a.data();
    const Slot* b = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    Contacts& contacts = pairs.contacts;
    Real *force_x = contacts.force.x.data(), *force_y = contacts.force.y.data(), *twist = contacts.twist.z.data(),
         *stretch = contacts.stretch.z.data();
    flag_each_staged<3, Real>(
        work.exec, "penalty/disk_pairs", pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->void { load_disks(body, a[p], b[p], slot); },
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->LaneFlags {
            const LawRow q = law_row<OneMaterial>(s, law, p);
            const Real x = slot.at(0, 0), y = slot.at(0, 1), sum = slot.at(0, 3), inverse_mass = slot.at(1, 3);
            const Real r_a = slot.at(2, 0), r_b = sum - r_a;
            const Real d2 = x * x + y * y, distance = std::sqrt(d2);
            const Real together = distance > Real(0) ? Real(0) : Real(1);  // as packed_contact
            const Real centres = distance + together, whole = sum + distance;
            // Two divisions for 1 / |d|, 1 / (s + |d|), 1 / s and the effective mass.
            const Real both = Real(1) / (centres * whole), inverse = both * whole;
            const Real second = Real(1) / (sum * inverse_mass), inverse_s = second * inverse_mass;
            const Real n_x = x * inverse + together, n_y = y * inverse, lever = distance * inverse_s;
            const Real v_x = slot.at(1, 0), v_y = slot.at(1, 1);
            PlanarInput<Real> in;
            in.delta = slot.at(0, 2) * (both * centres);
            in.v_n = v_x * n_x + v_y * n_y;
            in.v_t = v_y * n_x - v_x * n_y - lever * slot.at(1, 2);
            in.R_eff = r_a * r_b * inverse_s;
            in.m_eff = second * sum;
            in.stretch = stretch[p];
            const PlanarOutput<Real> out = planar_force<Law>(q, in, s.dt);
            const LaneFlags flags = contact_flags(in.delta, r_a < r_b ? r_a : r_b, out.f_n, s);
            force_x[p] = -out.f_t * n_y - out.f_n * n_x;
            force_y[p] = out.f_t * n_x - out.f_n * n_y;
            twist[p] = lever * out.f_t;
            stretch[p] = out.stretch;
            return flags;
        },
        work.flags.gate());
}

/// Gap and law input of a surface; where no wall moves nothing is read of places.
template <bool Moving, class Surfaces>
SCREE_HD SurfaceGap gap_now(const Surfaces& surfaces, Index s, const WallPlace* places, Vec3 c) {
    if (!Moving) return surfaces.gap(s, c);
    return placed_gap(surfaces, s, places, c);
}
template <bool Moving>
SCREE_HD ContactInput<Real> surface_input(const BodyView& body, Index i, const SurfaceGap& gap, const WallPlace* places, std::int32_t wall,
                                          Vec3T<Real> stretch, Real& lever) {
    if (!Moving) return surface_contact<Real>(body, i, gap, stretch, lever);
    return surface_contact<Real>(body, i, gap, velocity_in(&places[wall].mid), places[wall].inverse_mass, stretch, lever);
}

template <class Law, bool OneMaterial, bool Moving, class Surfaces>
void surface_forces(Workspace& work, const char* label, BodyView body, Surfaces surfaces, ContactList& pairs, ForceSettings s) {
    const Slot* slot = pairs.a.data();
    const std::int32_t* surface = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const ContactView c = pairs.contacts.view();
    const WallPlace* places = work.walls.motions.places();
    flag_each_fetched(
        work.exec, label, pairs.size(), work.flags.pending(), SCREE_LAMBDA(Index p)->void { fetch_rows(body, slot[p]); },
        SCREE_LAMBDA(Index p)->LaneFlags {
            const Index i = slot[p];
            const LawRow q = law_row<OneMaterial>(s, law, p);
            Real lever;
            const SurfaceGap gap = gap_now<Moving>(surfaces, surface[p], places, body.position[i]);
            const ContactInput<Real> in = surface_input<Moving>(body, i, gap, places, surfaces.wall(surface[p]), c.stretch[p], lever);
            const ContactOutput<Real> out = contact_force<Law>(q, in, s.dt);
            c.force.set(p, out.force);
            c.twist.set(p, lever * out.twist);
            c.stretch.set(p, out.stretch);
            return contact_flags(in.delta, static_cast<Real>(body.radius[i]), out.normal_force, s);
        },
        work.flags.gate());
}

/// found: the gaps of this step have been.
template <class Law, bool Moving>
void mesh_forces(Workspace& work, BodyView body, MeshView mesh, ContactList& list, ForceSettings s, bool found) {
    const MeshPairView pairs = view_of(list);
    const WallPlace* places = work.walls.motions.places();
    const double pulls = work.pull_reach;  // patches that are this near are told apart as those that are touched
    flag_each(
        work.exec, "penalty/mesh_pairs", list.near_body.size(), work.flags.pending(),
        SCREE_LAMBDA(Index k)->std::uint32_t {
            const Index i = pairs.near_body[k];
            const Index first = pairs.row_start[i], last = pairs.row_start[i + 1];
            const double radius = body.radius[i];
            if (!found) find_touched_patches(mesh, pairs, Moving ? places : nullptr, first, last, body.position[i], radius + pulls);
            pass_on(mesh, pairs, pairs.contact.stretch, first, last, radius);
            std::uint32_t flags = 0;
            for (Index p = first; p < last; ++p) {
                ContactOutput<Real> out{};
                Real lever = 0;
                if (pairs.distance[p] < radius) {
                    const SurfaceGap gap{pairs.normal[p], pairs.distance[p]};
                    const ContactInput<Real> in =
                        surface_input<Moving>(body, i, gap, places, mesh.patch_wall[pairs.patch[p]], pairs.contact.stretch[p], lever);
                    out = contact_force<Law>(law_row<false>(s, pairs.law, p), in, s.dt);
                    flags |= static_cast<std::uint32_t>(contact_flags(in.delta, static_cast<Real>(radius), out.normal_force, s));
                }
                pairs.contact.force.set(p, out.force);
                pairs.contact.twist.set(p, lever * out.twist);
                pairs.contact.stretch.set(p, out.stretch);
            }
            return flags;
        },
        work.flags.gate());
}

template <class Law, bool OneMaterial, bool Moving>
void wall_forces(State& state, Workspace& work, const BodyView& body, const ForceSettings& s, bool gaps_found) {
    surface_forces<Law, OneMaterial, Moving>(work, "penalty/plane_pairs", body, PlaneSurfaces{work.walls.plane_view()},
                                             state.lists[kPlanes], s);
    if (work.walls.arcs) {
        surface_forces<Law, OneMaterial, Moving>(work, "penalty/arc_pairs", body, ArcSurfaces{work.walls.cylinder_view()},
                                                 state.lists[kCylinders], s);
    } else {
        surface_forces<Law, OneMaterial, Moving>(work, "penalty/cylinder_pairs", body, CylinderSurfaces{work.walls.cylinder_view()},
                                                 state.lists[kCylinders], s);
    }
    mesh_forces<Law, Moving>(work, body, work.walls.mesh_view(), state.lists[kMeshes], s, gaps_found);
}

/// Calls use(law, one material) with the kernels' variant.
template <class Use>
void with_variant(const Model& model, Use use) {
    with_law(model.penalty.law, [&](auto law) {
        if (model.materials.size() == 1) {
            use(law, std::true_type{});
        } else {
            use(law, std::false_type{});
        }
    });
}

}  // namespace

void wall_contact_forces(const Model& model, State& state, Workspace& work, double dt) {
    const ForceSettings s = force_settings(model, work, dt);
    const BodyView body = state.bodies.view();
    const bool found = find_covered_gaps(model, state, work);
    if (is_general(model.penalty)) return general_forces(model, state, work, dt, false, found);
    with_variant(model, [&](auto law, auto one_material) {
        if (work.walls.motions.any) {
            wall_forces<decltype(law), decltype(one_material)::value, true>(state, work, body, s, found);
        } else {
            wall_forces<decltype(law), decltype(one_material)::value, false>(state, work, body, s, found);
        }
    });
}

void contact_forces(const Model& model, State& state, Workspace& work, double dt) {
    if (is_general(model.penalty)) return general_forces(model, state, work, dt, true, find_covered_gaps(model, state, work));
    const ForceSettings s = force_settings(model, work, dt);
    const BodyView body = state.bodies.view();
    with_variant(model, [&](auto law, auto one_material) {
        if (state.planar) {
            disk_pair_forces<decltype(law), decltype(one_material)::value>(work, body, state.lists[kSpheres], s);
        } else {
            body_pair_forces<decltype(law), decltype(one_material)::value>(work, body, state.lists[kSpheres], s);
        }
    });
    wall_contact_forces(model, state, work, dt);
}

}  // namespace scree::SCREE_FLAVOR
