// ContactList: the pairs of one class of bodies with bodies, or with the surfaces of one class of walls, and the columns of their contacts.
#pragma once

#include "engine/contacts/columns.hpp"

namespace scree::SCREE_FLAVOR {

/// Where a row of a list begins. A list has fewer than 2^31 pairs (model/limits.hpp), and two entries of each.
using RowStart = std::uint32_t;

/// Invariant of pairs of two bodies: id[a] < id[b]. They are grouped by the lower slot, ascending; pairs that reach from one range of slots
/// into another come last, grouped alike. A body's row lists its pairs in the order of partner ids, so that its sums do not depend on the
/// list. Invariant of pairs with surfaces: sorted by slot, then by surface.
struct ContactList : ContactColumns {
    Array<Slot> a;              // the body; of two the one with the lower id; n, written by broad
    Array<std::int32_t> b;      // slot of the other body, or the surface's number in its class, n, written by broad
    Array<std::int32_t> law;    // row of the law table: material of a * materials + material of b, n, written by broad; none: the only one
    Array<RowStart> row_start;  // bodies + 1: the row of a slot is [row_start[s], row_start[s + 1]); none where no pair is looked for
    // Of two bodies: 2n and three unused: pair * 2 + (1 where the slot is b), by the id of the other body, ascending; between fused steps
    // the place of the pair's wrench stands for the pair (FusedBuffers::placed).
    Array<std::uint32_t> entry;
    Array<RowStart> first;  // of two bodies: bodies + 1: pairs of a lower slot within its range are [first[s], first[s + 1])
    Index inner{0};         // pairs within ranges
    Index range{0};         // slots of a range
    // Of mesh patches, with the triangles of the patch near the body.
    Array<Index> triangle_start;   // n: first candidate of each pair
    Array<Index> triangle_end;     // n: past its last
    Array<std::int32_t> triangle;  // candidates of each pair, ascending
    Array<Slot> near_body;         // slots that have pairs, ascending

    Index size() const { return a.size(); }
    std::size_t bytes() {
        std::size_t sum = a.bytes() + b.bytes() + law.bytes() + row_start.bytes() + entry.bytes() + first.bytes() + triangle_start.bytes() +
                          triangle_end.bytes() + triangle.bytes() + near_body.bytes();
        each_column([&sum](const Column&, auto& array) { sum += array.bytes(); }, static_cast<ContactColumns&>(*this));
        return sum;
    }
};

/// Contacts of a list before a rebuild, in its order: by slot (of two bodies the lower one) within ranges, `first` as in ContactList, then
/// by that of those that leave them, which are few.
struct OldContacts : ContactColumns {
    Array<std::int32_t> partner;  // the higher slot, or the surface
    Array<RowStart> first;
    Array<Slot> crossing;  // lower slots of the pairs that leave their range, ascending

    std::size_t bytes() {
        std::size_t sum = partner.bytes() + first.bytes() + crossing.bytes();
        each_column([&sum](const Column&, auto& array) { sum += array.bytes(); }, static_cast<ContactColumns&>(*this));
        return sum;
    }
};

/// Pairs [first, last) of a slot; none where there are no rows.
struct PairRow {
    Index first, last;
};
SCREE_HD PairRow row_of(const RowStart* row_start, Index i) {
    if (row_start == nullptr) return {0, 0};
    return {row_start[i], row_start[i + 1]};
}

/// Row of the law table of a pair of two bodies.
SCREE_HD Index law_of(const std::int32_t* law, Index p) {
    return law == nullptr ? 0 : law[p];
}

/// A contact as it is now: what measures find out, one per pair.
struct PatchState {
    std::int32_t touching;
    std::int32_t kind;
    double overlap;                                     // least depth over all directions, of a wall along the normal [m]
    double area, volume;                                // [m2], [m3]
    double elastic_normal, elastic_tangential;          // [J]
    double power_damping, power_friction, power_walls;  // [W]
    Vec3 point, normal;                                 // in the world
};

}  // namespace scree::SCREE_FLAVOR
