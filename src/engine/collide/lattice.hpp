// Where cells are: positions become whole numbers on a lattice, cells are 2^shift lattice steps wide, and the cells of a row follow each
// other, so that a cell and its two neighbours along x hold one run of bodies.
// In: spheres; out: the lattice and a grid per size level. Two bodies that touch are in cells at most one apart on the coarser level.
#pragma once

#include <cstdint>

#include "engine/collide/problem.hpp"
#include "engine/exec/config.hpp"

namespace scree::SCREE_FLAVOR {

inline constexpr int most_levels = 24;

/// The cells of one size level.
struct CellLevel {
    int shift;             // a cell is 2^shift steps wide
    std::int32_t reach;    // radius of its largest sphere and a margin for rounding [steps]
    bool folded;           // cells far apart share a number: for bodies scattered over far more cells than there are bodies
    std::uint32_t first;   // number of its first cell
    std::uint32_t cells;   // how many
    std::uint32_t origin;  // number of cell (0, 0, 0); one layer of cells stays empty all around
    std::uint32_t row;     // from a cell to the next along y
    std::uint32_t plane;   // and along z
    bool empty;            // no body is on this level
};

struct Lattice {
    double low[3];      // [m]
    double scale;       // steps per metre
    double radius0;     // [m], level 0 holds smaller spheres, level k those below radius0 * 2^k
    int levels;         // at least 1
    bool equal;         // all radii are the same
    Index cells;        // of all levels
    float far2, near2;  // squares of the distances [steps] beyond which equal spheres do not touch, and within which they do
    CellLevel level[most_levels];

    SCREE_HD int level_of(double r) const {
        int k = 0;
        for (double bound = radius0; k + 1 < levels && r >= bound; bound *= 2) ++k;
        return k;
    }
    SCREE_HD std::int32_t steps(double x, int axis) const { return static_cast<std::int32_t>((x - low[axis]) * scale); }
};

/// A distance on the lattice differs from the true one by less than this many steps (each coordinate is rounded by less than one) and
/// this part of itself (rounding of float: some 2e-7).
inline constexpr float lattice_margin = 2.0f;
inline constexpr float lattice_widen = 1e-6f;

/// Number of a cell of a folded level.
SCREE_HD std::uint32_t folded_cell(const CellLevel& level, std::int64_t cx, std::int64_t cy, std::int64_t cz) {
    const std::int64_t sum = cx + static_cast<std::int64_t>(level.row) * cy + static_cast<std::int64_t>(level.plane) * cz;
    const std::int64_t rest = sum % static_cast<std::int64_t>(level.cells);
    return level.first + static_cast<std::uint32_t>(rest < 0 ? rest + level.cells : rest);
}

SCREE_HD std::uint32_t cell_of(const CellLevel& level, std::int32_t x, std::int32_t y, std::int32_t z) {
    const std::int32_t cx = x >> level.shift, cy = y >> level.shift, cz = z >> level.shift;
    if (level.folded) return folded_cell(level, cx, cy, cz);
    return level.origin + static_cast<std::uint32_t>(cx) + level.row * static_cast<std::uint32_t>(cy) +
           level.plane * static_cast<std::uint32_t>(cz);
}

/// Number of the cell that is so far from cell `center`.
SCREE_HD Index neighbour_cell(const CellLevel& level, Index center, int dx, int dy, int dz) {
    Index c = center - level.first + dx + dy * static_cast<Index>(level.row) + dz * static_cast<Index>(level.plane);
    const Index cells = level.cells;
    while (c < 0) c += cells;
    while (c >= cells) c -= cells;
    return level.first + c;
}

/// Chooses lattice, levels (1 for a single grid) and cells. n > 0.
Lattice plan_lattice(const Exec& exec, const SphereView& spheres, int most);
/// The same for n equal spheres in a box, without a look at where in it they are: one level, folded where the box has far more cells than
/// there are spheres.
Lattice plan_equal(const double low[3], const double high[3], double radius, Index n);

}  // namespace scree::SCREE_FLAVOR
