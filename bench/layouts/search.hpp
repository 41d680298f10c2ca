// The search itself, written once: particles in any storage and cells of any structure in; each pair within a diameter once out.
//
// A cell structure is a class with
//   name                          its word on command lines and in results
//   build(particles, grid)        puts every particle into its cell; memory is kept from call to call
//   visit(first, count, f)        f(entry) for each entry of the `count` consecutive cells from `first` on
//   for_each_cell(f)              f(cell) for all cells that may hold something, in the structure's own order
//   id(entry), point(p, entry)    the particle of an entry and its place. `EntriesAreIds` serves where an entry is the particle's number
//   needs(n, cells)               bytes that a build will hold, to first approximation, to ask before memory runs out
//   bytes()                       bytes held after a build
//   build_bytes(n)                bytes that the source of build() reads and writes for n particles, once memory is there
//   row_bytes(first, count)       bytes read to find out which entries these cells hold
//   entry_bytes                   bytes read to get at an entry's place, the place itself included
#pragma once

#include <cstdint>

#include "layouts/grid.hpp"
#include "layouts/particles.hpp"

namespace scree::layouts {

inline constexpr double point_bytes = sizeof(Vec3);

/// Whose partners are looked for first: particle after particle as they are numbered, or cell after cell.
enum class Walk { Particles, Cells };

/// For structures whose entries are numbers of particles.
struct EntriesAreIds {
    static constexpr double entry_bytes = sizeof(Id) + point_bytes;
    static Id id(Id entry) { return entry; }
    template <class Particles>
    static Vec3 point(const Particles& particles, Id entry) {
        return particles.position(entry);
    }
};

/// What a search looks at.
struct QueryCount {
    std::int64_t rows{0};     // rows of cells looked up
    std::int64_t entries{0};  // entries met in them
    std::int64_t tested{0};   // distances computed
    double bytes{0};          // read, counted from the source: see row_bytes and entry_bytes
};

template <class Particles, class Cells>
class Search {
public:
    static constexpr const char* name = Cells::name;

    void build(const Particles& particles, const Grid& grid) { cells_.build(particles, grid); }

    /// f(a, b) with numbers of particles, in any order, for each pair at most a diameter apart.
    template <Stencil stencil, Walk walk, class F>
    void for_each_pair(const Particles& particles, const Grid& grid, F f) const {
        const double reach2 = grid.diameter() * grid.diameter();
        for_each_meeting<stencil, walk>(
            particles, grid, [](Cell, Cell) {}, [](bool) {},
            [&](Id a, Vec3 at, Id b) {
                if (norm2(cells_.point(particles, b) - at) <= reach2) f(cells_.id(a), cells_.id(b));
            });
    }

    /// The same walk, which counts.
    template <Stencil stencil>
    QueryCount count(const Particles& particles, const Grid& grid) const {
        QueryCount count;
        count.bytes = point_bytes * particles.size();
        for_each_meeting<stencil, Walk::Particles>(
            particles, grid,
            [&](Cell first, Cell cells) {
                ++count.rows;
                count.bytes += cells_.row_bytes(first, cells);
            },
            [&](bool tested) {
                ++count.entries;
                count.bytes += tested ? Cells::entry_bytes : Cells::entry_bytes - point_bytes;
            },
            [&](Id, Vec3, Id) { ++count.tested; });
        return count;
    }

    Cells& cells() { return cells_; }
    const Cells& cells() const { return cells_; }

private:
    /// test(a, place of a, b) for each two entries that may be in touch. row(first, count) before each row, met(whether it is tested) at
    /// each entry: for counting.
    template <Stencil stencil, Walk walk, class R, class M, class F>
    void for_each_meeting(const Particles& particles, const Grid& grid, R row, M met, F test) const {
        const std::vector<Row> rows = grid.rows(stencil);
        const auto meet_around = [&](Id a, Cell cell) {
            const Vec3 at = cells_.point(particles, a);
            const auto later = [&](Id b) {
                met(b > a);
                if (b > a) test(a, at, b);
            };
            const auto all = [&](Id b) {
                met(true);
                test(a, at, b);
            };
            if constexpr (stencil == Stencil::Half) {
                row(cell, 1);
                cells_.visit(cell, 1, later);
            }
            for (const Row& r : rows) {
                const Cell first = static_cast<Cell>(cell + r.first);
                row(first, r.count);
                if constexpr (stencil == Stencil::Half) {
                    cells_.visit(first, r.count, all);
                } else {
                    cells_.visit(first, r.count, later);
                }
            }
        };
        if constexpr (walk == Walk::Particles) {
            for (Id a = 0; a < particles.size(); ++a) meet_around(a, grid.cell(cells_.point(particles, a)));
        } else {
            cells_.for_each_cell([&](Cell cell) { cells_.visit(cell, 1, [&](Id a) { meet_around(a, cell); }); });
        }
    }

    Cells cells_;
};

/// Marks the search of all pairs, which needs no cells.
struct Brute {
    static constexpr const char* name = "brute";
    static double needs(double, double) { return 0; }
    static std::size_t bytes() { return 0; }
    static double build_bytes(double) { return 0; }
};

template <class Particles>
class Search<Particles, Brute> {
public:
    static constexpr const char* name = Brute::name;
    void build(const Particles&, const Grid&) {}

    template <Stencil, Walk, class F>
    void for_each_pair(const Particles& particles, const Grid& grid, F f) const {
        const double reach2 = grid.diameter() * grid.diameter();
        for (Id a = 0; a < particles.size(); ++a) {
            const Vec3 at = particles.position(a);
            for (Id b = a + 1; b < particles.size(); ++b) {
                if (norm2(particles.position(b) - at) <= reach2) f(a, b);
            }
        }
    }

    template <Stencil>
    QueryCount count(const Particles& particles, const Grid&) const {
        const auto n = static_cast<std::int64_t>(particles.size());
        const std::int64_t pairs = n * (n - 1) / 2;
        return {0, pairs, pairs, point_bytes * static_cast<double>(pairs + n)};
    }

    const Brute& cells() const { return cells_; }

private:
    Brute cells_;
};

}  // namespace scree::layouts
