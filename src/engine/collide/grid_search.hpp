// Touching pairs from cells: each body looks through the rest of its own cell and half of the cells around it, and through all cells around
// it on coarser levels, so that a pair is found once. Distances on the lattice decide nearly all; the few within its rounding are decided
// in double.
#pragma once

#include "engine/collide/lattice.hpp"
#include "engine/collide/touch.hpp"
#include "engine/exec/near_lanes.hpp"
#include "engine/exec/pair_sink.hpp"

namespace scree::SCREE_FLAVOR {

/// Search of body `slot`; Equal: spheres of one size; Plain: one level, not folded.
template <bool Equal, bool Plain>
struct GridSearch {
    Lattice lattice;
    LatticeView bodies;          // in the order of cells
    const std::uint32_t* id;     // of these
    const std::uint32_t* start;  // first slot of each cell
    SphereView spheres;          // by id

    SCREE_HD void run(Index from, Index to, std::uint32_t mine, const LatticeBody& me, PairSink& sink) const {
        sink.tested += to > from ? to - from : 0;
        for (; from < to; from += lanes) {
            LaneMask near = near_lanes<Equal>(bodies, from, to - from, me);
            if (__builtin_expect(near.hit != near.sure, 0)) near.hit = decide(from, near, mine, sink);
            sink.put_lanes(mine, id + from, near.hit);
        }
    }

    /// Second look at what is not sure.
    SCREE_HD_ONCE std::uint32_t decide(Index from, LaneMask near, std::uint32_t mine, PairSink& sink) const {
        std::uint32_t hit = near.sure;
        for (int k = 0; k < lanes; ++k) {
            const std::uint32_t bit = 1u << k;
            if ((near.hit & ~near.sure & bit) == 0) continue;
            const Touch found = touch(spheres, mine, id[from + k]);
            if (found.yes) hit |= bit;
            sink.touching += found.barely ? 1 : 0;
        }
        return hit;
    }

    /// The cells of a coarser level that its bodies may touch `me` from: of three along each axis two on average, as `me` is smaller.
    SCREE_HD void around(const CellLevel& level, std::uint32_t mine, const LatticeBody& me, PairSink& sink) const {
        const std::int64_t reach = static_cast<std::int64_t>(me.radius) + 1 + level.reach;
        // Cells are as wide as the reach, or the whole lattice: what is farther than one cell away is empty.
        const auto low = [&](std::int32_t q) { return (q - reach) >> level.shift < (q >> level.shift) ? -1 : 0; };
        const auto high = [&](std::int32_t q) { return (q + reach) >> level.shift > (q >> level.shift) ? 1 : 0; };
        const int x0 = low(me.x), x1 = high(me.x), y0 = low(me.y), y1 = high(me.y), z0 = low(me.z), z1 = high(me.z);
        const Index center = cell_of(level, me.x, me.y, me.z);
        for (int dz = z0; dz <= z1; ++dz) {
            for (int dy = y0; dy <= y1; ++dy) {
                if (!level.folded) {
                    const Index c = center + dy * static_cast<Index>(level.row) + dz * static_cast<Index>(level.plane);
                    run(start[c + x0], start[c + x1 + 1], mine, me, sink);
                    continue;
                }
                for (int dx = x0; dx <= x1; ++dx) {
                    const Index c = neighbour_cell(level, center, dx, dy, dz);
                    run(start[c], start[c + 1], mine, me, sink);
                }
            }
        }
    }

    /// Half of the cells around `me` on its own level: those after its own.
    SCREE_HD void half(const CellLevel& level, Index slot, std::uint32_t mine, const LatticeBody& me, PairSink& sink) const {
        const Index center = cell_of(level, me.x, me.y, me.z);
        const Index row = level.row, plane = level.plane;
        if (Plain || !level.folded) {
            run(slot + 1, start[center + 2], mine, me, sink);
            run(start[center + row - 1], start[center + row + 2], mine, me, sink);
            run(start[center + plane - row - 1], start[center + plane - row + 2], mine, me, sink);
            run(start[center + plane - 1], start[center + plane + 2], mine, me, sink);
            run(start[center + plane + row - 1], start[center + plane + row + 2], mine, me, sink);
            return;
        }
        run(slot + 1, start[center + 1], mine, me, sink);
        for (int k = 14; k < 27; ++k) {
            const Index c = neighbour_cell(level, center, k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
            run(start[c], start[c + 1], mine, me, sink);
        }
    }

    SCREE_HD void operator()(Index slot, PairSink& sink) const {
        const std::uint32_t mine = id[slot];
        const LatticeBody me{bodies.x[slot], bodies.y[slot], bodies.z[slot], Equal ? 0.0f : bodies.radius[slot],
                             lattice.far2,   lattice.near2,  lattice_margin, lattice_widen};
        if constexpr (Plain) {
            half(lattice.level[0], slot, mine, me, sink);
        } else {
            int k = 0;
            while (k + 1 < lattice.levels && slot >= static_cast<Index>(start[lattice.level[k + 1].first])) ++k;
            half(lattice.level[k], slot, mine, me, sink);
            for (++k; k < lattice.levels; ++k) {
                if (!lattice.level[k].empty) around(lattice.level[k], mine, me, sink);
            }
        }
    }
};

}  // namespace scree::SCREE_FLAVOR
