// Any text as a table of spheres: as `scree collide` reads it, and as a scene's `place = { file = … }` does.
#include <cmath>

#include "collide/sphere_file.hpp"
#include "fuzz/input_file.hpp"
#include "setup/placement/placement.hpp"

using namespace scree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const fuzz::InputFile file(bytes, size, ".csv");
    fuzz::expect_error_or_success([&] {
        const SphereTable spheres = read_spheres(file.path());
        fuzz::require(spheres.x.size() == spheres.r.size() && spheres.y.size() == spheres.r.size() && spheres.z.size() == spheres.r.size(),
                      "columns are of one length");
        for (std::size_t k = 0; k < spheres.r.size(); ++k)
            fuzz::require(spheres.r[k] > 0 && std::isfinite(spheres.x[k] + spheres.y[k] + spheres.z[k] + spheres.r[k]),
                          "spheres are finite, with a radius above zero");
    });
    fuzz::expect_error_or_success([&] {
        Scene scene;
        scene.materials.resize(1);
        scene.materials[0].name = "glass";
        SceneBodies group;
        group.material = "glass";
        group.placement.file = file.path();
        const Placed placed = place_file(scene, group, std::nullopt);
        fuzz::require(placed.position.size() == placed.radius.size(), "each body has a radius");
        for (const double radius : placed.radius) fuzz::require(radius > 0, "radii are above zero");
    });
    return 0;
}
