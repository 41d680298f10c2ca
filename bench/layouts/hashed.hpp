// Hashing: a table of the cells that hold something, with open addressing, at most half full; each has its run in one array of particle
// numbers. Memory depends on the number of particles alone, not on the space they are in. A cell's place in the table is either scattered,
// so that no pattern of cells crowds, or its number modulo the size of the table, so that cells of a row stay neighbours in memory.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "layouts/search.hpp"

namespace scree::layouts {

/// Fibonacci hashing: the leading bits of the product with 2^64 over the golden ratio.
struct Scattered {
    static constexpr const char* name = "hashed";
    static std::size_t home(Cell cell, int bits) { return (cell * 0x9e3779b97f4a7c15u) >> (64 - bits); }
};

struct InRows {
    static constexpr const char* name = "hashed_in_rows";
    static std::size_t home(Cell cell, int bits) { return cell & ((std::size_t{1} << bits) - 1); }
};

template <class Hash>
class Hashed : public EntriesAreIds {
public:
    static constexpr const char* name = Hash::name;

    template <class Particles>
    void build(const Particles& particles, const Grid& grid) {
        const Id n = particles.size();
        const std::size_t slots = std::bit_ceil(2 * std::max<std::size_t>(n, 8));
        mask_ = slots - 1;
        bits_ = std::countr_zero(slots);
        table_.assign(slots, Run{});
        slot_of_.resize(n);
        ids_.resize(n);
        for (Id i = 0; i < n; ++i) {
            const Cell cell = grid.cell(particles.position(i));
            const std::size_t s = slot(cell);
            table_[s].cell = cell;
            ++table_[s].end;
            slot_of_[i] = static_cast<Id>(s);
        }
        Id sum = 0;
        for (Run& run : table_) run.first = run.end = sum += run.end;
        for (Id i = n; i-- > 0;) ids_[--table_[slot_of_[i]].first] = i;
    }

    template <class F>
    void visit(Cell first, Cell count, F f) const {
        for (Cell c = first; c < first + count; ++c) {
            const Run& run = table_[slot(c)];
            if (run.cell != c) continue;  // a free slot: its run is empty, and need not be read
            for (Id k = run.first; k < run.end; ++k) f(ids_[k]);
        }
    }
    template <class F>
    void for_each_cell(F f) const {
        for (const Run& run : table_) {
            if (run.cell != none) f(run.cell);
        }
    }

    static double needs(double n, double) { return 4 * sizeof(Run) * n + 2 * sizeof(Id) * n; }
    std::size_t bytes() const { return table_.capacity() * sizeof(Run) + (slot_of_.capacity() + ids_.capacity()) * sizeof(Id); }
    /// The table is written, then summed: two numbers written and one read of each slot. A particle: its place, cells compared, a cell
    /// written, a count and a start read and written, its slot written and read, its number written.
    double build_bytes(double n) const {
        double compared = 0;
        for (const Id s : slot_of_) compared += probes(table_[s].cell);
        return (sizeof(Run) + 3.0 * sizeof(Id)) * static_cast<double>(table_.size()) + sizeof(Cell) * compared +
               (point_bytes + 8 * sizeof(Id)) * n;
    }
    double row_bytes(Cell first, Cell count) const {
        double sum = 0;
        for (Cell c = first; c < first + count; ++c) {
            sum += sizeof(Cell) * probes(c) + (table_[slot(c)].cell == c ? 2.0 * sizeof(Id) : 0.0);
        }
        return sum;
    }

private:
    static constexpr Cell none = ~Cell{0};
    struct Run {
        Cell cell{none};
        Id first{0}, end{0};  // in ids_
    };

    /// Where this cell is, or the free slot where it would be.
    std::size_t slot(Cell cell) const {
        std::size_t s = Hash::home(cell, bits_);
        while (table_[s].cell != cell && table_[s].cell != none) s = (s + 1) & mask_;
        return s;
    }
    double probes(Cell cell) const { return static_cast<double>(((slot(cell) - Hash::home(cell, bits_)) & mask_) + 1); }

    std::vector<Run> table_;
    std::vector<Id> slot_of_;  // of each particle
    std::vector<Id> ids_;      // of all particles, run after run
    std::size_t mask_{0};      // slots - 1
    int bits_{0};              // of a place in the table
};

}  // namespace scree::layouts
