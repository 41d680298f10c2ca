#include "engine/bonds/bonds.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"
#include "engine/exec/reduce.hpp"
#include "engine/state_fields.hpp"

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

BondRow row_of(const Model& model, const Bond& bond) {
    const BodyTable& t = model.bodies;
    const auto a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
    const BondSize size = size_of(model, bond);
    const BondSection section{size.radius, size.length, model.dimensions == 2};
    const BondStiffness k = stiffness_of(model, bond);
    const Vec3 n = cell_of(model).nearest(t.position[b] - t.position[a]) / size.length;
    const Quat axes = along_x(n);
    BondRow row{};
    row.frame_a = conjugate(t.orientation[a]) * axes;
    row.frame_b = conjugate(t.orientation[b]) * axes;
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
        ++start[static_cast<std::size_t>(bond.b) + 1];
    }
    for (std::size_t i = 0; i < n; ++i) start[i + 1] += start[i];
    std::vector<Index> next(start.begin(), start.end() - 1);
    std::vector<std::uint32_t> entry(2 * model.bonds.size());
    for (std::size_t k = 0; k < model.bonds.size(); ++k) {
        const std::uint32_t bond = static_cast<std::uint32_t>(k) << 1;
        entry[static_cast<std::size_t>(next[static_cast<std::size_t>(model.bonds[k].a)]++)] = bond;
        entry[static_cast<std::size_t>(next[static_cast<std::size_t>(model.bonds[k].b)]++)] = bond | 1u;
    }
    bonds.row_start.assign(start);
    bonds.entry.assign(entry);
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

std::int64_t count_broken(const Workspace& work) {
    const Bonds& bonds = *work.bonds;
    const std::int32_t* how = bonds.how.data();
    return static_cast<std::int64_t>(sum_of(
        work.exec, "bonds/broken", bonds.count, SCREE_LAMBDA(Index k)->double { return how[k] != 0 ? 1.0 : 0.0; }));
}

}  // namespace

std::size_t Bonds::bytes() const {
    std::size_t sum = kinds.bytes() + id_a.bytes() + id_b.bytes() + kind.bytes() + strain.bytes() + a.bytes() + b.bytes() +
                      row_start.bytes() + entry.bytes();
    for (const Array<double>& column : rows) sum += column.bytes();
    for (const Vec3Array<double>* v : {&force, &torque_a, &torque_b, &push, &couple}) sum += v->x.bytes() + v->y.bytes() + v->z.bytes();
    each_kept(*this, [&](const char*, const auto& array) { sum += array.bytes(); });
    return sum;
}

void load_bonds(const Model& model, bool account, Workspace& work) {
    work.bonds.reset();
    if (model.bonds.empty()) return;
    work.bonds = std::make_shared<Bonds>();
    Bonds& bonds = *work.bonds;
    std::vector<BondKindRow> kinds;
    for (const BondKind& kind : model.bond_kinds) {
        kinds.push_back(row_of(kind));
        bonds.skips_contacts = bonds.skips_contacts || !kind.keeps_contact;
    }
    std::vector<std::uint32_t> id_a, id_b;
    std::vector<std::int32_t> kind;
    std::vector<BondRow> rows;
    for (const Bond& bond : model.bonds) {
        id_a.push_back(static_cast<std::uint32_t>(bond.a));
        id_b.push_back(static_cast<std::uint32_t>(bond.b));
        kind.push_back(bond.kind);
        rows.push_back(row_of(model, bond));
    }
    bonds.count = static_cast<Index>(rows.size());
    bonds.kinds.assign(kinds);
    bonds.id_a.assign(id_a);
    bonds.id_b.assign(id_b);
    bonds.kind.assign(kind);
    for (int c = 0; c < bond_row_values; ++c) {
        std::vector<double> column;
        column.reserve(rows.size());
        for (const BondRow& row : rows) column.push_back(values_of(row)[static_cast<std::size_t>(c)]);
        bonds.rows[c].assign(column);
    }
    bonds.strain.resize_zero(bonds.count);
    for (Vec3Array<double>* v : {&bonds.force, &bonds.torque_a, &bonds.torque_b}) v->resize_zero(bonds.count);
    each_kept(bonds, [&](const char*, auto& array) { array.resize_zero(bonds.count); });
    bonds.broke.resize_zero(1);
    lay_rows(model, bonds);
    bonds.joined_apart = work.compounds.apart.host();
    bonds.only_kind = kinds.front();
    for (const BondKindRow& kind : kinds) bonds.damped = bonds.damped || kind.damping > 0;
    for (Vec3Array<double>* v : {&bonds.push, &bonds.couple})
        if (account && bonds.damped) v->resize_zero(bonds.count);
    const auto rigid = [&](std::int32_t id) {
        const std::int32_t owner = model.bodies.owner_of(static_cast<std::size_t>(id));
        return static_cast<std::uint64_t>(owner >= 0 ? owner : id);
    };
    for (const Bond& bond : model.bonds)
        bonds.apart.push_back(std::min(rigid(bond.a), rigid(bond.b)) << 32 | std::max(rigid(bond.a), rigid(bond.b)));
}

void list_bonded_apart(Workspace& work) {
    if (!work.bonds || !work.bonds->skips_contacts) return;
    Bonds& bonds = *work.bonds;
    const std::int64_t broken = count_broken(work);
    bonds.broke.put(0, 0);
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
    for_each(
        work.exec, "bonds/find", bonds.count, SCREE_LAMBDA(Index k)->void {
            const Slot i = slot[id_a[k]], j = slot[id_b[k]];
            if (how[k] == 0 && (i < 0 || j < 0)) {
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

void save_bonds(const Workspace& work, EngineState& out) {
    if (!work.bonds) return;
    each_kept(*work.bonds, [&](const char* name, auto& array) { put(out, name, array.host()); });
    put(out, "bond.given", std::vector<double>{work.bonds->given});
}

void load_saved_bonds(const EngineState& saved, Workspace& work) {
    if (!work.bonds) {
        if (saved.find("bond.how") != nullptr) throw Error("the checkpoint has bonds, the scene has none: give it its [[bond]] tables");
        return;
    }
    Bonds& bonds = *work.bonds;
    if (saved.find("bond.how") == nullptr) throw Error("the checkpoint has no bonds, the scene has: take its [[bond]] tables out");
    each_kept(bonds, [&](const char* name, auto& array) {
        using T = typename std::remove_reference_t<decltype(array)>::Value;
        const std::vector<T> values = take_field<T>(saved, name);
        if (static_cast<Index>(values.size()) != bonds.count)
            throw Error("the checkpoint has " + std::to_string(values.size()) + " bonds, the scene " + std::to_string(bonds.count));
        array.assign(values);
    });
    bonds.listed_broken = -1;
    bonds.given = take_field<double>(saved, "bond.given").at(0);
}

}  // namespace scree::SCREE_FLAVOR
