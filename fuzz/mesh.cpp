// Any bytes as a mesh file. The first byte chooses the format; a mesh that is read has corners that are there and are finite.
#include <array>
#include <cmath>

#include "fuzz/input_file.hpp"
#include "model/surfaces/mesh_topology.hpp"
#include "setup/walls.hpp"

using namespace scree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const std::array<const char*, 5> extensions{".ply", ".off", ".csv", ".stl", ".obj"};
    if (size == 0) return 0;
    const fuzz::InputFile file(bytes + 1, size - 1, extensions[bytes[0] % extensions.size()]);
    fuzz::expect_error_or_success([&] {
        const TriangleMesh mesh = read_mesh(file.path(), 1.0, {}, {"scene.toml", 1, 1});
        fuzz::require(!mesh.triangles.empty(), "a mesh that is read has triangles");
        for (const Vec3& corner : mesh.vertices) fuzz::require(std::isfinite(norm2(corner)), "corners are finite");
        for (const auto& triangle : mesh.triangles)
            for (int k = 0; k < 3; ++k) {
                const std::int64_t corner = triangle[k];
                fuzz::require(corner >= 0 && corner < static_cast<std::int64_t>(mesh.vertices.size()),
                              "triangles name corners that are there");
            }
    });
    return 0;
}
