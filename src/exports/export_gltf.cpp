// One frame as frame_NNNNNN.glb: bodies as instances of a mesh for each shape and colour, walls, and bonds as lines.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "exports/export.hpp"
#include "exports/glb.hpp"
#include "output/atomic_file.hpp"
#include "output/json.hpp"
#include "output/polyhedra_surface.hpp"
#include "output/run_directory.hpp"
#include "render/render_run.hpp"
#include "render/survey.hpp"
#include "render/wall_meshes.hpp"

namespace scree {
namespace {

constexpr int kColours = 64;  // of a map
constexpr int kFiner = 2;     // halvings of the edges of an icosahedron: 162 corners
constexpr int kRim = 48;      // corners of a disk
constexpr double kWallOpacity = 0.3;
constexpr std::uint32_t kWall = 0xc6ccd4, kBond = 0x3a4048;

/// A ball of radius 1: an icosahedron whose triangles are split and whose corners go to the ball.
GltfMesh ball() {
    const double g = 0.5 * (1 + std::sqrt(5.0));
    std::vector<Vec3> v = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                           {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    std::vector<std::array<std::uint32_t, 3>> faces = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                                       {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                                       {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (Vec3& p : v) p = normalized(p);
    for (int k = 0; k < kFiner; ++k) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [found, fresh] = middles.emplace(std::minmax(a, b), static_cast<std::uint32_t>(v.size()));
            if (fresh) v.push_back(normalized(v[a] + v[b]));
            return found->second;
        };
        std::vector<std::array<std::uint32_t, 3>> finer;
        for (const auto& [a, b, c] : faces) {
            const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        faces = std::move(finer);
    }
    GltfMesh mesh;
    for (const Vec3& p : v) mesh.vertex.push_back(cast<float>(p));
    mesh.normal = mesh.vertex;
    for (const auto& face : faces) mesh.corner.insert(mesh.corner.end(), face.begin(), face.end());
    return mesh;
}

GltfMesh disk() {
    GltfMesh mesh;
    for (int k = 0; k < kRim; ++k) {
        const double angle = 6.283185307179586 * k / kRim;
        mesh.vertex.push_back(cast<float>(Vec3{std::cos(angle), std::sin(angle), 0}));
        if (k >= 2) mesh.corner.insert(mesh.corner.end(), {0u, static_cast<std::uint32_t>(k - 1), static_cast<std::uint32_t>(k)});
    }
    mesh.normal.assign(mesh.vertex.size(), {0, 0, 1});
    return mesh;
}

GltfMesh mesh_of(const ShapeFaces& shape) {
    GltfMesh mesh;
    std::vector<Vec3> normal(shape.vertex.size());
    for (const Vec3& p : shape.vertex) mesh.vertex.push_back(cast<float>(p));
    for (std::size_t f = 0; f < shape.faces(); ++f) {
        const auto begin = static_cast<std::size_t>(shape.face_start[f]), end = static_cast<std::size_t>(shape.face_start[f + 1]);
        for (std::size_t k = begin + 2; k < end; ++k) {
            const std::size_t t[3] = {static_cast<std::size_t>(shape.face_vertex[begin]),
                                      static_cast<std::size_t>(shape.face_vertex[k - 1]), static_cast<std::size_t>(shape.face_vertex[k])};
            const Vec3 area = cross(shape.vertex[t[1]] - shape.vertex[t[0]], shape.vertex[t[2]] - shape.vertex[t[0]]);
            for (const std::size_t corner : t) {
                mesh.corner.push_back(static_cast<std::uint32_t>(corner));
                normal[corner] += area;
            }
        }
    }
    if (!shape.smooth()) return mesh;
    for (const Vec3& n : normal) mesh.normal.push_back(cast<float>(normalized(n)));
    return mesh;
}

/// Colours in so many classes that a class is one material.
struct Colours {
    ColourRule rule;

    /// The class of a value; one for what is no number.
    long long class_of(double value) const {
        if (rule.categories) return std::llround(value);
        if (!std::isfinite(value)) return -1;
        const double t = rule.high > rule.low ? (value - rule.low) / (rule.high - rule.low) : 0.5;
        return std::clamp(static_cast<int>(t * kColours), 0, kColours - 1);
    }
    Rgb colour(long long number) const {
        if (rule.categories) return rule.colour(static_cast<double>(number));
        return map_colour(rule.map, number < 0 ? std::nan("") : (static_cast<double>(number) + 0.5) / kColours);
    }
};

class GltfFrame {
public:
    GltfFrame(const FrameParts& frame, const Look& look, const GltfOptions& options) : frame_(frame), look_(look), options_(options) {}

    std::string make(std::size_t number) {
        Survey survey;
        survey.add(frame_, look_);
        Legend legend;
        if (look_.colour != "none") {
            colours_.rule = survey.body_rule(options_.map, options_.range ? &*options_.range : nullptr, options_.materials, legend);
        } else {
            colours_.rule.categories = true;
        }
        add_bodies();
        for (const WallMesh& wall : wall_meshes(frame_, look_, survey.region)) add_wall(wall);
        add_bonds();
        const std::string extras =
            fmt::format(R"({{"time_s": {:.17g}, "colour": {}, "unit": {}, "low": {:.9g}, "high": {:.9g}}})", frame_.bodies.time,
                        json_string(look_.colour), json_string(unit_), colours_.rule.low, colours_.rule.high);
        return glb_.finish(fmt::format("frame {}, t = {:g} s", number, frame_.bodies.time), extras);
    }

private:
    std::size_t geometry_of(std::int32_t shape) {
        const auto found = geometry_.find(shape);
        if (found != geometry_.end()) return found->second;
        const GltfMesh mesh = shape >= 0 ? mesh_of((*frame_.shapes)[static_cast<std::size_t>(shape)]) : look_.flat ? disk() : ball();
        return geometry_[shape] = glb_.geometry(mesh);
    }

    void add_bodies() {
        const Snapshot& s = frame_.bodies;
        const FieldValues field = field_values(look_.colour, frame_);
        unit_ = field.unit;
        std::map<std::pair<std::int32_t, long long>, std::vector<Glb::Placed>> groups;
        for (std::size_t k = 0; k < frame_.size(); ++k) {
            if (is_compound(*frame_.shapes, s, k)) continue;
            const bool faces = is_polyhedron(s, k);
            Glb::Placed placed;
            placed.shift = cast<float>(s.position[k]);
            if (!s.orientation.empty()) {
                const Quat q = s.orientation[k];
                placed.turn = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
            }
            placed.size = static_cast<float>(s.radius[k]);
            placed.id = s.id[k];
            groups[{faces ? s.shape[k] : -1, colours_.class_of(field.values[k])}].push_back(placed);
        }
        std::map<long long, std::size_t> materials;
        for (const auto& [kind, places] : groups) {
            const auto [shape, number] = kind;
            if (!materials.contains(number))
                materials[number] = glb_.material(fmt::format("{} {}", look_.colour, number), colours_.colour(number));
            const std::string name = shape < 0 ? (look_.flat ? "disk" : "sphere") : (*frame_.shapes)[static_cast<std::size_t>(shape)].name;
            const std::size_t mesh = glb_.mesh(fmt::format("{} {}", name, number), geometry_of(shape), materials[number]);
            if (!options_.nodes) {
                glb_.instances(name, mesh, places);
                continue;
            }
            for (const Glb::Placed& place : places) glb_.node(fmt::format("{} {}", name, place.id), mesh, place);
        }
    }

    void add_wall(const WallMesh& wall) {
        if (!wall_material_) wall_material_ = glb_.material("wall", from_screen(kWall), kWallOpacity);
        GltfMesh mesh;
        for (const Vec3& v : wall.mesh.vertex) mesh.vertex.push_back(cast<float>(v));
        for (const auto& t : wall.mesh.triangle) {
            for (const std::int32_t corner : t) mesh.corner.push_back(static_cast<std::uint32_t>(corner));
        }
        glb_.node("wall " + wall.name, glb_.mesh("wall " + wall.name, glb_.geometry(mesh), *wall_material_), {});
    }

    void add_bonds() {
        const std::vector<std::int32_t> row = rows_by_id(frame_.bodies);
        GltfMesh mesh;
        mesh.lines = true;
        for (const HeldBond& bond : frame_.bonds) {
            if (bond.a >= row.size() || row[bond.a] < 0) continue;
            const Vec3 from = frame_.bodies.position[static_cast<std::size_t>(row[bond.a])];
            for (const Vec3& end : {from, from + bond.arm}) {
                mesh.corner.push_back(static_cast<std::uint32_t>(mesh.vertex.size()));
                mesh.vertex.push_back(cast<float>(end));
            }
        }
        if (mesh.vertex.empty()) return;
        glb_.node("bonds", glb_.mesh("bonds", glb_.geometry(mesh), glb_.material("bonds", from_screen(kBond))), {});
    }

    const FrameParts& frame_;
    const Look& look_;
    const GltfOptions& options_;
    Colours colours_;
    std::string unit_;
    Glb glb_;
    std::map<std::int32_t, std::size_t> geometry_;
    std::optional<std::size_t> wall_material_;
};

}  // namespace

Exported export_gltf(const FrameReader& reader, const std::string& directory, const GltfOptions& options) {
    std::vector<double> times;
    for (const FrameEntry& frame : reader.frames()) times.push_back(frame.time);
    const std::size_t number = chosen_frames("", options.time, times).front();
    const FrameParts parts = read_parts(reader, number);
    Look look;
    look.colour = options.colour.empty() ? default_field(parts.has_velocity) : options.colour;
    look.flat = is_flat(parts);
    const std::string glb = GltfFrame(parts, look, options).make(number);
    make_export_directory(directory);
    const std::string path = run_file(directory, fmt::format("frame_{:06d}.glb", number).c_str());
    write_file_atomically(path, glb);
    return {{path}, 1};
}

}  // namespace scree
