// Nine stages (Mazhar, Heyn, Negrut, section 4.2.1 of the source; see docs): a sphere lies in every bin its box reaches into.
//   1 count the bins of each body   2 scan   3 write (bin, body)   4 sort by bin   5 find where bins start   6 leave out empty ones
//   7 count the contacts of each bin   8 scan   9 write them
// A pair that meets in several bins belongs to the one that holds the midpoint of the collision volume. On the host stages 7 to 9 are one
// pass into growing buffers (find_each). Any sizes: the bin is chosen so that bodies lie in a few bins each on average.
#include <algorithm>
#include <cmath>

#include "engine/collide/finder.hpp"
#include "engine/collide/midpoint.hpp"
#include "engine/collide/touch.hpp"
#include "engine/exec/borrowed.hpp"
#include "engine/exec/extent.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// The bins: a grid of cubes, at most 2^31 of them.
struct BinGrid {
    double low[3];
    double inverse;         // bins per metre
    std::int32_t count[3];  // along each axis

    /// Bin along one axis of a place, at the edge for places outside.
    SCREE_HD std::int32_t at(double x, int axis) const {
        const double bin = (x - low[axis]) * inverse;
        return bin <= 0 ? 0 : bin >= count[axis] - 1 ? count[axis] - 1 : static_cast<std::int32_t>(bin);
    }
};

struct BinRange {
    std::int32_t from[3], to[3];  // both inside
    SCREE_HD Index bins() const { return static_cast<Index>(to[0] - from[0] + 1) * (to[1] - from[1] + 1) * (to[2] - from[2] + 1); }
};

/// Of a sphere as x, y, z, r.
SCREE_HD BinRange range_of(const BinGrid& grid, const double sphere[4]) {
    BinRange range{};
    for (int axis = 0; axis < 3; ++axis) {
        const double reach = reach_of(sphere[axis], sphere[3]);
        range.from[axis] = grid.at(sphere[axis] - reach, axis);
        range.to[axis] = grid.at(sphere[axis] + reach, axis);
    }
    return range;
}

SCREE_HD BinRange range_of(const BinGrid& grid, const SphereView& s, Index i) {
    const double sphere[4] = {s.x[i], s.y[i], s.z[i], s.r[i]};
    return range_of(grid, sphere);
}

/// Whether this bin owns a pair: whether it is that of the midpoint, kept within the bins both reach into.
SCREE_HD bool owns(const BinGrid& grid, const std::int32_t here[3], const double a[4], const double b[4]) {
    const Vec3 m = collision_midpoint(a, b);
    const double place[3] = {m.x, m.y, m.z};
    const BinRange of_a = range_of(grid, a), of_b = range_of(grid, b);
    bool same = true;
    for (int axis = 0; axis < 3; ++axis) {
        const std::int32_t bin = grid.at(place[axis], axis);
        const std::int32_t least = of_a.from[axis] > of_b.from[axis] ? of_a.from[axis] : of_b.from[axis];
        const std::int32_t most = of_a.to[axis] < of_b.to[axis] ? of_a.to[axis] : of_b.to[axis];
        same = same && here[axis] == (bin < least ? least : bin > most ? most : bin);
    }
    return same;
}

void count_bins(const Exec& exec, const BinGrid& grid, const SphereView& s, Array<std::int32_t>& counts) {
    counts.resize(s.n);
    std::int32_t* out = counts.data();
    for_each(
        exec, "collide/count_bins", s.n, SCREE_LAMBDA(Index i)->void { out[i] = static_cast<std::int32_t>(range_of(grid, s, i).bins()); });
}

void write_bins(const Exec& exec, const BinGrid& grid, const SphereView& s, const Array<Index>& offsets, BinBuffers& buffers) {
    const Index* offset = offsets.data();
    std::uint32_t* keys = buffers.keys.data();
    std::uint32_t* bodies = buffers.bodies.data();
    for_each(
        exec, "collide/write_bins", s.n, SCREE_LAMBDA(Index i)->void {
            const BinRange range = range_of(grid, s, i);
            Index at = offset[i];
            for (std::int32_t z = range.from[2]; z <= range.to[2]; ++z) {
                for (std::int32_t y = range.from[1]; y <= range.to[1]; ++y) {
                    for (std::int32_t x = range.from[0]; x <= range.to[0]; ++x) {
                        keys[at] = static_cast<std::uint32_t>((static_cast<Index>(z) * grid.count[1] + y) * grid.count[0] + x);
                        bodies[at] = static_cast<std::uint32_t>(i);
                        ++at;
                    }
                }
            }
        });
}

/// Stages 5 and 6: where the used bins start in the sorted list; the last entry is its end.
void find_used_bins(const Exec& exec, BinBuffers& buffers) {
    const Index entries = buffers.keys.size();
    const std::uint32_t* keys = buffers.keys.data();
    buffers.counts.resize(entries);
    std::int32_t* opens = buffers.counts.data();
    for_each(
        exec, "collide/open_bins", entries, SCREE_LAMBDA(Index k)->void { opens[k] = k == 0 || keys[k - 1] != keys[k] ? 1 : 0; });
    const Index used = scan_counts(exec, opens, entries, buffers.offsets);
    buffers.starts.resize(used + 1);
    Index* starts = buffers.starts.data();
    const Index* number = buffers.offsets.data();
    for_each(
        exec, "collide/start_bins", entries + 1, SCREE_LAMBDA(Index k)->void {
            if (k == entries) {
                starts[used] = entries;
            } else if (opens[k] != 0) {
                starts[number[k]] = k;
            }
        });
}

/// Centre and radius side by side: bodies of a bin lie anywhere in memory.
void pack_rows(const Exec& exec, const SphereView& s, Array<Row4>& rows) {
    rows.resize(s.n);
    Row4* out = rows.data();
    for_each(
        exec, "collide/pack_rows", s.n, SCREE_LAMBDA(Index i)->void {
            out[i] = {{s.x[i], s.y[i], s.z[i], s.r[i]}};
        });
}

/// Stages 7 and 9: all pairs within one bin. The bodies of a bin are in the order of ids, as sorting is stable.
struct BinSearch {
    BinGrid grid;
    const Row4* rows;  // x, y, z, r of each body
    const std::uint32_t* keys;
    const std::uint32_t* bodies;
    const Index* starts;

    static constexpr Index kept = on_device ? 1 : 64;  // bodies whose rows are fetched at once, before any of them is needed

    SCREE_HD void operator()(Index bin, PairSink& sink) const {
        const Index begin = starts[bin], end = starts[bin + 1];
        const auto mine = static_cast<std::int32_t>(keys[begin]);
        const std::int32_t here[3] = {mine % grid.count[0], mine / grid.count[0] % grid.count[1], mine / grid.count[0] / grid.count[1]};
        const Index near = end - begin < kept ? end - begin : kept;
        Row4 row[kept];
        for (Index k = 0; k < near; ++k) row[k] = rows[bodies[begin + k]];
        for (Index k = begin; k < end; ++k) {
            const Row4 a = k - begin < near ? row[k - begin] : rows[bodies[k]];
            sink.tested += end - k - 1;
            for (Index l = k + 1; l < end; ++l) {
                const Row4& b = l - begin < near ? row[l - begin] : rows[bodies[l]];
                const Touch found = touch(a.value, b.value);
                if (!found.yes || !owns(grid, here, a.value, b.value)) continue;
                sink.put(bodies[k], bodies[l]);
                sink.touching += found.barely ? 1 : 0;
            }
        }
    }
};

BinGrid grid_with(const Extent box[3], double edge) {
    BinGrid grid{};
    grid.inverse = 1 / edge;
    for (int axis = 0; axis < 3; ++axis) {
        grid.low[axis] = box[axis].low;
        grid.count[axis] = static_cast<std::int32_t>(std::min(box[axis].size() / edge, 2e9)) + 1;
    }
    return grid;
}

/// The smallest of the bins D, D/2, D/4 … (D: the largest diameter) that keeps the list within `most` entries per body and the number of
/// bins within 2^31; wider than D where space is vast. Of equal spheres in bins of D each lies in 8.
BinGrid choose_bins(const SphereView& s, const Exec& exec) {
    constexpr double most = 12;
    constexpr double most_bins = 2147483000.0;
    const Extent box[3] = {extent_of(exec, s.x, s.n), extent_of(exec, s.y, s.n), extent_of(exec, s.z, s.n)};
    double edge = 2 * extent_of(exec, s.r, s.n).high;
    const auto bins = [&](double e) { return (box[0].size() / e + 1) * (box[1].size() / e + 1) * (box[2].size() / e + 1); };
    const auto entries = [&](double e) {
        double sum = 0;
        for (Index i = 0; i < s.n; ++i) {
            const double across = 2 * s.r[i] / e + 1;
            sum += across * across * across;
        }
        return sum;
    };
    while (bins(edge) > most_bins) edge *= 2;
    while (bins(edge / 2) <= most_bins && entries(edge / 2) <= most * static_cast<double>(s.n)) edge /= 2;
    return grid_with(box, edge);
}

}  // namespace

void find_by_bins(const Exec& exec, const SphereView& spheres, Finder& finder) {
    BinBuffers& buffers = finder.bins;
    BinGrid grid{};
    finder.stages.time("plan", [&] { grid = choose_bins(spheres, exec); });
    const Borrowed<double> x(spheres.x, spheres.n), y(spheres.y, spheres.n), z(spheres.z, spheres.n), r(spheres.r, spheres.n);
    const SphereView s{x.data(), y.data(), z.data(), r.data(), spheres.n};
    Index entries = 0;
    finder.stages.time("1 count bins", [&] { count_bins(exec, grid, s, buffers.counts); });
    finder.stages.time("2 scan", [&] { entries = scan_counts(exec, buffers.counts.data(), s.n, buffers.offsets); });
    finder.stages.time("3 write bins", [&] {
        buffers.keys.resize(entries);
        buffers.bodies.resize(entries);
        write_bins(exec, grid, s, buffers.offsets, buffers);
    });
    finder.stages.time("4 sort", [&] {
        const Index all = static_cast<Index>(grid.count[0]) * grid.count[1] * grid.count[2];
        sort_pairs(exec, buffers.keys, buffers.bodies, bits_for(all), buffers.sort);
    });
    finder.stages.time("5, 6 find used bins", [&] { find_used_bins(exec, buffers); });
    finder.stages.time("7 to 9 count, scan, write contacts", [&] {
        pack_rows(exec, s, buffers.rows);
        const BinSearch search{grid, buffers.rows.data(), buffers.keys.data(), buffers.bodies.data(), buffers.starts.data()};
        find_each(exec, "collide/search_bins", buffers.starts.size() - 1, search, finder.pairs);
        synchronize("collide/search_bins");
    });
}

}  // namespace scree::SCREE_FLAVOR
