#include "engine/penalty/rolling.hpp"

#include "engine/exec/reduce.hpp"
#include "engine/laws/rolling.hpp"
#include "engine/penalty/mesh_gaps.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// What contacts of one class remember and give; of bodies, planes, cylinders and arcs, meshes.
struct RollColumns {
    Vec3View<Real> roll, couple;
};

struct RollingView {
    SphereContacts contacts;
    const RollingRow* rows;  // by row of the law table
    RollColumns of[sphere_classes];
    Rolling law;
    bool planar;
};

RollingView rolling_view(const Model& model, State& state, Workspace& work) {
    RollingView v{sphere_contacts(state, work), work.rolling.data(), {}, model.penalty.rolling, state.planar};
    each_list(
        [&](const ListLayout& layout, ContactList& list) {
            if (layout.has_patch()) return;
            v.of[layout.two_bodies() ? 0 : 1 + layout.surface_class()] = {list.contacts.roll.view(), list.contacts.couple.view()};
        },
        state.lists);
    return v;
}

/// 1 / moment of inertia of the sphere or disk i, `about` its centre 0, about a point of its surface 1, with the mass that it moves with.
SCREE_HD double turn_mobility(const RollingView& v, Index i, double about) {
    const double r = v.contacts.body.radius[i];
    return v.contacts.body.inverse_mass[i] / (((v.planar ? 0.5 : 0.4) + about) * r * r);
}
SCREE_HD double inertia_of(double mobility) {
    return mobility > 0 ? 1 / mobility : 1e300;
}

/// The contact c of body i as rolling friction sees it; theta is not carried on yet.
template <class Law>
SCREE_HD RollingInput<double> rolling_input(const RollingView& v, Index i, Slot other, const ContactState& c, Vec3 roll) {
    const RollingRow q = v.rows[c.row];
    const Vec3 n = c.in.normal;
    const double press = c.in.delta > 0 ? -dot(c.force, n) : 0.0, reach = q.friction * c.in.R_eff;
    RollingInput<double> in{};
    in.turning = c.turning - dot(c.turning, n) * n;
    in.roll = roll;
    in.limit = press > 0 ? reach * press : 0.0;
    in.inertia = inertia_of(turn_mobility(v, i, 0) + (other >= 0 ? turn_mobility(v, other, 0) : 0.0));
    if (v.law != Rolling::Spring || !(c.in.delta > 0)) return in;
    const double spring = Law::template stiffness<double>(c.law.k_n, c.law.k_t, c.in.R_eff, c.in.delta).elastic / c.in.delta;
    in.stiffness = rolling_stiffness(spring, reach, v.planar);
    const double rolls = inertia_of(turn_mobility(v, i, 1) + (other >= 0 ? turn_mobility(v, other, 1) : 0.0));
    in.damping = 2 * q.damping * std::sqrt(rolls * in.stiffness);
    return in;
}

/// Couples of the contacts that body i owns.
template <class Law>
struct FindCouples {
    static constexpr bool touching = false;  // those that do not forget
    const RollingView* view;
    Index i;
    double dt;

    SCREE_HD void operator()(const ContactState& c, Slot other) const {
        const RollingView& v = *view;
        const RollColumns& columns = v.of[c.list];
        const Vec3 held = cast<double>(columns.roll[c.pair]);
        RollingInput<double> in = rolling_input<Law>(v, i, other, c, held);
        const bool spring = v.law == Rolling::Spring;
        if (spring && in.limit > 0) {
            const double v_n = dot(c.in.velocity, c.in.normal);
            const auto kept = Law::stretch_kept2(c.in.delta + v_n * dt, c.in.delta);
            in.roll = carried_stretch(held, c.in.normal, c.in.spin * dt, kept.part, kept.whole);
        }
        const RollingOutput<double> out = spring ? sprung_rolling(in, dt) : constant_rolling(in, dt);
        columns.roll.set(c.pair, cast<Real>(out.roll));
        columns.couple.set(c.pair, cast<Real>(out.couple));
    }
};

template <class Law>
struct AddRollingEnergy {
    static constexpr bool touching = true;
    const RollingView* view;
    Index i;
    double* sum;

    SCREE_HD void operator()(const ContactState& c, Slot other) const {
        const Vec3 roll = cast<double>(view->of[c.list].roll[c.pair]);
        *sum += 0.5 * rolling_input<Law>(*view, i, other, c, roll).stiffness * norm2(roll);
    }
};

template <class Law>
struct AddRollingPower {
    static constexpr bool touching = true;
    const RollingView* view;
    Index i;
    ContactPower* sum;

    SCREE_HD void operator()(const ContactState& c, Slot other) const {
        const RollColumns& columns = view->of[c.list];
        const Vec3 roll = cast<double>(columns.roll[c.pair]), couple = cast<double>(columns.couple[c.pair]);
        const RollingInput<double> in = rolling_input<Law>(*view, i, other, c, roll);
        const double taken = view->law == Rolling::Spring ? dashpot_power(couple - in.stiffness * roll, in.damping) : 0.0;
        sum->damping += taken;
        sum->friction += dot(couple, in.turning) - taken;
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
    with_law(model.penalty.law, [&](auto law) {
        if constexpr (!std::is_same_v<decltype(law), PowerLaw>) use(law);
    });
}

template <class Law>
void find_couples(Workspace& work, Index bodies, const RollingView& view, const MeshView& mesh, const MeshPairView& patches, double dt) {
    for_each(
        work.exec, "penalty/rolling", bodies,
        SCREE_LAMBDA(Index i)->void {
            const PairRow row = row_of(patches.row_start, i);
            pass_on(mesh, patches, view.of[3].roll, row.first, row.last, view.contacts.body.radius[i]);
            each_contact(view.contacts, i, FindCouples<Law>{&view, i, dt});
        },
        work.flags.gate());
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

}  // namespace

void rolling_couples(const Model& model, State& state, Workspace& work, double dt) {
    if (!state.rolls) return;
    const RollingView view = rolling_view(model, state, work);
    const MeshPairView patches = view_of(state.lists[kMeshes]);
    with_springs(model,
                 [&](auto law) { find_couples<decltype(law)>(work, state.bodies.count, view, work.walls.mesh_view(), patches, dt); });
}

void add_rolling_couples(State& state, Workspace& work, Gate gate) {
    if (!state.rolls) return;
    const ContactList& pairs = state.lists[kSpheres];
    const RowStart* row_start = pairs.row_start.data();
    const std::uint32_t* entry = pairs.entry.data();
    const Vec3View<Real> couple = state.lists[kSpheres].contacts.couple.view();
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
            for (Index k = row_start[i]; k < row_start[i + 1]; ++k) {
                const Vec3 c = cast<double>(couple[entry[k] >> 1]);
                if (norm2(c) == 0) continue;
                part += (entry[k] & 1u) != 0 ? -c : c;
                if (++pressing < chunk) continue;
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
    if (!state.rolls || model.penalty.rolling != Rolling::Spring) return sum;
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
