#include "scenes/beds.hpp"

#include <sstream>
#include <map>
#include <array>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "engine/engine.hpp"
#include "scenes/spread_sizes.hpp"

namespace scree::bench {

namespace {

constexpr double radius = 1e-3;       // of equal spheres, and the smallest of a spread [m]
constexpr double density = 2500;      // [kg/m3]
constexpr double step = 1e-5;         // of the timed runs [s]
constexpr double coarse_step = 2e-5;  // while settling, about a quarter of Rayleigh's [s]
constexpr int recipe = 2;             // part of a file's name; another number where a change here makes other beds

/// Restitution and friction of the grains with each other and with the walls.
struct Friction {
    double restitution, mu;
};

Material grain(Friction f) {
    Material m;
    m.name = "grain";
    m.density = density;
    m.young = 1e7;
    m.poisson = 0.3;
    m.restitution = f.restitution;
    m.friction = f.mu;
    return m;
}

Wall box(double width, double depth) {
    Wall w;
    w.name = "box";
    w.planes = {
        {{0, 0, 0}, {0, 0, 1}}, {{0, 0, 0}, {1, 0, 0}}, {{width, 0, 0}, {-1, 0, 0}}, {{0, 0, 0}, {0, 1, 0}}, {{0, depth, 0}, {0, -1, 0}}};
    return w;
}

Model model_with(const Bed& bed, Friction f, double skin, double dt) {
    Model model;
    model.materials = {grain(f)};
    model.pairs = PairTable(1);
    model.pairs.set(0, 0, {.restitution = f.restitution, .friction = f.mu});
    model.penalty.skin = skin;
    model.penalty.overlap_limit = 1e6;  // a fine grain under a large one is pressed hard
    model.bodies = bed.bodies;
    model.walls = {box(bed.width, bed.depth)};
    model.dt = dt;
    return model;
}

/// A simple cubic lattice with jitter, clear of overlaps, over a floor whose sides are multiples of the spacing.
Bed lattice(std::int64_t n) {
    const double spacing = 2.2 * radius;  // a tenth of a diameter of room
    const double jitter = 0.045 * 2 * radius;
    // 20 x 20 columns for 10,000 bodies; 32 x 80 for 100,000, which mirrored 5 x 2 gives a square floor.
    const std::int64_t columns_x = n > 50000 ? 32 : std::max<std::int64_t>(4, std::llround(std::cbrt(static_cast<double>(n) * 0.8)));
    const std::int64_t columns_y = n > 50000 ? 80 : columns_x;
    Bed bed;
    bed.width = static_cast<double>(columns_x) * spacing;
    bed.depth = static_cast<double>(columns_y) * spacing;
    Rng rng(1, 0);
    for (std::int64_t k = 0; k < n; ++k) {
        const double cell[3] = {static_cast<double>(k % columns_x), static_cast<double>(k / columns_x % columns_y),
                                static_cast<double>(k / (columns_x * columns_y))};
        const auto at = [&](double c) { return (c + 0.5) * spacing + rng.uniform(-jitter, jitter); };
        const double x = at(cell[0]), y = at(cell[1]), z = at(cell[2]);
        bed.bodies.add_sphere({x, y, z}, radius, 0, density);
    }
    return bed;
}

void scale_velocities(EngineState& state, double factor) {
    for (StateField& f : state.fields) {
        if (f.name.rfind("body.velocity.", 0) != 0 && f.name.rfind("body.angular_velocity.", 0) != 0) continue;
        for (std::size_t k = 0; k < f.count(); ++k) {
            double value = 0;
            std::memcpy(&value, f.bytes.data() + 8 * k, 8);
            value *= factor;
            std::memcpy(f.bytes.data() + 8 * k, &value, 8);
        }
    }
}

void advance(Engine& engine, std::int64_t steps) {
    const BatchReport report = engine.advance(steps);
    if (report.steps_done != steps) throw RunError("the bed could not be settled");
}

void take_motion(Engine& engine, Bed& bed) {
    const Measurement m = engine.measure();
    std::fprintf(stderr, "  settling: step %lld, %.3f contacts per body, fastest %.2g m/s\n", static_cast<long long>(m.step),
                 static_cast<double>(m.contacts) / static_cast<double>(m.bodies), m.max_speed);
    const Snapshot s = engine.snapshot();
    bed.bodies.position = s.position;
    bed.bodies.velocity = s.velocity;
    bed.bodies.angular_velocity = s.angular_velocity;
}

/// Drops the bodies by about `fall` [m] with little friction, so that they pack well, damps them, and ends with the friction of the recipe
/// and so many steps without damping.
void settle(Bed& bed, double fall, std::int64_t rest) {
    EngineOptions options;
    options.device = Device::Cpu;
    options.threads = 1;  // more would wait for each other where the machine is shared
    const Friction slippery{0.1, 0.1}, final{0.1, 0.5};
    const std::unique_ptr<Engine> loose = make_engine(model_with(bed, slippery, 0, coarse_step), options);
    advance(*loose, static_cast<std::int64_t>(1.3 * std::sqrt(2 * fall / 9.81) / coarse_step));
    take_motion(*loose, bed);
    damp(*loose, 0.95, 100, 50);
    take_motion(*loose, bed);
    damp(*loose, 0.7, 50, 50);
    take_motion(*loose, bed);
    const std::unique_ptr<Engine> firm = make_engine(model_with(bed, final, 0, step), options);
    damp(*firm, 0.5, 30, 100);
    advance(*firm, rest);
    take_motion(*firm, bed);
}

template <class T>
void write_values(std::ofstream& file, const std::vector<T>& values) {
    file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
}
template <class T>
void read_values(std::ifstream& file, std::vector<T>& values, std::size_t n) {
    values.resize(n);
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(n * sizeof(T)));
}

void write_bed(const Bed& bed, const std::string& path) {
    std::ofstream file(path + ".part", std::ios::binary);
    write_values(file, std::vector<double>{bed.width, bed.depth});
    write_values(file, bed.bodies.position);
    write_values(file, bed.bodies.velocity);
    write_values(file, bed.bodies.angular_velocity);
    write_values(file, bed.bodies.radius);
    file.close();
    if (!file) throw RunError("cannot write " + path);
    std::filesystem::rename(path + ".part", path);
}

bool read_bed(Bed& bed, const std::string& path, std::size_t n) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return false;
    std::vector<double> floor, radii;
    BodyTable b;
    read_values(file, floor, 2);
    read_values(file, b.position, n);
    read_values(file, b.velocity, n);
    read_values(file, b.angular_velocity, n);
    read_values(file, radii, n);
    if (!file) return false;
    bed.width = floor[0];
    bed.depth = floor[1];
    for (std::size_t i = 0; i < n; ++i) bed.bodies.add_sphere(b.position[i], radii[i], 0, density, b.velocity[i], b.angular_velocity[i]);
    return true;
}

}  // namespace

void damp(Engine& engine, double factor, int rounds, std::int64_t steps) {
    for (int round = 0; round < rounds; ++round) {
        EngineState state = engine.save();
        scale_velocities(state, factor);
        engine.load(state);
        advance(engine, steps);
    }
}

Bed mirrored(const Bed& one, int nx, int ny) {
    Bed all;
    all.width = nx * one.width;
    all.depth = ny * one.depth;
    for (int ky = 0; ky < ny; ++ky) {
        for (int kx = 0; kx < nx; ++kx) {
            for (std::size_t i = 0; i < one.bodies.size(); ++i) {
                Vec3 x = one.bodies.position[i], v = one.bodies.velocity[i], w = one.bodies.angular_velocity[i];
                if (kx % 2 == 1) {
                    x.x = one.width - x.x;
                    v.x = -v.x;
                    w = {w.x, -w.y, -w.z};
                }
                if (ky % 2 == 1) {
                    x.y = one.depth - x.y;
                    v.y = -v.y;
                    w = {-w.x, w.y, -w.z};
                }
                x += Vec3{kx * one.width, ky * one.depth, 0};
                all.bodies.add_sphere(x, one.bodies.radius[i], 0, density, v, w);
            }
        }
    }
    return all;
}

void add_laws(const std::string& words, Model& model) {
    PairProperties pair = model.pairs(0, 0);
    std::stringstream list(words);
    for (std::string word; std::getline(list, word, '+');) {
        if (word == "rolling") {
            model.penalty.rolling = Rolling::Spring;
            pair.rolling_friction = 0.1;
            pair.rolling_damping = 0.3;
        } else if (word == "twisting") {
            model.penalty.twisting = Twisting::Marshall;
        } else {
            const std::map<std::string, std::array<double, most_law_parameters>> values{{"constant", {2e-5}},
                                                                                        {"sjkr", {1e4}},
                                                                                        {"dmt", {0.005}},
                                                                                        {"jkr", {0.005}},
                                                                                        {"capillary", {0.01, 4e-12, 0.2}},
                                                                                        {"van_der_waals", {1e-18, 1e-8, 1e-6}}};
            model.penalty.cohesion = CohesionLaws::number(word);
            if (model.penalty.cohesion == 0) throw Error("--laws: unknown law \"" + word + "\"");
            pair.cohesion_values = values.at(word);
        }
    }
    model.pairs.set(0, 0, pair);
}

void replace_sides(const std::string& word, Model& model) {
    if (word == "walls") return;
    if (word != "periods" && word != "shear") throw Error("--sides: unknown word \"" + word + "\"");
    Wall& walls = model.walls.front();
    const double width = walls.planes[2].point.x, depth = walls.planes[4].point.y;
    walls.planes.resize(1);  // the floor
    model.domain.box.min.x = model.domain.box.min.y = 0;
    model.domain.box.max.x = width;
    model.domain.box.max.y = depth;
    model.domain.periodic[0] = model.domain.periodic[1] = true;
    if (word != "shear") return;
    model.domain.shear = {true, 0, 1, true};
    CellStage& stage = model.domain.stages.emplace_back();
    stage.of[kCellShear].by = CellDrive::Rate;
    stage.of[kCellShear].value.constant = 1;
}

Model bed_model(const Bed& bed, double skin, double tilt) {
    Model model = model_with(bed, {0.4, 0.5}, skin, step);
    const double angle = tilt * 3.14159265358979324 / 180;
    model.gravity = {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
    return model;
}

Bed settled_bed(std::int64_t n, double ratio, const std::string& folder) {
    const bool equal = ratio <= 1;
    const std::int64_t largest_settled = equal ? 100000 : 10000;
    if (n > largest_settled) {
        const Bed one = settled_bed(n / 10, ratio, folder);
        return n / 10 > largest_settled ? mirrored(one, 2, 5) : mirrored(one, 5, 2);
    }
    std::filesystem::create_directories(folder);
    const std::string sizes = equal ? "/equal_" : "/spread_" + std::to_string(std::llround(ratio)) + "_";
    const std::string path = folder + sizes + std::to_string(n) + "_" + std::to_string(recipe) + ".bed";
    Bed bed;
    if (read_bed(bed, path, static_cast<std::size_t>(n))) return bed;
    std::fprintf(stderr, "making %s\n", path.c_str());
    if (equal) {
        bed = lattice(n);
    } else {
        const SpreadPacking packing = spread_packing(n, radius, ratio);
        bed.width = bed.depth = packing.width;
        for (std::size_t i = 0; i < packing.radius.size(); ++i) bed.bodies.add_sphere(packing.position[i], packing.radius[i], 0, density);
    }
    double top = 0;
    for (const Vec3& x : bed.bodies.position) top = std::max(top, x.z);
    // Small ones still fall through the gaps between large ones when those are at rest.
    settle(bed, 0.35 * top, equal ? 0 : 40000);
    write_bed(bed, path);
    return bed;
}

}  // namespace scree::bench
