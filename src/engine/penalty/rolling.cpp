#include "engine/penalty/rolling.hpp"

#include "engine/exec/reduce.hpp"
#include "engine/penalty/mesh_gaps.hpp"
#include "engine/penalty/rolled_pair.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct RollingView {
    SphereContacts contacts;
    const RollingRow* rows;          // by row of the law table
    RollColumns of[sphere_classes];  // bodies, planes, cylinders and arcs, meshes
    Rolling law;
    bool planar;
    TwistingShares<double> twists;
};

RollingView rolling_view(const Model& model, State& state, Workspace& work) {
    RollingView v{sphere_contacts(state, work), work.rolling.data(), {}, model.penalty.rolling, state.planar, {}};
    v.twists = {model.penalty.twisting == Twisting::Marshall ? 1.0 : 0.0, model.penalty.twisting == Twisting::Spring ? 1.0 : 0.0};
    each_list(
        [&](const ListLayout& layout, ContactList& list) {
            if (layout.has_patch()) return;
            v.of[layout.two_bodies() ? 0 : 1 + layout.surface_class()] = roll_columns(list);
        },
        state.lists);
    return v;
}

/// 1 / moment of inertia of a ball or disk of 1 / inverse_mass and radius r, `about` its centre 0, about a point of its surface 1.
SCREE_HD double turn_mobility(const RollingView& v, double inverse_mass, double r, double about) {
    return inverse_mass / (((v.planar ? 0.5 : 0.4) + about) * r * r);
}
/// Moment of inertia that the turning of the two sides against each other has. A wall that a body carries counts as a ball of its mass and
/// the sphere's radius, a wall that none does as one without end.
SCREE_HD double inertia_of(const RollingView& v, Index i, Slot other, const ContactState& c, double about) {
    const BodyView& body = v.contacts.body;
    const double mobility = other >= 0 ? turn_mobility(v, body.inverse_mass[i], body.radius[i], about) +
                                             turn_mobility(v, body.inverse_mass[other], body.radius[other], about)
                                       : turn_mobility(v, 1 / c.in.m_eff, body.radius[i], about);
    return mobility > 0 ? 1 / mobility : 1e300;
}

/// The contact c of body i, which touches, as rolling friction sees it; theta is not carried on yet.
SCREE_HD RollingInput<double> rolling_input(const RollingView& v, Index i, Slot other, const ContactState& c,
                                            const ContactSprings<double>& S, Vec3 roll) {
    const RollingRow q = v.rows[c.row];
    const Vec3 n = c.in.normal;
    const double press = -dot(c.force, n) + S.pull, reach = static_cast<double>(q.friction) * c.in.R_eff;
    RollingInput<double> in{};
    in.turning = c.turning - dot(c.turning, n) * n;
    in.roll = roll;
    in.limit = press > 0 ? reach * press : 0.0;
    in.inertia = inertia_of(v, i, other, c, 0);
    if (v.law != Rolling::Spring) return in;
    in.stiffness = rolling_stiffness(S.secant, reach, v.planar);
    in.damping = 2 * static_cast<double>(q.damping) * std::sqrt(inertia_of(v, i, other, c, 1) * in.stiffness);
    return in;
}

/// The same of twisting; of rolling `in` alone is read.
SCREE_HD TwistingInput<double> twisting_input(const RollingView& v, const ContactState& c, const ContactSprings<double>& S,
                                              const RollingInput<double>& in, double torsion) {
    const RollingRow q = v.rows[c.row];
    const double press = -dot(c.force, c.in.normal) + S.pull;
    TwistingInput<double> twist =
        twisting_of<double>(v.twists, press > 0 ? press : 0.0, c.in.R_eff, c.in.delta, c.law.mu, S.tangential, S.damping_t, S.secant,
                            static_cast<double>(q.spinning), static_cast<double>(q.damping), in.inertia);
    twist.turning = dot(c.turning, c.in.normal);
    twist.torsion = torsion;
    return twist;
}

/// The couple of a contact of body i.
template <class Law>
struct FindCouple {
    const RollingView* view;
    Index i;
    double dt;

    SCREE_HD void operator()(const ContactState& c, Slot other) const {
        const RollingView& v = *view;
        const RollColumns& columns = v.of[c.list];
        if (!(c.in.delta > 0)) {  // forgets
            columns.roll.set(c.pair, Vec3T<Real>{});
            columns.torsion[c.pair] = Real(0);
            columns.couple.set(c.pair, Vec3T<Real>{});
            return;
        }
        const Vec3 held = cast<double>(columns.roll[c.pair]);
        const ContactSprings<double> S = springs_of<Law>(c);
        RollingInput<double> in = rolling_input(v, i, other, c, S, held);
        const bool spring = v.law == Rolling::Spring;
        const double before = c.in.delta + dot(c.in.velocity, c.in.normal) * dt;
        const auto kept = kept2_of<Law>(c, before);
        if (spring && in.limit > 0) in.roll = carried_stretch(held, c.in.normal, c.in.spin * dt, kept.part, kept.whole);
        const RollingOutput<double> out = spring ? sprung_rolling(in, dt) : constant_rolling(in, dt);
        TwistingInput<double> twist = twisting_input(v, c, S, in, static_cast<double>(columns.torsion[c.pair]));
        twist.torsion *= torsion_kept(v.twists, before, c.in.delta, kept.part / kept.whole);
        const TwistingOutput<double> twisted = sprung_twisting(twist, dt);
        columns.roll.set(c.pair, cast<Real>(out.roll));
        columns.torsion[c.pair] = static_cast<Real>(twisted.torsion);
        columns.couple.set(c.pair, cast<Real>(out.couple + twisted.couple * c.in.normal));
    }
};

template <class Law>
struct AddRollingEnergy {
    static constexpr bool touching = true;
    const RollingView* view;
    Index i;
    double* sum;

    SCREE_HD void operator()(const ContactState& c, Slot other) const {
        if (!(c.in.delta > 0)) return;
        const RollColumns& columns = view->of[c.list];
        const Vec3 roll = cast<double>(columns.roll[c.pair]);
        const ContactSprings<double> S = springs_of<Law>(c);
        const RollingInput<double> in = rolling_input(*view, i, other, c, S, roll);
        const double torsion = static_cast<double>(columns.torsion[c.pair]);
        *sum += 0.5 * (in.stiffness * norm2(roll) + twisting_input(*view, c, S, in, torsion).stiffness * torsion * torsion);
    }
};

/// Of all that a contact gives.
template <class Law>
struct AddRollingPower {
    static constexpr bool touching = AddPower<Law>::touching;
    const RollingView* view;
    Index i;
    ContactPower* sum;

    SCREE_HD void operator()(const ContactState& c, Slot other) const {
        AddPower<Law>{sum}(c, other);
        if (!(c.in.delta > 0)) return;
        const RollColumns& columns = view->of[c.list];
        const Vec3 roll = cast<double>(columns.roll[c.pair]), couple = cast<double>(columns.couple[c.pair]);
        const ContactSprings<double> S = springs_of<Law>(c);
        const RollingInput<double> in = rolling_input(*view, i, other, c, S, roll);
        const TwistingInput<double> twist = twisting_input(*view, c, S, in, static_cast<double>(columns.torsion[c.pair]));
        const double along = dot(couple, c.in.normal);
        const Vec3 across = couple - along * c.in.normal;
        const double taken = (view->law == Rolling::Spring ? dashpot_power(across - in.stiffness * roll, in.damping) : 0.0) +
                             dashpot_power(Vec3{along - twist.stiffness * twist.torsion, 0, 0}, twist.damping);
        sum->damping += taken;
        sum->friction += dot(across, in.turning) + along * twist.turning - taken;
        sum->walls += dot(couple, c.wall_turning);
    }
};

/// Couples of a list of surfaces, for their sum.
struct WallCouples {
    const RowStart* row_start;  // null where the list is empty
    Vec3View<Real> couple;
};
SCREE_HD void add_walls(Vec3& sum, const WallCouples& walls, Index i) {
    const PairRow row = row_of(walls.row_start, i);
    for (Index p = row.first; p < row.last; ++p) sum += cast<double>(walls.couple[p]);
}

/// use(Law) of a law with springs; others have no rolling friction (setup).
template <class Use>
void with_springs(const Model& model, Use use) {
    with_round_law(model.penalty, [&](auto law) {
        if constexpr (!std::is_same_v<decltype(law), PowerLaw>) use(law);
    });
}

/// Couples of pairs of spheres, in vector code.
template <class Law, class Laws, bool OneMaterial>
void roll_spheres(Workspace& work, const BodyView& body, ContactList& pairs, const ForceSettings& s, bool members) {
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const Vec3View<Real> force = pairs.contacts.force.view();
    const RollColumns kept = roll_columns(pairs);
    const RollingRow *rows = work.rolling.data(), only = work.only_rolling;
    for_each_staged<roll_packs, Real>(
        work.exec, "penalty/rolling", pairs.size(),
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->void { load_rolling_pair(body, a[p], b[p], members, slot); },
        SCREE_LAMBDA(Index p, const StageSlot<Real>& slot)->void {
            const LawRow q = law_row<OneMaterial>(s, law, p);
            Real lever;
            const ContactInput<Real> in = packed_contact(slot, packed_distance(slot), {}, lever);
            const PressedPair c = pressed_pair(pressed_contact<Law>(q, in, s.dt), in.R_eff);
            const Vec3T<Real> turning{slot.at(pair_packs, 0), slot.at(pair_packs, 1), slot.at(pair_packs, 2)};
            const RolledPair out = rolled_pair<Laws>(c, turning, slot.at(pair_packs, 3), q.mu, OneMaterial ? only : rows[law[p]], force[p],
                                                     kept.roll[p], kept.torsion[p], s.dt);
            kept.roll.set(p, out.roll);
            kept.torsion[p] = out.torsion;
            kept.couple.set(p, out.couple);
        },
        work.flags.gate());
}

/// Those of pairs of disks, and of spheres under laws that are not plain.
template <class Law>
void roll_one_by_one(Workspace& work, ContactList& pairs, const RollingView& view, double dt) {
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    for_each(
        work.exec, "penalty/pair_rolling", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = a[p], j = b[p];
            if (!overlap(view.contacts.body, i, j)) {  // forgets
                view.of[0].roll.set(p, Vec3T<Real>{});
                view.of[0].torsion[p] = Real(0);
                view.of[0].couple.set(p, Vec3T<Real>{});
                return;
            }
            FindCouple<Law>{&view, i, dt}(pair_state(view.contacts, i, b[p], p), b[p]);
        },
        work.flags.gate());
}

/// Couples of spheres on planes at rest, in vector code.
template <class Law, class Laws>
void roll_on_planes(Workspace& work, const BodyView& body, ContactList& pairs, const ForceSettings& s) {
    const Slot* slot = pairs.a.data();
    const std::int32_t *surface = pairs.b.data(), *law = pairs.law.data();
    const PlaneSurfaces planes{work.walls.plane_view()};
    const Vec3View<Real> force = pairs.contacts.force.view();
    const RollColumns kept = roll_columns(pairs);
    const RollingRow* rows = work.rolling.data();
    for_each_simd(
        work.exec, "penalty/plane_rolling", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = slot[p];
            const LawRow q = law_row<false>(s, law, p);
            const RollingRow* of = rows + law[p];
            const RollingRow row{of->friction, of->damping, of->spinning};
            const double r = body.radius[i];
            Real lever;
            const ContactInput<Real> in = surface_contact<Real>(body, i, planes.gap(surface[p], body.position[i]), {}, lever);
            const PressedPair c = pressed_pair(pressed_contact<Law>(q, in, s.dt), in.R_eff);
            const Real both = static_cast<Real>(body.inverse_mass[i] / (r * r));
            const RolledPair out =
                rolled_pair<Laws>(c, -cast<Real>(body.angular_velocity[i]), both, q.mu, row, force[p], kept.roll[p], kept.torsion[p], s.dt);
            kept.roll.set(p, out.roll);
            kept.torsion[p] = out.torsion;
            kept.couple.set(p, out.couple);
        },
        work.flags.gate());
}

/// Are planes those of roll_on_planes?
template <class Law>
bool planes_apart(const Workspace& work, bool planar) {
    return !is_general_law<Law> && !planar && !work.walls.motions.any;
}

template <class Law>
void roll_on_walls(Workspace& work, Index bodies, const RollingView& view, const MeshView& mesh, const MeshPairView& patches, double dt) {
    for_each(
        work.exec, "penalty/wall_rolling", bodies,
        SCREE_LAMBDA(Index i)->void {
            if (!near_walls(view.contacts, i)) return;
            const PairRow row = row_of(patches.row_start, i);
            pass_on(mesh, patches, view.of[3].roll, row.first, row.last, view.contacts.body.radius[i]);
            each_wall_contact(view.contacts, i, FindCouple<Law>{&view, i, dt});
        },
        work.flags.gate());
}

template <class Law>
void roll_pairs(const Model& model, State& state, Workspace& work, const RollingView& view, double dt) {
    ContactList& pairs = state.lists[kSpheres];
    const ForceSettings s = force_settings(model, work, dt);
    if constexpr (!is_general_law<Law>) {
        if (state.planar) return roll_one_by_one<Law>(work, pairs, view, dt);
        return with_rolling_laws(model.penalty, [&](auto laws) {
            using Laws = decltype(laws);
            if (model.materials.size() == 1) return roll_spheres<Law, Laws, true>(work, state.bodies.view(), pairs, s, state.has_compounds);
            roll_spheres<Law, Laws, false>(work, state.bodies.view(), pairs, s, state.has_compounds);
        });
    }
    roll_one_by_one<Law>(work, pairs, view, dt);
}

template <class Law>
double energy_with(const RollingView& view, Workspace& work) {
    const Slot* slot = work.slot_of_id.data();
    return sum_of(
        work.exec, "measure/rolling_energy", work.slot_of_id.size(), SCREE_LAMBDA(Index id)->double {
            double sum = 0;
            if (slot[id] >= 0) each_contact(view.contacts, slot[id], AddRollingEnergy<Law>{&view, slot[id], &sum});
            return sum;
        });
}

template <class Law>
void account_with(const RollingView& view, Workspace& work, Index bodies, double dt) {
    for_each(
        work.exec, "measure/rolling_work", bodies,
        SCREE_LAMBDA(Index i)->void {
            ContactPower power{0, 0, 0};
            each_contact(view.contacts, i, AddRollingPower<Law>{&view, i, &power});
            add_to_account(view.contacts.body, i, power, dt);
        },
        work.flags.gate());
}

#if !defined(SCREE_ON_CUDA)

/// As roll_spheres, on what a stage of the fused step has found.
template <class Laws, bool OneMaterial>
void roll_part(const RollContext& v, Index begin, Index count, Real* packs, Real* found) {
    const RollColumns kept = v.kept;
    const RollingRow *rows = v.rows, only = v.only;
    const std::int32_t* law = v.law;
    const ForceSettings s = v.settings;
    const auto roll = SCREE_LAMBDA(Index p, const StageSlot<Real>& slot, const Found<Real>& to)->LaneFlags {
        const Vec3T<Real> turning{slot.at(pair_packs, 0), slot.at(pair_packs, 1), slot.at(pair_packs, 2)};
        const RolledPair out = rolled_pair<Laws>(held_pressed(to), turning, slot.at(pair_packs, 3), law_row<OneMaterial>(s, law, p).mu,
                                                 OneMaterial ? only : rows[law[p]], to.vector(0), kept.roll[p], kept.torsion[p], s.dt);
        if (Laws::rolling == Rolling::Spring) kept.roll.set(p, out.roll);
        if (Laws::twisting != Twisting::None) kept.torsion[p] = out.torsion;
        to.set(6, out.couple);
        to.set(9, Vec3T<Real>{});
        to.set(12, Real(0));
        to.set(13, Real(0));
        return 0;
    };
    detail::compute_each<Real>(begin, count, packs, found, roll);
}

#endif

}  // namespace

RollStage roll_stage(const Model& model, State& state, const Workspace& work) {
    ContactList& pairs = state.lists[kSpheres];
    RollStage stage{};
    if (!state.rolls) return stage;
    stage.context = {force_settings(model, work, model.dt), work.only_rolling, work.rolling.data(), pairs.law.data(), roll_columns(pairs)};
#if !defined(SCREE_ON_CUDA)
    with_rolling_laws(model.penalty, [&](auto laws) {
        stage.run = model.materials.size() == 1 ? roll_part<decltype(laws), true> : roll_part<decltype(laws), false>;
    });
#endif
    return stage;
}

void rolling_couples(const Model& model, State& state, Workspace& work, double dt, bool walls_alone) {
    if (!state.rolls) return;
    RollingView view = rolling_view(model, state, work);
    view.contacts.midway = true;
    for (SurfaceRows& walls : view.contacts.walls) walls.pull = nullptr;  // forces are as yet without them
    const MeshPairView patches = view_of(state.lists[kMeshes]);
    with_springs(model, [&](auto law) {
        using Law = decltype(law);
        if constexpr (!is_general_law<Law>) {
            if (planes_apart<Law>(work, state.planar)) {
                with_rolling_laws(model.penalty, [&](auto laws) {
                    roll_on_planes<Law, decltype(laws)>(work, state.bodies.view(), state.lists[kPlanes], force_settings(model, work, dt));
                });
                view.contacts.walls[0].start = nullptr;
            }
        }
        if (!walls_alone) roll_pairs<Law>(model, state, work, view, dt);
        if (view.contacts.walls[0].start == nullptr && state.lists[kCylinders].size() + state.lists[kMeshes].size() == 0) return;
        roll_on_walls<Law>(work, state.bodies.count, view, work.walls.mesh_view(), patches, dt);
    });
}

void add_rolling_couples(State& state, Workspace& work, Gate gate) {
    if (!state.rolls) return;
    const ContactList& pairs = state.lists[kSpheres];
    const RowStart* row_start = pairs.row_start.data();
    const std::uint32_t* entry = pairs.entry.data();
    const Vec3View<Real> couple = state.lists[kSpheres].contacts.couple.view(), force = state.lists[kSpheres].contacts.force.view(),
                         twist = state.lists[kSpheres].contacts.twist.view();
    const auto of_walls = [&](int list) {
        ContactList& walls = state.lists[list];
        return WallCouples{walls.size() > 0 ? walls.row_start.data() : nullptr, walls.contacts.couple.view()};
    };
    const WallCouples planes = of_walls(kPlanes), cylinders = of_walls(kCylinders), meshes = of_walls(kMeshes);
    const BodyView body = state.bodies.view();
    for_each(
        work.exec, "penalty/add_rolling", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            constexpr int chunk = 64;  // as gather(): what does not press counts for no part
            Vec3 total{}, part{};
            int pressing = 0;
            const Index first = row_start[i], last = row_start[i + 1];
            const bool is_long = last - first > chunk;
            for (Index k = first; k < last; ++k) {
                const Index p = static_cast<Index>(entry[k] >> 1);
                part += ((entry[k] & 1u) != 0 ? -1.0 : 1.0) * cast<double>(couple[p]);
                if (!is_long || (norm2(force[p]) == 0 && norm2(twist[p]) == 0) || ++pressing < chunk) continue;
                total += part;
                part = {};
                pressing = 0;
            }
            total += part;
            add_walls(total, planes, i);
            add_walls(total, cylinders, i);
            add_walls(total, meshes, i);
            body.torque.set(i, body.torque[i] + total);
        },
        gate);
}

double rolling_energy(const Model& model, State& state, Workspace& work) {
    double sum = 0;
    if (!state.rolls) return sum;
    const RollingView view = rolling_view(model, state, work);
    with_springs(model, [&](auto law) { sum = energy_with<decltype(law)>(view, work); });
    return sum;
}

void account_rolling(const Model& model, State& state, Workspace& work) {
    if (!state.rolls) return;
    const RollingView view = rolling_view(model, state, work);
    with_springs(model, [&](auto law) { account_with<decltype(law)>(view, work, state.bodies.count, model.dt); });
}

}  // namespace scree::SCREE_FLAVOR
