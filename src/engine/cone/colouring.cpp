#include "engine/cone/colouring.hpp"

#include <array>

namespace scree::SCREE_FLAVOR {

namespace {

constexpr int most_points = ContactPoints<Real>::most;

/// Rows of one pair follow each other.
std::vector<Manifold> manifolds_of(const ContactTable& table) {
    const std::vector<Touch> touch = table.touch.host();
    const std::vector<Origin> origin = table.origin.host();
    std::vector<Manifold> all;
    all.reserve(touch.size());
    for (std::size_t k = 0; k < touch.size(); ++k) {
        if (k > 0 && origin[k].pair == origin[k - 1].pair && origin[k].list == origin[k - 1].list) {
            ++all.back().count;
        } else {
            all.push_back({touch[k].a, touch[k].b, static_cast<std::uint32_t>(k), 1});
        }
    }
    return all;
}

/// Manifolds in the order of the keys of their first rows. Equal keys (one pair in 2^32) go by their row, which is an order of slots:
/// harmless unless both touch one body.
std::vector<std::uint32_t> by_key(const Exec& exec, const ContactTable& table, const std::vector<Manifold>& all) {
    const std::vector<std::uint32_t> of_row = table.key.host();
    std::vector<std::uint32_t> key(all.size()), number(all.size());
    for (std::size_t m = 0; m < all.size(); ++m) {
        key[m] = of_row[all[m].first];
        number[m] = static_cast<std::uint32_t>(m);
    }
    Array<std::uint32_t> keys(key), values(number);
    SortRoom room;
    sort_pairs(exec, keys, values, 32, room);
    return values.host();
}

}  // namespace

ColouredManifolds colour_manifolds(const Exec& exec, ContactTable& table, Index bodies) {
    const std::vector<Manifold> all = manifolds_of(table);
    std::vector<std::uint32_t> used(static_cast<std::size_t>(bodies), 0);
    std::vector<std::uint8_t> colour(all.size(), most_colours);
    std::vector<std::array<Index, most_points>> count(most_colours);  // by colour and points
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t m : by_key(exec, table, all)) {
        const auto a = static_cast<std::size_t>(all[m].a);
        const auto b = all[m].b < 0 ? a : static_cast<std::size_t>(all[m].b);
        const std::uint32_t taken = used[a] | used[b];
        if (taken == 0xffffffffu) {
            rest.push_back(m);
            continue;
        }
        const int c = __builtin_ctz(~taken);
        colour[m] = static_cast<std::uint8_t>(c);
        used[a] |= 1u << c;
        used[b] |= 1u << c;
        ++count[static_cast<std::size_t>(c)][static_cast<std::size_t>(all[m].count - 1)];
    }
    ColouredManifolds out;
    std::vector<std::array<Index, most_points>> next(most_colours);
    Index at = 0;
    for (std::size_t c = 0; c < most_colours; ++c) {
        const Index begin = at;
        for (std::size_t q = 0; q < most_points; ++q) {
            next[c][q] = at;
            at += count[c][q];
        }
        if (at > begin) out.start.push_back(begin);
    }
    out.start.push_back(at);
    out.manifold.resize(all.size());
    for (std::size_t m = 0; m < all.size(); ++m) {
        if (colour[m] == most_colours) continue;
        out.manifold[static_cast<std::size_t>(next[colour[m]][static_cast<std::size_t>(all[m].count - 1)]++)] = all[m];
    }
    for (std::size_t k = 0; k < rest.size(); ++k) out.manifold[static_cast<std::size_t>(at) + k] = all[rest[k]];
    out.start.push_back(static_cast<Index>(all.size()));
    return out;
}

}  // namespace scree::SCREE_FLAVOR
