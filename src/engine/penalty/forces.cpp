#include "engine/penalty/forces.hpp"

#include "engine/laws/laws.hpp"
#include "engine/laws/planar_contact.hpp"
#include "engine/penalty/contact_input.hpp"
#include "engine/penalty/mesh_gaps.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// What all force kernels share, by value.
struct ForceSettings {
    const LawRow* rows;
    LawRow only;  // the one row, where there is one material
    Real dt;
    Real warning, limit;  // overlap over the smaller radius
};

/// One row by components: a copy of the whole struct would keep the loop from being vectorised. With one material the row is a
/// constant of the loop, which saves four gathers a contact.
template <bool OneMaterial>
SCREE_HD LawRow law_row(const ForceSettings& s, const std::int32_t* law, Index p) {
    if (OneMaterial) return {s.only.k_n, s.only.k_t, s.only.zeta, s.only.mu};
    const LawRow* row = s.rows + law[p];
    return {row->k_n, row->k_t, row->zeta, row->mu};
}

/// Flags of one contact. Written so that NaN raises kNotFinite: it fails every comparison.
SCREE_HD std::uint32_t contact_flags(Real delta, Real radius, Real normal_force, const ForceSettings& s) {
    const Real bound = Real(1e30);
    const std::uint32_t warned = delta > s.warning * radius ? kOverlapWarning : 0u;
    const std::uint32_t stopped = delta > s.limit * radius ? kOverlapLimit : 0u;
    const Real larger = delta + normal_force;
    const std::uint32_t broken = larger < bound ? 0u : kNotFinite;
    return warned | stopped | broken;
}

/// What the contact of two spheres needs, packed by fours, differences and sums formed in double:
/// d (B - A) and s^2 - d^2; velocity difference and r_a; r_a w_a + r_b w_b and r_b; w_a + w_b and 1/m_a + 1/m_b.
/// Whole rows at a time, so that it becomes loads, sums and stores of four; the companions then take the last place.
SCREE_HD void load_pair(const BodyView& body, Index i, Index j, const StageSlot<Real>& slot) {
    const Row4 x_a = body.position.row[i], x_b = body.position.row[j];
    const Row4 v_a = body.velocity.row[i], v_b = body.velocity.row[j];
    const Row4 w_a = body.angular_velocity.row[i], w_b = body.angular_velocity.row[j];
    const double r_a = x_a.value[3], r_b = x_b.value[3], s = r_a + r_b;
    const Vec3 d = relative_position({x_a.value[0], x_a.value[1], x_a.value[2]}, {x_b.value[0], x_b.value[1], x_b.value[2]});
    Real *gap = slot.pack(0), *velocity = slot.pack(1), *surface = slot.pack(2), *spin = slot.pack(3);
    gap[0] = static_cast<Real>(d.x);
    gap[1] = static_cast<Real>(d.y);
    gap[2] = static_cast<Real>(d.z);
    for (int k = 0; k < 4; ++k) velocity[k] = static_cast<Real>(v_b.value[k] - v_a.value[k]);
    for (int k = 0; k < 4; ++k) surface[k] = static_cast<Real>(r_a * w_a.value[k] + r_b * w_b.value[k]);
    for (int k = 0; k < 4; ++k) spin[k] = static_cast<Real>(w_a.value[k] + w_b.value[k]);
    gap[3] = static_cast<Real>(s * s - norm2(d));
    velocity[3] = static_cast<Real>(r_a);
    surface[3] = static_cast<Real>(r_b);
    spin[3] = static_cast<Real>(v_a.value[3] + v_b.value[3]);
}

/// The packs as a contact; lever as in sphere_contact.
SCREE_HD ContactInput<Real> packed_contact(const StageSlot<Real>& slot, Vec3T<Real> stretch, Real& lever) {
    const Real r_a = slot.at(1, 3), r_b = slot.at(2, 3), s = r_a + r_b, inverse_mass = slot.at(3, 3);
    const SphereGap<Real> gap = gap_from_squares<Real>({slot.at(0, 0), slot.at(0, 1), slot.at(0, 2)}, slot.at(0, 3), s);
    const Vec3T<Real> surface{slot.at(2, 0), slot.at(2, 1), slot.at(2, 2)}, spin{slot.at(3, 0), slot.at(3, 1), slot.at(3, 2)};
    // One division for both 1 / s and the effective mass.
    const Real both = Real(1) / (s * inverse_mass);
    const Real inverse_s = both * inverse_mass;
    lever = gap.distance * inverse_s;
    ContactInput<Real> in;
    in.normal = gap.normal;
    in.delta = gap.delta;
    in.velocity = Vec3T<Real>{slot.at(1, 0), slot.at(1, 1), slot.at(1, 2)} - lever * cross(surface, gap.normal);
    in.spin = Real(0.5) * dot(spin, gap.normal);
    in.R_eff = r_a * r_b * inverse_s;
    in.m_eff = both * s;
    in.stretch = stretch;
    return in;
}

template <class Law, bool OneMaterial>
void body_pair_forces(Workspace& work, BodyView body, BodyPairs& pairs, ForceSettings s) {
    const Slot* a = pairs.a.data();
    const Slot* b = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const ContactView c = pairs.contacts.view();
    flag_each_staged<4, Real>(
        work.exec, "penalty/body_pairs", pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->void { load_pair(body, a[p], b[p], slot); },
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->std::uint32_t {
            const LawRow q = law_row<OneMaterial>(s, law, p);
            Real lever;
            const ContactInput<Real> in = packed_contact(slot, c.stretch[p], lever);
            const ContactOutput<Real> out = contact_force<Law>(q, in, s.dt);
            // Before anything is written: a pack read twice, the second time after a store, costs the loop a scalar remainder.
            const Real r_a = slot.at(1, 3), r_b = slot.at(2, 3);
            const std::uint32_t flags = contact_flags(in.delta, r_a < r_b ? r_a : r_b, out.normal_force, s);
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
    const Vec3 d = relative_position({x_a.value[0], x_a.value[1], 0}, {x_b.value[0], x_b.value[1], 0});
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
void disk_pair_forces(Workspace& work, BodyView body, BodyPairs& pairs, ForceSettings s) {
    const Slot* a = pairs.a.data();
    const Slot* b = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    Contacts& contacts = pairs.contacts;
    Real *force_x = contacts.force.x.data(), *force_y = contacts.force.y.data(), *twist = contacts.twist.z.data(),
         *stretch = contacts.stretch.z.data();
    flag_each_staged<3, Real>(
        work.exec, "penalty/disk_pairs", pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->void { load_disks(body, a[p], b[p], slot); },
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->std::uint32_t {
            const LawRow q = law_row<OneMaterial>(s, law, p);
            const Real x = slot.at(0, 0), y = slot.at(0, 1), sum = slot.at(0, 3), inverse_mass = slot.at(1, 3);
            const Real r_a = slot.at(2, 0), r_b = sum - r_a;
            const Real d2 = x * x + y * y, distance = std::sqrt(d2);
            const bool apart = d2 > Real(0);
            const Real centres = apart ? distance : Real(1), whole = sum + distance;
            // Two divisions for 1 / |d|, 1 / (s + |d|), 1 / s and the effective mass.
            const Real both = Real(1) / (centres * whole), inverse = both * whole;
            const Real second = Real(1) / (sum * inverse_mass), inverse_s = second * inverse_mass;
            const Real n_x = apart ? x * inverse : Real(1), n_y = y * inverse, lever = distance * inverse_s;
            const Real v_x = slot.at(1, 0), v_y = slot.at(1, 1);
            PlanarInput<Real> in;
            in.delta = slot.at(0, 2) * (both * centres);
            in.v_n = v_x * n_x + v_y * n_y;
            in.v_t = v_y * n_x - v_x * n_y - lever * slot.at(1, 2);
            in.R_eff = r_a * r_b * inverse_s;
            in.m_eff = second * sum;
            in.stretch = stretch[p];
            const PlanarOutput<Real> out = planar_force<Law>(q, in, s.dt);
            const std::uint32_t flags = contact_flags(in.delta, r_a < r_b ? r_a : r_b, out.f_n, s);
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
void surface_forces(Workspace& work, const char* label, BodyView body, Surfaces surfaces, WallPairs& pairs, ForceSettings s) {
    const Slot* slot = pairs.body.data();
    const std::int32_t* surface = pairs.surface.data();
    const std::int32_t* law = pairs.law.data();
    const ContactView c = pairs.contacts.view();
    const WallPlace* places = work.walls.motions.places();
    flag_each_simd(
        work.exec, label, pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p)->std::uint32_t {
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

/// A contact that begins on one patch takes the history of one of the same wall that has just ended, the nearest in normal.
SCREE_HD void pass_history_on(const MeshView& mesh, const MeshPairView& pairs, Index first, Index last, double radius) {
    for (Index p = first; p < last; ++p) {
        if (pairs.distance[p] >= radius || norm2(pairs.contact.stretch[p]) > Real(0)) continue;
        Index from = -1;
        double nearest = 0.5;  // normals more than 60 degrees apart belong to different contacts
        for (Index q = first; q < last; ++q) {
            if (mesh.patch_wall[pairs.patch[q]] != mesh.patch_wall[pairs.patch[p]] || pairs.distance[q] < radius) continue;
            if (!(norm2(pairs.contact.stretch[q]) > Real(0))) continue;
            const double alike = dot(pairs.normal[p], pairs.normal[q]);
            if (alike > nearest) {
                nearest = alike;
                from = q;
            }
        }
        if (from < 0) continue;
        pairs.contact.stretch.set(p, pairs.contact.stretch[from]);
        pairs.contact.stretch.set(from, {Real(0), Real(0), Real(0)});
    }
}

template <class Law, bool Moving>
void mesh_forces(Workspace& work, BodyView body, MeshView mesh, MeshPairs& list, ForceSettings s) {
    const MeshPairView pairs = view_of(list);
    const WallPlace* places = work.walls.motions.places();
    flag_each(
        work.exec, "penalty/mesh_pairs", list.near_body.size(), work.flags.pending(),
        SCREE_LAMBDA(Index k)->std::uint32_t {
            const Index i = pairs.near_body[k];
            const Index first = pairs.row_start[i], last = pairs.row_start[i + 1];
            const double radius = body.radius[i];
            find_patch_gaps(mesh, pairs, Moving ? places : nullptr, first, last, body.position[i], radius);
            keep_one_of_equals(mesh, pairs.patch, pairs.normal, pairs.distance, first, last, radius);
            pass_history_on(mesh, pairs, first, last, radius);
            std::uint32_t flags = 0;
            for (Index p = first; p < last; ++p) {
                ContactOutput<Real> out{};
                Real lever = 0;
                if (pairs.distance[p] < radius) {
                    const SurfaceGap gap{pairs.normal[p], pairs.distance[p]};
                    const ContactInput<Real> in =
                        surface_input<Moving>(body, i, gap, places, mesh.patch_wall[pairs.patch[p]], pairs.contact.stretch[p], lever);
                    out = contact_force<Law>(law_row<false>(s, pairs.law, p), in, s.dt);
                    flags |= contact_flags(in.delta, static_cast<Real>(radius), out.normal_force, s);
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
void wall_forces(State& state, Workspace& work, const BodyView& body, const ForceSettings& s) {
    surface_forces<Law, OneMaterial, Moving>(work, "penalty/plane_pairs", body, PlaneSurfaces{work.walls.plane_view()}, state.plane_pairs,
                                             s);
    if (work.walls.arcs) {
        surface_forces<Law, OneMaterial, Moving>(work, "penalty/arc_pairs", body, ArcSurfaces{work.walls.cylinder_view()},
                                                 state.cylinder_pairs, s);
    } else {
        surface_forces<Law, OneMaterial, Moving>(work, "penalty/cylinder_pairs", body, CylinderSurfaces{work.walls.cylinder_view()},
                                                 state.cylinder_pairs, s);
    }
    mesh_forces<Law, Moving>(work, body, work.walls.mesh_view(), state.mesh_pairs, s);
}

template <class Law, bool OneMaterial>
void all_forces(State& state, Workspace& work, const ForceSettings& s) {
    const BodyView body = state.bodies.view();
    if (state.planar) {
        disk_pair_forces<Law, OneMaterial>(work, body, state.pairs, s);
    } else {
        body_pair_forces<Law, OneMaterial>(work, body, state.pairs, s);
    }
    if (work.walls.motions.any) {
        wall_forces<Law, OneMaterial, true>(state, work, body, s);
    } else {
        wall_forces<Law, OneMaterial, false>(state, work, body, s);
    }
}

}  // namespace

void contact_forces(const Model& model, State& state, Workspace& work, double dt) {
    const ForceSettings s{work.laws.data(), work.only_law, static_cast<Real>(dt), static_cast<Real>(model.penalty.overlap_warning),
                          static_cast<Real>(model.penalty.overlap_limit)};
    with_law(model.penalty.law, [&](auto law) {
        if (model.materials.size() == 1) {
            all_forces<decltype(law), true>(state, work, s);
        } else {
            all_forces<decltype(law), false>(state, work, s);
        }
    });
}

}  // namespace scree::SCREE_FLAVOR
