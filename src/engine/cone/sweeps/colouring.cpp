// Two ways to one result. One after the other, on the host: the definition, and the fastest on a core. In rounds, on a device (Jones &
// Plassmann 1993, with keys for their random numbers): a manifold takes its colour as soon as it is the first open one of both its bodies.
#include "engine/cone/sweeps/colouring.hpp"

#include <algorithm>

#include "base/eight.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr std::uint32_t all_used = 0xffffffffu;
static_assert(most_colours == 32, "a bit of `used` for each colour");
constexpr Index fewest_rounds = 8;  // that are worth another look of the host

void colour_in_turn(const Exec& exec, ContactTable& table, Index bodies, SortBuffers& sort, ColourBuffers& buffers) {
    const PairRuns runs{table.origin.data(), table.count};
    const Touch* touch = table.touch.data();
    buffers.bucket.resize(table.count);
    buffers.key.resize(table.count);
    buffers.row.resize(table.count);
    std::uint32_t *bucket = buffers.bucket.data(), *key = buffers.key.data(), *row = buffers.row.data();
    Index manifolds = 0;
    for (Index k = 0; k < table.count; ++k) {
        if (runs.continues(k)) {
            bucket[k] = kInside;
            ++bucket[row[manifolds - 1]];
            continue;
        }
        bucket[k] = 0;
        key[manifolds] = table.key.data()[k];
        row[manifolds++] = static_cast<std::uint32_t>(k);
    }
    buffers.key.resize(manifolds);
    buffers.row.resize(manifolds);
    sort_pairs(exec, buffers.key, buffers.row, 32, sort);
    buffers.used.resize_zero(bodies);
    std::uint32_t* used = buffers.used.data();
    row = buffers.row.data();
    for (Index m = 0; m < manifolds; ++m) {
        const Touch t = touch[row[m]];
        std::uint32_t &of_a = used[t.a], &of_b = used[t.b < 0 ? t.a : t.b];
        const std::uint32_t taken = of_a | of_b;
        if (taken == all_used) {
            bucket[row[m]] = kInSeries;
            continue;
        }
        const int colour = lowest_bit(~taken);
        bucket[row[m]] += static_cast<std::uint32_t>(colour * most_points);
        of_a |= 1u << colour;
        of_b |= 1u << colour;
    }
}

/// The manifolds of each body in the order of keys, all of them open. Rows inside manifolds are carried along, so that the host need not
/// know how many manifolds there are.
void open_manifolds(const Exec& exec, ContactTable& table, Index bodies, SortBuffers& sort, ColourBuffers& buffers) {
    const Index n = table.count;
    const PairRuns runs{table.origin.data(), n};
    const Touch* touch = table.touch.data();
    const std::uint32_t* key_of = table.key.data();
    buffers.bucket.resize(n);
    buffers.key.resize(n);
    buffers.row.resize(n);
    std::uint32_t *bucket = buffers.bucket.data(), *key = buffers.key.data(), *unsorted = buffers.row.data();
    for_each(
        exec, "cone/open_manifolds", n, SCREE_LAMBDA(Index k)->void {
            bucket[k] = runs.continues(k) ? kInside : kOpen;
            key[k] = key_of[k];
            unsorted[k] = static_cast<std::uint32_t>(k);
        });
    sort_pairs(exec, buffers.key, buffers.row, 32, sort);
    buffers.body.resize(2 * n);
    std::uint32_t* body = buffers.body.data();
    const std::uint32_t* row = buffers.row.data();
    const std::uint32_t none = static_cast<std::uint32_t>(bodies);
    for_each(
        exec, "cone/bodies_by_key", n, SCREE_LAMBDA(Index p)->void {
            const Touch t = touch[row[p]];
            const bool first = bucket[row[p]] == kOpen;
            body[2 * p] = first ? static_cast<std::uint32_t>(t.a) : none;
            body[2 * p + 1] = first && t.b >= 0 && t.b != t.a ? static_cast<std::uint32_t>(t.b) : none;
        });
    group_by(exec, body, 2 * n, bodies + 1, buffers.start, buffers.entry, sort);
    std::uint32_t* entry = buffers.entry.data();
    for_each(
        exec, "cone/manifolds_of_bodies", 2 * n, SCREE_LAMBDA(Index e)->void { entry[e] = row[entry[e] >> 1]; });
    buffers.now.resize(bodies);
    buffers.next.resize(bodies);
    const Index* start = buffers.start.data();
    BodyColours* now = buffers.now.data();
    for_each(
        exec, "cone/open_bodies", bodies, SCREE_LAMBDA(Index i)->void {
            now[i] = {static_cast<std::uint32_t>(start[i]), 0};
        });
}

struct RoundView {
    PairRuns runs;
    const Touch* touch;
    const Index* start;
    const std::uint32_t* entry;
    const BodyColours* now;
    BodyColours* next;
    std::uint32_t* bucket;
};

/// One round of body i, from what all bodies were before it: both bodies of a manifold come to the same colour, A's thread writes it. Once
/// a body has used all colours, what is left of it finds none, so it ends, and its partners pass over it: a body with thousands of contacts
/// takes no more rounds than colours.
SCREE_HD void colour_next(const RoundView& s, Index i) {
    const BodyColours before = s.now[i];
    BodyColours own = before;
    const Index end = s.start[i + 1];
    for (; own.used != all_used && own.at < end; ++own.at) {
        const std::uint32_t m = s.entry[own.at];
        const Touch t = s.touch[m];
        std::uint32_t taken = own.used;
        if (t.b >= 0 && t.b != t.a) {
            const BodyColours other = s.now[t.a == i ? t.b : t.a];
            if (other.used == all_used) continue;
            // The other body knows of what this one was before the round.
            if (own.at != before.at || s.entry[other.at] != m) break;
            taken |= other.used;
        }
        const bool free = taken != all_used;
        const std::uint32_t colour = free ? static_cast<std::uint32_t>(lowest_bit(~taken)) : 0u;
        if (free) own.used |= 1u << colour;
        if (t.a != i) continue;
        s.bucket[m] = free ? colour * most_points + static_cast<std::uint32_t>(s.runs.points(m) - 1) : std::uint32_t{kInSeries};
    }
    s.next[i] = own;
}

void send_rounds(const Exec& exec, ContactTable& table, Index bodies, Index rounds, ColourBuffers& buffers) {
    const Touch* touch = table.touch.data();
    std::uint32_t* bucket = buffers.bucket.data();
    for (Index round = 0; round < rounds; ++round) {
        const RoundView view{{table.origin.data(), table.count},
                             touch,
                             buffers.start.data(),
                             buffers.entry.data(),
                             buffers.now.data(),
                             buffers.next.data(),
                             bucket};
        for_each(
            exec, "cone/colour", bodies, SCREE_LAMBDA(Index i)->void { colour_next(view, i); });
        buffers.now.swap(buffers.next);
    }
    const BodyColours* now = buffers.now.data();
    for_each(
        exec, "cone/close_manifolds", table.count, SCREE_LAMBDA(Index k)->void {
            if (bucket[k] != kOpen) return;
            const Touch t = touch[k];
            if (now[t.a].used == all_used || (t.b >= 0 && now[t.b].used == all_used)) bucket[k] = kInSeries;
        });
}

}  // namespace

void colour_manifolds(const Exec& exec, ContactTable& table, Index bodies, SortBuffers& sort, ColourBuffers& buffers) {
    if (buffers.in_turn()) return colour_in_turn(exec, table, bodies, sort, buffers);
    open_manifolds(exec, table, bodies, sort, buffers);
    send_rounds(exec, table, bodies, buffers.rounds, buffers);
}

void colour_further(const Exec& exec, ContactTable& table, Index bodies, ColourBuffers& buffers) {
    const Index more = std::max(fewest_rounds, buffers.rounds / 2);
    send_rounds(exec, table, bodies, more, buffers);
    buffers.rounds += more;
}

}  // namespace scree::SCREE_FLAVOR
