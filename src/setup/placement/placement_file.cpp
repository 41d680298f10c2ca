// Bodies from a file of any of the formats that are read, which its content tells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/files_of.hpp"
#include "scene/plain_file.hpp"
#include "scene/vtk/xml_file.hpp"
#include "setup/materials.hpp"
#include "setup/placement/body_columns.hpp"
#include "setup/placement/gsd_file.hpp"
#include "setup/placement/placement.hpp"

namespace scree {

namespace {

using Writer = BodyColumns::Writer;

/// The largest difference of a file's density from that of a material, as a share of the latter, that is left to rounding of the file.
constexpr double kDensityTolerance = 0.01;

/// LAMMPS' data files have no mark of their own: a title, then lines such as "100 atoms", and sections such as Atoms. Looked for in the
/// first hundred lines.
bool is_lammps_data(std::string_view text) {
    if (text.starts_with("LAMMPS data file") || text.starts_with("LIGGGHTS data file")) return true;
    for (int line = 1; line <= 100 && !text.empty(); ++line) {
        std::string_view words = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(words.size() + 1, text.size()));
        words = words.substr(0, words.find('#'));
        while (!words.empty() && (words.back() == ' ' || words.back() == '\t' || words.back() == '\r')) words.remove_suffix(1);
        if (line > 1 && (words == "Atoms" || words.ends_with(" atoms") || words.ends_with("\tatoms"))) return true;
    }
    return false;
}

/// Of bodies that are not `sized` the file says how large they are.
BodyColumns read_bodies(const Scene& scene, const ScenePlacement& placement, bool sized) {
    const std::string path = resolved_path(scene.folder, placement.file);
    std::string text = read_plain_file(path, kMostDataBytes, placement.file_place);
    if (is_gsd(text)) return read_gsd(path, text, sized);
    if (is_xml(text)) return read_vtk_xml(path, std::move(text));
    const std::string_view begin = std::string_view(text).substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (begin.starts_with("# vtk DataFile")) return read_vtk(path, text);
    const bool is_dump = begin.starts_with("ITEM:"), is_data = !is_dump && is_lammps_data(text);
    TextRows rows(path, std::move(text));
    return is_dump ? read_lammps_dump(rows, scene.dimensions == 2) : is_data ? read_lammps_data(rows) : read_text_bodies(rows, scene);
}

/// Lengths and velocities to metres.
void scale(BodyColumns& bodies, const ScenePlacement& placement) {
    if (placement.scale == 1.0) return;
    if (bodies.writer == Writer::Scree)
        throw Error(placement.place,
                    fmt::format("scale = {}: a frame that scree exported is in SI units; leave scale out", placement.scale));
    for (const Column c : {Column::X, Column::Y, Column::Z, Column::Radius, Column::Diameter, Column::Vx, Column::Vy, Column::Vz})
        for (double& value : bodies.of(c)) value *= placement.scale;
}

void check_sizes(const BodyColumns& bodies, const SceneBodies& group, bool has_sizes, bool round) {
    const std::string& file = group.placement.file;
    const bool has_radii = bodies.has(Column::Radius) || bodies.has(Column::Diameter);
    if (!has_radii && !has_sizes && !bodies.has(Column::Shape))
        throw Error(bodies.head,
                    fmt::format("{} radius or diameter is needed, or a shape, {}in [[bodies]], that gives the sizes",
                                bodies.item != nullptr ? "an array" : "a column", bodies.writer == Writer::Other ? "" : "here or "));
    if (bodies.has(Column::Shape) && has_sizes)
        throw Error(group.place, fmt::format("shapes come from \"{}\" and from shape = \"{}\": leave one out", file, group.shape));
    if (has_radii && has_sizes && round)
        throw Error(group.place, fmt::format("radii come from \"{}\" and from shape \"{}\": leave one out", file, group.shape));
}

bool is_finite(Vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// The radius of body k, 0 where its shape gives it.
double radius_of(const BodyColumns& bodies, std::size_t k, const std::optional<Sizes>& sizes) {
    const bool has_radius = bodies.has(Column::Radius);
    if (!has_radius && !bodies.has(Column::Diameter)) return sizes ? sizes->radius(k) : 0.0;
    double r = has_radius ? bodies.of(Column::Radius)[k] : 0.5 * bodies.of(Column::Diameter)[k];
    if (bodies.writer == Writer::Scree && r == 0.0) r = 1.0;  // of a compound: its mass tells
    if (!(r > 0.0)) throw bodies.fault(k, fmt::format("radius {} m must be positive", r));
    // Inertia goes by the fifth power.
    if (!std::isnormal(std::pow(r, 5))) throw bodies.fault(k, fmt::format("radius {} m is past the range that masses can be had of", r));
    return r;
}

/// The material of each body by the number of its type, or none where the group's is that of all.
std::vector<std::int32_t> materials_of(const BodyColumns& bodies, const Scene& scene, const ScenePlacement& placement) {
    std::vector<std::int32_t> materials;
    for (std::size_t k = 0; k < bodies.of(Column::Material).size(); ++k) {
        const double material = bodies.of(Column::Material)[k];
        if (!(material >= 0 && material < static_cast<double>(scene.materials.size())))
            throw bodies.fault(k, fmt::format("material {} is none of the scene's, which count from 0 to {}", material,
                                              static_cast<std::int64_t>(scene.materials.size()) - 1));
        materials.push_back(static_cast<std::int32_t>(material));
    }
    const std::vector<std::string>& types = placement.types;
    if (types.empty()) return materials;
    if (!bodies.has(Column::Type))
        throw Error(bodies.head, "the file has no types of bodies: leave out types, which names their materials");
    std::vector<std::int32_t> by_type;
    by_type.reserve(types.size());
    for (const std::string& name : types) by_type.push_back(material_index(scene, name, placement.place));
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const double type = bodies.of(Column::Type)[k];
        if (!(type >= 1 && type <= static_cast<double>(types.size())) || type != std::floor(type))
            throw bodies.fault(k,
                               fmt::format("type {} has no material: types names those of 1 to {}; add a name to it", type, types.size()));
        materials.push_back(by_type[static_cast<std::size_t>(type) - 1]);
    }
    return materials;
}

/// Bodies have the density of their material, so that of the file must be the same. Files in other units have other densities.
void check_densities(const BodyColumns& bodies, const Placed& placed, const Scene& scene, const SceneBodies& group) {
    if (bodies.writer != Writer::Other || !bodies.has(Column::Density) || group.placement.scale != 1.0) return;
    const std::int32_t of_group = material_index(scene, group.material, group.place);
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const SceneMaterial& material = scene.materials[static_cast<std::size_t>(placed.material.empty() ? of_group : placed.material[k])];
        const double density = bodies.of(Column::Density)[k];
        if (std::abs(density - material.density) <= kDensityTolerance * material.density) continue;
        const std::string type = bodies.has(Column::Type) ? fmt::format(" of type {}", bodies.of(Column::Type)[k]) : "";
        throw bodies.fault(
            k, fmt::format("the density {} kg/m^3{} is not that of material \"{}\", {} kg/m^3, which bodies have: change that, or "
                           "name another material",
                           density, type, material.name, material.density));
    }
}

Quat orientation_of(const BodyColumns& bodies, std::size_t k, bool planar) {
    if (bodies.has(Column::Angle)) return rotation_by(Vec3{0, 0, bodies.of(Column::Angle)[k]});
    const Quat q{bodies.of(Column::Qw)[k], bodies.of(Column::Qx)[k], bodies.of(Column::Qy)[k], bodies.of(Column::Qz)[k]};
    if (!std::isnormal(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z)) throw bodies.fault(k, "the quaternion has no length");
    if (planar && bodies.writer == Writer::Other && (q.x != 0.0 || q.y != 0.0))
        throw bodies.fault(k, "the quaternion turns the body out of the plane: in two dimensions its x and y are 0");
    return q;
}

}  // namespace

Placed place_file(const Scene& scene, const SceneBodies& group, const std::optional<Sizes>& sizes, bool round) {
    BodyColumns bodies = read_bodies(scene, group.placement, sizes.has_value());
    if (bodies.size() == 0) throw Error(group.placement.place, fmt::format("\"{}\" holds no bodies", group.placement.file));
    check_sizes(bodies, group, sizes.has_value(), round);
    scale(bodies, group.placement);
    if (bodies.writer == Writer::Other) order_by_id(bodies);

    Placed placed;
    placed.principal = bodies.writer == Writer::Scree;
    placed.shapes = std::move(bodies.shapes);
    placed.material = materials_of(bodies, scene, group.placement);
    placed.mass = std::move(bodies.of(Column::Mass));
    for (const double shape : bodies.of(Column::Shape)) placed.shape.push_back(static_cast<std::int32_t>(shape));
    check_densities(bodies, placed, scene, group);
    const bool planar = scene.dimensions == 2;
    // Other programs give spheres orientations, too.
    const bool turned = bodies.has(Column::Angle) || (bodies.has(Column::Qw) && !(bodies.writer == Writer::Other && round));
    const Vec3 v = group.velocity, w = group.angular_velocity;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const auto number = [&](Column c, double otherwise) { return bodies.number(c, k, otherwise); };
        const Vec3 spin{number(Column::Wx, w.x), number(Column::Wy, w.y), number(Column::Wz, w.z)};
        const Vec3 place{number(Column::X, 0.0), number(Column::Y, 0.0), planar ? 0.0 : number(Column::Z, 0.0)};
        const Vec3 velocity{number(Column::Vx, v.x), number(Column::Vy, v.y), planar ? v.z : number(Column::Vz, v.z)};
        if (!is_finite(place) || !is_finite(velocity))
            throw bodies.fault(k, "place or velocity is too large for a number: look at scale, and at the bounds of a dump's box");
        placed.radius.push_back(radius_of(bodies, k, sizes));
        placed.position.push_back(place);
        placed.velocity.push_back(velocity);
        placed.angular_velocity.push_back(planar ? Vec3{w.x, w.y, spin.z} : spin);
        if (turned) placed.orientation.push_back(orientation_of(bodies, k, planar));
    }
    return placed;
}

}  // namespace scree
