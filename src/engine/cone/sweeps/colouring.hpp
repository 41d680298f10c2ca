// Colours of manifolds for Gauss–Seidel: those of one colour share no body. Greedy in the order of the keys of their first rows, which hash
// ids and features: each takes the first colour that none before it has on its two bodies. The same for any number of threads and any
// order of slots but where keys are equal (one pair in 2^32), which go by their rows: harmless unless both touch one body.
#pragma once

#include <cstdint>

#include "engine/cone/contact_table.hpp"
#include "engine/cone/sweeps/sweep_sizes.hpp"
#include "engine/exec/scan.hpp"

namespace scree::SCREE_FLAVOR {

inline constexpr int most_points = ContactPoints<Real>::most;

/// The points of one pair: rows first … first + count - 1 of the table.
struct Manifold {
    Slot a, b;  // -1: a wall
    std::uint32_t first;
    std::int32_t count;
};

/// What a row is to the sweeps: the first of a coloured manifold is colour * most_points + points - 1, other rows are one of these.
enum RowBucket : std::uint32_t {
    kInSeries = most_colours * most_points,  // the first of a manifold without colour
    kOpen,                                   // the first of one that has not had its turn
    kInside,                                 // not the first of its manifold
    kRowBuckets
};

/// Which rows belong together: those of one pair follow each other.
struct PairRuns {
    const Origin* origin;
    Index rows;
    SCREE_HD bool continues(Index k) const {
        return k > 0 && k < rows && origin[k].pair == origin[k - 1].pair && origin[k].list == origin[k - 1].list;
    }
    /// Points of the manifold that begins with row k.
    SCREE_HD std::int32_t points(Index k) const {
        std::int32_t count = 1;
        while (continues(k + count)) ++count;
        return count;
    }
};

/// How far a body is: `at`: the first of its manifolds that is open, in ColourBuffers::entry; used: colours, a bit each.
struct BodyColours {
    std::uint32_t at, used;
};

/// What colouring keeps from step to step.
struct ColourBuffers {
    bool in_rounds{on_device};  // how colours are found: one core is faster one manifold after the other; tests set it on the host
    bool in_turn() const { return !on_device && !in_rounds; }
    Array<std::uint32_t> bucket;    // by row: the result
    Array<std::uint32_t> key, row;  // rows in the order of keys; one after the other: first rows only
    Array<std::uint32_t> used;      // one after the other: by body, colours
    // In rounds.
    Array<std::uint32_t> body;   // of each manifold in the order of keys its two bodies; the number of bodies: none
    Array<Index> start;          // of each body in `entry`
    Array<std::uint32_t> entry;  // first rows of the manifolds of each body, in the order of keys
    Array<BodyColours> now, next;
    Index rounds{16};  // that were enough so far
    std::size_t bytes() const {
        return bucket.bytes() + key.bytes() + row.bytes() + used.bytes() + body.bytes() + start.bytes() + entry.bytes() + now.bytes() +
               next.bytes();
    }
};

/// Fills buffers.bucket. One manifold after the other, on the host: O(rows). In rounds: as many as were enough so far, after which some
/// manifolds may be kOpen. Nothing is read back.
void colour_manifolds(const Exec& exec, ContactTable& table, Index bodies, SortBuffers& sort, ColourBuffers& buffers);

/// Half as many rounds again, for where some were kOpen.
void colour_further(const Exec& exec, ContactTable& table, Index bodies, ColourBuffers& buffers);

}  // namespace scree::SCREE_FLAVOR
