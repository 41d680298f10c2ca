// Contacts of spheres as they are, in double, from positions, velocities and history: what they hold and what they give. Of measures and
// energy accounts.
#pragma once

#include "engine/laws/dissipation.hpp"
#include "engine/laws/laws.hpp"
#include "engine/penalty/contact_input.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

struct LawRowDouble {
    double k_n, k_t, zeta_t;
};
SCREE_HD LawRowDouble wide(const LawRow& q) {
    return {static_cast<double>(q.k_n), static_cast<double>(q.k_t), static_cast<double>(q.zeta_t)};
}

/// One contact in double, with what it holds and gives.
struct ContactState {
    ContactInput<double> in;
    LawRowDouble law;
    Vec3 force;  // on A
    Vec3 wall;   // velocity of B at the contact where it is a wall with a motion of its own, else zero
};

/// Elastic energies [J], dashpot power and power into tangential springs and sliders [W].
template <class Law>
SCREE_HD double normal_energy(const ContactState& c) {
    return c.in.delta > 0 ? Law::template elastic_energy<double>(c.law.k_n, c.in.R_eff, c.in.delta) : 0.0;
}
template <class Law>
SCREE_HD double tangential_energy(const ContactState& c) {
    if (!(c.in.delta > 0)) return 0.0;
    return 0.5 * Law::template stiffness<double>(c.law.k_n, c.law.k_t, c.in.R_eff, c.in.delta).tangential * norm2(c.in.stretch);
}
struct ContactPower {
    double damping, friction;
    double walls;  // by a wall that moves, on A
};
template <class Law>
SCREE_HD ContactPower contact_power(const ContactState& c) {
    if (!(c.in.delta > 0)) return {0, 0, 0};
    const auto S = Law::template stiffness<double>(c.law.k_n, c.law.k_t, c.in.R_eff, c.in.delta);
    const double v_n = dot(c.in.velocity, c.in.normal);
    const Vec3 v_t = c.in.velocity - v_n * c.in.normal;
    const double f_n = -dot(c.force, c.in.normal);
    const Vec3 f_t = c.force + f_n * c.in.normal;
    // The power law has no spring: all of its friction counts as a dashpot's.
    const bool viscous = std::is_same_v<Law, PowerLaw>;
    const double taken =
        viscous ? dot(f_t, v_t) : dashpot_power(f_t - S.tangential * c.in.stretch, 2 * c.law.zeta_t * std::sqrt(S.normal * c.in.m_eff));
    return {(f_n - S.elastic) * -v_n + taken, dot(f_t, v_t) - taken, dot(c.force, c.wall)};
}

/// All lists by slot: loops over the contacts a slot owns (A in body pairs, the body in wall pairs).
struct SphereContacts {
    BodyView body;
    const LawRow* rows;
    const Slot* b;
    const std::int32_t* law;
    const RowStart* row_start;
    const std::uint32_t* entry;
    ContactView contact;
    PlaneSurfaces planes;
    RoundSurfaces cylinders;
    const std::int32_t *plane, *cylinder, *plane_law, *cylinder_law, *mesh_law;
    const RowStart *plane_start, *cylinder_start, *mesh_start;
    ContactView plane_contact, cylinder_contact, mesh_contact;
    Vec3View<double> mesh_normal;
    const double* mesh_distance;
    const std::int32_t *mesh_patch, *patch_wall;
    const WallPlace* places;  // null where no wall moves
    bool planar;
};

inline SphereContacts sphere_contacts(State& s, Workspace& w) {
    return {s.bodies.view(),
            w.laws.data(),
            s.lists[kSpheres].b.data(),
            s.lists[kSpheres].law.data(),
            s.lists[kSpheres].row_start.data(),
            s.lists[kSpheres].entry.data(),
            s.lists[kSpheres].contacts.view(),
            {w.walls.plane_view()},
            {w.walls.cylinder_view(), w.walls.arcs},
            s.lists[kPlanes].b.data(),
            s.lists[kCylinders].b.data(),
            s.lists[kPlanes].law.data(),
            s.lists[kCylinders].law.data(),
            s.lists[kMeshes].law.data(),
            s.lists[kPlanes].row_start.data(),
            s.lists[kCylinders].row_start.data(),
            s.lists[kMeshes].row_start.data(),
            s.lists[kPlanes].contacts.view(),
            s.lists[kCylinders].contacts.view(),
            s.lists[kMeshes].contacts.view(),
            s.lists[kMeshes].normal.view(),
            s.lists[kMeshes].distance.data(),
            s.lists[kMeshes].b.data(),
            w.walls.patch_wall.data(),
            w.walls.motions.places(),
            s.planar};
}

SCREE_HD ContactState surface_state(const SphereContacts& l, Index i, const SurfaceGap& gap, std::int32_t wall, std::int32_t law,
                                    const ContactView& c, Index p) {
    double lever;
    const Vec3 stretch = cast<double>(c.stretch[p]), force = cast<double>(c.force[p]);
    if (l.places == nullptr) return {surface_contact<double>(l.body, i, gap, stretch, lever), wide(l.rows[law]), force, {}};
    const RigidVelocity v = velocity_in(&l.places[wall].now);
    const double carried = l.places[wall].inverse_mass;
    const Vec3 given = carried > 0 ? Vec3{} : velocity_at(v, surface_point(l.body, i, gap));
    return {surface_contact<double>(l.body, i, gap, v, carried, stretch, lever), wide(l.rows[law]), force, given};
}

template <class Surfaces>
SCREE_HD ContactState placed_state(const SphereContacts& l, Index i, const Surfaces& surfaces, Index s, std::int32_t law,
                                   const ContactView& c, Index p) {
    const Vec3 x = l.body.position[i];
    const SurfaceGap gap = l.places == nullptr ? surfaces.gap(s, x) : placed_gap(surfaces, s, l.places, x);
    return surface_state(l, i, gap, surfaces.wall(s), law, c, p);
}

/// Do two spheres overlap? As sphere_gap says, at a tenth of its cost.
SCREE_HD bool overlap(const BodyView& body, Index i, Index j) {
    const double s = body.radius[i] + body.radius[j];
    return s * s - norm2(relative_position(body.position[i], body.position[j])) > 0;
}

/// use(contact, -1) for every contact of slot i with walls.
template <class Use>
SCREE_HD void each_wall_contact(const SphereContacts& l, Index i, Use use) {
    const PairRow planes = row_of(l.plane_start, i), cylinders = row_of(l.cylinder_start, i), meshes = row_of(l.mesh_start, i);
    for (Index p = planes.first; p < planes.last; ++p)
        use(placed_state(l, i, l.planes, l.plane[p], l.plane_law[p], l.plane_contact, p), Slot{-1});
    for (Index p = cylinders.first; p < cylinders.last; ++p)
        use(placed_state(l, i, l.cylinders, l.cylinder[p], l.cylinder_law[p], l.cylinder_contact, p), Slot{-1});
    for (Index p = meshes.first; p < meshes.last; ++p)
        use(surface_state(l, i, SurfaceGap{l.mesh_normal[p], l.mesh_distance[p]}, l.patch_wall[l.mesh_patch[p]], l.mesh_law[p],
                          l.mesh_contact, p),
            Slot{-1});
}

/// use(contact, slot of the other body or -1) for every contact slot i owns, partners by id, then walls; Use::touching: of spheres only for
/// those that overlap, as the others count for nothing.
template <class Use>
SCREE_HD void each_contact(const SphereContacts& l, Index i, Use use) {
    for (Index k = l.row_start[i]; k < l.row_start[i + 1]; ++k) {
        const std::uint32_t e = l.entry[k];
        if ((e & 1u) != 0) continue;
        const Index p = static_cast<Index>(e >> 1);
        if (Use::touching && !overlap(l.body, i, l.b[p])) continue;
        double lever;
        ContactState c{sphere_contact<double>(l.body, i, l.b[p], cast<double>(l.contact.stretch[p]), lever),
                       wide(l.rows[law_of(l.law, p)]),
                       cast<double>(l.contact.force[p]),
                       {}};
        // Of disks n x xi is kept (penalty/forces.cpp).
        if (l.planar) c.in.stretch = cross(c.in.stretch, c.in.normal);
        use(c, l.b[p]);
    }
    each_wall_contact(l, i, use);
}

/// What contacts give in a step of dt [s].
SCREE_HD void add_to_account(const BodyView& body, Index i, const ContactPower& power, double dt) {
    body.work_damping[i] += dt * power.damping;
    body.work_friction[i] += dt * power.friction;
    body.work_walls[i] += dt * power.walls;
}

template <class Law>
struct AddPower {
    static constexpr bool touching = true;
    ContactPower* sum;
    SCREE_HD void operator()(const ContactState& c, Slot) const {
        const ContactPower p = contact_power<Law>(c);
        sum->damping += p.damping;
        sum->friction += p.friction;
        sum->walls += p.walls;
    }
};

}  // namespace scree::SCREE_FLAVOR
