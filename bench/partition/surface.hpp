// How many ghosts a division of bodies needs at least, whatever found it: counted from all bodies on one process.
#pragma once

#include <vector>

#include <mpi.h>

#include "beds.hpp"

namespace partition {

/// Of all processes; on process 0, zeros elsewhere.
struct Surface {
    double ghosts{0};           // bodies of others within reach of a process's own, over all processes
    double most_ghosts{0};      // of one process
    double most_neighbours{0};  // processes that one gets ghosts from
    double mean_neighbours{0};
};

/// `reach` between centres. Collective; O(bodies) on process 0, which holds all of them meanwhile.
Surface surface_of(const Bed& bed, MPI_Comm world, const std::vector<Body>& bodies, double reach);

}  // namespace partition
