#include "engine/state/compounds.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "model/compounds.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Owners by entry, compounds marked. Checks what kernels rely on.
std::vector<std::int32_t> owners_of(const Model& model) {
    const BodyTable& table = model.bodies;
    const std::size_t n = table.size();
    if (!table.owner.empty() && (table.owner.size() != n || table.offset.size() != n || table.offset_turn.size() != n))
        throw Error("owners and offsets of members must be given for all bodies");
    std::vector<std::int32_t> owner(n);
    for (std::size_t i = 0; i < n; ++i) {
        owner[i] = table.owner_of(i);
        const std::string who = "body " + std::to_string(i);
        if (is_compound(model, i)) {
            if (owner[i] >= 0) throw Error(who + " is a compound and cannot be the member of another");
            owner[i] = compound_entry;
        } else if (owner[i] >= 0 && (static_cast<std::size_t>(owner[i]) >= n || !is_compound(model, static_cast<std::size_t>(owner[i])))) {
            throw Error(who + " is a member of body " + std::to_string(owner[i]) + ", which is no compound");
        }
    }
    return owner;
}

void load_members(const BodyTable& table, const std::vector<std::int32_t>& owner, Compounds& c) {
    std::vector<std::uint32_t> id, member, member_owner;
    std::vector<std::vector<std::uint32_t>> of(owner.size());
    std::vector<Index> start{0};
    std::vector<Vec3> offset;
    std::vector<Quat> turn;
    for (std::size_t i = 0; i < owner.size(); ++i) {
        if (owner[i] >= 0) of[static_cast<std::size_t>(owner[i])].push_back(static_cast<std::uint32_t>(i));
    }
    for (std::size_t i = 0; i < owner.size(); ++i) {
        if (owner[i] != compound_entry) continue;
        id.push_back(static_cast<std::uint32_t>(i));
        for (const std::uint32_t m : of[i]) {
            member.push_back(m);
            member_owner.push_back(static_cast<std::uint32_t>(i));
            offset.push_back(table.offset[m]);
            turn.push_back(table.offset_turn[m]);
        }
        start.push_back(static_cast<Index>(member.size()));
    }
    c.count = static_cast<Index>(id.size());
    c.members = static_cast<Index>(member.size());
    c.id.assign(id);
    c.member_start.assign(start);
    c.member.assign(member);
    c.member_owner.assign(member_owner);
    c.offset.assign(offset);
    c.turn.assign(turn);
}

/// Carried walls are numbered in the order of walls.
void load_carried_walls(const Model& model, Compounds& c) {
    std::vector<std::int32_t> carrier, number, wall;
    std::vector<std::uint32_t> by;
    for (const Wall& w : model.walls) {
        const bool fits = w.body < static_cast<std::int32_t>(model.bodies.size());
        if (w.body >= 0 && !(fits && is_compound(model, static_cast<std::size_t>(w.body))))
            throw Error("wall \"" + w.name + "\" is carried by body " + std::to_string(w.body) + ", which is no compound");
        if (w.body >= 0 && w.motion.moves) throw Error("wall \"" + w.name + "\" is carried by a body and has a motion of its own");
        carrier.push_back(w.body);
        number.push_back(w.body >= 0 ? static_cast<std::int32_t>(by.size()) : -1);
        if (w.body >= 0) by.push_back(static_cast<std::uint32_t>(w.body));
    }
    c.carried = static_cast<Index>(by.size());
    std::vector<Index> start{0};
    for (const std::uint32_t id : c.id.host()) {
        for (std::size_t k = 0; k < by.size(); ++k) {
            if (by[k] == id) wall.push_back(static_cast<std::int32_t>(k));
        }
        start.push_back(static_cast<Index>(wall.size()));
    }
    c.wall_start.assign(start);
    c.wall.assign(wall);
    if (by.empty()) return;
    c.carrier.assign(carrier);
    c.carried_number.assign(number);
    c.carried_by.assign(by);
}

/// Bodies with joints.
void load_joined(const Model& model, const std::vector<std::int32_t>& owner, Compounds& c) {
    c.joined.clear();
    for (const Joint& j : model.joints) {
        for (const std::int32_t body : {j.a, j.b}) {
            if (body < 0) continue;
            if (static_cast<std::size_t>(body) >= owner.size() || owner[static_cast<std::size_t>(body)] >= 0)
                throw Error("joint \"" + j.name + "\" names body " + std::to_string(body) + ", which is a member or not there");
            c.joined.push_back(static_cast<std::uint32_t>(body));
        }
    }
    std::sort(c.joined.begin(), c.joined.end());
    c.joined.erase(std::unique(c.joined.begin(), c.joined.end()), c.joined.end());
}

}  // namespace

void load_compounds(const Model& model, const std::vector<std::pair<std::int32_t, std::int32_t>>& apart, Compounds& c) {
    const std::vector<std::int32_t> owner = owners_of(model);
    load_members(model.bodies, owner, c);
    load_carried_walls(model, c);
    load_joined(model, owner, c);
    std::vector<std::uint64_t> keys;
    keys.reserve(apart.size());
    for (const auto& [low, high] : apart) keys.push_back(static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high));
    std::sort(keys.begin(), keys.end());
    c.apart.assign(keys);
}

std::size_t Compounds::bytes() const {
    const auto sum = [](const auto&... arrays) { return (arrays.bytes() + ...); };
    return sum(id, member_start, wall_start, member, member_owner, offset, turn, wall, carrier, carried_number, carried_by, apart,
               wall_part, wall_block);
}

}  // namespace scree::SCREE_FLAVOR
