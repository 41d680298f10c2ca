// Where bodies come from, for messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace scree {

/// Where a run of ids comes from.
struct Origin {
    std::size_t first_id;
    std::string label;  // "group 1", "body \"crank\""
    SourcePlace place;
};

/// Of body `id`; `origins` ascend, the first from id 0.
inline const Origin& origin_of(const std::vector<Origin>& origins, std::size_t id) {
    const auto next =
        std::upper_bound(origins.begin(), origins.end(), id, [](std::size_t value, const Origin& o) { return value < o.first_id; });
    return *std::prev(next);
}

}  // namespace scree
