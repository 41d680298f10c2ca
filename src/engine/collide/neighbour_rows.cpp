#include "engine/collide/neighbour_rows.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "engine/collide/place_rows.hpp"
#include "engine/exec/near_lanes.hpp"
#include "engine/exec/reduce.hpp"

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
    SCREE_HD void run(Index from, Index to, const LatticeBody& me, std::uint32_t* row, Index room, Index& count) const {
        for (; from < to; from += lanes) {
            const std::uint32_t near = near_lanes<true>(bodies, from, to - from, me).hit;
            count += count <= room ? pack_lanes(row + count, slot + from, near) : count_lanes(near);
        }
    }

    SCREE_HD Index operator()(Index place, std::uint32_t* row, Index room) const {
        const LatticeBody me{bodies.x[place], bodies.y[place], bodies.z[place], 0.0f,
                             lattice.far2,    lattice.near2,   lattice_margin,  lattice_widen};
        const CellLevel& level = lattice.level[0];
        const Index center = cell_of(level, me.x, me.y, me.z);
        Index count = 0;
        for (int dz = -1; dz <= 1; ++dz) {
            for (int dy = -1; dy <= 1; ++dy) {
                if (!level.folded) {
                    const Index c = center + dy * static_cast<Index>(level.row) + dz * static_cast<Index>(level.plane);
                    run(start[c - 1], start[c + 2], me, row, room, count);
                    continue;
                }
                for (int dx = -1; dx <= 1; ++dx) {
                    const Index c = neighbour_cell(level, center, dx, dy, dz);
                    run(start[c], start[c + 1], me, row, room, count);
                }
            }
        }
        return count;
    }
};

struct Along {
    RowView position;
    int axis;
    double sign;
    SCREE_HD double operator()(Index i) const { return sign * position.row[i].value[axis]; }
};

void sort_places(const Exec& exec, RowView position, Index n, const Lattice& lattice, GridRoom& room) {
    for (Array<std::int32_t>* places : {&room.x, &room.y, &room.z}) places->resize(n + lanes);
    room.id.resize(n + lanes);
    const PutPlace put{room.x.data(), room.y.data(), room.z.data(), nullptr, room.id.data()};
    group_rows(exec, "collide/sort_places", n, lattice.cells, MakePlace{position, lattice}, CellOfEqual{lattice.level[0]}, put, room.start,
               room.equal_rows);
}

/// Returns the length of the longest row.
Index write_rows(const Exec& exec, Index n, const RowSearch& search, NeighbourRows& rows) {
    std::uint32_t* neighbour = rows.neighbour.data();
    std::int32_t* count = rows.count.data();
    const Index stride = rows.stride;
    for_each(
        exec, "collide/write_rows", n, SCREE_LAMBDA(Index place)->void {
            const Index mine = search.slot[place];
            count[mine] = static_cast<std::int32_t>(search(place, neighbour + mine * stride, stride - lanes));
        });
    return static_cast<Index>(max_of(
        exec, "collide/longest_row", n, 0.0, SCREE_LAMBDA(Index i)->double { return static_cast<double>(count[i]); }));
}

/// Room for a row of so many: a vector register's more is written at its end.
void make_room(NeighbourRows& rows, Index n, Index longest) {
    const Index wanted = (longest + 2 * lanes + 15) / 16 * 16;
    rows.stride = std::max(rows.stride, wanted);
    rows.neighbour.resize(n * rows.stride);
}

}  // namespace

void find_neighbour_rows(const Exec& exec, RowView position, Index n, double range, Index usual, NeighbourRows& rows) {
    if (n == 0) return;
    const auto most = maxima_of(exec, "collide/bounds", n, -1e300, Along{position, 0, 1}, Along{position, 1, 1}, Along{position, 2, 1},
                                Along{position, 0, -1}, Along{position, 1, -1}, Along{position, 2, -1});
    const double low[3] = {-most[3], -most[4], -most[5]}, high[3] = {most[0], most[1], most[2]};
    const Lattice lattice = plan_equal(low, high, 0.5 * range, n);
    sort_places(exec, position, n, lattice, rows.grid);
    const RowSearch search{
        lattice, {rows.grid.x.data(), rows.grid.y.data(), rows.grid.z.data(), nullptr}, rows.grid.id.data(), rows.grid.start.data()};
    rows.count.resize(n);
    make_room(rows, n, usual);
    const Index longest = write_rows(exec, n, search, rows);
    if (longest > most_over_usual * usual)
        throw RunError("a particle has " + std::to_string(longest) + " others near it, where " + std::to_string(usual) +
                       " are usual: they have fallen into each other; use a smaller time.step");
    if (longest <= rows.stride - lanes) return;
    make_room(rows, n, longest + longest / 4);
    write_rows(exec, n, search, rows);
}

}  // namespace scree::SCREE_FLAVOR
