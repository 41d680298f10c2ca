// Colours of contacts for Gauss–Seidel: rows of one colour share no body that moves.
#pragma once

#include <vector>

#include "engine/cone/contact_table.hpp"

namespace scree::SCREE_FLAVOR {

/// At most this many colours; what finds none of them free is swept in series, in the order of keys.
inline constexpr int most_colours = 32;

/// order: rows by colour; start: of each colour, of the rest, and the end. Greedy in the order of the rows' keys, which hash ids and
/// features: the same for any number of threads and any order of slots. O(rows), on the host.
void colour_contacts(const Exec& exec, ContactTable& table, Index bodies, Array<std::uint32_t>& order, std::vector<Index>& start);

}  // namespace scree::SCREE_FLAVOR
