#include "engine/collide/finder.hpp"
#include "engine/collide/grid_search.hpp"
#include "engine/collide/place_rows.hpp"
#include "engine/exec/borrowed.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Bodies of one size: the cell is found again from the place.
struct MakeEqual {
    SphereView s;
    Lattice lattice;
    SCREE_HD EqualRow operator()(Index i) const {
        return {lattice.steps(s.x[i], 0), lattice.steps(s.y[i], 1), lattice.steps(s.z[i], 2), static_cast<std::uint32_t>(i)};
    }
};
struct MakeSized {
    SphereView s;
    Lattice lattice;
    SCREE_HD SizedRow operator()(Index i) const {
        SizedRow row{lattice.steps(s.x[i], 0),
                     lattice.steps(s.y[i], 1),
                     lattice.steps(s.z[i], 2),
                     static_cast<std::uint32_t>(i),
                     static_cast<float>(s.r[i] * lattice.scale),
                     0};
        row.cell = cell_of(lattice.level[lattice.level_of(s.r[i])], row.x, row.y, row.z);
        return row;
    }
};
struct CellOfSized {
    SCREE_HD std::uint32_t operator()(const SizedRow& row) const { return row.cell; }
};

void sort_by_cells(const Exec& exec, const SphereView& s, const Lattice& lattice, GridBuffers& buffers) {
    const Index n = s.n;
    const auto grow = [&](auto& array) { array.resize(n + lanes); };
    grow(buffers.x);
    grow(buffers.y);
    grow(buffers.z);
    grow(buffers.id);
    if (!lattice.equal) grow(buffers.radius);
    const PutPlace put{buffers.x.data(), buffers.y.data(), buffers.z.data(), buffers.radius.data(), buffers.id.data()};
    if (lattice.equal) {
        group_rows(exec, "collide/sort_by_cells", n, lattice.cells, MakeEqual{s, lattice}, CellOfEqual{lattice.level[0]}, put,
                   buffers.start, buffers.equal_rows);
    } else {
        group_rows(exec, "collide/sort_by_cells", n, lattice.cells, MakeSized{s, lattice}, CellOfSized{}, put, buffers.start,
                   buffers.sized_rows);
    }
}

template <bool Equal, bool Plain>
void search(const Exec& exec, const SphereView& s, const Lattice& lattice, GridBuffers& buffers, PairBuffers& pairs) {
    const LatticeView bodies{buffers.x.data(), buffers.y.data(), buffers.z.data(), buffers.radius.data()};
    find_each(exec, "collide/search_cells", s.n, GridSearch<Equal, Plain>{lattice, bodies, buffers.id.data(), buffers.start.data(), s},
              pairs);
}

}  // namespace

int find_by_cells(const Exec& exec, const SphereView& spheres, int levels, Finder& finder) {
    Lattice lattice{};
    finder.stages.time("plan", [&] { lattice = plan_lattice(exec, spheres, levels); });
    const Borrowed<double> x(spheres.x, spheres.n), y(spheres.y, spheres.n), z(spheres.z, spheres.n), r(spheres.r, spheres.n);
    const SphereView s{x.data(), y.data(), z.data(), r.data(), spheres.n};
    finder.stages.time("sort", [&] {
        sort_by_cells(exec, s, lattice, finder.grid);
        synchronize("collide/sort");
    });
    finder.stages.time("search", [&] {
        const bool plain = lattice.levels == 1 && !lattice.level[0].folded;
        if (lattice.equal && plain) {
            search<true, true>(exec, s, lattice, finder.grid, finder.pairs);
        } else if (lattice.equal) {
            search<true, false>(exec, s, lattice, finder.grid, finder.pairs);
        } else if (plain) {
            search<false, true>(exec, s, lattice, finder.grid, finder.pairs);
        } else {
            search<false, false>(exec, s, lattice, finder.grid, finder.pairs);
        }
        synchronize("collide/search");
    });
    return lattice.levels;
}

}  // namespace scree::SCREE_FLAVOR
