// How bodies go to their places in the order of cells (exec/group_rows.hpp): the cell of a row, and where its parts are put.
#pragma once

#include "engine/collide/finder.hpp"

namespace scree::SCREE_FLAVOR {

/// Of bodies of one size: the cell is found again from the place.
struct CellOfEqual {
    CellLevel level;
    SCREE_HD std::uint32_t operator()(const EqualRow& row) const { return cell_of(level, row.x, row.y, row.z); }
};

struct PutPlace {
    std::int32_t* x;
    std::int32_t* y;
    std::int32_t* z;
    float* radius;
    std::uint32_t* id;
    SCREE_HD void place(Index slot, std::int32_t px, std::int32_t py, std::int32_t pz, std::uint32_t number) const {
        x[slot] = px;
        y[slot] = py;
        z[slot] = pz;
        id[slot] = number;
    }
    SCREE_HD void operator()(Index slot, const EqualRow& row) const { place(slot, row.x, row.y, row.z, row.id); }
    SCREE_HD void operator()(Index slot, const SizedRow& row) const {
        place(slot, row.x, row.y, row.z, row.id);
        radius[slot] = row.radius;
    }
};

}  // namespace scree::SCREE_FLAVOR
