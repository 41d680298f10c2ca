#include "exports/glb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "output/json.hpp"

namespace scree {
namespace {

constexpr int kFloat = 5126, kUnsignedInt = 5125;             // componentType
constexpr int kVertices = 34962, kIndices = 34963, kAny = 0;  // bufferView.target
constexpr int kLines = 1, kTriangles = 4;                     // primitive.mode

void append(std::string& list, const std::string& item) {
    list += list.empty() ? "" : ",\n";
    list += item;
}

/// A chunk of the container: length, type, and bytes up to a multiple of four.
void add_chunk(std::string& file, const char* type, std::string bytes, char filling) {
    bytes.resize((bytes.size() + 3) / 4 * 4, filling);
    if (bytes.size() > 0xffffffffu - 64) throw Error("the frame makes more than 4 GB of glTF, which its container cannot hold");
    const auto length = static_cast<std::uint32_t>(bytes.size());
    file.append(reinterpret_cast<const char*>(&length), sizeof length);
    file.append(type, 4);
    file += bytes;
}

}  // namespace

template <class T>
std::size_t Glb::accessor(const std::vector<T>& values, int component, const char* kind, int target, const std::string& bounds) {
    const std::size_t size = values.size() * sizeof(T);
    append(views_, fmt::format(R"({{"buffer": 0, "byteOffset": {}, "byteLength": {}{}}})", bytes_.size(), size,
                               target == kAny ? "" : fmt::format(R"(, "target": {})", target)));
    bytes_.append(reinterpret_cast<const char*>(values.data()), size);
    append(accessors_, fmt::format(R"({{"bufferView": {}, "componentType": {}, "count": {}, "type": "{}"{}}})", view_count_++, component,
                                   values.size(), kind, bounds));
    return accessor_count_++;
}

std::size_t Glb::material(const std::string& name, Rgb colour, double opacity) {
    append(materials_,
           fmt::format(
               R"({{"name": {}, "doubleSided": true{}, "pbrMetallicRoughness": {{"baseColorFactor": [{:.6g}, {:.6g}, {:.6g}, {:.6g}], )"
               R"("metallicFactor": 0, "roughnessFactor": 0.7}}}})",
               json_string(name), opacity < 1 ? R"(, "alphaMode": "BLEND")" : "", std::clamp(colour.r, 0.0f, 1.0f),
               std::clamp(colour.g, 0.0f, 1.0f), std::clamp(colour.b, 0.0f, 1.0f), opacity));
    return material_count_++;
}

std::size_t Glb::geometry(const GltfMesh& mesh) {
    FloatVec3 low = mesh.vertex.front(), high = low;
    for (const FloatVec3& v : mesh.vertex) {
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    const std::string bounds =
        fmt::format(R"(, "min": [{:.9g}, {:.9g}, {:.9g}], "max": [{:.9g}, {:.9g}, {:.9g}])", low.x, low.y, low.z, high.x, high.y, high.z);
    Geometry made{};
    made.position = accessor(mesh.vertex, kFloat, "VEC3", kVertices, bounds);
    made.index = accessor(mesh.corner, kUnsignedInt, "SCALAR", kIndices);
    made.normal = mesh.normal.empty() ? static_cast<std::size_t>(-1) : accessor(mesh.normal, kFloat, "VEC3", kVertices);
    made.lines = mesh.lines;
    geometries_.push_back(made);
    return geometries_.size() - 1;
}

std::size_t Glb::mesh(const std::string& name, std::size_t geometry, std::size_t material) {
    const Geometry& of = geometries_.at(geometry);
    const std::string normal = of.normal == static_cast<std::size_t>(-1) ? "" : fmt::format(R"(, "NORMAL": {})", of.normal);
    append(
        meshes_,
        fmt::format(R"({{"name": {}, "primitives": [{{"attributes": {{"POSITION": {}{}}}, "indices": {}, "material": {}, "mode": {}}}]}})",
                    json_string(name), of.position, normal, of.index, material, of.lines ? kLines : kTriangles));
    return mesh_count_++;
}

void Glb::node(const std::string& name, std::size_t mesh, const Placed& at) {
    append(
        nodes_,
        fmt::format(R"({{"name": {}, "mesh": {}, "translation": [{:.9g}, {:.9g}, {:.9g}], "rotation": [{:.9g}, {:.9g}, {:.9g}, {:.9g}], )"
                    R"("scale": [{:.9g}, {:.9g}, {:.9g}]}})",
                    json_string(name), mesh, at.shift.x, at.shift.y, at.shift.z, at.turn[0], at.turn[1], at.turn[2], at.turn[3], at.size,
                    at.size, at.size));
    ++node_count_;
}

void Glb::instances(const std::string& name, std::size_t mesh, const std::vector<Placed>& places) {
    std::vector<FloatVec3> shift, size;
    std::vector<std::array<float, 4>> turn;
    std::vector<float> id;  // whole numbers up to 2^24: the extension's attributes of one's own are floats or short integers
    for (const Placed& at : places) {
        shift.push_back(at.shift);
        turn.push_back(at.turn);
        size.push_back({at.size, at.size, at.size});
        id.push_back(static_cast<float>(at.id));
    }
    const std::size_t t = accessor(shift, kFloat, "VEC3", kAny), r = accessor(turn, kFloat, "VEC4", kAny),
                      s = accessor(size, kFloat, "VEC3", kAny), i = accessor(id, kFloat, "SCALAR", kAny);
    append(nodes_, fmt::format(R"({{"name": {}, "mesh": {}, "extensions": {{"EXT_mesh_gpu_instancing": {{"attributes": )"
                               R"({{"TRANSLATION": {}, "ROTATION": {}, "SCALE": {}, "_ID": {}}}}}}}}})",
                               json_string(name), mesh, t, r, s, i));
    ++node_count_;
    instanced_ = true;
}

std::string Glb::finish(const std::string& name, const std::string& extras) {
    std::string children;
    for (std::size_t k = 1; k < node_count_; ++k) children += (k > 1 ? ", " : "") + std::to_string(k);
    std::string json = R"({"asset": {"version": "2.0", "generator": "scree", "extras": )" + extras + "},\n";
    if (instanced_) {
        // A reader that does not know it would show one body of each colour alone, so it is told.
        json += R"("extensionsUsed": ["EXT_mesh_gpu_instancing"], "extensionsRequired": ["EXT_mesh_gpu_instancing"],)"
                "\n";
    }
    json += "\"scene\": 0, \"scenes\": [{\"nodes\": [0]}],\n";
    // A quarter turn about x, backwards: z goes to y.
    json += fmt::format("\"nodes\": [{{\"name\": {}, \"rotation\": [-0.70710678, 0, 0, 0.70710678]{}}}", json_string(name),
                        children.empty() ? "" : ", \"children\": [" + children + "]");
    json += (nodes_.empty() ? "" : ",\n" + nodes_) + "]";
    const auto list = [&](const char* key, const std::string& items) {
        if (!items.empty()) json += fmt::format(",\n\"{}\": [{}]", key, items);
    };
    list("materials", materials_);
    list("meshes", meshes_);
    list("accessors", accessors_);
    list("bufferViews", views_);
    if (!bytes_.empty()) json += fmt::format(",\n\"buffers\": [{{\"byteLength\": {}}}]", bytes_.size());
    json += "}";
    std::string chunks;
    add_chunk(chunks, "JSON", std::move(json), ' ');
    if (!bytes_.empty()) add_chunk(chunks, "BIN\0", std::move(bytes_), '\0');
    std::string file = "glTF";
    for (const std::uint32_t number : {std::uint32_t{2}, static_cast<std::uint32_t>(chunks.size() + 12)})
        file.append(reinterpret_cast<const char*>(&number), sizeof number);
    return file + chunks;
}

}  // namespace scree
