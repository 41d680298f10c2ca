#include "sim/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "output/frame_writer.hpp"
#include "output/run_directory.hpp"
#include "sim/schedule.hpp"
#include "sim/simulation.hpp"

namespace scree {
namespace {

/// Engine memory per body on a CPU, pair list and history included: summary.json of examples/box_drop.toml says 1200, of silo.toml 2100.
constexpr double kBytesPerBody = 2000;

void add_bodies(std::string& text, const Model& model) {
    const BodyTable& bodies = model.bodies;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "bodies        {}\n", bodies.size());
    double mass = 0, volume = 0, sum = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        mass += bodies.mass[i];
        sum += bodies.radius[i];
        const std::int32_t shape = bodies.shape[i];
        const double share = shape < 0 ? 4.18879020478639098 : model.shapes[static_cast<std::size_t>(shape)].volume;  // 4 pi / 3
        volume += share * bodies.radius[i] * bodies.radius[i] * bodies.radius[i];
    }
    if (bodies.size() == 0) return;
    const auto [low, high] = std::minmax_element(bodies.radius.begin(), bodies.radius.end());
    fmt::format_to(out, "radius        {:.6g} to {:.6g} m, mean {:.6g} m\n", *low, *high, sum / static_cast<double>(bodies.size()));
    fmt::format_to(out, "mass          {:.6g} kg, solid volume {:.6g} m3\n", mass, volume);
    for (std::size_t m = 0; m < model.materials.size(); ++m) {
        const auto count = std::count(bodies.material.begin(), bodies.material.end(), static_cast<std::int32_t>(m));
        if (count > 0) fmt::format_to(out, "              {} of {}\n", count, model.materials[m].name);
    }
    const auto spheres = std::count(bodies.shape.begin(), bodies.shape.end(), BodyTable::sphere_shape);
    if (spheres > 0 && !model.shapes.empty()) fmt::format_to(out, "              {} spheres\n", spheres);
    for (std::size_t s = 0; s < model.shapes.size(); ++s) {
        const ConvexShape& shape = model.shapes[s];
        const auto count = std::count(bodies.shape.begin(), bodies.shape.end(), static_cast<std::int32_t>(s));
        fmt::format_to(out, "              {} of shape {}: {} faces, {} vertices, {} edges\n", count, shape.name, shape.faces(),
                       shape.vertex.size(), shape.edge.size());
    }
}

std::string surfaces_of(const Wall& wall) {
    std::string text;
    const auto add = [&text](std::size_t count, const char* one, const char* many) {
        if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
    };
    add(wall.planes.size(), "plane", "planes");
    add(wall.cylinders.size(), "cylinder", "cylinders");
    add(wall.mesh.triangles.size(), "triangle", "triangles");
    return text.empty() ? "no surface" : text;
}

void add_walls(std::string& text, const Model& model) {
    auto out = std::back_inserter(text);
    fmt::format_to(out, "walls         {}\n", model.walls.size());
    for (const Wall& wall : model.walls) {
        std::string active;
        if (wall.active_from > 0 || std::isfinite(wall.active_to))
            active = fmt::format(", from {:.6g} s to {:.6g} s", wall.active_from, wall.active_to);
        const auto material = static_cast<std::size_t>(wall.material);
        fmt::format_to(out, "              {}: {}, {}{}\n", wall.name, surfaces_of(wall),
                       material < model.materials.size() ? model.materials[material].name : "?",
                       active + (wall.motion.moves ? ", moves" : ""));
    }
}

void add_domain(std::string& text, const Domain& domain) {
    const Vec3 &a = domain.box.min, &b = domain.box.max;
    if (std::isinf(a.x) && std::isinf(a.y) && std::isinf(a.z) && std::isinf(b.x) && std::isinf(b.y) && std::isinf(b.z)) {
        text += "domain        open on all sides\n";
        return;
    }
    text += fmt::format("domain        x {:.6g} to {:.6g}, y {:.6g} to {:.6g}, z {:.6g} to {:.6g} m; bodies that leave: {}\n", a.x, b.x,
                        a.y, b.y, a.z, b.z, domain.leave == Leave::Remove ? "removed" : "the run stops");
}

}  // namespace

std::string check_report(const Scene& scene, const BuiltModel& built) {
    const Model& model = built.model;
    std::string text;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "scene         {}{}{}\n", scene.file, scene.title.empty() ? "" : ": ", scene.title);
    add_bodies(text, model);
    add_walls(text, model);
    add_domain(text, model.domain);
    const std::int64_t steps = steps_to(scene.time.end, model.dt);
    fmt::format_to(out, "step          {:.6g} s ({}); largest stable step {:.6g} s\n", model.dt, scene.time.step ? "as given" : "automatic",
                   built.stable_step);
    fmt::format_to(out, "run           {} steps to t = {:.6g} s, {:.3g} particle-steps\n", steps, scene.time.end,
                   static_cast<double>(steps) * static_cast<double>(model.bodies.size()));
    fmt::format_to(out, "memory        about {}\n", format_bytes(kBytesPerBody * static_cast<double>(model.bodies.size())));
    const std::size_t contacts = scene.output.contacts ? 3 * model.bodies.size() : 0;
    const std::int64_t frames = count_frames(scene, model.dt, steps);
    fmt::format_to(out, "disk          {} frames, at most about {}\n", frames,
                   format_bytes(static_cast<double>(frames) * frame_bytes(model, model.bodies.size(), contacts)));
    for (const std::string& warning : built.warnings) text += "warning: " + warning + "\n";
    return text;
}

}  // namespace scree
