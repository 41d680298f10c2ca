// Time of pictures of many spheres: building the tree of boxes, tracing, and the PNG file. JSON to a file, a table to the terminal.
// The spheres lie in a loose cubic packing, a tenth of a spacing off at random.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include "base/rng.hpp"
#include "common/arguments.hpp"
#include "common/clock.hpp"
#include "common/json.hpp"
#include "common/machine.hpp"
#include "common/program.hpp"
#include "render/canvas.hpp"
#include "render/tracer.hpp"

namespace {

using namespace scree;

constexpr const char* usage =
    "bench_render [--bodies 1e4,1e5,1e6] [--size 1920x1080] [--samples 4] [--threads 1,2] [--repeats 3] [--json FILE]\n";

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

struct Timing {
    std::vector<double> wall, cpu;       // of each picture [s]
    double build{0}, trace{0}, file{0};  // of the best one [s]
};

Timing time_pictures(const World& world, PictureSize size, const Quality& quality, int repeats) {
    Camera camera;
    camera.eye = viewer_direction(-60, 25);
    fit(camera, size, {{{0.5, 0.5, 0.5}, 0.75}}, {0.05, 0.9, 0.05, 0.95});
    const std::string path =
        (std::filesystem::temp_directory_path() / ("scree_bench_render_" + std::to_string(::getpid()) + ".png")).string();
    Timing timing;
    for (int k = 0; k < repeats; ++k) {
        const bench::Elapsed start = bench::now();
        const Tracer tracer(world, camera, size);
        const bench::Elapsed built = bench::now();
        Canvas canvas(size);
        canvas.paste(tracer.draw(quality), 0, 0);
        const bench::Elapsed traced = bench::now();
        canvas.write_png(path);
        const bench::Elapsed end = bench::now();
        std::filesystem::remove(path);
        if (timing.wall.empty() || end.wall - start.wall < bench::least(timing.wall))
            timing.build = built.wall - start.wall, timing.trace = traced.wall - built.wall, timing.file = end.wall - traced.wall;
        timing.wall.push_back(end.wall - start.wall);
        timing.cpu.push_back(end.cpu - start.cpu);
    }
    return timing;
}

int run(const bench::Arguments& args) {
    PictureSize size{0, 0};
    if (std::sscanf(args.text("--size").c_str(), "%dx%d", &size.width, &size.height) != 2 || size.width < 16 || size.height < 16)
        throw std::runtime_error("--size: two numbers of pixels from 16 on, as in 1920x1080");
    Quality quality;
    quality.samples = std::max(1, static_cast<int>(args.number("--samples")));
    const int repeats = std::max(1, static_cast<int>(args.number("--repeats")));
    bench::JsonWriter json;
    json.open().put("benchmark", "render").put("width", size.width).put("height", size.height).put("samples", quality.samples);
    bench::put_machine(json);
    json.open_list("results");
    std::printf("   bodies  thr  picture s   median    cpu s   tree s  trace s   file s\n");
    for (const std::string& bodies : args.list("--bodies")) {
        const auto n = static_cast<std::int64_t>(std::atof(bodies.c_str()));
        if (n < 1) throw std::runtime_error("--bodies: numbers from 1 on");
        const World world = packing(n);
        for (const std::string& threads : args.list("--threads")) {
            quality.threads = std::atoi(threads.c_str());
            const Timing t = time_pictures(world, size, quality, repeats);
            const double each = 1e9 / static_cast<double>(n);
            json.open().put("bodies", n).put("threads", quality.threads);
            json.put("wall_seconds_min", bench::least(t.wall))
                .put("wall_seconds_median", bench::median(t.wall))
                .put("cpu_seconds_min", bench::least(t.cpu));
            json.put("wall_seconds", t.wall).put("cpu_seconds", t.cpu);
            json.open("stage_nanoseconds_per_body")
                .put("tree", each * t.build)
                .put("tracing", each * t.trace)
                .put("file", each * t.file)
                .close()
                .close();
            std::printf("%9lld  %3d %10.3f %8.3f %8.3f %8.3f %8.3f %8.3f\n", static_cast<long long>(n), quality.threads,
                        bench::least(t.wall), bench::median(t.wall), bench::least(t.cpu), t.build, t.trace, t.file);
            std::fflush(stdout);
        }
    }
    json.close_list().put("peak_memory_bytes", bench::peak_memory()).close();
    bench::write_json(json, args);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const bench::Arguments args(argc, argv,
                                {{"--bodies", "1e4,1e5,1e6"},
                                 {"--size", "1920x1080"},
                                 {"--samples", "4"},
                                 {"--threads", "1,2"},
                                 {"--repeats", "3"},
                                 {"--json", ""}},
                                usage);
    return bench::run_program("bench_render", run, args);
}
