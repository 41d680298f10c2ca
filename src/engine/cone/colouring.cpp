#include "engine/cone/colouring.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Rows in the order of their keys. Equal keys (one pair in 2^32) go by their row, which is an order of slots: harmless unless both touch
/// one body.
std::vector<std::uint32_t> by_key(const Exec& exec, ContactTable& table) {
    Array<std::uint32_t> keys(table.key.host()), values;
    std::vector<std::uint32_t> row(static_cast<std::size_t>(table.count));
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = static_cast<std::uint32_t>(k);
    values.assign(row);
    SortRoom room;
    sort_pairs(exec, keys, values, 32, room);
    return values.host();
}

}  // namespace

void colour_contacts(const Exec& exec, ContactTable& table, Index bodies, Array<std::uint32_t>& order, std::vector<Index>& start) {
    const std::vector<std::uint32_t> queue = by_key(exec, table);
    const std::vector<Touch> touch = table.touch.host();
    std::vector<std::uint32_t> used(static_cast<std::size_t>(bodies), 0);
    std::vector<std::uint8_t> colour(queue.size(), most_colours);
    std::vector<Index> count(most_colours + 1, 0);
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t k : queue) {
        const auto a = static_cast<std::size_t>(touch[k].a);
        const bool fixed = touch[k].b < 0;
        const auto b = fixed ? a : static_cast<std::size_t>(touch[k].b);
        const std::uint32_t taken = used[a] | used[b];
        if (taken == 0xffffffffu) {
            rest.push_back(k);
            continue;
        }
        const int c = __builtin_ctz(~taken);
        colour[k] = static_cast<std::uint8_t>(c);
        used[a] |= 1u << c;
        used[b] |= 1u << c;
        ++count[static_cast<std::size_t>(c)];
    }
    start.assign(1, 0);
    for (int c = 0; c < most_colours && count[static_cast<std::size_t>(c)] > 0; ++c)
        start.push_back(start.back() + count[static_cast<std::size_t>(c)]);
    std::vector<Index> next(start);
    std::vector<std::uint32_t> sorted(queue.size());
    // Within a colour in the order of rows, which is that of space.
    for (std::size_t k = 0; k < colour.size(); ++k) {
        if (colour[k] < most_colours) sorted[static_cast<std::size_t>(next[colour[k]]++)] = static_cast<std::uint32_t>(k);
    }
    for (std::size_t k = 0; k < rest.size(); ++k) sorted[static_cast<std::size_t>(start.back()) + k] = rest[k];
    start.push_back(static_cast<Index>(queue.size()));
    order.assign(sorted);
}

}  // namespace scree::SCREE_FLAVOR
