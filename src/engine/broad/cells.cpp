#include "engine/broad/cells.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "engine/broad/broad.hpp"
#include "engine/exec/reduce.hpp"
#include "model/limits.hpp"

namespace scree::SCREE_FLAVOR {

std::vector<double> level_sizes(const Model& model) {
    double smallest = 1e300, largest = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (is_compound(model, i)) continue;  // not searched for
        smallest = std::min(smallest, 2 * model.bodies.radius[i]);
        largest = std::max(largest, 2 * model.bodies.radius[i]);
    }
    if (largest == 0) return {1.0};
    const bool one = model.penalty.search == Search::Grid || (model.penalty.search == Search::Auto && largest <= 1.5 * smallest);
    std::vector<double> sizes{largest};
    // Levels below the last that may hold bodies: an octave each, as many as there is room for.
    while (!one && sizes.size() < max_levels && sizes.back() > 2 * smallest) sizes.push_back(sizes.back() / 2);
    std::reverse(sizes.begin(), sizes.end());
    return sizes;
}

namespace {

struct Coordinate {
    RowView position;
    Aabb box;
    int axis;
    double sign;
    /// sign * the coordinate of bodies in the box.
    SCREE_HD double operator()(Index i) const { return box.contains(position[i]) ? sign * position.row[i].value[axis] : -1e300; }
};

Aabb bounds_within(Bodies& bodies, const Exec& exec, const Aabb& box) {
    const RowView p = bodies.position.view();
    const auto most = maxima_of(exec, "broad/bounds", bodies.count, -1e300, Coordinate{p, box, 0, 1}, Coordinate{p, box, 1, 1},
                                Coordinate{p, box, 2, 1}, Coordinate{p, box, 0, -1}, Coordinate{p, box, 1, -1}, Coordinate{p, box, 2, -1});
    return {{-most[3], -most[4], -most[5]}, {most[0], most[1], most[2]}};
}

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

/// Numbering of one level: tiles in x, y, z order, and cells in x, y, z order in each. Tiles of one level are equal, so the number of a
/// cell is a sum over the axes. Appends the three tables and returns the level's number of cells, empty ones at its far sides included.
Index number_cells(const Level& l, Index first, std::vector<Index>& tables) {
    Index tiles[3], edge[3];
    for (int a = 0; a < 3; ++a) {
        tiles[a] = (l.count[a] + tile_edge - 1) / tile_edge;
        edge[a] = (l.count[a] + tiles[a] - 1) / tiles[a];
    }
    const Index volume = edge[0] * edge[1] * edge[2];
    Index tile_step = volume, cell_step = 1;
    for (int a = 0; a < 3; ++a) {
        for (Index k = 0; k < l.count[a]; ++k) {
            tables.push_back((a == 0 ? first : 0) + k / edge[a] * tile_step + k % edge[a] * cell_step);
        }
        tile_step *= tiles[a];
        cell_step *= edge[a];
    }
    return tile_step;
}

}  // namespace

void lay_cells(State& state, Workspace& work) {
    Levels& g = work.levels;
    Bodies& bodies = state.bodies;
    const Aabb everywhere{{-1e299, -1e299, -1e299}, {1e299, 1e299, 1e299}};
    Aabb box = bounds_within(bodies, work.exec, everywhere);
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
    g.cells = 0;
    std::vector<Index> tables;
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
        g.cells += number_cells(l, g.cells, tables);
    }
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

template <class T>
void permute(const Exec& exec, Array<T>& values, const std::uint32_t* order, Index n, Array<Row4>& room) {
    static_assert(sizeof(T) <= sizeof(Row4));
    room.resize(std::max(n, room.size()));
    T* to = reinterpret_cast<T*>(room.data());
    const T* from = values.data();
    for_each(
        exec, "broad/permute", n, SCREE_LAMBDA(Index i)->void { to[i] = from[order[i]]; });
    values.resize(n);
    copy_within(values.data(), room.data(), static_cast<std::size_t>(n) * sizeof(T));
}

void permute_bodies(Bodies& bodies, Workspace& work, Index n) {
    bodies.each_field([&](const char*, auto& array) {
        if (array.size() > 0) permute(work.exec, array, work.order.data(), n, work.rows);
    });
    bodies.count = n;
}

/// The arrays that sorting takes stand on the rows behind those that permuting takes.
void lend_sort_room(Workspace& work, Index n) {
    constexpr Index numbers = sizeof(Row4) / sizeof(std::uint32_t);
    work.rows.resize(std::max(work.rows.size(), n + (4 * n + numbers - 1) / numbers));
    auto* from = reinterpret_cast<std::uint32_t*>(work.rows.data() + n);
    for (Array<std::uint32_t>* array : {&work.key, &work.order, &work.sort.keys, &work.sort.values}) {
        array->borrow(from, n);
        from += n;
    }
}
void take_sort_room_back(Workspace& work) {
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
    lend_sort_room(work, state.bodies.count);
    make_cell_keys(work.levels, state.bodies, work);
    sort_pairs(work.exec, work.key, work.order, bits_for(work.levels.cells), work.sort);
    find_starts(work.exec, work.key.data(), state.bodies.count, work.levels.cells, work.cell_start);
    permute_bodies(state.bodies, work, state.bodies.count);
    take_sort_room_back(work);
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
    // An array that shrinks to nothing must not look like one that is not in use: the fields in use are those of full length.
    state.bodies.each_field([&](const char*, auto& array) {
        if (array.size() == before) permute(work.exec, array, order, after, work.rows);
    });
    state.bodies.count = after;
    return before - after;
}

}  // namespace scree::SCREE_FLAVOR
