// Cells of fixed capacity: as many places in each as the fullest cell has needed so far, a power of two.
#pragma once

#include <vector>

#include "layouts/search.hpp"

namespace scree::layouts {

class Fixed : public EntriesAreIds {
public:
    static constexpr const char* name = "fixed";

    template <class Particles>
    void build(const Particles& particles, const Grid& grid) {
        while (!fill(particles, grid)) capacity_ *= 2;
    }

    template <class F>
    void visit(Cell first, Cell count, F f) const {
        for (Cell c = first; c < first + count; ++c) {
            const Id* place = &places_[static_cast<std::size_t>(c) * capacity_];
            for (Id k = 0; k < held_[c]; ++k) f(place[k]);
        }
    }
    template <class F>
    void for_each_cell(F f) const {
        for (Cell c = 0; c < held_.size(); ++c) f(c);
    }

    static double needs(double, double cells) { return sizeof(Id) * 9 * cells; }  // a capacity of 8 and the number held
    std::size_t bytes() const { return (held_.capacity() + places_.capacity()) * sizeof(Id); }
    /// The number held is written for each cell; a particle: its place, that number read and written, its own written.
    double build_bytes(double n) const { return sizeof(Id) * static_cast<double>(held_.size()) + (point_bytes + 3 * sizeof(Id)) * n; }
    double row_bytes(Cell, Cell count) const { return static_cast<double>(sizeof(Id)) * count; }

private:
    /// False where a cell is too small.
    template <class Particles>
    bool fill(const Particles& particles, const Grid& grid) {
        held_.assign(grid.cells(), 0);
        places_.resize(static_cast<std::size_t>(grid.cells()) * capacity_);
        for (Id i = 0; i < particles.size(); ++i) {
            const Cell c = grid.cell(particles.position(i));
            if (held_[c] == capacity_) return false;
            places_[static_cast<std::size_t>(c) * capacity_ + held_[c]++] = i;
        }
        return true;
    }

    Id capacity_{4};          // places per cell
    std::vector<Id> held_;    // particles in each cell
    std::vector<Id> places_;  // capacity_ per cell
};

}  // namespace scree::layouts
