// A column of balls falls into a box. The program looks at them every 20 ms, tells the state's hash, which `scree run` of the same scene
// gives, too, takes balls out and puts one in, and catches a mistake in a scene.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <scree/scree.hpp>

namespace {

const char* const kScene = R"(
[time]
end = 0.2

[domain]
min = [-1, -1, -1]
max = [1, 1, 2]

[material.glass]
density = 2500
young = "50 MPa"
poisson = 0.25
restitution = 0.6
friction = 0.4

[shape.ball]
kind = "sphere"
radius = "5 mm"

[[bodies]]
shape = "ball"
material = "glass"
place = { lattice = [4, 4, 10], spacing = "12 mm", jitter = 0.9, origin = [-0.018, -0.018, 0.02] }

[[wall]]
name = "box"
kind = "box"
min = [-0.03, -0.03, 0]
max = [0.03, 0.03, 0.3]
material = "glass"
)";

}  // namespace

int main() {
    try {
        const scree::Scene scene = scree::Scene::from_text(kScene, "column");
        scree::RunSettings settings;
        settings.engine.device = "cpu";
        scree::Simulation simulation(scene, settings);
        simulation.run(scene.end(), 0.02, [&] {
            const auto position = simulation.field("position").as<double>();
            double top = 0;
            for (std::size_t k = 2; k < position.size(); k += 3) top = position[k] > top ? position[k] : top;
            std::printf("t = %.2f s: the top is at %.1f mm, the box bears %.3f N\n", simulation.time(), 1e3 * top,
                        0.0 - simulation.wall_load("box").force[2]);
            return true;
        });
        std::printf("%016llx\n", static_cast<unsigned long long>(simulation.state_hash()));
        const std::vector<std::uint32_t> low = simulation.bodies_in("box = [[-1, -1, -1], [1, 1, '2 cm']]");
        simulation.remove(low);
        scree::NewBodies again;  // one of them, from the top
        again.ids = {low.at(0)};
        again.position = {0, 0, 0.28};
        simulation.insert(again);
        std::printf("%zu lay low and went, one came again: %lld are there\n", low.size(),
                    static_cast<long long>(simulation.totals().bodies));
        scene.with({"material.glass.density=-1"});
    } catch (const scree::SceneError& error) {
        std::printf("refused: %s\n", error.what());
        return 0;
    } catch (const scree::RunError& error) {
        std::fprintf(stderr, "the run failed: %s\n", error.what());
    }
    return 1;
}
