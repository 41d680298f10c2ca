// Writes the beds of bench/scenes for other codes: spheres as a data file that LAMMPS and LIGGGHTS read and as CSV, cubes as CSV
// (cube_file.hpp). What was written, and on which machine, goes to the file that --json names.
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "common/machine.hpp"
#include "common/program.hpp"
#include "peers/cube_file.hpp"
#include "scenes/beds.hpp"
#include "scenes/cone_beds.hpp"
#include "scenes/solids.hpp"
#include "scenes/variants.hpp"

namespace {

using namespace scree;
using namespace scree::bench;

constexpr const char* usage =
    "peer_export [--case spheres|cubes] [--bodies N] [--rest STEPS, of cubes] [--beds FOLDER] [--out NAME, without ending] "
    "[--json FILE]\n";

constexpr double density = 2500;  // of beds.cpp [kg/m3]

std::FILE* open_file(const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (file == nullptr) throw std::runtime_error("cannot write " + path);
    return file;
}

/// atom_style sphere and granular: number, type, diameter, density, centre. The box is twice as high as the bed, so that what flows stays
/// inside.
void write_data(const Bed& bed, const std::string& path) {
    double top = 0;
    for (const Vec3& x : bed.bodies.position) top = std::max(top, x.z);
    std::FILE* const file = open_file(path);
    const std::size_t n = bed.bodies.size();
    std::fprintf(file, "bed of equal spheres\n\n%zu atoms\n1 atom types\n\n0 %.17g xlo xhi\n0 %.17g ylo yhi\n0 %.17g zlo zhi\n\nAtoms\n\n",
                 n, bed.width, bed.depth, 2 * top);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 x = bed.bodies.position[i];
        std::fprintf(file, "%zu 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2 * bed.bodies.radius[i], density, x.x, x.y, x.z);
    }
    std::fprintf(file, "\nVelocities\n\n");
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 v = bed.bodies.velocity[i], w = bed.bodies.angular_velocity[i];
        std::fprintf(file, "%zu %.17g %.17g %.17g %.17g %.17g %.17g\n", i + 1, v.x, v.y, v.z, w.x, w.y, w.z);
    }
    if (std::fclose(file) != 0) throw std::runtime_error("cannot write " + path);
}

void write_table(const Bed& bed, const std::string& path) {
    std::FILE* const file = open_file(path);
    std::fprintf(file, "# width %.17g depth %.17g\nx,y,z,r,vx,vy,vz,wx,wy,wz\n", bed.width, bed.depth);
    for (std::size_t i = 0; i < bed.bodies.size(); ++i) {
        const Vec3 x = bed.bodies.position[i], v = bed.bodies.velocity[i], w = bed.bodies.angular_velocity[i];
        std::fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", x.x, x.y, x.z, bed.bodies.radius[i], v.x, v.y,
                     v.z, w.x, w.y, w.z);
    }
    if (std::fclose(file) != 0) throw std::runtime_error("cannot write " + path);
}

/// The settled cubes, left to themselves for so many more short steps of many sweeps; multiples of 1,000 are mirror images of one bed.
CubeBed cubes_at_rest(std::int64_t n, std::int64_t rest) {
    const std::int64_t tiles = n % 1000 == 0 ? n / 1000 : 1;
    Model model = cone_cubes(n / tiles);
    model.dt = 1.0 / 1200;
    model.cone.solver = ConeSolver::GaussSeidel;
    model.cone.iterations = 60;
    EngineOptions options;
    options.device = Device::Cpu;
    options.threads = 1;
    const auto engine = make_engine(model, options);
    advance(*engine, rest);
    const Snapshot s = engine->snapshot();
    model.bodies.position = s.position;
    model.bodies.orientation = s.orientation;
    model.bodies.velocity = s.velocity;
    model.bodies.angular_velocity = s.angular_velocity;
    if (tiles > 1) mirror_solids(model, tiles);
    CubeBed bed;
    bed.edge = 0.01;  // of cone_beds.cpp [m]
    bed.width = model.walls[0].planes[1].point.x;
    bed.depth = model.walls[0].planes[3].point.y;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Vec3 x = model.bodies.position[i], v = model.bodies.velocity[i], w = model.bodies.angular_velocity[i];
        const Quat q = model.bodies.orientation[i];
        bed.cubes.push_back({{x.x, x.y, x.z}, {q.w, q.x, q.y, q.z}, {v.x, v.y, v.z}, {w.x, w.y, w.z}});
    }
    return bed;
}

int run(const Arguments& args) {
    const auto n = static_cast<std::int64_t>(args.number("--bodies"));
    const std::string out = args.text("--out");
    if (args.text("--case") == "cubes") {
        write_cubes(out + ".csv", cubes_at_rest(n, static_cast<std::int64_t>(args.number("--rest"))));
    } else {
        const Bed bed = settled_bed(n, 1, args.text("--beds"));
        write_data(bed, out + ".data");
        write_table(bed, out + ".csv");
    }
    JsonWriter json;
    json.open().put("case", args.text("--case")).put("bodies", n);
    put_machine(json);
    json.close();
    write_json(json, args);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments args(
        argc, argv,
        {{"--case", "spheres"}, {"--bodies", "10000"}, {"--rest", "300"}, {"--beds", "build/beds"}, {"--out", "bed"}, {"--json", ""}},
        usage);
    return run_program("peer_export", run, args);
}
