// Sorting: pairs of cell and particle number sorted by cell (the engine's radix sort), then the range of each cell found. Either all ranges
// are found at once and kept in a table as wide as the grid, or each is found by bisection when it is asked for, and no table is needed.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/exec/scan.hpp"
#include "layouts/search.hpp"

namespace scree::layouts {

class SortedBase : public EntriesAreIds {
protected:
    template <class Particles>
    void sort(const Particles& particles, const Grid& grid) {
        keys_.resize(particles.size());
        ids_.resize(particles.size());
        for (Id i = 0; i < particles.size(); ++i) {
            keys_.data()[i] = grid.cell(particles.position(i));
            ids_.data()[i] = i;
        }
        key_bits_ = SCREE_FLAVOR::bits_for(grid.cells());
        SCREE_FLAVOR::sort_pairs({1, false}, keys_, ids_, key_bits_, buffers_);
    }
    std::size_t sort_held() const {
        return keys_.bytes() + ids_.bytes() + buffers_.keys.bytes() + buffers_.values.bytes() + buffers_.counts.bytes();
    }
    /// Place read, key and number written; each pass over 11 bits reads the keys once more than it moves keys and numbers.
    double sort_bytes(double n) const { return (point_bytes + 8 + 20.0 * ((key_bits_ + 10) / 11)) * n; }
    const Cell* keys() const { return keys_.data(); }
    const Id* ids() const { return ids_.data(); }
    Id size() const { return static_cast<Id>(keys_.size()); }

private:
    SCREE_FLAVOR::Array<std::uint32_t> keys_, ids_;  // cells in ascending order, and their particles
    SCREE_FLAVOR::SortBuffers buffers_;
    int key_bits_{0};
};

class SortedTable : public SortedBase {
public:
    static constexpr const char* name = "sorted_table";

    template <class Particles>
    void build(const Particles& particles, const Grid& grid) {
        sort(particles, grid);
        starts_.resize(std::size_t{grid.cells()} + 1);
        Cell cell = 0;
        for (Id k = 0; k < size(); ++k) {
            while (cell <= keys()[k]) starts_[cell++] = k;
        }
        std::fill(starts_.begin() + cell, starts_.end(), size());
    }

    template <class F>
    void visit(Cell first, Cell count, F f) const {
        for (Id k = starts_[first]; k < starts_[first + count]; ++k) f(ids()[k]);
    }
    template <class F>
    void for_each_cell(F f) const {
        for (Cell c = 0; c + 1 < starts_.size(); ++c) f(c);
    }

    static double needs(double n, double cells) { return sizeof(Id) * (cells + 4 * n); }
    std::size_t bytes() const { return sort_held() + starts_.capacity() * sizeof(Id); }
    double build_bytes(double n) const { return sort_bytes(n) + sizeof(Cell) * n + sizeof(Id) * static_cast<double>(starts_.size()); }
    double row_bytes(Cell, Cell) const { return 2 * sizeof(Id); }

private:
    std::vector<Id> starts_;  // of each cell in the sorted order, and the end
};

class SortedBisected : public SortedBase {
public:
    static constexpr const char* name = "sorted_bisected";

    template <class Particles>
    void build(const Particles& particles, const Grid& grid) {
        sort(particles, grid);
    }

    template <class F>
    void visit(Cell first, Cell count, F f) const {
        const Cell* end = keys() + size();
        for (const Cell* k = std::lower_bound(keys(), end, first); k != end && *k < first + count; ++k) f(ids()[k - keys()]);
    }
    template <class F>
    void for_each_cell(F f) const {
        for (Id k = 0; k < size(); ++k) {
            if (k == 0 || keys()[k] != keys()[k - 1]) f(keys()[k]);
        }
    }

    static double needs(double n, double) { return sizeof(Id) * 4 * n; }
    std::size_t bytes() const { return sort_held(); }
    double build_bytes(double n) const { return sort_bytes(n); }
    static constexpr double entry_bytes = EntriesAreIds::entry_bytes + sizeof(Cell);
    /// Keys that bisection looks at, and the one that ends the run.
    double row_bytes(Cell, Cell) const { return sizeof(Cell) * (std::ceil(std::log2(size() + 1.0)) + 1); }
};

}  // namespace scree::layouts
