// A forest of octrees of p4est: leaves are split where they hold too many bodies and joined where they hold few, and the row of leaves
// along the space-filling curve is cut into one piece a process.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <p8est_bits.h>
#include <p8est_communication.h>
#include <p8est_extended.h>
#include <p8est_search.h>

#include "partitioner.hpp"

namespace partition {

namespace {

struct P4estForest : Partitioner {
    const Bed& bed;
    MPI_Comm world;
    int rank{0}, processes{1}, cell_bodies, deepest{0};
    int trees[3];
    double edge[3];                          // of a tree
    std::vector<std::int32_t> tree_at;       // number of the tree at (i, j, k)
    std::vector<std::array<int, 3>> corner;  // and back
    p8est_connectivity_t* connectivity;
    p8est_t* forest;
    double reach;
    // While bodies are shared out: their keys in order, and the sums of their weights.
    std::vector<std::uint64_t> key;
    std::vector<std::int64_t> weight_before;
    // While borders are looked for.
    struct Query {
        Point low, high;
        std::uint32_t body;
    };
    std::vector<Reached> found;

    P4estForest(const Bed& of_bed, MPI_Comm comm, int most, double least_cell)
        : bed(of_bed), world(comm), cell_bodies(most), reach(least_cell) {
        MPI_Comm_rank(world, &rank);
        MPI_Comm_size(world, &processes);
        static bool initialised = false;
        if (!initialised) sc_init(world, 0, 0, nullptr, SC_LP_SILENT), p4est_init(nullptr, SC_LP_SILENT);
        initialised = true;
        double shortest = std::numeric_limits<double>::max();
        for (int a = 0; a < 3; ++a) shortest = std::min(shortest, bed.high[a] - bed.low[a]);
        double narrowest = shortest;
        for (int a = 0; a < 3; ++a) {
            trees[a] = std::max(1, static_cast<int>(std::lround((bed.high[a] - bed.low[a]) / shortest)));
            edge[a] = (bed.high[a] - bed.low[a]) / trees[a];
            narrowest = std::min(narrowest, edge[a]);
        }
        while (deepest < 12 && narrowest / (2 << deepest) >= reach) ++deepest;
        connectivity = p8est_connectivity_new_brick(trees[0], trees[1], trees[2], bed.periodic[0], bed.periodic[1], bed.periodic[2]);
        corner.resize(connectivity->num_trees);
        tree_at.resize(connectivity->num_trees);
        for (p4est_topidx_t t = 0; t < connectivity->num_trees; ++t) {
            const double* at = connectivity->vertices + 3 * connectivity->tree_to_vertex[8 * t];
            for (int a = 0; a < 3; ++a) corner[t][a] = static_cast<int>(std::lround(at[a]));
            tree_at[(corner[t][2] * trees[1] + corner[t][1]) * trees[0] + corner[t][0]] = t;
        }
        forest = p8est_new_ext(world, connectivity, 0, std::min(deepest, 2), 1, 0, nullptr, this);
    }
    ~P4estForest() override {
        p8est_destroy(forest);
        p8est_connectivity_destroy(connectivity);
    }
    P4estForest(const P4estForest&) = delete;
    P4estForest& operator=(const P4estForest&) = delete;

    /// The tree and the smallest cell that a place is in.
    std::pair<p4est_topidx_t, p8est_quadrant_t> cell_of(const Point& place) const {
        int at[3];
        p4est_qcoord_t in[3];
        for (int a = 0; a < 3; ++a) {
            const double x = (place[a] - bed.low[a]) / edge[a];
            at[a] = std::clamp(static_cast<int>(x), 0, trees[a] - 1);
            const int cells = 1 << deepest, c = std::clamp(static_cast<int>((x - at[a]) * cells), 0, cells - 1);
            in[a] = c * P8EST_QUADRANT_LEN(deepest);
        }
        p8est_quadrant_t q;
        P8EST_QUADRANT_INIT(&q);
        q.x = in[0];
        q.y = in[1];
        q.z = in[2];
        q.level = static_cast<std::int8_t>(deepest);
        return {tree_at[(at[2] * trees[1] + at[1]) * trees[0] + at[0]], q};
    }

    int owner(const Point& place) const override {
        const auto [tree, q] = cell_of(place);
        return p8est_comm_find_owner(forest, tree, &q, rank);
    }

    std::uint64_t key_of(p4est_topidx_t tree, const p8est_quadrant_t& q) const {
        return (static_cast<std::uint64_t>(tree) << 40) | (p8est_quadrant_linear_id(&q, q.level) << (3 * (deepest - q.level)));
    }
    /// Bodies [first, last), by keys, in a cell.
    std::pair<std::size_t, std::size_t> in_cell(p4est_topidx_t tree, const p8est_quadrant_t& q) const {
        const std::uint64_t first = key_of(tree, q), end = first + (std::uint64_t{1} << (3 * (deepest - q.level)));
        return {std::lower_bound(key.begin(), key.end(), first) - key.begin(), std::lower_bound(key.begin(), key.end(), end) - key.begin()};
    }
    static P4estForest& of(p8est_t* p) { return *static_cast<P4estForest*>(p->user_pointer); }
    static int splits(p8est_t* p, p4est_topidx_t tree, p8est_quadrant_t* q) {
        const auto [first, last] = of(p).in_cell(tree, *q);
        return q->level < of(p).deepest && last - first > static_cast<std::size_t>(of(p).cell_bodies);
    }
    static int joins(p8est_t* p, p4est_topidx_t tree, p8est_quadrant_t* q[]) {
        std::size_t bodies = 0;
        for (int k = 0; k < P8EST_CHILDREN; ++k) {
            const auto [first, last] = of(p).in_cell(tree, *q[k]);
            bodies += last - first;
        }
        return bodies <= static_cast<std::size_t>(of(p).cell_bodies);
    }
    static int weight(p8est_t* p, p4est_topidx_t tree, p8est_quadrant_t* q) {
        const auto [first, last] = of(p).in_cell(tree, *q);
        return static_cast<int>(of(p).weight_before[last] - of(p).weight_before[first]);
    }

    /// Bodies to the processes that own their cells.
    void send_home(std::vector<Body>& bodies) {
        std::vector<int> target(bodies.size());
        for (std::size_t i = 0; i < bodies.size(); ++i) target[i] = owner(bodies[i].place);
        bodies = migrated(world, bodies, target);
    }
    /// Keys and weights of bodies that are at home; the leaves are fitted to them.
    void fit_leaves(std::vector<Body>& bodies) {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> order(bodies.size());
        for (std::uint32_t i = 0; i < bodies.size(); ++i) {
            const auto [tree, q] = cell_of(bodies[i].place);
            order[i] = {key_of(tree, q), i};
        }
        std::sort(order.begin(), order.end());
        key.resize(bodies.size());
        weight_before.assign(bodies.size() + 1, 0);
        for (std::size_t k = 0; k < order.size(); ++k) {
            key[k] = order[k].first;
            weight_before[k + 1] = weight_before[k] + std::lround(bodies[order[k].second].weight);
        }
        p8est_coarsen_ext(forest, 1, 0, joins, nullptr, nullptr);
        p8est_refine_ext(forest, 1, deepest, splits, nullptr, nullptr);
    }

    void share_out(std::vector<Body>& bodies) override {
        send_home(bodies);
        fit_leaves(bodies);
        p8est_partition_ext(forest, 1, weight);
        send_home(bodies);
    }

    /// The branch meets the box of a query.
    static int meets(p8est_t* p, p4est_topidx_t tree, p8est_quadrant_t* q, int first, int last, void* point) {
        P4estForest& self = of(p);
        const Query& box = *static_cast<const Query*>(point);
        const p4est_qcoord_t at[3] = {q->x, q->y, q->z};
        for (int a = 0; a < 3; ++a) {
            const double cell = self.edge[a] / P8EST_ROOT_LEN, low = self.bed.low[a] + self.corner[tree][a] * self.edge[a] + at[a] * cell;
            if (box.high[a] < low || box.low[a] >= low + cell * P8EST_QUADRANT_LEN(q->level)) return 0;
        }
        if (first == last && first != self.rank) self.found.push_back({box.body, first});
        return 1;
    }

    std::vector<Reached> reached(const std::vector<Body>& bodies, double within) const override {
        sc_array_t* queries = sc_array_new(sizeof(Query));
        for (std::uint32_t i = 0; i < bodies.size(); ++i) {
            each_image(bed, bodies[i].place, within, [&](const Point& x) {
                *static_cast<Query*>(sc_array_push(queries)) = {
                    {x[0] - within, x[1] - within, x[2] - within}, {x[0] + within, x[1] + within, x[2] + within}, i};
            });
        }
        std::vector<Reached>& all = const_cast<P4estForest*>(this)->found;
        all.clear();
        p8est_search_partition(forest, 0, nullptr, meets, queries);
        sc_array_destroy(queries);
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }

    std::uint64_t parts_hash(std::vector<Body> bodies, int wanted) override {
        P4estForest fresh(bed, world, cell_bodies, reach);
        fresh.send_home(bodies);
        fresh.fit_leaves(bodies);
        // The row of leaves is cut by the weight before the middle of each.
        std::int64_t mine = fresh.weight_before.back(), before = 0, all = 0;
        MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, world);
        if (rank == 0) before = 0;
        MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, world);
        std::vector<int> part_of_key(fresh.key.size(), 0);
        for (p4est_topidx_t t = fresh.forest->first_local_tree; t <= fresh.forest->last_local_tree; ++t) {
            sc_array_t& leaves = p8est_tree_array_index(fresh.forest->trees, t)->quadrants;
            for (std::size_t k = 0; k < leaves.elem_count; ++k) {
                const auto [first, last] = fresh.in_cell(t, *p8est_quadrant_array_index(&leaves, k));
                const std::int64_t twice = 2 * before + fresh.weight_before[first] + fresh.weight_before[last];
                for (std::size_t i = first; i < last; ++i)
                    part_of_key[i] = static_cast<int>(std::min<std::int64_t>(wanted - 1, twice * wanted / (2 * all)));
            }
        }
        std::vector<int> part(bodies.size());
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const auto [tree, q] = cell_of(bodies[i].place);
            part[i] = part_of_key[std::lower_bound(fresh.key.begin(), fresh.key.end(), key_of(tree, q)) - fresh.key.begin()];
        }
        return hash_of_parts(world, bodies, part);
    }
};

}  // namespace

std::unique_ptr<Partitioner> p4est_forest(const Bed& bed, MPI_Comm world, int cell_bodies, double reach) {
    return std::make_unique<P4estForest>(bed, world, cell_bodies, reach);
}

}  // namespace partition
