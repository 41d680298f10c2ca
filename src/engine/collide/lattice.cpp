#include "engine/collide/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/exec/extent.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr int lattice_bits = 30;  // of a coordinate, so that differences and one cell more fit 32 bits
constexpr int finest_cell = 6;    // cells are 2^6 steps wide at least: finer, and too many distances would need a second look
constexpr int widest_cell = 26;   // steps past the precision of float differences buy nothing

/// Lattice steps for these cells: level 0 is as wide as its largest sphere, and a little more, for what rounding may add.
void choose_steps(Lattice& lattice, double extent, double largest) {
    const auto shift_for = [&](double diameter) {
        if (extent <= 0) return widest_cell;
        const double bits = std::floor(lattice_bits + std::log2(diameter / extent));
        return static_cast<int>(std::clamp(bits, -1.0, static_cast<double>(widest_cell)));
    };
    const auto radius_of = [&] { return largest * (1 + 1e-6) / std::ldexp(1.0, lattice.levels - 1); };
    while (lattice.levels > 1 && shift_for(2 * radius_of()) < finest_cell) --lattice.levels;
    lattice.radius0 = radius_of();
    const int shift = std::max(finest_cell, shift_for(2 * lattice.radius0));
    lattice.scale = (std::ldexp(1.0, shift) - 4) / (2 * lattice.radius0);
    if (extent > 0) lattice.scale = std::min(lattice.scale, std::ldexp(1.0, lattice_bits) / extent);
    for (int k = 0; k < lattice.levels; ++k) {
        lattice.level[k].shift = std::min(shift + k, lattice_bits);
        // Beyond 2^30 steps everything is within reach.
        const double reach = std::ldexp(lattice.radius0, k) * lattice.scale + 3;
        lattice.level[k].reach = static_cast<std::int32_t>(std::min(reach, std::ldexp(1.0, lattice_bits)));
    }
}

/// What decides on equal spheres.
void choose_distances(Lattice& lattice, double radius) {
    const double reach = 2 * radius * lattice.scale;
    const double wide = reach * lattice_widen + lattice_margin;
    lattice.far2 = static_cast<float>((reach + wide) * (reach + wide));
    lattice.near2 = static_cast<float>(reach > wide ? (reach - wide) * (reach - wide) : 0);
}

constexpr Index largest_prime = 4294967291;  // below 2^32
/// Of cells in 32 bits, with some to spare for empty levels.
constexpr double most_numbers = 4294967295.0 - 4096;

/// Cells of a level: four for each of its bodies, as long as all levels together stay within 32 bits.
double most_cells_of(Index bodies, Index all) {
    const double each = std::min(4.0, (most_numbers - 64.0 * most_levels) / std::max(1.0, static_cast<double>(all)));
    return std::max(each * static_cast<double>(bodies), 64.0);
}

struct Cells {
    Index x, y, z;
    double all() const { return static_cast<double>(x + 2) * static_cast<double>(y + 2) * static_cast<double>(z + 2); }
};

Cells cells_at(const std::int32_t top[3], int shift) {
    return {(top[0] >> shift) + 1, (top[1] >> shift) + 1, (top[2] >> shift) + 1};
}

void use_cells(CellLevel& level, const Cells& cells) {
    level.folded = false;
    level.row = static_cast<std::uint32_t>(cells.x + 2);
    level.plane = level.row * static_cast<std::uint32_t>(cells.y + 2);
    level.cells = level.plane * static_cast<std::uint32_t>(cells.z + 2);
    level.origin = level.first + 1 + level.row + level.plane;
}

bool is_prime(std::uint32_t n) {
    for (std::uint32_t d = 3; static_cast<std::uint64_t>(d) * d <= n; d += 2) {
        if (n % d == 0) return false;
    }
    return n % 2 == 1;
}

/// A prime number of cells, so that no regular arrangement of bodies falls on few of them; steps along y and z by parts of it that
/// neighbours never share (tested: the 27 cells around one have 27 numbers).
void fold_cells(CellLevel& level, Index bodies) {
    level.folded = true;
    level.origin = level.first;
    level.cells = static_cast<std::uint32_t>(std::clamp<Index>(2 * bodies, 1009, largest_prime)) | 1u;
    while (!is_prime(level.cells)) level.cells += 2;
    // The golden section and the root of 2 less 1: no small multiples of them add up to a whole number, so rows and planes spread evenly.
    level.row = static_cast<std::uint32_t>(0.6180339887498949 * level.cells);
    level.plane = static_cast<std::uint32_t>(0.4142135623730950 * level.cells);
    const auto distinct = [&] {
        std::vector<std::uint32_t> numbers;
        numbers.reserve(27);
        for (int k = 0; k < 27; ++k) numbers.push_back(folded_cell(level, k % 3, k / 3 % 3, k / 9));
        std::sort(numbers.begin(), numbers.end());
        return std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
    };
    while (!distinct()) ++level.plane;
}

/// Sum over cells of the square of the bodies in each, what a search in them costs, for the levels marked in `wanted`.
void crowding(const Lattice& lattice, const bool wanted[most_levels], const SphereView& s, double sum[most_levels]) {
    std::vector<std::uint32_t> count[most_levels];
    for (int k = 0; k < lattice.levels; ++k) {
        if (wanted[k]) count[k].assign(lattice.level[k].cells, 0);
    }
    for (Index i = 0; i < s.n; ++i) {
        const int k = lattice.level_of(s.r[i]);
        if (!wanted[k]) continue;
        const CellLevel& level = lattice.level[k];
        ++count[k][cell_of(level, lattice.steps(s.x[i], 0), lattice.steps(s.y[i], 1), lattice.steps(s.z[i], 2)) - level.first];
    }
    for (int k = 0; k < lattice.levels; ++k) {
        sum[k] = 0;
        for (const std::uint32_t c : count[k]) sum[k] += static_cast<double>(c) * c;
    }
}

/// Up to four cells per body: wider cells where there are more, unless bodies then crowd in few of them. Then cells share numbers.
void choose_cells(Lattice& lattice, const Index bodies[most_levels], const std::int32_t top[3], const SphereView& s) {
    int narrowest[most_levels];
    bool widened[most_levels] = {};
    bool any = false;
    for (int k = 0; k < lattice.levels; ++k) {
        CellLevel& level = lattice.level[k];
        level.first = 0;
        level.empty = bodies[k] == 0;
        narrowest[k] = level.shift;
        const double most_cells = level.empty ? 27 : most_cells_of(bodies[k], s.n);
        while (level.shift < lattice_bits && cells_at(top, level.shift).all() > most_cells) ++level.shift;
        use_cells(level, cells_at(top, level.shift));
        widened[k] = !level.empty && level.shift > narrowest[k];
        any = any || widened[k];
    }
    double crowded[most_levels] = {};
    if (any) crowding(lattice, widened, s, crowded);
    for (int k = 0; k < lattice.levels; ++k) {
        CellLevel& level = lattice.level[k];
        level.first = static_cast<std::uint32_t>(lattice.cells);
        if (widened[k] && crowded[k] > 16.0 * static_cast<double>(bodies[k])) {
            level.shift = narrowest[k];
            fold_cells(level, bodies[k]);
        } else {
            use_cells(level, cells_at(top, level.shift));
        }
        lattice.cells += level.cells;
    }
}

}  // namespace

Lattice plan_lattice(const Exec& exec, const SphereView& s, int most) {
    Lattice lattice{};
    const Extent box[3] = {extent_of(exec, s.x, s.n), extent_of(exec, s.y, s.n), extent_of(exec, s.z, s.n)};
    const Extent radii = extent_of(exec, s.r, s.n);
    for (int axis = 0; axis < 3; ++axis) lattice.low[axis] = box[axis].low;
    lattice.equal = radii.low == radii.high;
    const int octaves = 1 + static_cast<int>(std::floor(std::log2(radii.high / radii.low)));
    lattice.levels = std::clamp(octaves, 1, std::clamp(most, 1, most_levels));
    choose_steps(lattice, std::max({box[0].size(), box[1].size(), box[2].size()}), radii.high);
    choose_distances(lattice, radii.high);

    Index bodies[most_levels] = {};
    if (lattice.levels == 1) {
        bodies[0] = s.n;
    } else {
        for (Index i = 0; i < s.n; ++i) ++bodies[lattice.level_of(s.r[i])];
    }
    std::int32_t top[3];
    for (int axis = 0; axis < 3; ++axis) top[axis] = lattice.steps(box[axis].high, axis);
    choose_cells(lattice, bodies, top, s);
    return lattice;
}

Lattice plan_equal(const double low[3], const double high[3], double radius, Index n) {
    Lattice lattice{};
    lattice.equal = true;
    lattice.levels = 1;
    double extent = 0;
    for (int axis = 0; axis < 3; ++axis) {
        lattice.low[axis] = low[axis];
        extent = std::max(extent, high[axis] - low[axis]);
    }
    choose_steps(lattice, extent, radius);
    choose_distances(lattice, radius);
    std::int32_t top[3];
    for (int axis = 0; axis < 3; ++axis) top[axis] = lattice.steps(high[axis], axis);
    CellLevel& level = lattice.level[0];
    const Cells cells = cells_at(top, level.shift);
    if (cells.all() > std::min(8.0 * static_cast<double>(n) + 4096, most_numbers)) {
        fold_cells(level, n);
    } else {
        use_cells(level, cells);
    }
    lattice.cells = level.cells;
    return lattice;
}

}  // namespace scree::SCREE_FLAVOR
