#include "engine/bonds/bonds.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"
#include "engine/exec/reduce.hpp"
#include "engine/state_fields.hpp"
#include "model/motion.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Turns the x axis to a unit vector n, by the shortest way.
Quat along_x(Vec3 n) {
    if (n.x < 0) return along_x(-n) * Quat{0, 0, 0, 1};
    return normalized(Quat{1 + n.x, 0, -n.z, n.y});
}

BondKindRow row_of(const BondKind& kind) {
    BondKindRow row{};
    row.inverse_tensile = 1 / kind.tensile_strength;
    row.shear = kind.shear_strength;
    row.inverse_bending = 1 / kind.bending_strength;
    row.friction = kind.friction;
    row.moment_share = kind.moment_share;
    row.damping = kind.damping;
    row.keeps_contact = kind.keeps_contact ? 1.0 : 0.0;
    row.ductility = 1;
    BondLaws::with(kind.law, [&](auto law) {
        using Law = decltype(law);
        row.at_ends = Law::bending == BendingAt::Ends ? 1.0 : 0.0;
        row.compressed = Law::compressed ? 1.0 : 0.0;
        row.softens = Law::softens ? 1.0 : 0.0;
        const int at = Law::part.index_of(bond_ductility.name);
        if (at >= 0) row.ductility = kind.values.value[at];
    });
    return row;
}

/// The ends of a bond as it is made.
struct BondEnds {
    Vec3 arm;   // from a to b [m]
    Quat a, b;  // of a wall its turn
};

BondEnds ends_at_start(const Model& model, const Cell& cell, const Bond& bond) {
    const BodyTable& t = model.bodies;
    const auto a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
    if (bond.to_wall()) {
        const Pose pose = pose_at(model.walls[static_cast<std::size_t>(bond.wall())].motion, 0.0);
        return {cell.nearest(placed(pose, bond.place) - t.position[a]), t.orientation[a], pose.turn};
    }
    return {cell.nearest(t.position[b] - t.position[a]), t.orientation[a], t.orientation[b]};
}

BondRow row_of(const Model& model, const Bond& bond, const BondEnds& ends) {
    const BodyTable& t = model.bodies;
    const BondKind& kind = model.bond_kinds[static_cast<std::size_t>(bond.kind)];
    const double of_a = t.radius[static_cast<std::size_t>(bond.a)];
    const double smaller = bond.to_wall() ? of_a : std::min(of_a, t.radius[static_cast<std::size_t>(bond.b)]);
    const BondSize size{kind.radius_share * smaller, norm(ends.arm)};
    const BondSection section{size.radius, size.length, model.dimensions == 2};
    BondStiffness k{};
    BondLaws::with(kind.law, [&](auto law) { k = decltype(law)::stiffness(kind.values, section); });
    const Quat axes = along_x(ends.arm / size.length);
    BondRow row{};
    row.frame_a = conjugate(ends.a) * axes;
    row.frame_b = conjugate(ends.b) * axes;
    row.length = size.length;
    const double of[4] = {k.axial, k.shear, k.twist, k.bend};
    std::copy(of, of + 4, row.k);
    row.inverse_area = 1 / section.area();
    row.inverse_bend = size.radius / section.second_moment();
    row.inverse_twist = size.radius / section.polar_moment();
    row.inverse_strength = 1 / strength_of(model, bond);
    return row;
}

/// In the order of BondRowsView.
std::array<double, bond_row_values> values_of(const BondRow& r) {
    return {r.frame_a.w,       r.frame_a.x, r.frame_a.y, r.frame_a.z, r.frame_b.w, r.frame_b.x,    r.frame_b.y,    r.frame_b.z,
            r.length,          r.k[0],      r.k[1],      r.k[2],      r.k[3],      r.inverse_area, r.inverse_bend, r.inverse_twist,
            r.inverse_strength};
}

/// Entries of each body, by its id.
void lay_rows(const Model& model, Bonds& bonds) {
    const std::size_t n = model.bodies.size();
    std::vector<Index> start(n + 1);
    for (const Bond& bond : model.bonds) {
        ++start[static_cast<std::size_t>(bond.a) + 1];
        if (!bond.to_wall()) ++start[static_cast<std::size_t>(bond.b) + 1];
    }
    for (std::size_t i = 0; i < n; ++i) start[i + 1] += start[i];
    std::vector<Index> next(start.begin(), start.end() - 1);
    std::vector<std::uint32_t> entry(static_cast<std::size_t>(start[n]));
    for (std::size_t k = 0; k < model.bonds.size(); ++k) {
        const std::uint32_t bond = static_cast<std::uint32_t>(k) << 1;
        entry[static_cast<std::size_t>(next[static_cast<std::size_t>(model.bonds[k].a)]++)] = bond;
        if (!model.bonds[k].to_wall()) entry[static_cast<std::size_t>(next[static_cast<std::size_t>(model.bonds[k].b)]++)] = bond | 1u;
    }
    bonds.row_start.assign(start);
    bonds.entry.assign(entry);
}

template <class T>
void append(Array<T>& array, const std::vector<T>& more) {
    std::vector<T> all = array.host();
    all.insert(all.end(), more.begin(), more.end());
    array.assign(all);
}
template <class T>
void append_zeros(Array<T>& array, std::size_t more) {
    append(array, std::vector<T>(more));
}
template <class T>
void append_zeros(Vec3Array<T>& array, std::size_t more) {
    for (Array<T>* of : {&array.x, &array.y, &array.z}) append_zeros(*of, more);
}

/// What bonds keep, for checkpoints: use(name, array).
template <class B, class Use>
void each_kept(B& bonds, Use use) {
    use("bond.how", bonds.how);
    use("bond.damage", bonds.damage);
    use("bond.dissipated", bonds.dissipated);
    use("bond.power", bonds.power);
    use("bond.work_of_cell", bonds.work_of_cell);
    use("bond.freed", bonds.freed);
    use("bond.broken_step", bonds.broken_step);
    use("bond.place.x", bonds.place.x);
    use("bond.place.y", bonds.place.y);
    use("bond.place.z", bonds.place.z);
}

constexpr std::size_t held_values = 6;           // of a bond in Bonds::held
constexpr const char* held_field = "bond.held";  // in checkpoints of the cone method

std::int64_t count_broken(const Workspace& work) {
    const Bonds& bonds = *work.bonds;
    const std::int32_t* how = bonds.how.data();
    return static_cast<std::int64_t>(sum_of(
        work.exec, "bonds/broken", bonds.count, SCREE_LAMBDA(Index k)->double { return how[k] != 0 ? 1.0 : 0.0; }));
}

}  // namespace

std::size_t Bonds::bytes() const {
    std::size_t sum = kinds.bytes() + id_a.bytes() + id_b.bytes() + kind.bytes() + strain.bytes() + a.bytes() + b.bytes() +
                      row_start.bytes() + entry.bytes() + wall.bytes() + foot.x.bytes() + foot.y.bytes() + foot.z.bytes();
    for (const Array<double>& column : rows) sum += column.bytes();
    for (const Vec3Array<double>* v : {&force, &torque_a, &torque_b, &push, &couple}) sum += v->x.bytes() + v->y.bytes() + v->z.bytes();
    each_kept(*this, [&](const char*, const auto& array) { sum += array.bytes(); });
    return sum + held.bytes();
}

namespace {

/// What pairs without contact know a wall by: the body that carries it, else a number past those of bodies.
std::uint64_t id_of_wall(const Model& model, std::int32_t wall) {
    const std::int32_t body = model.walls[static_cast<std::size_t>(wall)].body;
    return body >= 0 ? static_cast<std::uint64_t>(body) : model.bodies.size() + static_cast<std::uint64_t>(wall);
}

/// The bonds of the model behind those that are there, with these constants.
void append_rows(const Model& model, const std::vector<BondRow>& rows, Workspace& work) {
    Bonds& bonds = *work.bonds;
    const auto first = static_cast<std::size_t>(bonds.count);
    std::vector<std::uint32_t> id_a, id_b;
    std::vector<std::int32_t> kind;
    const auto rigid = [&](std::int32_t id) {
        const std::int32_t owner = model.bodies.owner_of(static_cast<std::size_t>(id));
        return static_cast<std::uint64_t>(owner >= 0 ? owner : id);
    };
    std::vector<std::int32_t> wall;
    std::vector<double> foot[3];
    for (std::size_t k = first; k < model.bonds.size(); ++k) {
        const Bond& bond = model.bonds[k];
        id_a.push_back(static_cast<std::uint32_t>(bond.a));
        id_b.push_back(static_cast<std::uint32_t>(bond.to_wall() ? bond.a : bond.b));
        kind.push_back(bond.kind);
        wall.push_back(bond.to_wall() ? bond.wall() : -1);
        for (int axis = 0; axis < 3; ++axis) foot[axis].push_back(axis == 0 ? bond.place.x : axis == 1 ? bond.place.y : bond.place.z);
        const std::uint64_t one = rigid(bond.a), other = bond.to_wall() ? id_of_wall(model, bond.wall()) : rigid(bond.b);
        bonds.apart.push_back(std::min(one, other) << 32 | std::max(one, other));
    }
    const bool any_wall = std::any_of(wall.begin(), wall.end(), [](std::int32_t w) { return w >= 0; });
    if (any_wall && !bonds.to_walls) {
        bonds.to_walls = true;
        append(bonds.wall, std::vector<std::int32_t>(first, -1));
        append_zeros(bonds.foot, first);
        std::vector<std::int32_t> number;
        for (std::size_t w = 0; w < model.walls.size(); ++w)
            number.push_back(static_cast<std::int32_t>(id_of_wall(model, static_cast<std::int32_t>(w))));
        if (bonds.skips_contacts) work.compounds.carrier.assign(number);
    }
    if (bonds.to_walls) {
        append(bonds.wall, wall);
        append(bonds.foot.x, foot[0]);
        append(bonds.foot.y, foot[1]);
        append(bonds.foot.z, foot[2]);
    }
    append(bonds.id_a, id_a);
    append(bonds.id_b, id_b);
    append(bonds.kind, kind);
    for (int c = 0; c < bond_row_values; ++c) {
        std::vector<double> column;
        column.reserve(rows.size());
        for (const BondRow& row : rows) column.push_back(values_of(row)[static_cast<std::size_t>(c)]);
        append(bonds.rows[c], column);
    }
    const std::size_t more = rows.size();
    const std::vector<Slot> nowhere(more, -1);
    append(bonds.a, nowhere);
    append(bonds.b, nowhere);
    append_zeros(bonds.strain, more);
    for (Vec3Array<double>* v : {&bonds.force, &bonds.torque_a, &bonds.torque_b}) append_zeros(*v, more);
    for (Vec3Array<double>* v : {&bonds.push, &bonds.couple})
        if (bonds.keeps_pushes) append_zeros(*v, more);
    each_kept(bonds, [&](const char*, auto& array) { append_zeros(array, more); });
    if (bonds.in_rows) append_zeros(bonds.held, held_values * more);
    bonds.count += static_cast<Index>(more);
    bonds.listed_broken = -1;
    lay_rows(model, bonds);
}

}  // namespace

void load_bonds(const Model& model, bool account, Workspace& work) {
    work.bonds.reset();
    if (model.bond_kinds.empty()) return;
    work.bonds = std::make_shared<Bonds>();
    Bonds& bonds = *work.bonds;
    std::vector<BondKindRow> kinds;
    for (const BondKind& kind : model.bond_kinds) {
        kinds.push_back(row_of(kind));
        bonds.skips_contacts = bonds.skips_contacts || !kind.keeps_contact;
        bonds.damped = bonds.damped || kind.damping > 0;
    }
    bonds.in_rows = model.method == Method::Cone;
    bonds.keeps_pushes = account && bonds.damped && !bonds.in_rows;
    bonds.kinds.assign(kinds);
    bonds.only_kind = kinds.front();
    bonds.broke.resize_zero(1);
    bonds.joined_apart = work.compounds.apart.host();
    const Cell cell = cell_of(model);
    std::vector<BondRow> rows;
    rows.reserve(model.bonds.size());
    for (const Bond& bond : model.bonds) rows.push_back(row_of(model, bond, ends_at_start(model, cell, bond)));
    append_rows(model, rows, work);
    bonds.at_start = bonds.count;
}

void append_bonds(const Model& model, const State& state, Workspace& work, std::size_t first) {
    Bonds& bonds = *work.bonds;
    const Bodies& b = state.bodies;
    const std::vector<Slot> slot = work.slot_of_id.host();
    const std::vector<Vec3> position = b.position.host();
    const std::vector<double> w = b.qw.host(), x = b.qx.host(), y = b.qy.host(), z = b.qz.host();
    const std::vector<WallPlace> places = work.walls.motions.any ? work.walls.motions.place.host() : std::vector<WallPlace>{};
    std::vector<BondRow> rows;
    for (std::size_t k = first; k < model.bonds.size(); ++k) {
        const Bond& bond = model.bonds[k];
        const Slot of_a = slot[static_cast<std::size_t>(bond.a)];
        const Slot of_b = bond.to_wall() ? of_a : slot[static_cast<std::size_t>(bond.b)];
        if (of_a < 0 || of_b < 0) throw RunError("some of the bodies to be bonded are not there");
        const auto i = static_cast<std::size_t>(of_a), j = static_cast<std::size_t>(of_b);
        BondEnds ends{position[j] - position[i], {w[i], x[i], y[i], z[i]}, {w[j], x[j], y[j], z[j]}};
        if (bond.to_wall()) {
            const Pose pose = places.empty() ? Pose{} : places[static_cast<std::size_t>(bond.wall())].pose;
            ends.arm = placed(pose, bond.place) - position[i];
            ends.b = pose.turn;
        }
        ends.arm = work.images.cell.nearest(ends.arm);
        if (!(norm(ends.arm) > 0))
            throw RunError("body " + std::to_string(bond.a) + " and what it is to be bonded to lie in the same place");
        rows.push_back(row_of(model, bond, ends));
        bonds.joined = bonds.joined || !model.bond_kinds[static_cast<std::size_t>(bond.kind)].keeps_contact;
    }
    append_rows(model, rows, work);
}

void list_bonded_apart(Workspace& work) {
    if (!work.bonds || !work.bonds->skips_contacts) return;
    Bonds& bonds = *work.bonds;
    const std::int64_t broken = count_broken(work);
    bonds.broke.put(0, 0);
    bonds.joined = false;
    if (broken == bonds.listed_broken) return;
    bonds.listed_broken = broken;
    const std::vector<std::int32_t> how = bonds.how.host(), kind = bonds.kind.host();
    const std::vector<BondKindRow> kinds = bonds.kinds.host();
    std::vector<std::uint64_t> apart = bonds.joined_apart;
    for (std::size_t k = 0; k < how.size(); ++k) {
        if (how[k] == 0 && kinds[static_cast<std::size_t>(kind[k])].keeps_contact == 0.0) apart.push_back(bonds.apart[k]);
    }
    std::sort(apart.begin(), apart.end());
    apart.erase(std::unique(apart.begin(), apart.end()), apart.end());
    work.compounds.apart.assign(apart);
}

void look_for_broken(Workspace& work) {
    if (!work.bonds || !work.bonds->skips_contacts) return;
    const std::uint32_t* broke = work.bonds->broke.data();
    std::uint32_t* word = work.flags.pending();
    for_each(
        work.exec, "bonds/look", 1,
        SCREE_LAMBDA(Index)->void {
            if (*broke != 0) *word |= kSkinExhausted;
        },
        work.flags.gate());
}

bool misses_broken(const Workspace& work) {
    return work.bonds && work.bonds->skips_contacts && work.bonds->broke.host().front() != 0;
}

void find_bonded(const State& state, Workspace& work) {
    if (!work.bonds) return;
    Bonds& bonds = *work.bonds;
    bonds.a.resize(bonds.count);
    bonds.b.resize(bonds.count);
    Slot *a = bonds.a.data(), *b = bonds.b.data();
    std::int32_t* how = bonds.how.data();
    const Slot* slot = work.slot_of_id.data();
    std::int64_t* step = bonds.broken_step.data();
    const std::int64_t done = state.step;
    const std::uint32_t *id_a = bonds.id_a.data(), *id_b = bonds.id_b.data();
    const std::int32_t* wall = bonds.to_walls ? bonds.wall.data() : nullptr;
    const std::uint8_t* active = work.walls.active.data();
    for_each(
        work.exec, "bonds/find", bonds.count, SCREE_LAMBDA(Index k)->void {
            const Slot i = slot[id_a[k]], j = slot[id_b[k]];
            const bool held = wall == nullptr || wall[k] < 0 || active[wall[k]] != 0;
            if (how[k] == 0 && (i < 0 || j < 0 || !held)) {
                how[k] = static_cast<std::int32_t>(BondBreak::Removed);
                step[k] = done;
            }
            a[k] = how[k] == 0 ? i : Slot{-1};
            b[k] = how[k] == 0 ? j : Slot{-1};
        });
}

std::vector<BrokenBond> broken_bonds(const Workspace& work) {
    std::vector<BrokenBond> broken;
    if (!work.bonds) return broken;
    const Bonds& bonds = *work.bonds;
    const std::vector<std::int32_t> how = bonds.how.host();
    const std::vector<std::int64_t> step = bonds.broken_step.host();
    const std::vector<double> freed = bonds.freed.host();
    const std::vector<double> x = bonds.place.x.host(), y = bonds.place.y.host(), z = bonds.place.z.host();
    for (std::size_t k = 0; k < how.size(); ++k) {
        if (how[k] == 0) continue;
        broken.push_back({step[k], static_cast<std::int32_t>(k), static_cast<BondBreak>(how[k]), freed[k], {x[k], y[k], z[k]}});
    }
    std::stable_sort(broken.begin(), broken.end(), [](const BrokenBond& one, const BrokenBond& other) { return one.step < other.step; });
    return broken;
}

namespace {
constexpr const char *made_bond_ends = "bond.made.ends",  // a, b and kind of each
    *made_bond_rows = "bond.made.rows",                   // column by column
        *made_bond_feet = "bond.made.feet";               // on walls, where some go there
}

void save_bonds(const Model& model, const Workspace& work, EngineState& out) {
    if (!work.bonds) return;
    const Bonds& bonds = *work.bonds;
    each_kept(*work.bonds, [&](const char* name, auto& array) { put(out, name, array.host()); });
    put(out, "bond.given", std::vector<double>{bonds.given});
    if (bonds.in_rows) put(out, held_field, bonds.held.host());
    const auto first = static_cast<std::size_t>(bonds.at_start);
    if (first == model.bonds.size()) return;
    std::vector<std::int32_t> ends;
    for (std::size_t k = first; k < model.bonds.size(); ++k)
        ends.insert(ends.end(), {model.bonds[k].a, model.bonds[k].b, model.bonds[k].kind});
    put(out, made_bond_ends, ends);
    if (bonds.to_walls) {
        std::vector<double> feet;
        for (std::size_t k = first; k < model.bonds.size(); ++k)
            feet.insert(feet.end(), {model.bonds[k].place.x, model.bonds[k].place.y, model.bonds[k].place.z});
        put(out, made_bond_feet, feet);
    }
    std::vector<double> rows;
    for (const Array<double>& column : bonds.rows) {
        const std::vector<double> values = column.host();
        rows.insert(rows.end(), values.begin() + bonds.at_start, values.end());
    }
    put(out, made_bond_rows, rows);
}

void take_made_bonds(const EngineState& saved, Model& model) {
    if (saved.find(made_bond_ends) == nullptr) return;
    const std::vector<std::int32_t> ends = take_field<std::int32_t>(saved, made_bond_ends);
    const auto below = [](std::int32_t number, std::size_t count) { return number >= 0 && static_cast<std::size_t>(number) < count; };
    if (ends.size() % 3 != 0) throw Error("the checkpoint is damaged: its bonds are incomplete");
    const std::vector<double> feet =
        saved.find(made_bond_feet) != nullptr ? take_field<double>(saved, made_bond_feet) : std::vector<double>(ends.size());
    if (feet.size() != ends.size()) throw Error("the checkpoint is damaged: its bonds are incomplete");
    for (std::size_t k = 0; k < ends.size(); k += 3) {
        const Bond bond{ends[k], ends[k + 1], ends[k + 2], {feet[k], feet[k + 1], feet[k + 2]}};
        const bool there = bond.to_wall() ? below(bond.wall(), model.walls.size()) : below(bond.b, model.bodies.size());
        if (!below(bond.a, model.bodies.size()) || !there || !below(bond.kind, model.bond_kinds.size()))
            throw Error("the checkpoint is damaged: a bond names a body or a table that is not there");
        model.bonds.push_back(bond);
    }
}

void load_saved_bonds(const Model& model, const EngineState& saved, Workspace& work) {
    if (!work.bonds) {
        if (saved.find("bond.how") != nullptr) throw Error("the checkpoint has bonds, the scene has none: give it its [[bond]] tables");
        return;
    }
    Bonds& bonds = *work.bonds;
    if (saved.find("bond.how") == nullptr) throw Error("the checkpoint has no bonds, the scene has: take its [[bond]] tables out");
    const std::size_t made = model.bonds.size() - static_cast<std::size_t>(bonds.count);
    if (made > 0) {
        const std::vector<double> values = take_field<double>(saved, made_bond_rows);
        if (values.size() != made * bond_row_values) throw Error("the checkpoint is damaged: its bonds are incomplete");
        std::vector<BondRow> rows(made);
        for (std::size_t k = 0; k < made; ++k) {
            double* row = reinterpret_cast<double*>(&rows[k]);
            for (std::size_t c = 0; c < bond_row_values; ++c) row[c] = values[c * made + k];
        }
        append_rows(model, rows, work);
    }
    each_kept(bonds, [&](const char* name, auto& array) {
        using T = typename std::remove_reference_t<decltype(array)>::Value;
        const std::vector<T> values = take_field<T>(saved, name);
        if (static_cast<Index>(values.size()) != bonds.count)
            throw Error("the checkpoint has " + std::to_string(values.size()) + " bonds, the scene " + std::to_string(bonds.count));
        array.assign(values);
    });
    bonds.listed_broken = -1;
    bonds.given = take_field<double>(saved, "bond.given").at(0);
    if (!bonds.in_rows) return;
    const std::vector<double> held = take_field<double>(saved, held_field);
    if (held.size() != held_values * static_cast<std::size_t>(bonds.count))
        throw Error("the checkpoint is damaged: its bonds are incomplete");
    bonds.held.assign(held);
}

}  // namespace scree::SCREE_FLAVOR
