// Linked lists: the first particle of each cell (head), and for each particle the next one in its cell.
#pragma once

#include <vector>

#include "layouts/search.hpp"

namespace scree::layouts {

class Linked : public EntriesAreIds {
public:
    static constexpr const char* name = "linked";

    template <class Particles>
    void build(const Particles& particles, const Grid& grid) {
        head_.assign(grid.cells(), none);
        next_.resize(particles.size());
        for (Id i = particles.size(); i-- > 0;) {  // from the last on, so that lists ascend
            Id& head = head_[grid.cell(particles.position(i))];
            next_[i] = head;
            head = i;
        }
    }

    template <class F>
    void visit(Cell first, Cell count, F f) const {
        for (Cell c = first; c < first + count; ++c) {
            for (Id i = head_[c]; i != none; i = next_[i]) f(i);
        }
    }
    template <class F>
    void for_each_cell(F f) const {
        for (Cell c = 0; c < head_.size(); ++c) f(c);
    }

    static double needs(double n, double cells) { return sizeof(Id) * (cells + n); }
    std::size_t bytes() const { return (head_.capacity() + next_.capacity()) * sizeof(Id); }
    /// A head per cell is written; a particle: its place, head read and written, next written.
    double build_bytes(double n) const { return sizeof(Id) * static_cast<double>(head_.size()) + (point_bytes + 3 * sizeof(Id)) * n; }
    double row_bytes(Cell, Cell count) const { return static_cast<double>(sizeof(Id)) * count; }

private:
    static constexpr Id none = ~Id{0};
    std::vector<Id> head_;  // first particle of each cell, or none
    std::vector<Id> next_;  // of each particle the next in its cell, or none
};

}  // namespace scree::layouts
