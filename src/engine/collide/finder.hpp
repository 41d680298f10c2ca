// Finds the touching pairs of spheres by one method in one flavor; keeps its memory for the next call.
#pragma once

#include "engine/collide/lattice.hpp"
#include "engine/collide/problem.hpp"
#include "engine/exec/array.hpp"
#include "engine/exec/group_rows.hpp"
#include "engine/exec/pair_sink.hpp"
#include "engine/exec/timer.hpp"

namespace scree::SCREE_FLAVOR {

/// A body on its way to its place in the order of cells.
struct EqualRow {
    std::int32_t x, y, z;
    std::uint32_t id;
};
struct SizedRow {
    std::int32_t x, y, z;
    std::uint32_t id;
    float radius;
    std::uint32_t cell;
};

/// Seconds of stages in the order they were first seen.
class StageList {
public:
    template <class Work>
    void time(const char* name, Work work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        add(name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    void add(const char* name, double seconds) {
        for (StageTime& s : stages_) {
            if (s.name != name) continue;
            s.seconds += seconds;
            ++s.calls;
            return;
        }
        stages_.push_back({name, seconds, 1});
    }
    const std::vector<StageTime>& stages() const { return stages_; }

private:
    std::vector<StageTime> stages_;
};

/// Arrays of a search over cells: bodies in the order of cells.
struct GridBuffers {
    Array<std::int32_t> x, y, z;
    Array<float> radius;
    Array<std::uint32_t> id, start;
    RowBuffers<EqualRow> equal_rows;
    RowBuffers<SizedRow> sized_rows;
    std::size_t bytes() const {
        return x.bytes() + y.bytes() + z.bytes() + radius.bytes() + id.bytes() + start.bytes() + equal_rows.bytes() + sized_rows.bytes();
    }
};

/// Arrays of the nine stages.
struct BinBuffers {
    Array<std::int32_t> counts;
    Array<Index> offsets, starts;
    Array<std::uint32_t> keys, bodies;
    Array<Row4> rows;
    SortBuffers sort;
    std::size_t bytes() const {
        return counts.bytes() + offsets.bytes() + starts.bytes() + keys.bytes() + bodies.bytes() + rows.bytes() + sort.keys.bytes() +
               sort.values.bytes() + sort.counts.bytes() + sort.bytes.bytes();
    }
};

struct Finder {
    PairBuffers pairs;
    GridBuffers grid;
    BinBuffers bins;
    StageList stages;

    std::size_t bytes() const { return pairs.bytes() + grid.bytes() + bins.bytes(); }
};

/// Each leaves the pairs in finder.pairs. n > 0.
void find_brute(const Exec& exec, const SphereView& spheres, Finder& finder);
/// `levels`: 1 for a single grid, more for up to so many octaves of size. Returns how many there were.
int find_by_cells(const Exec& exec, const SphereView& spheres, int levels, Finder& finder);
void find_by_bins(const Exec& exec, const SphereView& spheres, Finder& finder);

/// By the method asked for; Auto chooses. Returns the method used.
CollideMethod find_touching(const Exec& exec, const SphereView& spheres, CollideMethod method, Finder& finder);

}  // namespace scree::SCREE_FLAVOR
