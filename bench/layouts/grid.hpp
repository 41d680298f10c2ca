// A box cut into equal cells, and the rows of cells around one in which all partners within a diameter lie.
// Cells are numbered along x first, so the cells of a row are consecutive; `reach` layers of empty cells all around spare tests at borders.
// Invariant: two points of the box within a diameter of each other are at most `reach` cells apart along each axis.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/vec3.hpp"

namespace scree::layouts {

using Cell = std::uint32_t;

enum class Stencil { Full, Half };

/// `count` consecutive cells, the first of them `first` further than the cell in the middle.
struct Row {
    std::int64_t first;
    Cell count;
};

class Grid {
public:
    /// Cells of `ratio` diameters; below 1 the stencil reaches further than the next cell.
    Grid(Vec3 lower, Vec3 upper, double diameter, double ratio) : lower_(lower), diameter_(diameter) {
        constexpr double slack = 1 + 1e-9;  // rounding of a place in cells, 1e-16 of up to 1e6 of them, never moves a partner out of reach
        reach_ = static_cast<int>(std::ceil(1 / ratio));
        per_length_ = 1 / (ratio * diameter * slack);
        const auto count = [&](double length) { return std::floor(length * per_length_) + 1 + 2 * reach_; };
        const double x = count(upper.x - lower.x), y = count(upper.y - lower.y), z = count(upper.z - lower.z);
        if (!(x * y * z < 4294967295.0)) throw std::length_error("more than 2^32 cells");
        count_[0] = static_cast<Cell>(x);
        count_[1] = static_cast<Cell>(y);
        cells_ = static_cast<Cell>(x * y * z);
    }

    double diameter() const { return diameter_; }
    Cell cells() const { return cells_; }

    /// The cell of a point of the box.
    Cell cell(Vec3 p) const {
        const Cell x = along(p.x - lower_.x), y = along(p.y - lower_.y), z = along(p.z - lower_.z);
        return x + count_[0] * (y + count_[1] * z);
    }

    /// Full: all rows, with the cell in the middle. Half: the rows that come after that cell, without it; every pair of cells once.
    std::vector<Row> rows(Stencil stencil) const {
        std::vector<Row> rows;
        const Cell width = static_cast<Cell>(2 * reach_ + 1);
        for (int z = -reach_; z <= reach_; ++z) {
            for (int y = -reach_; y <= reach_; ++y) {
                const std::int64_t middle = (static_cast<std::int64_t>(z) * count_[1] + y) * static_cast<std::int64_t>(count_[0]);
                const bool own = z == 0 && y == 0, after = z > 0 || (z == 0 && y > 0);
                if (stencil == Stencil::Full || after) rows.push_back({middle - reach_, width});
                if (stencil == Stencil::Half && own) rows.push_back({1, static_cast<Cell>(reach_)});
            }
        }
        return rows;
    }

private:
    Cell along(double x) const { return static_cast<Cell>(static_cast<int>(x * per_length_) + reach_); }

    Vec3 lower_;
    double diameter_;    // [m]
    double per_length_;  // cells per length [1/m]
    Cell count_[2]{};    // cells along x and y, with the empty layers
    Cell cells_{0};      // of all, with the empty layers
    int reach_{1};       // cells to search on each side
};

}  // namespace scree::layouts
