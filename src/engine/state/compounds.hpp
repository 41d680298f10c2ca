// Compound bodies where kernels read them: who carries whom, and who may not touch whom. All tables go by id, so neither sorting nor
// removal changes them; slots come from Workspace::slot_of_id. Constant but for the sums over walls, which penalty writes.
// A compound is an entry of Bodies without surface, its members are entries that move with it (model/model.hpp).
#pragma once

#include <utility>
#include <vector>

#include "engine/state/bodies.hpp"
#include "model/model.hpp"

namespace scree::SCREE_FLAVOR {

/// Force [N] and torque about a compound's centre [N m].
struct CentreWrench {
    Vec3 force, torque;
};

/// Members, compound after compound, by ascending id in each.
struct MemberView {
    const std::uint32_t *id, *owner;  // ids
    const Vec3* offset;
    const Quat* turn;
};

/// The compounds by ascending id; the members of number k are [member_start[k], member_start[k + 1]), its walls likewise.
struct CompoundView {
    const std::uint32_t* id;
    const Index *member_start, *wall_start;
    const std::uint32_t* member;      // ids
    const std::int32_t* wall;         // numbers among the carried walls, ascending
    const CentreWrench* wall_forces;  // blocks × carried walls
    Index wall_blocks, carried;
};

/// Who may not touch whom. A member goes by the id of its owner; a wall by that of the body that carries it.
struct ApartView {
    const std::int32_t* owner;    // by slot; null where the model has no compounds
    const std::uint32_t* id;      // by slot
    const std::int32_t* carrier;  // by wall: id of a body or -1; null where no wall is carried
    const std::uint64_t* pair;    // lower id << 32 | higher id, ascending
    Index pairs;

    SCREE_HD std::uint32_t rigid_id(Index i) const {
        return owner != nullptr && owner[i] >= 0 ? static_cast<std::uint32_t>(owner[i]) : id[i];
    }
    SCREE_HD bool listed(std::uint32_t a, std::uint32_t b) const {
        const std::uint64_t key = a < b ? std::uint64_t{a} << 32 | b : std::uint64_t{b} << 32 | a;
        Index low = 0, high = pairs;
        while (low < high) {
            const Index middle = (low + high) / 2;
            if (pair[middle] < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < pairs && pair[low] == key;
    }
    /// Is no pair of bodies kept apart?
    SCREE_HD bool none() const { return owner == nullptr && pairs == 0; }
    SCREE_HD bool bodies(Index i, Index j) const {
        if (none()) return false;
        if (owner != nullptr && (owner[i] == compound_entry || owner[j] == compound_entry)) return true;
        const std::uint32_t a = rigid_id(i), b = rigid_id(j);
        return a == b || listed(a, b);
    }
    SCREE_HD bool body_and_wall(Index i, std::int32_t wall) const {
        if (carrier == nullptr || carrier[wall] < 0) return false;
        const std::uint32_t a = rigid_id(i), b = static_cast<std::uint32_t>(carrier[wall]);
        return a == b || listed(a, b);
    }
};

struct Compounds {
    Index count{0}, members{0}, carried{0};     // of the model; carried: walls
    Array<std::uint32_t> id;                    // count, ascending
    Array<Index> member_start, wall_start;      // count + 1
    Array<std::uint32_t> member, member_owner;  // members
    Array<Vec3> offset;                         // members, in the owner's principal frame [m]
    Array<Quat> turn;                           // members, principal frame -> owner's
    Array<std::int32_t> wall;                   // carried: see CompoundView
    Array<std::int32_t> carrier;                // walls: id of the body that carries it or -1; empty where none is carried
    Array<std::int32_t> carried_number;         // walls: number among the carried ones or -1; empty likewise
    Array<std::uint32_t> carried_by;            // carried: id of the body
    Array<std::uint64_t> apart;                 // pairs of ids, see ApartView
    Array<CentreWrench> wall_part, wall_block;  // blocks of ids × carried: forces of bodies on the walls, written by penalty
    std::vector<std::uint32_t> joined;          // ids of bodies with joints, ascending

    MemberView member_view() const { return {member.data(), member_owner.data(), offset.data(), turn.data()}; }
    CompoundView view() const {
        return {id.data(),
                member_start.data(),
                wall_start.data(),
                member.data(),
                wall.data(),
                wall_block.data(),
                carried > 0 ? wall_block.size() / carried : 0,
                carried};
    }
    ApartView apart_view(Bodies& bodies) const {
        return {bodies.owner.size() > 0 ? bodies.owner.data() : nullptr, bodies.id.data(), carried > 0 ? carrier.data() : nullptr,
                apart.data(), apart.size()};
    }
    std::size_t bytes() const;
};

/// Fills the tables. `apart`: ids of bodies (of compounds, not of their members) that
/// joints keep from touching each other, lower first. Throws scree::Error where parts of the model do not fit together.
void load_compounds(const Model& model, const std::vector<std::pair<std::int32_t, std::int32_t>>& apart, Compounds& compounds);

}  // namespace scree::SCREE_FLAVOR
