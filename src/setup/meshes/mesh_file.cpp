// Mesh files -> triangles.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "scene/plain_file.hpp"
#include "setup/meshes/mesh_check.hpp"
#include "setup/meshes/mesh_import.hpp"
#include "setup/placement/text_rows.hpp"
#include "setup/walls.hpp"

namespace scree {

namespace {

std::string extension_of(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return extension;
}

/// Nine numbers a row.
TriangleMesh read_rows(const std::string& path, const SourcePlace& place) {
    TextRows rows(path, place);
    TriangleMesh mesh;
    std::vector<std::string_view> row;
    for (bool first = true; rows.next(row); first = false) {
        if (first && !row.empty() && !parse_number(row.front())) continue;  // a line of names
        if (row.size() != 9) throw Error(rows.here(), fmt::format("{} numbers where nine are needed: x y z of three corners", row.size()));
        const std::int32_t n = static_cast<std::int32_t>(mesh.vertices.size());
        for (std::size_t k = 0; k < 9; k += 3)
            mesh.vertices.push_back(
                {number_or_throw(row[k], rows.here()), number_or_throw(row[k + 1], rows.here()), number_or_throw(row[k + 2], rows.here())});
        mesh.triangles.push_back({n, n + 1, n + 2});
    }
    return mesh;
}

/// Is the file a PLY by its name or, where that says nothing, by how it begins? The library goes by both too.
bool is_ply(const std::string& path) {
    if (extension_of(path) == ".ply") return true;
    std::ifstream in(path, std::ios::binary);
    std::string word;
    std::getline(in, word);
    return word == "ply" || word == "ply\r";
}

/// By the import library, after checks of what it does not bear.
TriangleMesh read_checked(const std::string& path, const SourcePlace& place) {
    require_plain_file(path, kMostDataBytes, place);
    if (std::filesystem::file_size(path) == 0) throw Error(place, fmt::format("\"{}\" is empty", path));
    for (const char* exact : {".step", ".stp", ".iges", ".igs", ".brep"})
        if (extension_of(path) == exact)
            throw Error(place, fmt::format("\"{}\" holds exact surfaces, not triangles: convert it to STL first, as by `gmsh -2 {} -o "
                                           "part.stl` or FreeCAD's Mesh > Create mesh from shape, and mind its unit (scale)",
                                           path, std::filesystem::path(path).filename().string()));
    if (is_ply(path)) check_ply(path, place);
    if (extension_of(path) == ".off") check_off(path, place);
    if (extension_of(path) == ".dae") check_collada(path, place);
    return import_mesh(path, place);
}

}  // namespace

TriangleMesh read_mesh(const std::string& path, double scale, Vec3 offset, const SourcePlace& place) {
    if (!(std::isfinite(scale) && scale > 0.0)) throw Error(place, fmt::format("scale {} must be positive", scale));
    const std::string extension = extension_of(path);
    const bool is_text = extension == ".txt" || extension == ".csv" || extension == ".dat";
    TriangleMesh mesh = is_text ? read_rows(path, place) : read_checked(path, place);
    if (mesh.triangles.empty()) throw Error(place, fmt::format("\"{}\" holds no triangles", path));
    for (Vec3& p : mesh.vertices) {
        p = scale * p + offset;
        if (!std::isfinite(norm2(p))) throw Error(place, fmt::format("\"{}\" has a vertex that is not finite", path));
    }
    return mesh;
}

}  // namespace scree
