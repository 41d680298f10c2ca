// Colours of manifolds for Gauss–Seidel: those of one colour share no body.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cone/contact_table.hpp"

namespace scree::SCREE_FLAVOR {

/// At most this many colours; what finds none of them free is swept in series, in the order of keys.
inline constexpr int most_colours = 32;

/// The points of one pair: rows first … first + count - 1 of the table.
struct Manifold {
    Slot a, b;  // -1: a wall
    std::uint32_t first;
    std::int32_t count;
};

/// Manifolds by colour, within one by the number of points and then in the order of rows, which is that of space; start: of each colour,
/// of the rest, and the end.
struct ColouredManifolds {
    std::vector<Manifold> manifold;
    std::vector<Index> start;
};

/// Greedy in the order of the keys of the manifolds' first rows, which hash ids and features: the same for any number of threads and any
/// order of slots. O(rows), on the host.
ColouredManifolds colour_manifolds(const Exec& exec, ContactTable& table, Index bodies);

}  // namespace scree::SCREE_FLAVOR
