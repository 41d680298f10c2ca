// Recursive coordinate bisection of Zoltan: each region is a box; the cuts are kept, so that places and boxes find their processes.
#include <stdexcept>
#include <string>

#include <zoltan.h>

#include "partitioner.hpp"

namespace partition {

namespace {

void check(int code, const char* what) {
    if (code != ZOLTAN_OK && code != ZOLTAN_WARN) throw std::runtime_error(std::string("Zoltan: ") + what + " failed");
}

const std::vector<Body>& of(void* data) {
    return *static_cast<const std::vector<Body>*>(data);
}

int count(void* data, int* error) {
    *error = ZOLTAN_OK;
    return static_cast<int>(of(data).size());
}
void list(void* data, int, int, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local, int, float* weight, int* error) {
    const std::vector<Body>& bodies = of(data);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        global[i] = bodies[i].id;
        local[i] = static_cast<ZOLTAN_ID_TYPE>(i);
        weight[i] = static_cast<float>(bodies[i].weight);
    }
    *error = ZOLTAN_OK;
}
int dimensions(void*, int* error) {
    *error = ZOLTAN_OK;
    return 3;
}
void places(void* data, int, int, int n, ZOLTAN_ID_PTR, ZOLTAN_ID_PTR local, int, double* place, int* error) {
    for (int k = 0; k < n; ++k) {
        for (int a = 0; a < 3; ++a) place[3 * k + a] = of(data)[local[k]].place[a];
    }
    *error = ZOLTAN_OK;
}

struct ZoltanCuts : Partitioner {
    const Bed& bed;
    MPI_Comm world;
    double tolerance;
    bool locked;  // cuts keep their directions from one time to the next
    int rank{0}, processes{1};
    Zoltan_Struct* zoltan;

    ZoltanCuts(const Bed& of_bed, MPI_Comm comm, double most, bool lock)
        : bed(of_bed), world(comm), tolerance(most), locked(lock), zoltan(made()) {
        MPI_Comm_rank(world, &rank);
        MPI_Comm_size(world, &processes);
    }
    ~ZoltanCuts() override { Zoltan_Destroy(&zoltan); }
    ZoltanCuts(const ZoltanCuts&) = delete;
    ZoltanCuts& operator=(const ZoltanCuts&) = delete;

    Zoltan_Struct* made() const {
        float version = 0;
        check(Zoltan_Initialize(0, nullptr, &version), "initialisation");
        Zoltan_Struct* z = Zoltan_Create(world);
        const std::string most = std::to_string(tolerance);
        const std::pair<const char*, const char*> settings[] = {{"DEBUG_LEVEL", "0"},
                                                                {"LB_METHOD", "RCB"},
                                                                {"OBJ_WEIGHT_DIM", "1"},
                                                                {"RETURN_LISTS", "PARTS"},
                                                                {"KEEP_CUTS", "1"},
                                                                {"RCB_REUSE", "1"},
                                                                {"RCB_LOCK_DIRECTIONS", locked ? "1" : "0"},
                                                                {"RCB_OUTPUT_LEVEL", "0"},
                                                                {"CHECK_GEOM", "0"},
                                                                {"IMBALANCE_TOL", most.c_str()}};
        for (const auto& [name, value] : settings) check(Zoltan_Set_Param(z, name, value), name);
        return z;
    }

    /// The part of each body.
    std::vector<int> parts(Zoltan_Struct* z, std::vector<Body>& bodies) const {
        Zoltan_Set_Num_Obj_Fn(z, count, &bodies);
        Zoltan_Set_Obj_List_Fn(z, list, &bodies);
        Zoltan_Set_Num_Geom_Fn(z, dimensions, &bodies);
        Zoltan_Set_Geom_Multi_Fn(z, places, &bodies);
        int changes = 0, ids = 0, locals = 0, imported = 0, exported = 0;
        ZOLTAN_ID_PTR in_id = nullptr, in_local = nullptr, out_id = nullptr, out_local = nullptr;
        int *in_process = nullptr, *in_part = nullptr, *out_process = nullptr, *out_part = nullptr;
        check(Zoltan_LB_Partition(z, &changes, &ids, &locals, &imported, &in_id, &in_local, &in_process, &in_part, &exported, &out_id,
                                  &out_local, &out_process, &out_part),
              "partition");
        std::vector<int> part(bodies.size(), -1);
        for (int k = 0; k < exported; ++k) part[out_local[k]] = out_part[k];
        Zoltan_LB_Free_Part(&in_id, &in_local, &in_process, &in_part);
        Zoltan_LB_Free_Part(&out_id, &out_local, &out_process, &out_part);
        return part;
    }

    void share_out(std::vector<Body>& bodies) override { bodies = migrated(world, bodies, parts(zoltan, bodies)); }

    int owner(const Point& place) const override {
        Point at = place;
        int process = 0, part = 0;
        check(Zoltan_LB_Point_PP_Assign(zoltan, at.data(), &process, &part), "finding a place");
        return process;
    }

    std::vector<Reached> reached(const std::vector<Body>& bodies, double reach) const override {
        std::vector<Reached> found;
        std::vector<int> process(processes), part(processes);
        std::vector<std::uint32_t> told(processes, ~0u);  // last body of which each process was told
        for (std::uint32_t i = 0; i < bodies.size(); ++i) {
            each_image(bed, bodies[i].place, reach, [&](const Point& x) {
                int near = 0, parts_near = 0;
                check(Zoltan_LB_Box_PP_Assign(zoltan, x[0] - reach, x[1] - reach, x[2] - reach, x[0] + reach, x[1] + reach, x[2] + reach,
                                              process.data(), &near, part.data(), &parts_near),
                      "finding a box");
                for (int k = 0; k < near; ++k) {
                    if (process[k] == rank || told[process[k]] == i) continue;
                    told[process[k]] = i;
                    found.push_back({i, process[k]});
                }
            });
        }
        return found;
    }

    std::uint64_t parts_hash(std::vector<Body> bodies, int wanted) override {
        Zoltan_Struct* fresh = made();
        check(Zoltan_Set_Param(fresh, "NUM_GLOBAL_PARTS", std::to_string(wanted).c_str()), "NUM_GLOBAL_PARTS");
        check(Zoltan_Set_Param(fresh, "REMAP", "0"), "REMAP");
        const std::uint64_t hash = hash_of_parts(world, bodies, parts(fresh, bodies));
        Zoltan_Destroy(&fresh);
        return hash;
    }
};

}  // namespace

std::unique_ptr<Partitioner> zoltan_cuts(const Bed& bed, MPI_Comm world, double tolerance, bool locked) {
    return std::make_unique<ZoltanCuts>(bed, world, tolerance, locked);
}

}  // namespace partition
