#include "engine/collide/neighbour_rows.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "engine/collide/place_rows.hpp"
#include "engine/exec/bounds.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr Index most_over_usual = 20;  // a row that long would make memory, which all rows share evenly, run out

struct MakePlace {
    RowView position;
    Lattice lattice;
    SCREE_HD EqualRow operator()(Index i) const {
        const Vec3 x = position[i];
        return {lattice.steps(x.x, 0), lattice.steps(x.y, 1), lattice.steps(x.z, 2), static_cast<std::uint32_t>(i)};
    }
};

/// Search of the body that is at `place` in the order of cells.
struct RowSearch {
    Lattice lattice;
    LatticeView bodies;
    const std::uint32_t* slot;
    const std::uint32_t* start;

    /// Appends the near ones of a run of bodies where there is room, and counts them all.
    SCREE_HD void run(Index from, Index to, const LatticeBody& me, std::uint32_t* row, Index buffers, Index& count) const {
        for (; from < to; from += lanes) {
            const std::uint32_t near = near_lanes<true>(bodies, from, to - from, me).hit;
            count += count <= buffers ? pack_lanes(row + count, slot + from, near) : count_lanes(near);
        }
    }

    SCREE_HD Index operator()(Index place, std::uint32_t* row, Index buffers) const {
        const LatticeBody me{bodies.x[place], bodies.y[place], bodies.z[place], 0.0f,
                             lattice.far2,    lattice.near2,   lattice_margin,  lattice_widen};
        const CellLevel& level = lattice.level[0];
        const Index center = cell_of(level, me.x, me.y, me.z);
        Index count = 0;
        for (int dz = -1; dz <= 1; ++dz) {
            for (int dy = -1; dy <= 1; ++dy) {
                if (!level.folded) {
                    const Index c = center + dy * static_cast<Index>(level.row) + dz * static_cast<Index>(level.plane);
                    run(start[c - 1], start[c + 2], me, row, buffers, count);
                    continue;
                }
                for (int dx = -1; dx <= 1; ++dx) {
                    const Index c = neighbour_cell(level, center, dx, dy, dz);
                    run(start[c], start[c + 1], me, row, buffers, count);
                }
            }
        }
        return count;
    }
};

void sort_places(const Exec& exec, RowView position, Index n, const Lattice& lattice, GridBuffers& buffers) {
    for (Array<std::int32_t>* places : {&buffers.x, &buffers.y, &buffers.z}) places->resize(n + lanes);
    buffers.id.resize(n + lanes);
    const PutPlace put{buffers.x.data(), buffers.y.data(), buffers.z.data(), nullptr, buffers.id.data()};
    group_rows(exec, "collide/sort_places", n, lattice.cells, MakePlace{position, lattice}, CellOfEqual{lattice.level[0]}, put,
               buffers.start, buffers.equal_rows);
}

/// Room for a row of so many: a vector register's more is written at its end.
void reserve(NeighbourRows& rows, Index n, Index longest) {
    const Index wanted = (longest + 2 * lanes + 15) / 16 * 16;
    rows.stride = std::max(rows.stride, wanted);
    rows.neighbour.resize(n * rows.stride);
}

}  // namespace

void send_neighbour_rows(const Exec& exec, RowView position, Index n, const Aabb& box, double range, Index usual, NeighbourRows& rows,
                         std::uint32_t* word, std::uint32_t full) {
    if (n == 0) return;
    const double low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
    const Lattice lattice = plan_equal(low, high, 0.5 * range, n);
    sort_places(exec, position, n, lattice, rows.grid);
    const RowSearch search{
        lattice, {rows.grid.x.data(), rows.grid.y.data(), rows.grid.z.data(), nullptr}, rows.grid.id.data(), rows.grid.start.data()};
    rows.count.resize(n);
    reserve(rows, n, usual);
    std::uint32_t* neighbour = rows.neighbour.data();
    std::int32_t* count = rows.count.data();
    const Index stride = rows.stride, buffers = rows.buffers();
    flag_each(
        exec, "collide/write_rows", n, word, SCREE_LAMBDA(Index place)->std::uint32_t {
            const Index mine = search.slot[place], found = search(place, neighbour + mine * stride, buffers);
            count[mine] = static_cast<std::int32_t>(found);
            return found > buffers ? full : 0u;
        });
}

void lengthen_rows(NeighbourRows& rows, Index longest, Index usual) {
    if (longest > most_over_usual * usual)
        throw RunError("a particle has " + std::to_string(longest) + " others near it, where " + std::to_string(usual) +
                       " are usual: they have fallen into each other; use a smaller time.step");
    reserve(rows, rows.count.size(), longest + longest / 4);
}

void find_neighbour_rows(const Exec& exec, RowView position, Index n, double range, Index usual, NeighbourRows& rows) {
    const Aabb box = bounds_of(exec, position, n);
    Array<std::uint32_t> unread;
    unread.resize(1);
    for (;;) {
        send_neighbour_rows(exec, position, n, box, range, usual, rows, unread.data(), 0);
        const std::int32_t* count = rows.count.data();
        const auto longest = static_cast<Index>(max_of(
            exec, "collide/longest_row", n, 0.0, SCREE_LAMBDA(Index i)->double { return static_cast<double>(count[i]); }));
        if (longest <= rows.buffers()) return;
        lengthen_rows(rows, longest, usual);
    }
}

}  // namespace scree::SCREE_FLAVOR
