// Rows of neighbours: for each body all those within a distance of it, itself among them, by the cells and vector code that find touching
// spheres. For methods in which every body looks at all its neighbours several times a step.
// Invariant: a row is in the order of cells, and in a cell in the order of slots: it depends on places and slots alone. It may list bodies
// a little farther away than asked for (the lattice's rounding), but leaves none out.
#pragma once

#include "base/aabb.hpp"
#include "engine/collide/finder.hpp"
#include "engine/exec/near_lanes.hpp"

namespace scree::SCREE_FLAVOR {

struct NeighbourRowsView {
    const std::uint32_t* neighbour;
    const std::int32_t* count;
    Index stride;
    SCREE_HD const std::uint32_t* row(Index i) const { return neighbour + i * stride; }
};

struct NeighbourRows {
    Index stride{0};                 // room of a row, a vector register's more than bodies in it
    Array<std::uint32_t> neighbour;  // slots, n rows
    Array<std::int32_t> count;       // bodies in each row, n
    GridBuffers grid;

    /// Bodies a row has room for.
    Index buffers() const { return stride - lanes; }
    NeighbourRowsView view() const { return {neighbour.data(), count.data(), stride}; }
    std::size_t bytes() const { return neighbour.bytes() + count.bytes() + grid.bytes(); }
};

/// Rows of all n bodies, which are in the box, within `range` [m] between centres. `usual`: about how many bodies a row holds. Nobody
/// waits: where a row holds more than it has room for, its count tells how many, and `full` is raised in *word.
void send_neighbour_rows(const Exec& exec, RowView position, Index n, const Aabb& box, double range, Index usual, NeighbourRows& rows,
                         std::uint32_t* word, std::uint32_t full);
/// Room for rows as long as the longest, and a little more. Throws scree::RunError where it holds far more than usual.
void lengthen_rows(NeighbourRows& rows, Index longest, Index usual);

/// The same of bodies anywhere, whose places are finite, until all rows have room. Waits for the device.
void find_neighbour_rows(const Exec& exec, RowView position, Index n, double range, Index usual, NeighbourRows& rows);

}  // namespace scree::SCREE_FLAVOR
