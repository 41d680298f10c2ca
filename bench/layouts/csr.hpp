// Compressed rows: all particle numbers in one array in the order of cells, and where each cell starts in it.
// Counting, a running sum, and one more pass that drops each number into its place; numbers ascend within a cell.
#pragma once

#include <type_traits>
#include <vector>

#include "layouts/prefix.hpp"
#include "layouts/search.hpp"

namespace scree::layouts {

template <class Prefix>
class Csr : public EntriesAreIds {
public:
    static constexpr const char* name = std::is_same_v<Prefix, SerialPrefix> ? "csr" : "csr_parallel_prefix";

    template <class Particles>
    void build(const Particles& particles, const Grid& grid) {
        starts_.assign(std::size_t{grid.cells()} + 1, 0);
        cell_of_.resize(particles.size());
        ids_.resize(particles.size());
        for (Id i = 0; i < particles.size(); ++i) ++starts_[cell_of_[i] = grid.cell(particles.position(i))];
        Prefix::sum(starts_);  // now the end of each cell, and its start once all its particles have been put there
        for (Id i = particles.size(); i-- > 0;) ids_[--starts_[cell_of_[i]]] = i;
    }

    template <class F>
    void visit(Cell first, Cell count, F f) const {
        for (Id k = starts_[first]; k < starts_[first + count]; ++k) f(ids_[k]);
    }
    template <class F>
    void for_each_cell(F f) const {
        for (Cell c = 0; c + 1 < starts_.size(); ++c) f(c);
    }

    /// Numbers of particles in the order of cells.
    const std::vector<Id>& order() const { return ids_; }

    static double needs(double n, double cells) { return sizeof(Id) * (cells + 2 * n); }
    std::size_t bytes() const { return (starts_.capacity() + cell_of_.capacity() + ids_.capacity()) * sizeof(Id); }
    /// A count per cell is written, then summed; a particle: its place, its cell written and read, a count and a start read and written,
    /// its number written.
    double build_bytes(double n) const {
        return (sizeof(Id) + Prefix::bytes_each) * static_cast<double>(starts_.size()) + (point_bytes + 7 * sizeof(Id)) * n;
    }
    double row_bytes(Cell, Cell) const { return 2 * sizeof(Id); }

protected:
    std::vector<Id> starts_;     // of each cell in ids_, and the end
    std::vector<Cell> cell_of_;  // of each particle
    std::vector<Id> ids_;        // of all particles, cell after cell
};

/// The same, with a copy of the places beside the numbers: what a search reads of one cell lies together, whatever the particles' order.
class CsrCopied : public Csr<SerialPrefix> {
public:
    static constexpr const char* name = "csr_copied";
    static constexpr double entry_bytes = point_bytes;

    template <class Particles>
    void build(const Particles& particles, const Grid& grid) {
        Csr::build(particles, grid);
        points_.resize(particles.size());
        for (Id k = 0; k < particles.size(); ++k) points_[k] = particles.position(ids_[k]);
    }

    Id id(Id entry) const { return ids_[entry]; }
    template <class Particles>
    Vec3 point(const Particles&, Id entry) const {
        return points_[entry];
    }
    template <class F>
    void visit(Cell first, Cell count, F f) const {
        for (Id k = starts_[first]; k < starts_[first + count]; ++k) f(k);
    }

    static double needs(double n, double cells) { return Csr::needs(n, cells) + point_bytes * n; }
    std::size_t bytes() const { return Csr::bytes() + points_.capacity() * sizeof(Vec3); }
    double build_bytes(double n) const { return Csr::build_bytes(n) + (sizeof(Id) + 2 * point_bytes) * n; }

private:
    std::vector<Vec3> points_;  // places of ids_
};

}  // namespace scree::layouts
