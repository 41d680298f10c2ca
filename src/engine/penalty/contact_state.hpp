// Contacts of spheres as they are, in double, from positions, velocities and history: what they hold and what they give. Of measures and
// energy accounts.
#pragma once

#include "engine/laws/dissipation.hpp"
#include "engine/laws/laws.hpp"
#include "engine/penalty/contact_input.hpp"
#include "engine/penalty/general_forces.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

struct LawRowDouble {
    double k_n, k_t, zeta_t, mu;
};
SCREE_HD LawRowDouble wide(const LawRow& q) {
    return {static_cast<double>(q.k_n), static_cast<double>(q.k_t), static_cast<double>(q.zeta_t), static_cast<double>(q.mu)};
}

/// One contact in double, with what it holds and gives.
struct ContactState {
    ContactInput<double> in;
    LawRowDouble law;
    Vec3 force;                 // on A, without what pulls
    Vec3 wall;                  // velocity of B at the contact where it is a wall with a motion of its own, else zero
    Vec3 turning;               // angular velocity of B against A [rad/s]
    Vec3 wall_turning;          // of B where it is a wall with a motion of its own, else zero [rad/s]
    int list;                   // 0 of bodies, 1 + the class of the surface of walls
    Index pair;                 // in its list
    std::int32_t row;           // of the law table
    const GeneralRow* general;  // of laws that are not plain, else null
    double spent;               // what yielding takes [W]
};

/// Of a contact that touches.
template <class Law>
SCREE_HD ContactSprings<double> springs_of(const ContactState& c) {
    if constexpr (is_general_law<Law>) {
        return springs_of<Law>(wide(*c.general), c.in.R_eff, c.in.m_eff, c.in.delta, c.in.memory);
    } else {
        return springs_of<Law>(c.law, c.in.R_eff, c.in.m_eff, c.in.delta, c.in.memory);
    }
}

/// Elastic energies [J], dashpot power and power into tangential springs and sliders [W].
template <class Law>
SCREE_HD double normal_energy(const ContactState& c) {
    if (!(c.in.delta > 0)) return 0.0;
    if constexpr (has_memory<Law>()) {
        return normal_store<Law>(wide(*c.general), c.in.R_eff, c.in.delta, c.in.memory);
    } else {
        return Law::template elastic_energy<double>(c.law.k_n, c.in.R_eff, c.in.delta);
    }
}
template <class Law>
SCREE_HD double tangential_energy(const ContactState& c) {
    if (!(c.in.delta > 0)) return 0.0;
    return 0.5 * springs_of<Law>(c).tangential * norm2(c.in.stretch);
}
/// What of turns stays that a contact remembers, as its stiffness grows.
template <class Law>
SCREE_HD Fraction<double> kept2_of(const ContactState& c, double before) {
    if constexpr (is_general_law<Law>) {
        return law_kept2<Law>(wide(*c.general), before, c.in.delta);
    } else {
        return Law::stretch_kept2(before, c.in.delta);
    }
}
struct ContactPower {
    double damping, friction;
    double walls;  // by a wall that moves, on A
};
template <class Law>
SCREE_HD ContactPower contact_power(const ContactState& c) {
    if (!(c.in.delta > 0)) return {c.spent, 0, 0};
    const ContactSprings<double> S = springs_of<Law>(c);
    const double v_n = dot(c.in.velocity, c.in.normal);
    const Vec3 v_t = c.in.velocity - v_n * c.in.normal;
    const double f_n = -dot(c.force, c.in.normal);
    const Vec3 f_t = c.force + f_n * c.in.normal;
    // The power law has no spring: all of its friction counts as a dashpot's.
    const bool viscous = std::is_same_v<Law, PowerLaw>;
    const double taken = viscous ? dot(f_t, v_t) : dashpot_power(f_t - S.tangential * c.in.stretch, S.damping_t);
    return {(f_n - S.elastic) * -v_n + taken + c.spent, dot(f_t, v_t) - taken, dot(c.force, c.wall)};
}

/// The rows of a list of surfaces.
struct SurfaceRows {
    const RowStart* start;
    const std::int32_t *surface, *law;
    ContactView contact;
    PlasticView plastic;
    const Real* pull;  // null without cohesion
};

/// All lists by slot: loops over the contacts a slot owns (A in body pairs, the body in wall pairs).
struct SphereContacts {
    BodyView body;
    const LawRow* rows;
    const Slot *a, *b;
    const std::int32_t* law;
    const RowStart* row_start;
    const std::uint32_t* entry;
    ContactView contact;
    PlasticView plastic;
    const GeneralRow* general;  // null where the law is plain
    const Real* pull;           // null without cohesion
    PlaneSurfaces planes;
    RoundSurfaces cylinders;
    SurfaceRows walls[3];  // by surface class; taken one by one, as loops would put them into a device's local memory
    Vec3View<double> mesh_normal;
    const double* mesh_distance;
    const std::int32_t* patch_wall;
    const WallPlace* places;  // null where no wall moves
    bool planar;
    bool midway{false};  // velocities of bodies are those at the middle of the step, as forces see them
};

inline const Real* pulls_of(ContactList& list) {
    return list.contacts.pull.size() > 0 ? list.contacts.pull.data() : nullptr;
}

/// What of a force on A the normal and tangential laws gave.
SCREE_HD Vec3 without_pull(const Real* pull, Index p, const ContactInput<double>& in, Vec3 force) {
    if (pull == nullptr || pull[p] == Real(0)) return force;
    if (!(in.delta > 0)) return {};
    return force - static_cast<double>(pull[p]) * in.normal;
}

inline SphereContacts sphere_contacts(State& s, Workspace& w) {
    ContactList& pairs = s.lists[kSpheres];
    SphereContacts all{s.bodies.view(),
                       w.laws.data(),
                       pairs.a.data(),
                       pairs.b.data(),
                       pairs.law.data(),
                       pairs.row_start.data(),
                       pairs.entry.data(),
                       pairs.contacts.view(),
                       plastic_view(pairs),
                       w.general.size() > 0 ? w.general.data() : nullptr,
                       pulls_of(pairs),
                       {w.walls.plane_view()},
                       {w.walls.cylinder_view(), w.walls.arcs},
                       {},
                       s.lists[kMeshes].normal.view(),
                       s.lists[kMeshes].distance.data(),
                       w.walls.patch_wall.data(),
                       w.walls.motions.places(),
                       s.planar};
    each_list(
        [&](const ListLayout& layout, ContactList& list) {
            if (layout.two_bodies() || layout.has_patch()) return;
            all.walls[layout.surface_class()] = {list.row_start.data(), list.b.data(),      list.law.data(),
                                                 list.contacts.view(),  plastic_view(list), pulls_of(list)};
        },
        s.lists);
    return all;
}

/// What a contact of a normal law with a memory remembers and spends.
SCREE_HD void add_memory(ContactState& c, const PlasticView& plastic, const GeneralRow* general) {
    if (general != nullptr) c.general = general + c.row;
    c.in.memory = wide(plastic.memory(c.pair));
    if (plastic.spent != nullptr) c.spent = plastic.spent[c.pair];
}

SCREE_HD ContactState surface_state(const SphereContacts& l, Index i, const SurfaceGap& gap, std::int32_t wall, const SurfaceRows& rows,
                                    int list, Index p) {
    const std::int32_t law = rows.law[p];
    const ContactView& c = rows.contact;
    double lever;
    const Vec3 stretch = cast<double>(c.stretch[p]), force = cast<double>(c.force[p]);
    const Vec3 w = l.body.angular_velocity[i];
    if (l.places == nullptr) {
        const ContactInput<double> in = surface_contact<double>(l.body, i, gap, stretch, lever);
        ContactState found{in, wide(l.rows[law]), without_pull(rows.pull, p, in, force), {}, -w, {}, list, p, law, nullptr, 0};
        add_memory(found, rows.plastic, l.general);
        return found;
    }
    const RigidVelocity v = velocity_in(l.midway ? &l.places[wall].mid : &l.places[wall].now);
    const double carried = l.places[wall].inverse_mass;
    const ContactInput<double> in = surface_contact<double>(l.body, i, gap, v, carried, stretch, lever);
    ContactState found{in,
                       wide(l.rows[law]),
                       without_pull(rows.pull, p, in, force),
                       carried > 0 ? Vec3{} : velocity_at(v, surface_point(l.body, i, gap)),
                       v.angular - w,
                       carried > 0 ? Vec3{} : v.angular,
                       list,
                       p,
                       law,
                       nullptr,
                       0};
    add_memory(found, rows.plastic, l.general);
    return found;
}

template <class Surfaces>
SCREE_HD ContactState placed_state(const SphereContacts& l, Index i, const Surfaces& surfaces, const SurfaceRows& rows, int list, Index p) {
    const Vec3 x = l.body.position[i];
    const Index s = rows.surface[p];
    const SurfaceGap gap = gap_to(surfaces, s, l.places, x);
    return surface_state(l, i, gap, surfaces.wall(s), rows, list, p);
}

/// Do two spheres overlap? As sphere_gap says, at a tenth of its cost.
SCREE_HD bool overlap(const BodyView& body, Index i, Index j) {
    const double s = body.radius[i] + body.radius[j];
    return s * s - norm2(relative_position(body.position[i], body.position[j])) > 0;
}

/// use(contact, -1) for every contact of slot i with walls.
template <class Use>
SCREE_HD void each_wall_contact(const SphereContacts& l, Index i, Use use) {
    const SurfaceRows &planes = l.walls[0], &cylinders = l.walls[1], &meshes = l.walls[2];
    const PairRow plane = row_of(planes.start, i), cylinder = row_of(cylinders.start, i), mesh = row_of(meshes.start, i);
    for (Index p = plane.first; p < plane.last; ++p) use(placed_state(l, i, l.planes, planes, 1, p), Slot{-1});
    for (Index p = cylinder.first; p < cylinder.last; ++p) use(placed_state(l, i, l.cylinders, cylinders, 2, p), Slot{-1});
    for (Index p = mesh.first; p < mesh.last; ++p)
        use(surface_state(l, i, SurfaceGap{l.mesh_normal[p], l.mesh_distance[p]}, l.patch_wall[meshes.surface[p]], meshes, 3, p), Slot{-1});
}
/// Has slot i a pair with a wall?
SCREE_HD bool near_walls(const SphereContacts& l, Index i) {
    const PairRow plane = row_of(l.walls[0].start, i), cylinder = row_of(l.walls[1].start, i), mesh = row_of(l.walls[2].start, i);
    return plane.first < plane.last || cylinder.first < cylinder.last || mesh.first < mesh.last;
}

/// Pair p of the bodies i and j.
SCREE_HD ContactState pair_state(const SphereContacts& l, Index i, Slot j, Index p) {
    const auto law = static_cast<std::int32_t>(law_of(l.law, p));
    double lever;
    ContactState c{sphere_contact<double>(l.body, i, j, cast<double>(l.contact.stretch[p]), lever),
                   wide(l.rows[law]),
                   cast<double>(l.contact.force[p]),
                   {},
                   l.body.angular_velocity[j] - l.body.angular_velocity[i],
                   {},
                   0,
                   p,
                   law,
                   nullptr,
                   0};
    add_memory(c, l.plastic, l.general);
    c.force = without_pull(l.pull, p, c.in, c.force);
    // Of disks n x xi is kept (penalty/forces.cpp).
    if (l.planar) c.in.stretch = cross(c.in.stretch, c.in.normal);
    return c;
}

/// use(contact, slot of the other body or -1) for every contact slot i owns, partners by id, then walls; Use::touching: of spheres only for
/// those that overlap, as the others count for nothing.
template <class Use>
SCREE_HD void each_contact(const SphereContacts& l, Index i, Use use) {
    for (Index k = l.row_start[i]; k < l.row_start[i + 1]; ++k) {
        const std::uint32_t e = l.entry[k];
        if ((e & 1u) != 0) continue;
        const Index p = static_cast<Index>(e >> 1);
        const Slot me = l.a[p];  // an image of i, where the two meet across a border
        if (Use::touching && !overlap(l.body, me, l.b[p])) continue;
        use(pair_state(l, me, l.b[p], p), l.b[p]);
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
    static constexpr bool touching = !has_memory<Law>();  // what has ended has spent what it held
    ContactPower* sum;
    SCREE_HD void operator()(const ContactState& c, Slot) const {
        const ContactPower p = contact_power<Law>(c);
        sum->damping += p.damping;
        sum->friction += p.friction;
        sum->walls += p.walls;
    }
};

}  // namespace scree::SCREE_FLAVOR
