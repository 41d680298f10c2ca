// Any bytes as a table of spheres, as `scree collide` reads it, and as bodies of a scene's `place = { file = … }`: a table, a dump, a data
// file, a VTK or a GSD file.
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
    Scene scene;
    scene.materials.resize(1);
    scene.materials[0].name = "glass";
    scene.materials[0].density = 2500;
    SceneBodies group;
    group.material = "glass";
    group.placement.file = file.path();
    // Twice, so that types without a material do not keep what stands after them from being tried.
    for (const std::size_t types : {std::size_t{0}, std::size_t{2}}) {
        group.placement.types.assign(types, "glass");
        fuzz::expect_error_or_success([&] {
            const Placed placed = place_file(scene, group, std::nullopt);
            const std::size_t bodies = placed.position.size();
            fuzz::require(bodies > 0 && placed.radius.size() == bodies && placed.velocity.size() == bodies, "columns are of one length");
            for (const double radius : placed.radius) fuzz::require(radius >= 0, "radii are above zero, or 0 where a shape gives them");
            for (const Vec3 x : placed.position)
                fuzz::require(std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z), "places are finite");
            fuzz::require(placed.material.empty() || placed.material.size() == bodies, "each body has a material");
            for (const std::int32_t material : placed.material) fuzz::require(material == 0, "materials are the scene's");
        });
    }
    return 0;
}
