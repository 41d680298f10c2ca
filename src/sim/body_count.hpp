// How many bodies there are: a compound counts as one, the members that it carries as none.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"

namespace scree {

struct BodyCount {
    std::int64_t bodies{0};
    std::int64_t members{0};
};

/// Of the bodies with these ids, which `start` tells apart.
inline BodyCount count_bodies(const BodyTable& start, const std::vector<std::uint32_t>& ids) {
    BodyCount count;
    for (const std::uint32_t id : ids) ++(start.owner_of(id) == BodyTable::no_owner ? count.bodies : count.members);
    return count;
}

/// Of all, those among them that come while the run goes on.
inline BodyCount count_bodies(const BodyTable& start) {
    BodyCount count;
    for (std::size_t i = 0; i < start.size(); ++i) ++(start.owner_of(i) == BodyTable::no_owner ? count.bodies : count.members);
    return count;
}

/// Bodies that are there at the start.
inline std::int64_t bodies_at_start(const BodyTable& all) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < all.size(); ++i) count += all.owner_of(i) == BodyTable::no_owner && !all.is_later(i) ? 1 : 0;
    return count;
}

}  // namespace scree
