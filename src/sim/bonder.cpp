#include "sim/bonder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/made_bonds.hpp"
#include "setup/wall_bonds.hpp"
#include "sim/schedule.hpp"

namespace scree {

namespace {

constexpr const char* kField = "run.bond";  // of checkpoints

/// The first look after `step`; every 0: there is one, at `from`.
std::int64_t look_after(std::int64_t step, double from, double until, double every, double dt) {
    if (every == 0) {
        const std::int64_t once = steps_to(from, dt);
        return once > step ? once : Schedule::never;
    }
    const std::int64_t next = next_look(from, every, dt, step);
    return static_cast<double>(next) * dt < until ? next : Schedule::never;
}

}  // namespace

std::int64_t Bonder::next_look(const BondKind& kind, std::int64_t step) const {
    return look_after(step, kind.from, kind.until, kind.on_touch ? kind.every : 0, model_.dt);
}

std::int64_t Bonder::next_look(const BondBreaking& breaking, std::int64_t step) const {
    return look_after(step, breaking.from, breaking.to, breaking.every, model_.dt);
}

std::int64_t Bonder::next_after(std::int64_t step) const {
    std::int64_t next = Schedule::never;
    for (const BondMaking& making : plan_.makings) next = std::min(next, next_look(kind_of(making), step));
    for (const BondBreaking& breaking : plan_.breakings) next = std::min(next, next_look(breaking, step));
    return next;
}

std::vector<Bond> Bonder::bonds_near(const BondMaking& making, const Snapshot& bodies) const {
    const BondKind& kind = kind_of(making);
    std::vector<std::int32_t> ids;
    std::vector<Vec3> place(model_.bodies.size());
    for (std::size_t k = 0; k < bodies.id.size(); ++k) {
        place[bodies.id[k]] = bodies.position[k];
        if (may_be_bonded(model_, kind, bodies.id[k])) ids.push_back(static_cast<std::int32_t>(bodies.id[k]));
    }
    if (making.wall >= 0) {
        const auto wall = static_cast<std::size_t>(making.wall);
        return bonds_to_wall(model_, making.kind, wall, bodies.walls.at(wall), ids, place);
    }
    std::vector<Bond> bonds;
    for (const auto& [a, b] : pairs_within(kind.gap, ids, place, model_, bodies.cell, [&](std::int32_t one, std::int32_t other) {
             return !are_apart(making.within, plan_.agglomerates, one, other);
         }))
        bonds.push_back({a, b, making.kind});
    return bonds;
}

std::vector<Bond> Bonder::bonds_touching(const BondMaking& making, Engine& engine) const {
    const BondKind& kind = kind_of(making);
    std::vector<BodyPair> pairs;
    for (const ContactRecord& contact : engine.contacts()) {
        if (contact.wall >= 0 || !(contact.overlap > 0)) continue;
        const auto a = static_cast<std::int32_t>(contact.a), b = static_cast<std::int32_t>(contact.b);
        if (!may_be_bonded(model_, kind, contact.a) || !may_be_bonded(model_, kind, contact.b) || are_one(model_.bodies, a, b)) continue;
        pairs.emplace_back(std::min(a, b), std::max(a, b));
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<Bond> bonds;
    for (const auto& [a, b] : pairs) bonds.push_back({a, b, making.kind});
    return bonds;
}

void Bonder::leave_bonded(const std::vector<bool>& gone, std::vector<Bond>& bonds) const {
    if (bonds.empty()) return;
    std::vector<BodyPair> taken;
    for (std::size_t k = 0; k < model_.bonds.size(); ++k)
        if (!gone[k] || model_.bonds[k].kind == bonds.front().kind) taken.emplace_back(model_.bonds[k].a, model_.bonds[k].b);
    std::sort(taken.begin(), taken.end());
    std::erase_if(bonds, [&](const Bond& bond) { return std::binary_search(taken.begin(), taken.end(), BodyPair(bond.a, bond.b)); });
}

std::string Bonder::look(Engine& engine, std::int64_t step) {
    looked_ = step;
    std::string warning;
    if (std::any_of(plan_.makings.begin(), plan_.makings.end(),
                    [&](const BondMaking& making) { return next_look(kind_of(making), step - 1) == step; }))
        warning = make(engine, step);
    for (const BondBreaking& breaking : plan_.breakings)
        if (next_look(breaking, step - 1) == step) engine.break_bonds(breaking.region, breaking.kinds);
    return warning;
}

std::string Bonder::make(Engine& engine, std::int64_t step) {
    std::string warning;
    std::vector<bool> gone(model_.bonds.size(), false);
    for (const BrokenBond& broken : engine.broken_bonds()) gone[static_cast<std::size_t>(broken.bond)] = true;
    const std::size_t first = model_.bonds.size();
    for (const BondMaking& making : plan_.makings) {
        const BondKind& kind = kind_of(making);
        if (next_look(kind, step - 1) != step) continue;
        std::vector<Bond> bonds = kind.on_touch ? bonds_touching(making, engine) : bonds_near(making, engine.snapshot());
        leave_bonded(gone, bonds);
        if (bonds.empty() && !kind.on_touch)
            warning = fmt::format("[[bond]] \"{}\" bonds nothing at t = {:.6g} s: no bodies that are free for it are within its gap",
                                  kind.name, static_cast<double>(step) * model_.dt);
        model_.bonds.insert(model_.bonds.end(), bonds.begin(), bonds.end());
        gone.resize(model_.bonds.size(), false);
        if (model_.bonds.size() > most_bonds) throw RunError("there are more bonds than can be numbered");
    }
    engine.bond({model_.bonds.begin() + static_cast<std::ptrdiff_t>(first), model_.bonds.end()});
    return warning;
}

StateField Bonder::saved() const {
    StateField field;
    field.name = kField;
    field.type = StateField::Type::Int64;
    field.bytes.resize(sizeof looked_);
    std::memcpy(field.bytes.data(), &looked_, sizeof looked_);
    return field;
}

void Bonder::restore(const EngineState& from) {
    const StateField* field = from.find(kField);
    if (field == nullptr || field->bytes.size() != sizeof looked_)
        throw Error("the checkpoint is damaged: what it says of [[bond]] tables is incomplete");
    std::memcpy(&looked_, field->bytes.data(), sizeof looked_);
}

}  // namespace scree
