#include "engine/broad/cells.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "engine/broad/broad.hpp"
#include "engine/exec/bounds.hpp"
#include "engine/state/body_operations.hpp"
#include "model/limits.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Three standard deviations about the mean of one coordinate of the bodies in the box.
void central_range(Bodies& bodies, const Exec& exec, const Aabb& box, int axis, double& low, double& high) {
    const RowView p = bodies.position.view();
    const double n = sum_of(
        exec, "broad/central", bodies.count, SCREE_LAMBDA(Index i)->double { return box.contains(p[i]) ? 1.0 : 0.0; });
    const double sum = sum_of(
        exec, "broad/central", bodies.count, SCREE_LAMBDA(Index i)->double { return box.contains(p[i]) ? p.row[i].value[axis] : 0.0; });
    if (n < 1) return;
    const double mean = sum / n;
    const double square = sum_of(
        exec, "broad/central", bodies.count, SCREE_LAMBDA(Index i)->double {
            const double d = p.row[i].value[axis] - mean;
            return box.contains(p[i]) ? d * d : 0.0;
        });
    const double wide = 3 * std::sqrt(square / n);
    low = std::max(low, mean - wide);
    high = std::min(high, mean + wide);
}

double cells_in(const Aabb& box, double cell) {
    const Vec3 e = box.max - box.min;
    return (std::floor(e.x / cell) + 1) * (std::floor(e.y / cell) + 1) * (std::floor(e.z / cell) + 1);
}

/// Tiles along each axis, for cells of all levels.
struct TileGrid {
    Index count[3];
    Index cells[3];   // of the finest level, along a tile's edge
    double width[3];  // [m]
};

TileGrid lay_tiles(const Level& finest, Index edge) {
    TileGrid t;
    for (int a = 0; a < 3; ++a) {
        t.count[a] = (finest.count[a] + edge - 1) / edge;
        t.cells[a] = (finest.count[a] + t.count[a] - 1) / t.count[a];
        t.width[a] = static_cast<double>(t.cells[a]) * finest.cell;
    }
    return t;
}

/// One level's cells along one axis, dealt to tiles.
struct TiledCells {
    std::vector<Index> tile, place;  // of each cell: its tile, and which of that tile's cells it is
    Index most{0};                   // of a tile
};

/// shift [m]: by how much the tiles of a level lag behind its cells.
TiledCells tiled_cells(const Level& l, int axis, const TileGrid& tiles, double shift) {
    TiledCells t;
    for (Index k = 0; k < l.count[axis]; ++k) {
        const double at = (static_cast<double>(k) * l.cell + shift) / tiles.width[axis];
        const Index tile = shift > 0 ? static_cast<Index>(std::min(at, 1e9)) : k / tiles.cells[axis];
        t.tile.push_back(std::min(tile, tiles.count[axis] - 1));
        const bool same = k > 0 && t.tile[static_cast<std::size_t>(k) - 1] == t.tile.back();
        t.place.push_back(same ? t.place.back() + 1 : 0);
        t.most = std::max(t.most, t.place.back() + 1);
    }
    return t;
}

/// Numbers the cells of all levels: tiles in x, y, z order; in each the levels, finer ones first; of each level cells in x, y, z order.
/// All tiles have the same number of places for cells, empty ones included, so that the number of a cell is a sum over the axes.
/// Appends the three tables of each level and returns the number of places.
Index number_cells(const Levels& g, const TileGrid& tiles, double margin, std::vector<Index>& tables) {
    std::vector<TiledCells> along[3];
    Index volume = 0;
    double shift = 0;
    for (int k = 0; k < g.levels; ++k) {
        const Level& l = g.level[k];
        // A finer body that touches one of this level lies up to `reach` further up an axis; its level lags behind by the last shift.
        const double reach = k > 0 ? 0.5 * (g.level[k - 1].size + l.size) + margin : 0;
        if (k > 0) shift = (shift + l.cell + reach) * (1 + 1e-6);
        Index here = 1;
        for (int a = 0; a < 3; ++a) here *= along[a].emplace_back(tiled_cells(l, a, tiles, shift)).most;
        volume += here;
    }
    Index first = 0;
    for (int k = 0; k < g.levels; ++k) {
        Index tile_step = volume, cell_step = 1;
        for (int a = 0; a < 3; ++a) {
            const TiledCells& t = along[a][static_cast<std::size_t>(k)];
            for (std::size_t c = 0; c < t.tile.size(); ++c) {
                tables.push_back((a == 0 ? first : 0) + t.tile[c] * tile_step + t.place[c] * cell_step);
            }
            tile_step *= tiles.count[a];
            cell_step *= t.most;
        }
        first += cell_step;
    }
    return volume * tiles.count[0] * tiles.count[1] * tiles.count[2];
}

}  // namespace

void lay_cells(State& state, Workspace& work) {
    lay_cells_in(bounds_of(work.exec, state.bodies.position.view(), state.bodies.count), state, work);
}

void lay_cells_in(Aabb box, State& state, Workspace& work) {
    Levels& g = work.levels;
    Bodies& bodies = state.bodies;
    if (box.empty()) box = {{0, 0, 0}, {0, 0, 0}};
    work.bounds = box;
    g.levels = static_cast<int>(work.level_size.size());
    const double most = 16.0 * static_cast<double>(bodies.count) + 4096;
    const double finest = work.level_size.front() + list_margin(state);
    // A few bodies far away must not stretch the cells of the many: they go to the border cells instead.
    for (int round = 0; round < 4 && cells_in(box, finest) > most; ++round) {
        Aabb central = box;
        central_range(bodies, work.exec, box, 0, central.min.x, central.max.x);
        central_range(bodies, work.exec, box, 1, central.min.y, central.max.y);
        central_range(bodies, work.exec, box, 2, central.min.z, central.max.z);
        box = central;
    }
    g.origin = box.min;
    for (int k = 0; k < g.levels; ++k) {
        Level& l = g.level[k];
        l.size = work.level_size[static_cast<std::size_t>(k)];
        l.cell = (l.size + list_margin(state)) * (1 + 1e-9);
        while (cells_in(box, l.cell) > most) l.cell *= 1.1;
        const Vec3 extent = box.max - box.min;
        const double along[3] = {extent.x, extent.y, extent.z};
        for (int axis = 0; axis < 3; ++axis) {
            l.count[axis] = static_cast<Index>(std::floor(along[axis] / l.cell)) + 1;
        }
    }
    std::vector<Index> tables;
    g.cells = number_cells(g, lay_tiles(g.level[0], tile_edge), list_margin(state), tables);
    work.cell_along.assign(tables);
    const Index* next = work.cell_along.data();
    for (int k = 0; k < g.levels; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            g.level[k].along[axis] = next;
            next += g.level[k].count[axis];
        }
    }
    require_within<RunError>(static_cast<double>(g.cells), count_limits().cells, "cells of the pair search",
                             "use fewer bodies or a larger skin");
}

namespace {

void make_cell_keys(const Levels& g, Bodies& bodies, Workspace& work) {
    work.key.resize(bodies.count);
    work.order.resize(bodies.count);
    std::uint32_t* key = work.key.data();
    std::uint32_t* order = work.order.data();
    const BodyView body = bodies.view();
    for_each(
        work.exec, "broad/cell_keys", bodies.count, SCREE_LAMBDA(Index i)->void {
            const Level& l = g.level[level_of(g, body.radius[i])];
            const CellCoordinates c = cell_of(g, l, body.position[i]);
            key[i] = static_cast<std::uint32_t>(cell_number(l, c.x, c.y, c.z));
            order[i] = static_cast<std::uint32_t>(i);
        });
}

/// The arrays that sorting takes stand on the rows behind those that permuting takes.
void lend_sort_buffers(Workspace& work, Index n) {
    constexpr Index numbers = sizeof(Row4) / sizeof(std::uint32_t);
    work.rows.resize(std::max(work.rows.size(), n + (4 * n + numbers - 1) / numbers));
    auto* from = reinterpret_cast<std::uint32_t*>(work.rows.data() + n);
    for (Array<std::uint32_t>* array : {&work.key, &work.order, &work.sort.keys, &work.sort.values}) {
        array->borrow(from, n);
        from += n;
    }
}
void take_sort_buffers_back(Workspace& work) {
    for (Array<std::uint32_t>* array : {&work.key, &work.order, &work.sort.keys, &work.sort.values}) array->drop();
}

void map_ids(Bodies& bodies, Workspace& work) {
    const Index ids = work.slot_of_id.size();
    Slot* slot = work.slot_of_id.data();
    const std::uint32_t* id = bodies.id.data();
    for_each(
        work.exec, "broad/clear_map", ids, SCREE_LAMBDA(Index i)->void { slot[i] = -1; });
    for_each(
        work.exec, "broad/map_ids", bodies.count, SCREE_LAMBDA(Index i)->void { slot[id[i]] = static_cast<Slot>(i); });
}

}  // namespace

void reorder(State& state, Workspace& work) {
    lend_sort_buffers(work, state.bodies.count);
    make_cell_keys(work.levels, state.bodies, work);
    sort_pairs(work.exec, work.key, work.order, bits_for(work.levels.cells), work.sort);
    find_starts(work.exec, work.key.data(), state.bodies.count, work.levels.cells, work.cell_start);
    choose_bodies(work.exec, state.bodies, work.order.data(), state.bodies.count, work.rows);
    take_sort_buffers_back(work);
    work.old_slot_of_id.resize(work.slot_of_id.size());
    work.old_slot_of_id.swap(work.slot_of_id);
    map_ids(state.bodies, work);
}

Index remove_bodies(State& state, Workspace& work, const Array<std::int32_t>& keep) {
    const Index before = state.bodies.count;
    const Index after = scan_counts(work.exec, keep.data(), before, work.offset);
    work.order.resize(before);
    std::uint32_t* order = work.order.data();
    const std::int32_t* kept = keep.data();
    const Index* offset = work.offset.data();
    for_each(
        work.exec, "broad/compact", before, SCREE_LAMBDA(Index i)->void {
            if (kept[i] != 0) order[offset[i]] = static_cast<std::uint32_t>(i);
        });
    choose_bodies(work.exec, state.bodies, order, after, work.rows);
    return before - after;
}

}  // namespace scree::SCREE_FLAVOR
