#include <numeric>

#include "partitioner.hpp"

namespace partition {

std::vector<Body> migrated(MPI_Comm world, const std::vector<Body>& bodies, const std::vector<int>& target) {
    int processes = 0;
    MPI_Comm_size(world, &processes);
    std::vector<int> sent(processes), got(processes), sent_from(processes), got_from(processes);
    for (const int to : target) ++sent[to];
    MPI_Alltoall(sent.data(), 1, MPI_INT, got.data(), 1, MPI_INT, world);
    std::exclusive_scan(sent.begin(), sent.end(), sent_from.begin(), 0);
    std::exclusive_scan(got.begin(), got.end(), got_from.begin(), 0);
    std::vector<Body> out(bodies.size()), in(got_from.back() + got.back());
    std::vector<int> next = sent_from;
    for (std::size_t i = 0; i < bodies.size(); ++i) out[next[target[i]]++] = bodies[i];
    MPI_Datatype type;
    MPI_Type_contiguous(sizeof(Body), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Alltoallv(out.data(), sent.data(), sent_from.data(), type, in.data(), got.data(), got_from.data(), type, world);
    MPI_Type_free(&type);
    return in;
}

std::uint64_t hash_of_parts(MPI_Comm world, const std::vector<Body>& bodies, const std::vector<int>& part) {
    std::uint64_t sum = 0, all = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) sum += mixed((std::uint64_t{bodies[i].id} << 32) | static_cast<std::uint32_t>(part[i]));
    MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, world);
    return all;
}

}  // namespace partition
