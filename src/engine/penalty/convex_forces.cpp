#include "engine/penalty/convex_forces.hpp"

#include "engine/laws/laws.hpp"
#include "engine/penalty/convex_room.hpp"
#include "engine/penalty/convex_walls.hpp"
#include "engine/penalty/patch_input.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// What all kernels share, by value.
struct ConvexSettings {
    PatchSettings patch;
    Law law;
    const LawRow* rows;
    Real dt;
    Real warning, limit;  // overlap over the smaller bounding radius
};

/// Flags of one contact. NaN raises kNotFinite: it fails every comparison.
SCREE_HD std::uint32_t patch_flags(Real depth, Real radius, Real normal_force, const ConvexSettings& s) {
    const std::uint32_t warned = depth > s.warning * radius ? kOverlapWarning : 0u;
    const std::uint32_t stopped = depth > s.limit * radius ? kOverlapLimit : 0u;
    const Real larger = depth + std::fabs(normal_force);
    return warned | stopped | (larger < Real(1e30) ? 0u : kNotFinite);
}

/// What an overlap is held against: the bounding radius of a body as thick as a cube, less of a flatter one (1.7 inradii).
SCREE_HD Real thickness_of(const BodyView& body, const ShapeView& shapes, Index i) {
    const double share = 1.7 * shapes.entry[body.shape[i]].inradius;
    return static_cast<Real>((share < 1 ? share : 1.0) * body.radius[i]);
}

/// Leaves nothing of a contact that has ended.
SCREE_HD void clear(const ContactView& c, const PatchView& patch, Index p) {
    const Vec3T<Real> zero{};
    if (norm2(patch.axis[p]) == Real(0) && norm2(c.force[p]) == Real(0) && norm2(c.stretch[p]) == Real(0)) return;
    c.force.set(p, zero);
    c.twist.set(p, zero);
    c.stretch.set(p, zero);
    patch.axis.set(p, zero);
    patch.turn[p] = Real(0);
    if (patch.torque_b.x != nullptr) patch.torque_b.set(p, zero);
}

SCREE_HD void write(const ContactView& c, const PatchView& patch, Index p, const PatchOutput<Real>& out) {
    c.force.set(p, out.force);
    c.twist.set(p, out.torque_a);
    c.stretch.set(p, out.stretch);
    patch.axis.set(p, out.axis);
    patch.turn[p] = out.turn;
    if (patch.torque_b.x != nullptr) patch.torque_b.set(p, out.torque_b);
}

template <int Room>
void convex_pair_forces(Workspace& work, BodyView body, ConvexPairs& pairs, ConvexSettings s) {
    const Slot* a = pairs.a.data();
    const Slot* b = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const ContactView c = pairs.contacts.view();
    const PatchView patch = pairs.patches.view();
    flag_each(
        work.exec, "penalty/convex_pairs", pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p)->std::uint32_t {
            const Index i = a[p], j = b[p];
            const Vec3 d = relative_position(body.position[i], body.position[j]);
            const double reach = body.radius[i] + body.radius[j];
            PatchGeometry<Real> found;
            if (norm2(d) < reach * reach) {
                const PlacedConvex<Real> A = placed(body, s.patch.shapes, i, {}), B = placed(body, s.patch.shapes, j, cast<Real>(d));
                found = find_patch<Room>(A, B, patch.axis[p], s.patch, patch.feature[p]);
            }
            if (!found.touching) {
                clear(c, patch, p);
                return 0;
            }
            PatchInput<Real> in = pair_input(body, s.patch.shapes, i, j, found);
            read_history(in, c.stretch[p], patch.axis[p], patch.turn[p]);
            const PatchOutput<Real> out = patch_force(s.law, s.rows[law[p]], in, s.dt);
            write(c, patch, p, out);
            const Real t_a = thickness_of(body, s.patch.shapes, i), t_b = thickness_of(body, s.patch.shapes, j);
            return patch_flags(found.depth, t_a < t_b ? t_a : t_b, out.normal_force, s);
        },
        work.flags.gate());
}

template <class Law>
void mixed_pair_forces(Workspace& work, BodyView body, ConvexPairs& pairs, ConvexSettings s) {
    const Slot* a = pairs.a.data();
    const Slot* b = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const ContactView c = pairs.contacts.view();
    const PatchView patch = pairs.patches.view();
    flag_each(
        work.exec, "penalty/mixed_pairs", pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p)->std::uint32_t {
            const Index i = a[p], j = b[p];
            const MixedContact m = mixed_contact(body, s.patch.shapes, i, j, c.stretch[p]);
            if (!(m.in.delta > Real(0))) {
                clear(c, patch, p);
                return 0;
            }
            const ContactOutput<Real> out = contact_force<Law>(s.rows[law[p]], m.in, s.dt);
            c.force.set(p, out.force);
            c.twist.set(p, cross(m.arm_a, out.force));
            patch.torque_b.set(p, -cross(m.arm_b, out.force));
            c.stretch.set(p, out.stretch);
            const double r_a = body.radius[i], r_b = body.radius[j];
            return patch_flags(m.in.delta, static_cast<Real>(r_a < r_b ? r_a : r_b), out.normal_force, s);
        },
        work.flags.gate());
}

/// Surfaces of one class: patch(i, p) finds the patch of body i with the surface of pair p, wall(p) the wall it belongs to.
template <class Surfaces, class Pairs>
void wall_forces(Workspace& work, const char* label, BodyView body, Surfaces surfaces, Pairs& pairs, const WallPlace* places,
                 ConvexSettings s) {
    const Slot* slot = pairs.body.data();
    const std::int32_t* law = pairs.law.data();
    const ContactView c = pairs.contacts.view();
    const PatchView patch = pairs.patches.view();
    flag_each(
        work.exec, label, pairs.size(), work.flags.pending(),
        SCREE_LAMBDA(Index p)->std::uint32_t {
            const Index i = slot[p];
            const PatchGeometry<Real> found = surfaces.patch(i, p);
            if (!found.touching) {
                clear(c, patch, p);
                return 0;
            }
            const RigidVelocity motion = places == nullptr ? RigidVelocity{} : velocity_in(&places[surfaces.wall(p)].mid);
            const double wall_inverse_mass = places == nullptr ? 0.0 : places[surfaces.wall(p)].inverse_mass;
            PatchInput<Real> in = wall_input(body, s.patch.shapes, i, found, motion, wall_inverse_mass);
            read_history(in, c.stretch[p], patch.axis[p], patch.turn[p]);
            const PatchOutput<Real> out = patch_force(s.law, s.rows[law[p]], in, s.dt);
            write(c, patch, p, out);
            return patch_flags(found.depth, thickness_of(body, s.patch.shapes, i), out.normal_force, s);
        },
        work.flags.gate());
}

template <int Room>
void all_forces(State& state, Workspace& work, const ConvexSettings& s) {
    const BodyView body = state.bodies.view();
    const WallPlace* places = work.walls.motions.places();
    convex_pair_forces<Room>(work, body, state.convex_pairs, s);
    wall_forces(work, "penalty/convex_planes", body, plane_patches<Room>(state, work, s.patch), state.convex_planes, places, s);
    wall_forces(work, "penalty/convex_cylinders", body, cylinder_patches<Room>(state, work, s.patch), state.convex_cylinders, places, s);
    wall_forces(work, "penalty/convex_meshes", body, mesh_patches<Room>(state, work, s.patch), state.convex_meshes, places, s);
}

}  // namespace

void convex_forces(const Model& model, State& state, Workspace& work, double dt) {
    const ConvexSettings s{patch_settings(model, work),
                           model.penalty.law,
                           work.laws.data(),
                           static_cast<Real>(dt),
                           static_cast<Real>(model.penalty.overlap_warning),
                           static_cast<Real>(model.penalty.overlap_limit)};
    with_law(model.penalty.law, [&](auto law) {
        if (state.mixed_pairs.size() > 0) mixed_pair_forces<decltype(law)>(work, state.bodies.view(), state.mixed_pairs, s);
    });
    with_room(work.shapes.most_corners, [&](auto room) { all_forces<decltype(room)::value>(state, work, s); });
}

}  // namespace scree::SCREE_FLAVOR
