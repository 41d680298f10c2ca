#include "engine/step/storage.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/bonds/bonds.hpp"
#include "engine/fluid/fluid.hpp"
#include "engine/laws/laws.hpp"
#include "engine/motion/fields.hpp"
#include "model/size_levels.hpp"
#include "engine/penalty/convex_capacity.hpp"
#include "engine/space/drive.hpp"
#include "engine/step/contact_storage.hpp"
#include "engine/step/fields.hpp"
#include "engine/state/load_bodies.hpp"
#include "engine/step/joint_forces.hpp"
#include "model/body_fields.hpp"
#include "model/compounds.hpp"
#include "model/limits.hpp"
#include "model/pulls.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

GeneralRow general_row(const ContactLaws& laws, const LawParameters& p, const LawRow& plain) {
    const auto real = [](double value) { return static_cast<Real>(value); };
    GeneralRow row{};
    row.k_n = plain.k_n;
    row.k_t = plain.k_t;
    row.zeta = plain.zeta;
    row.mu = row.mu_fast = plain.mu;
    row.viscous = real(p.viscous);
    row.springs = Real(1);
    row.normal = real(laws.plastic != 0 ? 1 + laws.plastic : laws.law == Law::Linear ? 0 : 1);
    PlasticLaws::with(laws.plastic, [&](auto law) {
        const PlasticRow own = decltype(law)::row(p.plastic, p.k_n);
        for (int k = 0; k < plastic_row_values; ++k) row.own[k] = real(own.value[k]);
    });
    if (laws.damping == Damping::Tsuji) row.floor = Real(-1e30);
    switch (laws.tangential) {
        case Tangential::None:
            row.mu = row.mu_fast = row.springs = Real(0);
            break;
        case Tangential::Viscous:
            row.springs = Real(0);
            row.slides = real(p.sliding);
            break;
        case Tangential::Linear:
            row.springs = Real(0);
            row.k_s = real(p.k_t);
            break;
        case Tangential::Stribeck:
            row.mu_fast = real(p.mu_fast);
            row.slowness2 = real(1 / (p.stribeck * p.stribeck));
            break;
        case Tangential::Spring:
            break;
    }
    return row;
}

RollingRow rolling_row(const Model& model, std::size_t a, std::size_t b) {
    const PairProperties& pair = model.pairs(a, b);
    double about = pair.spinning_friction;
    if (model.penalty.twisting == Twisting::Marshall) about = laws_of(model, a, b).twisting == Twisting::Marshall ? 1.0 : 0.0;
    return {static_cast<Real>(pair.rolling_friction), static_cast<Real>(pair.rolling_damping), static_cast<Real>(about)};
}

/// How much less than others pairs of two materials reach, where any does.
void load_reach(const Model& model, Workspace& work) {
    std::vector<double> shorter = cohesion_reaches(model);
    bool any = false;
    for (double& reach : shorter) {
        reach = work.pull_reach - reach;
        any = any || reach > 0.1 * work.pull_reach;
    }
    if (!any) shorter.clear();
    work.reach_shorter.assign(shorter);
}

/// Pairs of bodies, compounds as one, that joints keep from touching each other.
std::vector<std::pair<std::int32_t, std::int32_t>> bodies_apart(const Model& model) {
    Model rigid;
    rigid.joints = model.joints;
    rigid.bodies.shape.assign(model.bodies.size(), BodyTable::sphere_shape);
    return pairs_without_contact(rigid);
}

constexpr const char* servo_field = "walls.servo";
constexpr const char* cell_field = "cell";

/// Of as many walls, or all anew: where walls were added or the checkpoint knows of no servos.
void load_servos(const EngineState& saved, Workspace& work) {
    WallMotions& motions = work.walls.motions;
    if (!motions.any_servo || saved.find(servo_field) == nullptr) return;
    const std::vector<double> values = take<double>(saved, servo_field);
    std::vector<ServoState> states(static_cast<std::size_t>(motions.servo.size()));
    if (values.size() != ServoState::values * states.size()) throw Error("the checkpoint has servo walls of another scene");
    for (std::size_t w = 0; w < states.size(); ++w) {
        const double* of = values.data() + ServoState::values * w;
        states[w] = {of[0], of[1], of[2], of[3]};
    }
    motions.servo_state.assign(states);
}

}  // namespace

void load_model(const Model& model, bool account, State& state, Workspace& work) {
    Bodies& b = state.bodies;
    const BodyTable& table = model.bodies;
    const std::size_t n = table.size();
    require_within<Error>(static_cast<double>(n), count_limits().bodies, "bodies", fewer_bodies);
    state.planar = model.dimensions == 2;
    load_cell(model, work);
    load_compounds(model, bodies_apart(model), work.compounds);
    load_joints(model, work);
    load_bonds(model, account, work);
    state.has_compounds = work.compounds.count > 0;
    state.members = work.compounds.members;
    const ListParts parts_of_lists = list_parts(model, account);
    state.rolls = parts_of_lists.rolls;
    state.pulls = parts_of_lists.pulls;
    state.reach = work.pull_reach = cohesion_reach(model);
    state.stores_forces = state.has_compounds || !model.joints.empty() || !model.bond_kinds.empty() || model.method == Method::Cone ||
                          state.rolls || state.pulls;
    state.has_polyhedra = false;
    state.has_spheres = n == 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (!is_compound(model, i)) (table.shape[i] < 0 ? state.has_spheres : state.has_polyhedra) = true;
    }
    // With accounts a step that is not fused ends, is accounted for, and starts the next: without forces at hand it would gather them
    // twice.
    state.holds_forces = state.stores_forces || state.planar || state.has_polyhedra || model.method != Method::Penalty || account;
    const bool has_shapes = state.has_polyhedra || state.has_compounds;
    state.has_orientation = model.track_orientation || has_shapes || !model.joints.empty() || !model.bond_kinds.empty();
    load_shapes(model, work.shapes);
    if (work.shapes.most_corners > largest_capacity)
        throw Error("a shape has too many faces: its faces and the corners of its largest face are at most " +
                    std::to_string(largest_capacity) + " together");
    work.min_radius = 1e300;
    std::vector<std::int32_t> there;  // from the start on
    std::vector<Slot> slot(n, -1);
    for (std::size_t i = 0; i < n; ++i) {
        if (table.is_later(i)) {
            if (table.owner_of(i) >= 0) --state.members;
        } else {
            slot[i] = static_cast<Slot>(there.size());
            there.push_back(static_cast<std::int32_t>(i));
        }
        if (is_compound(model, i)) continue;
        work.min_radius = std::min(work.min_radius, table.radius[i]);
        work.max_radius = std::max(work.max_radius, table.radius[i]);
    }
    if (work.max_radius == 0) work.min_radius = work.max_radius = 1.0;  // no body has a surface
    work.body_parts = body_parts(model, account);
    if (there.size() == n) {
        load_bodies(model, work.body_parts, there, table, b);
    } else {
        load_bodies(model, work.body_parts, there, start_of(table, there), b);
    }
    if (state.holds_forces) {
        b.force.resize_zero(b.count);
        b.torque.resize_zero(b.count);
    }
    if (state.has_polyhedra) load_tiles(model, work.tiles, work.flush_bodies);
    state.account = account;
    work.slot_of_id.assign(slot);
    work.level_size = size_levels(model);
    std::vector<LawRow> rows;
    const bool power = model.penalty.law == Law::Power;
    const std::vector<LawParameters> table_of_laws = model.method == Method::Fluid ? std::vector<LawParameters>{} : law_table(model);
    for (const LawParameters& p : table_of_laws) {
        const double k_t = power ? p.tangential_damping : p.k_t, zeta = power ? p.damping : p.zeta;
        double share = 0;
        with_law(model.penalty.law, [&](auto law) { share = std::sqrt(decltype(law)::stiffness_ratio(p.k_n, k_t)); });
        rows.push_back({static_cast<Real>(p.k_n), static_cast<Real>(k_t), static_cast<Real>(zeta), static_cast<Real>(zeta * share),
                        static_cast<Real>(p.mu)});
    }
    work.laws.assign(rows);
    std::vector<GeneralRow> general;
    if (!rows.empty() && ((model.method == Method::Penalty && is_general(model.penalty)) || state.has_polyhedra)) {
        const std::size_t count = model.materials.size();
        for (std::size_t k = 0; k < table_of_laws.size(); ++k)
            general.push_back(general_row(laws_of(model, k / count, k % count), table_of_laws[k], rows[k]));
    }
    work.general.assign(general);
    std::vector<RollingRow> rolling;
    for (std::size_t a = 0; state.rolls && a < model.materials.size(); ++a) {
        for (std::size_t b = 0; b < model.materials.size(); ++b) rolling.push_back(rolling_row(model, a, b));
    }
    work.rolling.assign(rolling);
    if (!rolling.empty()) work.only_rolling = rolling.front();
    const std::vector<LawValues> cohesion = state.pulls ? cohesion_table(model) : std::vector<LawValues>{};
    work.cohesion.assign(cohesion);
    load_reach(model, work);
    load_fields(model, work);
    work.bridge_capacity = bridge_capacity(model);
    std::vector<LawValuesOf<Real>> pulls;
    for (const LawValues& of : cohesion) {
        LawValuesOf<Real> row{{}, static_cast<Real>(of.modulus), static_cast<Real>(of.law)};
        for (int k = 0; k < most_law_parameters; ++k) row.value[k] = static_cast<Real>(of.value[k]);
        pulls.push_back(row);
    }
    work.pulls.assign(pulls);
    if (!pulls.empty()) work.only_pull = pulls.front();
    if (!rows.empty()) work.only_law = rows.front();
    load_walls(model, 2.5 * work.max_radius, work.walls);
}

void reload_walls(const Model& model, State& state, Workspace& work) {
    load_walls(model, 2.5 * work.max_radius, work.walls);
    work.tiles = {};
    work.flush_bodies = {};
    if (state.has_polyhedra) load_tiles(model, work.tiles, work.flush_bodies);
}

void save_state(const Model& model, State& state, const Workspace& work, EngineState& out) {
    put(out, "run.counters",
        std::vector<std::int64_t>{state.step, state.rebuilds, state.removed, static_cast<std::int64_t>(model.bodies.size()), state.inserted,
                                  state.next_wrap});
    put(out, "run.reals",
        std::vector<double>{model.dt, state.skin, state.removed_energy, state.removed_work[0], state.removed_work[1], state.removed_work[2],
                            state.removed_work[3]});
    state.bodies.each_field([&](const BodyField& field, auto& array) {
        if (array.size() > 0 || (field.part == kAllBodies && state.bodies.count == 0)) put(out, field.name, array.host());
    });
    const WallMotions& motions = work.walls.motions;
    if (motions.any_servo) {
        std::vector<double> values;
        for (const ServoState& s : motions.servo_state.host()) values.insert(values.end(), {s.way, s.speed, s.integral, s.load});
        put(out, servo_field, values);
    }
    const std::vector<double> cell = saved_cell(work);
    if (!cell.empty()) put(out, cell_field, cell);
    save_pushes(work, out);
    save_contacts(model, state, work, out);
    save_joints(work, out);
    save_bonds(model, work, out);
}

void load_state(const Model& model, const EngineState& saved, State& state, Workspace& work) {
    const std::vector<std::int64_t> counters = take<std::int64_t>(saved, "run.counters");
    const std::vector<double> reals = take<double>(saved, "run.reals");
    if (counters.size() < 4 || reals.size() < 5) throw Error("the checkpoint is damaged: its counters are incomplete");
    if (counters[3] != static_cast<std::int64_t>(model.bodies.size()))
        throw Error("the checkpoint has another number of bodies than the scene");
    if (reals[0] != model.dt)
        throw Error("the checkpoint was written with time.step = " + std::to_string(reals[0]) + " s; restart with the same step");
    state.step = counters[0];
    state.time = static_cast<double>(state.step) * model.dt;
    state.rebuilds = counters[1];
    state.removed = counters[2];
    state.inserted = counters.size() > 4 ? counters[4] : 0;
    state.next_wrap = counters.size() > 5 ? counters[5] : state.step;
    state.skin = reals[1];
    state.removed_energy = reals[2];
    state.removed_work[0] = reals[3];
    state.removed_work[1] = reals[4];
    state.removed_work[2] = reals.size() > 5 ? reals[5] : 0.0;  // not kept before walls could move
    state.removed_work[3] = reals.size() > 6 ? reals[6] : 0.0;
    state.list_step = state.step;
    state.drifted = false;

    const std::vector<std::uint32_t> id = take<std::uint32_t>(saved, "body.id");
    state.bodies.count = static_cast<Index>(id.size());
    load_pushes(model, saved, state, work);
    const std::uint32_t parts = work.body_parts;
    state.bodies.each_field([&](const BodyField& field, auto& array) {
        using T = typename std::remove_reference_t<decltype(array)>::Value;
        const bool passing = field.part == kForceSums && !state.holds_forces;
        if ((parts & field.part) == 0 && !id.empty()) return;
        if (saved.find(field.name) == nullptr && field.missing != Missing::Damaged && !passing) {
            if constexpr (std::is_arithmetic_v<T>) array.assign(std::vector<T>(id.size(), T(field.missing == Missing::One ? 1 : 0)));
            return;
        }
        const std::vector<T> values = id.empty() ? std::vector<T>{} : take<T>(saved, field.name);
        if (values.size() != id.size()) throw Error(std::string("the checkpoint is damaged: field ") + field.name + " is too short");
        array.assign(values);
    });
    state.members = 0;
    for (const std::int32_t owner : state.bodies.owner.host()) state.members += owner >= 0 ? 1 : 0;
    std::vector<Slot> slot_of_id(model.bodies.size(), -1);
    for (std::size_t i = 0; i < id.size(); ++i) slot_of_id.at(id[i]) = static_cast<Slot>(i);
    work.slot_of_id.assign(slot_of_id);

    load_servos(saved, work);
    if (saved.find(cell_field) != nullptr) load_saved_cell(take<double>(saved, cell_field), work);
    load_saved_bonds(model, saved, work);
    load_contacts(model, saved, slot_of_id, state, work);
    restore_joints(model, saved, state, work);
}

std::size_t bytes_in_use(State& state, Workspace& work) {
    const auto sum = [](const auto&... arrays) { return (arrays.bytes() + ...); };
    std::size_t total = sum(work.walls, work.laws, work.rolling, work.sort.keys, work.sort.values, work.sort.counts, work.sort.bytes,
                            work.key, work.order, work.rows, work.cell_along, work.cell_start, work.count, work.crossing, work.runs,
                            work.offset, work.slot_of_id, work.others, work.old_slot_of_id, work.keep, work.fused, work.images, work.shapes,
                            work.compounds, work.tiles, work.flush_bodies, work.patch_states);
    state.bodies.each_field([&](const BodyField&, auto& array) { total += array.bytes(); });
    each_list([&](const ListLayout&, ContactList& now, OldContacts& old) { total += now.bytes() + old.bytes(); }, state.lists,
              work.old_lists);
    if (work.fluid) total += work.fluid->bytes();
    if (work.bonds) total += work.bonds->bytes();
    return total;
}

}  // namespace scree::SCREE_FLAVOR
