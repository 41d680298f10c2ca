// Mesh files -> triangles.
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/Importer.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "setup/mesh_check.hpp"
#include "setup/text_rows.hpp"
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

/// Reads with the library; all that it finds wrong becomes an Error at `place`.
const aiScene* import_scene(Assimp::Importer& importer, const std::string& path, const SourcePlace& place) {
    const aiScene* scene = nullptr;
    std::string fault;
    try {
        scene = importer.ReadFile(
            path, aiProcess_ValidateDataStructure | aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices);
        fault = importer.GetErrorString();
    } catch (const std::exception& e) {
        fault = e.what();
    }
    if (!scene) throw Error(place, fmt::format("cannot read \"{}\" as a mesh: {}", path, fault));
    return scene;
}

/// All meshes of a file, with the transformations of its nodes, faces cut into triangles, points and lines left out.
TriangleMesh read_assimp(const std::string& path, const SourcePlace& place) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    if (error) throw Error(place, fmt::format("cannot read \"{}\": {}", path, error.message()));
    if (bytes == 0) throw Error(place, fmt::format("\"{}\" is empty", path));
    if (is_ply(path)) check_ply(path, place);
    if (extension_of(path) == ".off") check_off(path, place);
    Assimp::Importer importer;
    importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const aiScene* scene = import_scene(importer, path, place);
    TriangleMesh mesh;
    for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
        const aiMesh& part = *scene->mMeshes[m];
        const std::size_t base = mesh.vertices.size();
        for (unsigned v = 0; v < part.mNumVertices; ++v) {
            const aiVector3D& p = part.mVertices[v];
            mesh.vertices.push_back({p.x, p.y, p.z});
        }
        for (unsigned f = 0; f < part.mNumFaces; ++f) {
            const aiFace& face = part.mFaces[f];
            if (face.mNumIndices != 3) continue;  // a point or line that the removal above left in
            const auto corner = [&](unsigned k) { return static_cast<std::int32_t>(base + face.mIndices[k]); };
            mesh.triangles.push_back({corner(0), corner(1), corner(2)});
        }
    }
    return mesh;
}

}  // namespace

TriangleMesh read_mesh(const std::string& path, double scale, Vec3 offset, const SourcePlace& place) {
    if (!(std::isfinite(scale) && scale > 0.0)) throw Error(place, fmt::format("scale {} must be positive", scale));
    const std::string extension = extension_of(path);
    const bool is_text = extension == ".txt" || extension == ".csv" || extension == ".dat";
    TriangleMesh mesh = is_text ? read_rows(path, place) : read_assimp(path, place);
    if (mesh.triangles.empty()) throw Error(place, fmt::format("\"{}\" holds no triangles", path));
    for (Vec3& p : mesh.vertices) {
        p = scale * p + offset;
        if (!std::isfinite(norm2(p))) throw Error(place, fmt::format("\"{}\" has a vertex that is not finite", path));
    }
    return mesh;
}

}  // namespace scree
