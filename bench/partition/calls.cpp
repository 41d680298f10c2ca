#include "calls.hpp"

#include <mpi.h>
#include <unistd.h>

namespace {

partition::Calls counted;

std::int64_t bytes_of(std::int64_t count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return count * size;
}

}  // namespace

namespace partition {
const Calls& calls() {
    return counted;
}
}  // namespace partition

// The names and signatures are MPI's.
extern "C" {

int MPI_Allreduce(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    ++counted.collectives;
    return PMPI_Allreduce(from, to, n, type, op, comm);
}
int MPI_Reduce(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    ++counted.collectives;
    return PMPI_Reduce(from, to, n, type, op, root, comm);
}
int MPI_Scan(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    ++counted.collectives;
    return PMPI_Scan(from, to, n, type, op, comm);
}
int MPI_Exscan(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    ++counted.collectives;
    return PMPI_Exscan(from, to, n, type, op, comm);
}
int MPI_Bcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
    ++counted.collectives;
    return PMPI_Bcast(data, n, type, root, comm);
}
int MPI_Barrier(MPI_Comm comm) {
    ++counted.collectives;
    return PMPI_Barrier(comm);
}
int MPI_Allgather(const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype to_type, MPI_Comm comm) {
    ++counted.collectives;
    return PMPI_Allgather(from, n, type, to, m, to_type, comm);
}
int MPI_Allgatherv(const void* from, int n, MPI_Datatype type, void* to, const int* m, const int* at, MPI_Datatype to_type, MPI_Comm comm) {
    ++counted.collectives;
    return PMPI_Allgatherv(from, n, type, to, m, at, to_type, comm);
}
int MPI_Gather(const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype to_type, int root, MPI_Comm comm) {
    ++counted.collectives;
    return PMPI_Gather(from, n, type, to, m, to_type, root, comm);
}
int MPI_Alltoall(const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype to_type, MPI_Comm comm) {
    ++counted.collectives;
    return PMPI_Alltoall(from, n, type, to, m, to_type, comm);
}
int MPI_Alltoallv(const void* from, const int* n, const int* at, MPI_Datatype type, void* to, const int* m, const int* to_at,
                  MPI_Datatype to_type, MPI_Comm comm) {
    ++counted.collectives;
    int processes = 0;
    PMPI_Comm_size(comm, &processes);
    for (int p = 0; p < processes; ++p) counted.bytes += bytes_of(n[p], type);
    return PMPI_Alltoallv(from, n, at, type, to, m, to_at, to_type, comm);
}
int MPI_Reduce_scatter(const void* from, void* to, const int* n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    ++counted.collectives;
    return PMPI_Reduce_scatter(from, to, n, type, op, comm);
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
    ++counted.collectives;
    return PMPI_Comm_dup(comm, made);
}
int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* made) {
    ++counted.collectives;
    return PMPI_Comm_split(comm, colour, key, made);
}
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
    ++counted.collectives;
    return PMPI_Comm_create(comm, group, made);
}
int MPI_Send(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    ++counted.messages;
    counted.bytes += bytes_of(n, type);
    return PMPI_Send(data, n, type, to, tag, comm);
}
int MPI_Rsend(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    ++counted.messages;
    counted.bytes += bytes_of(n, type);
    return PMPI_Rsend(data, n, type, to, tag, comm);
}
/// What Open MPI calls while it waits, where there are more processes than cores: a nap leaves these to those that have work.
int sched_yield() noexcept {
    usleep(50);
    return 0;
}
int MPI_Isend(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
    ++counted.messages;
    counted.bytes += bytes_of(n, type);
    return PMPI_Isend(data, n, type, to, tag, comm, request);
}

}  // extern "C"
