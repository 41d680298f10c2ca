// What is compared: a way to share bodies out to processes, by regions of space that all processes know.
#pragma once

#include <memory>
#include <vector>

#include <mpi.h>

#include "beds.hpp"

namespace partition {

/// A body that another process's region comes near.
struct Reached {
    std::uint32_t body;  // index of it
    std::int32_t process;
    bool operator==(const Reached&) const = default;
    auto operator<=>(const Reached&) const = default;
};

struct Partitioner {
    virtual ~Partitioner() = default;
    /// Shares the bodies of all processes out anew; each process's are exchanged for those that it then owns. Collective.
    virtual void share_out(std::vector<Body>& bodies) = 0;
    /// The process whose region a place is in. Asks nobody.
    virtual int owner(const Point& place) const = 0;
    /// Other processes whose regions come nearer to a body, or to a periodic image of it, than `reach` along every axis. Asks nobody.
    virtual std::vector<Reached> reached(const std::vector<Body>& bodies, double reach) const = 0;
    /// A number that tells into which of `parts` parts each body goes, where that is asked for other than as many as there are
    /// processes; equal numbers mean equal parts. Bodies stay. Collective.
    virtual std::uint64_t parts_hash(std::vector<Body> bodies, int parts) = 0;
};

/// Recursive coordinate bisection of Zoltan. tolerance: of the imbalance; locked: cuts keep the directions that they had first.
std::unique_ptr<Partitioner> zoltan_cuts(const Bed& bed, MPI_Comm world, double tolerance, bool locked);

/// A forest of octrees of p4est, cut along its curve; cells hold up to `cell_bodies` bodies where they are wider than `reach`.
std::unique_ptr<Partitioner> p4est_forest(const Bed& bed, MPI_Comm world, int cell_bodies, double reach);

/// Sends each body to target[i]; what this process has then, in the order of the senders. Collective.
std::vector<Body> migrated(MPI_Comm world, const std::vector<Body>& bodies, const std::vector<int>& target);

/// Sum over all processes of a mix of id and part.
std::uint64_t hash_of_parts(MPI_Comm world, const std::vector<Body>& bodies, const std::vector<int>& part);

/// Calls visit(place) for a body and for those of its images across periodic borders that come within `reach` of the domain.
template <class Visit>
void each_image(const Bed& bed, const Point& place, double reach, Visit visit) {
    int first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
    for (int a = 0; a < 3; ++a) {
        if (!bed.periodic[a]) continue;
        if (place[a] + reach >= bed.high[a]) first[a] = -1;
        if (place[a] - reach < bed.low[a]) last[a] = 1;
    }
    for (int i = first[0]; i <= last[0]; ++i) {
        for (int j = first[1]; j <= last[1]; ++j) {
            for (int k = first[2]; k <= last[2]; ++k) {
                visit(Point{place[0] + i * (bed.high[0] - bed.low[0]), place[1] + j * (bed.high[1] - bed.low[1]),
                            place[2] + k * (bed.high[2] - bed.low[2])});
            }
        }
    }
}

}  // namespace partition
