#include "surface.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "partitioner.hpp"

namespace partition {

namespace {

struct Placed {
    Point place;
    std::int32_t process;
};

/// All bodies on process 0.
std::vector<Placed> gathered(MPI_Comm world, const std::vector<Body>& bodies) {
    int rank = 0, processes = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &processes);
    std::vector<Placed> mine(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) mine[i] = {bodies[i].place, rank};
    const int bytes = static_cast<int>(mine.size() * sizeof(Placed));
    std::vector<int> count(processes), from(processes);
    MPI_Gather(&bytes, 1, MPI_INT, count.data(), 1, MPI_INT, 0, world);
    std::exclusive_scan(count.begin(), count.end(), from.begin(), 0);
    std::vector<Placed> all(rank == 0 ? (from.back() + count.back()) / sizeof(Placed) : 0);
    MPI_Gatherv(mine.data(), bytes, MPI_BYTE, all.data(), count.data(), from.data(), MPI_BYTE, 0, world);
    return all;
}

}  // namespace

Surface surface_of(const Bed& bed, MPI_Comm world, const std::vector<Body>& bodies, double reach) {
    int rank = 0, processes = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &processes);
    const std::vector<Placed> all = gathered(world, bodies);
    if (rank != 0) return {};
    // Cells of the reach or a little more; bodies and their images by cell, looked up in a sorted list.
    int cells[3];
    for (int a = 0; a < 3; ++a) cells[a] = std::max(1, static_cast<int>((bed.high[a] - bed.low[a]) / reach));
    const auto cell = [&](const Point& x, int a) {  // -1 and cells[a]: beyond a border
        const double c = (x[a] - bed.low[a]) / (bed.high[a] - bed.low[a]) * cells[a];
        return std::clamp(c < 0 ? -1 : static_cast<int>(c), -1, cells[a]);
    };
    const auto number = [&](int i, int j, int k) { return ((k + 1ll) * (cells[1] + 2) + j + 1) * (cells[0] + 2) + i + 1; };
    struct Entry {
        long long cell;
        Point place;
        std::int32_t process;
    };
    std::vector<Entry> entry;
    for (const Placed& b : all) {
        each_image(bed, b.place, reach, [&](const Point& x) {
            entry.push_back({number(cell(x, 0), cell(x, 1), cell(x, 2)), x, b.process});
        });
    }
    std::sort(entry.begin(), entry.end(), [](const Entry& a, const Entry& b) { return a.cell < b.cell; });
    std::vector<long long> keys(entry.size());
    std::transform(entry.begin(), entry.end(), keys.begin(), [](const Entry& e) { return e.cell; });
    std::vector<double> ghosts(processes, 0.0);
    std::vector<std::set<int>> neighbours(processes);
    std::vector<int> near;
    for (const Placed& b : all) {
        near.clear();
        const int at[3] = {cell(b.place, 0), cell(b.place, 1), cell(b.place, 2)};
        for (int k = -1; k <= 1; ++k) {
            for (int j = -1; j <= 1; ++j) {
                if (at[2] + k < -1 || at[2] + k > cells[2] || at[1] + j < -1 || at[1] + j > cells[1]) continue;
                const long long first = number(std::max(-1, at[0] - 1), at[1] + j, at[2] + k),
                                last = number(std::min(cells[0], at[0] + 1), at[1] + j, at[2] + k);
                for (auto e = std::lower_bound(keys.begin(), keys.end(), first) - keys.begin();
                     e < static_cast<long>(keys.size()) && keys[e] <= last; ++e) {
                    if (entry[e].process == b.process || std::find(near.begin(), near.end(), entry[e].process) != near.end()) continue;
                    double d2 = 0;
                    for (int a = 0; a < 3; ++a) d2 += (entry[e].place[a] - b.place[a]) * (entry[e].place[a] - b.place[a]);
                    if (d2 <= reach * reach) near.push_back(entry[e].process);
                }
            }
        }
        for (const int to : near) {
            ghosts[to] += 1;
            neighbours[to].insert(b.process);
        }
    }
    Surface s;
    for (int p = 0; p < processes; ++p) {
        s.ghosts += ghosts[p];
        s.most_ghosts = std::max(s.most_ghosts, ghosts[p]);
        s.most_neighbours = std::max(s.most_neighbours, static_cast<double>(neighbours[p].size()));
        s.mean_neighbours += static_cast<double>(neighbours[p].size()) / processes;
    }
    return s;
}

}  // namespace partition
