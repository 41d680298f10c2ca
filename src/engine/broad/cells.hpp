// Positions -> cells of size levels. Cells are numbered by tiles of about 16 × 16 × 16 of the finest level, in each by level, finer ones
// first, then in x, y, z order, so that the bodies a tile's contacts read fit a core's own cache; a number is a sum of one table entry per
// axis. Tiles of coarser levels lag behind, by more than two bodies that touch are apart: of those the coarser one has the higher slot.
// Invariant: the cell coordinates of a point never fall as it moves up an axis, and points outside go to the border cells, so two points
// closer than a cell's edge are at most one cell apart wherever they are.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

inline constexpr Index tile_edge = 16;

struct CellCoordinates {
    Index x, y, z;
};

SCREE_HD CellCoordinates cell_of(const Levels& g, const Level& l, Vec3 x) {
    return {grid_along(x.x, g.origin.x, l.cell, l.count[0]), grid_along(x.y, g.origin.y, l.cell, l.count[1]),
            grid_along(x.z, g.origin.z, l.cell, l.count[2])};
}

/// Number of a cell in the joint numbering of all levels.
SCREE_HD Index cell_number(const Level& l, Index x, Index y, Index z) {
    return l.along[0][x] + l.along[1][y] + l.along[2][z];
}

/// The level of a sphere: the first whose size holds its diameter.
SCREE_HD int level_of(const Levels& g, double radius) {
    int k = 0;
    while (k + 1 < g.levels && 2 * radius > g.level[k].size) ++k;
    return k;
}

}  // namespace scree::SCREE_FLAVOR
