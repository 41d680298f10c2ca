// A vector of vectors: each cell owns a list of particle numbers that grows as needed. Lists keep their memory when they are emptied.
#pragma once

#include <algorithm>
#include <vector>

#include "layouts/search.hpp"

namespace scree::layouts {

class Vectors : public EntriesAreIds {
public:
    static constexpr const char* name = "vectors";

    template <class Particles>
    void build(const Particles& particles, const Grid& grid) {
        for (std::vector<Id>& list : lists_) list.clear();
        lists_.resize(grid.cells());
        cell_of_.resize(particles.size());
        for (Id i = 0; i < particles.size(); ++i) {
            cell_of_[i] = grid.cell(particles.position(i));
            lists_[cell_of_[i]].push_back(i);
        }
    }

    /// The same cells after particles have moved: only those that left their cell are taken out of one list and put into another.
    template <class Particles>
    void update(const Particles& particles, const Grid& grid) {
        for (Id i = 0; i < particles.size(); ++i) {
            const Cell now = grid.cell(particles.position(i));
            if (now == cell_of_[i]) continue;
            std::vector<Id>& old = lists_[cell_of_[i]];
            *std::find(old.begin(), old.end(), i) = old.back();
            old.pop_back();
            lists_[now].push_back(i);
            cell_of_[i] = now;
        }
    }

    template <class F>
    void visit(Cell first, Cell count, F f) const {
        for (Cell c = first; c < first + count; ++c) {
            for (const Id i : lists_[c]) f(i);
        }
    }
    template <class F>
    void for_each_cell(F f) const {
        for (Cell c = 0; c < lists_.size(); ++c) f(c);
    }

    static double needs(double n, double cells) { return sizeof(lists_[0]) * cells + 32 * n; }  // 32: the least that malloc gives
    std::size_t bytes() const {
        std::size_t sum = lists_.capacity() * sizeof(lists_[0]) + cell_of_.capacity() * sizeof(Cell);
        for (const std::vector<Id>& list : lists_) sum += list.capacity() * sizeof(Id);
        return sum;
    }
    /// Emptying reads one pointer and writes one per cell; a particle: its place, its cell, two pointers read, one and its number written.
    double build_bytes(double n) const {
        return 16.0 * static_cast<double>(lists_.size()) + (point_bytes + sizeof(Cell) + 16 + 8 + sizeof(Id)) * n;
    }
    double row_bytes(Cell, Cell count) const { return 16.0 * count; }

private:
    std::vector<std::vector<Id>> lists_;  // particles of each cell
    std::vector<Cell> cell_of_;           // of each particle
};

}  // namespace scree::layouts
