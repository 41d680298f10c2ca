#include "scenes/disk_beds.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "scenes/beds.hpp"
#include "scenes/variants.hpp"

namespace scree::bench {

namespace {

constexpr double smallest = 0.35, largest = 0.65;  // [m]
constexpr double density = 1;                      // [kg/m3]
constexpr double stiffness = 1.5e5;                // [N/m]: disks at the bottom of 32,768 overlap by some 2 % of a radius
constexpr double packed = 0.84;                    // share of the area that disks fill as they lie, about
constexpr int recipe = 1;                          // part of a file's name; another number where a change here makes other beds

double width_of(std::int64_t n) {
    // Mean square of the radius.
    const double square = (largest * largest + largest * smallest + smallest * smallest) / 3;
    return std::sqrt(static_cast<double>(n) * 3.14159265358979324 * square / packed);
}

Model disk_model(double width, double restitution, double mu, double dt, double skin) {
    Model m;
    m.dimensions = 2;
    m.gravity = {0, -9.81, 0};
    Material grain;
    grain.name = "grain";
    grain.density = density;
    grain.restitution = restitution;
    grain.friction = mu;
    m.materials = {grain};
    m.pairs = PairTable(1);
    m.pairs.set(0, 0, {.restitution = restitution, .friction = mu, .stiffness = stiffness});
    m.penalty.law = Law::Linear;
    m.penalty.skin = skin;
    m.penalty.overlap_limit = 1;  // of the first hits
    Wall box;
    box.name = "box";
    box.planes = {{{0, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {1, 0, 0}}, {{width, 0, 0}, {-1, 0, 0}}};
    m.walls = {box};
    m.dt = dt;
    return m;
}

struct Disks {
    std::vector<double> x, y, radius;
};

BodyTable bodies_of(const Disks& disks) {
    BodyTable b;
    for (std::size_t i = 0; i < disks.x.size(); ++i) b.add_disk({disks.x[i], disks.y[i], 0}, disks.radius[i], 0, density);
    return b;
}

Disks lattice(std::int64_t n) {
    const double spacing = 2 * largest * 1.02, width = width_of(n);
    const auto columns = static_cast<std::int64_t>(width / spacing);
    const double step = width / static_cast<double>(columns);
    Disks disks;
    Rng rng(1, 0);
    for (std::int64_t k = 0; k < n; ++k) {
        const double r = rng.uniform(smallest, largest), buffers = 0.5 * step - r;
        disks.x.push_back((static_cast<double>(k % columns) + 0.5) * step + rng.uniform(-buffers, buffers));
        disks.y.push_back((static_cast<double>(k / columns) + 0.5) * step + rng.uniform(-buffers, buffers));
        disks.radius.push_back(r);
    }
    return disks;
}

/// Dropped with little friction and cuts of velocity, so that they pack well, then at rest with the friction of the recipe.
Disks settled(std::int64_t n) {
    EngineOptions options;
    options.device = Device::Cpu;
    options.threads = 1;
    const double dt = DiskStep{48}.dt();
    Disks disks = lattice(n);
    const auto settle = [&](double mu, double factor, int rounds, std::int64_t steps) {
        Model m = disk_model(width_of(n), 0.1, mu, dt, 0);
        m.bodies = bodies_of(disks);
        const std::unique_ptr<Engine> engine = make_engine(m, options);
        damp(*engine, factor, rounds, steps);
        const Snapshot s = engine->snapshot();
        for (std::size_t i = 0; i < s.position.size(); ++i) {
            disks.x[i] = s.position[i].x;
            disks.y[i] = s.position[i].y;
        }
        const Measurement at = engine->measure();
        std::fprintf(stderr, "  settling: %.3f contacts per disk, fastest %.2g m/s\n",
                     static_cast<double>(at.contacts) / static_cast<double>(at.bodies), at.max_speed);
    };
    // Falls of up to half the height; the pulse of pressure crosses the bed many times in each stage.
    settle(0.05, 0.98, 120, static_cast<std::int64_t>(0.01 * std::sqrt(static_cast<double>(n)) / dt / 12));
    settle(0.05, 0.7, 60, 200);
    settle(0.4, 0.7, 30, 200);
    return disks;
}

constexpr const char* arrays[] = {"x", "y", "radius"};

std::vector<double>& array_of(Disks& disks, std::size_t k) {
    return k == 0 ? disks.x : (k == 1 ? disks.y : disks.radius);
}

bool read_disks(Disks& disks, const std::string& path, std::size_t n) {
    std::ifstream file(path, std::ios::binary);
    for (std::size_t k = 0; file && k < std::size(arrays); ++k) {
        array_of(disks, k).resize(n);
        file.read(reinterpret_cast<char*>(array_of(disks, k).data()), static_cast<std::streamsize>(8 * n));
    }
    return static_cast<bool>(file);
}

void write_disks(Disks& disks, const std::string& path) {
    std::ofstream file(path + ".part", std::ios::binary);
    for (std::size_t k = 0; k < std::size(arrays); ++k)
        file.write(reinterpret_cast<const char*>(array_of(disks, k).data()), static_cast<std::streamsize>(8 * disks.x.size()));
    file.close();
    if (!file) throw RunError("cannot write " + path);
    std::filesystem::rename(path + ".part", path);
}

}  // namespace

Model falling_disks(std::int64_t n, DiskStep step, double skin) {
    Model m = disk_model(width_of(n), 0.3, 0.4, step.dt(), skin);
    m.bodies = bodies_of(lattice(n));
    return m;
}

Model settled_disks(std::int64_t n, DiskStep step, double skin, const std::string& folder) {
    std::filesystem::create_directories(folder);
    const std::string path = folder + "/disks_" + std::to_string(n) + "_" + std::to_string(recipe) + ".bed";
    Disks disks;
    if (!read_disks(disks, path, static_cast<std::size_t>(n))) {
        std::fprintf(stderr, "making %s\n", path.c_str());
        disks = settled(n);
        write_disks(disks, path);
    }
    Model m = disk_model(width_of(n), 0.3, 0.4, step.dt(), skin);
    m.bodies = bodies_of(disks);
    return m;
}

}  // namespace scree::bench
