// Shares made-up beds out to processes again and again as they move, by one of two libraries, and prints what that gives as JSON.
//   mpirun --oversubscribe -np 4 bench_partition --by zoltan --bed drum --bodies 100000 --times 20
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>

#include "calls.hpp"
#include "partitioner.hpp"
#include "surface.hpp"

namespace partition {
namespace {

struct Options {
    std::string by = "zoltan", bed = "box";
    std::uint32_t bodies = 100000;
    int times = 20, cell_bodies = 32;
    double span = 1;     // of time that the times of sharing out stand over
    double reach = 2.5;  // between centres: the diameter and a skin of a quarter of it
    double tolerance = 1.01;
};

Options read_options(int argc, char** argv) {
    Options o;
    for (int k = 1; k < argc; k += 2) {
        const std::string name = argv[k];
        if (k + 1 == argc) throw std::invalid_argument(name + " needs a value");
        const char* value = argv[k + 1];
        if (name == "--by")
            o.by = value;
        else if (name == "--bed")
            o.bed = value;
        else if (name == "--bodies")
            o.bodies = static_cast<std::uint32_t>(std::stoul(value));
        else if (name == "--times")
            o.times = std::stoi(value);
        else if (name == "--cell-bodies")
            o.cell_bodies = std::stoi(value);
        else if (name == "--span")
            o.span = std::stod(value);
        else if (name == "--reach")
            o.reach = std::stod(value);
        else if (name == "--tolerance")
            o.tolerance = std::stod(value);
        else
            throw std::invalid_argument("there is no option " + name);
    }
    return o;
}

std::unique_ptr<Partitioner> made(const Options& o, const Bed& bed) {
    if (o.by == "zoltan" || o.by == "zoltan_locked") return zoltan_cuts(bed, MPI_COMM_WORLD, o.tolerance, o.by == "zoltan_locked");
    if (o.by == "p4est") return p4est_forest(bed, MPI_COMM_WORLD, o.cell_bodies, o.reach);
    throw std::invalid_argument("--by zoltan, zoltan_locked or p4est, not " + o.by);
}

double sum_of(double x) {
    double all = 0;
    MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
double most_of(double x) {
    double all = 0;
    MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/// Peak of this process's memory since it was last forgotten [bytes], and its memory now.
double memory(const char* which) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(which)) return 1024 * std::atof(line.c_str() + std::strlen(which));
    }
    return 0;
}
void forget_peak() {
    std::ofstream("/proc/self/clear_refs") << 5;
}

/// Processor time of this process, which grows while it waits for others, too.
double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Wall seconds of a piece of work that all processes share in.
template <class Work>
double timed(Work work) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = std::chrono::steady_clock::now();
    work();
    MPI_Barrier(MPI_COMM_WORLD);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Most weight of a process over the mean, where each body is with target(body).
template <class Target>
double imbalance(const std::vector<Body>& bodies, int processes, Target target) {
    std::vector<double> weight(processes, 0.0), all(processes);
    for (const Body& b : bodies) weight[target(b)] += b.weight;
    MPI_Allreduce(weight.data(), all.data(), processes, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double sum = 0;
    for (const double w : all) sum += w;
    return *std::max_element(all.begin(), all.end()) * processes / sum;
}

struct Figure {
    double low{1e300}, sum{0}, high{-1e300};
    int count{0};
    void add(double x) {
        low = std::min(low, x);
        high = std::max(high, x);
        sum += x;
        ++count;
    }
};
void print(const char* name, const Figure& f, const char* behind = ",\n") {
    std::printf("  \"%s\": {\"least\": %.6g, \"mean\": %.6g, \"most\": %.6g}%s", name, f.low, f.count > 0 ? f.sum / f.count : 0.0, f.high,
                behind);
}

/// This process's bodies where they are dealt out by number, in blocks or by chance.
std::vector<Body> dealt(const Bed& bed, int rank, int processes, bool by_chance) {
    std::vector<Body> bodies;
    for (std::uint32_t id = 0; id < bed.bodies; ++id) {
        const int to = by_chance ? static_cast<int>(mixed(id) % processes) : static_cast<int>(std::uint64_t{id} * processes / bed.bodies);
        if (to == rank) bodies.push_back(bed.at(id, 0));
    }
    return bodies;
}

void study(const Options& o, int rank, int processes) {
    const std::unique_ptr<Bed> bed = make_bed(o.bed, o.bodies);
    std::vector<Body> bodies = dealt(*bed, rank, processes, false);

    // Is a division the same from other processes, and (as the hash tells) in another run and on another number of these?
    std::uint64_t once, by_chance, uneven;
    {
        const auto p = made(o, *bed);
        once = p->parts_hash(bodies, 8);
        by_chance = p->parts_hash(dealt(*bed, rank, processes, true), 8);
        std::vector<Body> other = bodies;  // weights as they are measured: no whole numbers
        if (o.by != "p4est") {
            for (Body& b : other) b.weight *= 0.7 + 0.1 * drawn(b.id, 7);
        }
        uneven = p->parts_hash(other, 8);
    }

    const auto moving = made(o, *bed), fixed = made(o, *bed);
    {
        std::vector<Body> copy = bodies;
        fixed->share_out(copy);
    }
    Figure seconds, after, before, off, crossed, moved, ghosts, most_ghosts, neighbours, border_seconds, least_ghosts, most_neighbours,
        peak, astray, collectives, messages, bytes, worked;
    double first_seconds = 0;
    for (int t = 0; t <= o.times; ++t) {
        const double time = o.span * t / std::max(1, o.times);
        for (Body& b : bodies) {
            b = bed->at(b.id, time);
            b.owner = rank;
        }
        if (t > 0) {  // bodies cross borders that stay, as they do between two times of sharing out
            std::vector<int> target(bodies.size());
            double crossing = 0;
            for (std::size_t i = 0; i < bodies.size(); ++i) {
                target[i] = moving->owner(bodies[i].place);
                crossing += target[i] != rank;
            }
            crossed.add(sum_of(crossing) / o.bodies);
            bodies = migrated(MPI_COMM_WORLD, bodies, target);
            before.add(imbalance(bodies, processes, [&](const Body&) { return rank; }));
            off.add(imbalance(bodies, processes, [&](const Body& b) { return fixed->owner(b.place); }));
            for (Body& b : bodies) b.owner = rank;
        }
        forget_peak();
        const double held = memory("VmRSS:");
        const Calls called = calls();
        const double cpu = cpu_seconds();
        const double took = timed([&] { moving->share_out(bodies); });
        worked.add(sum_of(cpu_seconds() - cpu));
        collectives.add(most_of(static_cast<double>(calls().collectives - called.collectives - 2)));  // but for two barriers
        messages.add(most_of(static_cast<double>(calls().messages - called.messages)));
        bytes.add(sum_of(static_cast<double>(calls().bytes - called.bytes)) / o.bodies);
        const double used = most_of(std::max(0.0, memory("VmHWM:") - held)) / (o.bodies / static_cast<double>(processes));
        if (t == 0)
            first_seconds = took;
        else
            seconds.add(took), peak.add(used);
        after.add(imbalance(bodies, processes, [&](const Body&) { return rank; }));
        double changed = 0, elsewhere = 0;
        for (const Body& b : bodies) {
            changed += b.owner != rank;
            elsewhere += moving->owner(b.place) != rank;
        }
        if (t > 0) moved.add(sum_of(changed) / o.bodies);
        astray.add(sum_of(elsewhere));

        std::vector<Reached> reached;
        border_seconds.add(timed([&] { reached = moving->reached(bodies, o.reach); }));
        std::vector<int> sent(processes, 0), got(processes);
        for (const Reached& r : reached) ++sent[r.process];
        MPI_Alltoall(sent.data(), 1, MPI_INT, got.data(), 1, MPI_INT, MPI_COMM_WORLD);
        double mine = 0, near = 0;
        for (const int n : got) mine += n, near += n > 0;
        ghosts.add(sum_of(mine) / o.bodies);
        most_ghosts.add(most_of(mine) * processes / o.bodies);
        neighbours.add(most_of(near));
        if (t % std::max(1, o.times / 4) == 0) {
            const Surface s = surface_of(*bed, MPI_COMM_WORLD, bodies, o.reach);
            least_ghosts.add(s.ghosts / o.bodies);
            most_neighbours.add(s.most_neighbours);
        }
    }
    if (rank != 0) return;
    std::printf(
        "{\n  \"by\": \"%s\",\n  \"bed\": \"%s\",\n  \"processes\": %d,\n  \"bodies\": %u,\n  \"times\": %d,\n  \"span\": %g,\n  "
        "\"reach\": %g,\n",
        o.by.c_str(), o.bed.c_str(), processes, o.bodies, o.times, o.span, o.reach);
    std::printf(
        "  \"parts_hash\": \"%016llx\",\n  \"same_from_other_processes\": %s,\n  \"parts_hash_of_uneven_weights\": "
        "\"%016llx\",\n",
        static_cast<unsigned long long>(once), once == by_chance ? "true" : "false", static_cast<unsigned long long>(uneven));
    std::printf("  \"first_seconds\": %.6g,\n", first_seconds);
    print("seconds", seconds);
    print("cpu_seconds_of_all", worked);
    print("border_seconds", border_seconds);
    print("peak_bytes_per_body", peak);
    print("collectives_of_the_worst", collectives);
    print("messages_of_the_worst", messages);
    print("bytes_sent_per_body", bytes);
    print("imbalance_after", after);
    print("imbalance_before", before);
    print("imbalance_off", off);
    print("crossed_share", crossed);
    print("moved_share", moved);
    print("ghost_share", ghosts);
    print("ghost_share_of_the_worst", most_ghosts);
    print("neighbours_of_the_worst", neighbours);
    print("least_ghost_share", least_ghosts);
    print("least_neighbours_of_the_worst", most_neighbours);
    print("bodies_astray", astray, "\n}\n");
}

}  // namespace
}  // namespace partition

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, processes = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    try {
        partition::study(partition::read_options(argc, argv), rank, processes);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_partition: %s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
}
