// Time of one picture of many spheres: building the tree of boxes, tracing, and the PNG file, in wall-clock and processor seconds.
//   bench_render [SPHERES [WIDTHxHEIGHT [SAMPLES [THREADS]]]]      1000000 1920x1080 4, all threads
// The spheres lie in a loose cubic packing, a tenth of a spacing off at random. Prints JSON.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <string>

#include "base/rng.hpp"
#include "output/json.hpp"
#include "render/canvas.hpp"
#include "render/tracer.hpp"

namespace {

using namespace scree;

/// Wall-clock and processor seconds since it was made.
class Watch {
public:
    double wall() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    double processor() const { return now() - processor_; }

private:
    static double now() {
        timespec t{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    }
    std::chrono::steady_clock::time_point start_{std::chrono::steady_clock::now()};
    double processor_{now()};
};

World packing(std::int64_t spheres) {
    World world;
    Rng rng(1, 0);
    const auto side = static_cast<std::int64_t>(std::ceil(std::cbrt(static_cast<double>(spheres))));
    const double spacing = 1.0 / static_cast<double>(side);
    world.balls.reserve(static_cast<std::size_t>(spheres));
    for (std::int64_t k = 0; k < spheres; ++k) {
        const double place[3] = {static_cast<double>(k % side), static_cast<double>(k / side % side), static_cast<double>(k / side / side)};
        Vec3 p;
        for (int a = 0; a < 3; ++a) along(p, a) = spacing * (place[a] + rng.uniform(-0.1, 0.1));
        world.balls.push_back({p, 0.48 * spacing, map_colour("viridis", p.z)});
    }
    DrawnMesh floor;
    floor.vertex = {{-0.2, -0.2, -spacing}, {1.2, -0.2, -spacing}, {1.2, 1.2, -spacing}, {-0.2, 1.2, -spacing}};
    floor.triangle = {{0, 1, 2}, {0, 2, 3}};
    floor.colour = from_screen(0xc6ccd4);
    world.meshes.push_back(floor);
    world.to_sun = normalized(Vec3{0.2, -0.6, 0.8});
    return world;
}

void add(JsonWriter& json, const std::string& name, const Watch& watch) {
    json.begin_object(name);
    json.add("wall_seconds", watch.wall());
    json.add("processor_seconds", watch.processor());
    json.end_object();
}

}  // namespace

int main(int argc, char** argv) {
    const std::int64_t spheres = argc > 1 ? std::atoll(argv[1]) : 1000000;
    PictureSize size{1920, 1080};
    if (argc > 2 && std::sscanf(argv[2], "%dx%d", &size.width, &size.height) != 2) return 2;
    Quality quality;
    if (argc > 3) quality.samples = std::atoi(argv[3]);
    if (argc > 4) quality.threads = std::atoi(argv[4]);
    if (spheres < 1 || size.width < 16 || size.height < 16 || quality.samples < 1 || quality.threads < 0) return 2;

    const World world = packing(spheres);
    Camera camera;
    camera.eye = viewer_direction(-60, 25);
    fit(camera, size, {{{0.5, 0.5, 0.5}, 0.75}}, {0.05, 0.9, 0.05, 0.95});
    JsonWriter json;
    json.add("spheres", spheres);
    json.add("width", static_cast<std::int64_t>(size.width));
    json.add("height", static_cast<std::int64_t>(size.height));
    json.add("samples", static_cast<std::int64_t>(quality.samples));
    const Watch all, build;
    const Tracer tracer(world, camera, size);
    add(json, "build", build);
    const Watch trace;
    Canvas canvas(size);
    canvas.paste(tracer.draw(quality), 0, 0);
    add(json, "trace", trace);
    const Watch file;
    const auto path = std::filesystem::temp_directory_path() / ("scree_bench_render_" + std::to_string(std::clock()) + ".png");
    canvas.write_png(path.string());
    std::filesystem::remove(path);
    add(json, "png", file);
    add(json, "picture", all);
    std::cout << json.finish() << "\n";
}
