#include "sim/shape_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "model/symmetric3.hpp"
#include "output/atomic_file.hpp"
#include "output/json.hpp"
#include "setup/approximations.hpp"
#include "setup/meshes/hull_faces.hpp"
#include "setup/packed.hpp"
#include "setup/placement/sphere_grid.hpp"
#include "setup/walls.hpp"
#include "sim/part_files.hpp"
#include "sim/shape_picture.hpp"

namespace scree {

namespace {

constexpr double kBall = 4.18879020478639098;  // 4 pi / 3
constexpr std::size_t kSamples = 100'000;      // of the surface

/// What stands for the mesh, by its kind.
struct Substitute {
    std::vector<Ball> spheres;    // packed, spheres
    std::vector<FaceList> parts;  // decomposition
    double solid_fraction{0};     // packed: volume of the spheres over the mesh's
    double surface_distance{0};   // largest distance of a sample of the surface from the nearest sphere, 0 inside one [m]
    double missing{0}, excess{0};
    struct Step {
        std::int64_t number{0};
        double error{0};
    };
    std::vector<Step> steps;
};

/// Distance of a point from the nearest sphere's surface, below 0 inside it.
double distance_of(const std::vector<Ball>& spheres, const SphereGrid& grid, Vec3 p, double first) {
    for (double reach = first;; reach *= 2) {
        double nearest = 2 * reach;
        grid.near(p, reach, [&](std::int32_t index) {
            const Ball& b = spheres[static_cast<std::size_t>(index)];
            nearest = std::min(nearest, norm(p - Vec3{b[0], b[1], b[2]}) - b[3]);
            return true;
        });
        if (nearest <= reach) return nearest;
    }
}

/// Samples are spread over the triangles by area, at random places in each.
double largest_distance(const ClosedMesh& mesh, const std::vector<Ball>& spheres) {
    double smallest = spheres.front()[3];
    for (const Ball& b : spheres) smallest = std::min(smallest, b[3]);
    SphereGrid grid(smallest, spheres.size());
    for (std::size_t k = 0; k < spheres.size(); ++k)
        grid.insert(static_cast<std::int32_t>(k), {spheres[k][0], spheres[k][1], spheres[k][2]}, spheres[k][3]);
    const double share = static_cast<double>(kSamples) / area_of(mesh);
    Rng rng(0, 0);
    double largest = 0, due = 0;
    for (const auto& t : mesh.triangle) {
        const auto corner = [&](std::size_t k) { return mesh.vertex[static_cast<std::size_t>(t[k])]; };
        const Vec3 a = corner(0), ab = corner(1) - a, ac = corner(2) - a;
        for (due += share * 0.5 * norm(cross(ab, ac)); due >= 1; due -= 1) {
            double u = rng.uniform(0.0, 1.0), v = rng.uniform(0.0, 1.0);
            if (u + v > 1) u = 1 - u, v = 1 - v;
            largest = std::max(largest, distance_of(spheres, grid, a + u * ab + v * ac, smallest));
        }
        largest = std::max(largest, distance_of(spheres, grid, a, smallest));
    }
    return largest;
}

Substitute substitute_of(const ClosedMesh& mesh, const ShapeOptions& o, const std::string& label, double volume) {
    Substitute found;
    const double tolerance = o.tolerance > 0 ? o.tolerance : kApproximationTolerance;
    if (o.as == "packed") {
        Filling filling{o.random, {}, o.surface, o.seed};
        filling.size.radius = o.radius;
        found.spheres = fill(mesh, filling, label, {});
        for (const Ball& b : found.spheres) found.solid_fraction += kBall * b[3] * b[3] * b[3] / volume;
    } else if (o.as == "spheres") {
        SphereCover cover = cover_by_spheres(mesh, o.most > 0 ? o.most : kMostSpheres, tolerance, o.surface);
        found.spheres = std::move(cover.spheres);
        found.missing = cover.missing;
        found.excess = cover.excess;
        for (const SphereCover::Step& step : cover.steps) found.steps.push_back({step.spheres, step.error});
    } else if (o.as == "decomposition") {
        Decomposition parts = decompose(mesh, o.most > 0 ? o.most : kMostConvexParts, tolerance);
        found.parts = std::move(parts.parts);
        found.missing = parts.missing;
        found.excess = parts.excess;
        for (const Decomposition::Step& step : parts.steps) found.steps.push_back({step.parts, step.error});
    }
    if (!found.spheres.empty()) found.surface_distance = largest_distance(mesh, found.spheres);
    return found;
}

void check_output(const ShapeOptions& o) {
    check_destination("--output", o.output, o.input, "the mesh");
    if (!is_mesh_name(o.output) && o.as == "decomposition")
        throw Error(fmt::format("--output: \"{}\" is no mesh file: convex parts go to a file that ends in .stl, .obj or .ply", o.output));
    if (!o.overwrite && std::filesystem::exists(o.output))
        throw Error(fmt::format("--output: \"{}\" exists; give --overwrite to replace it", o.output));
}

void check_picture(const ShapeOptions& o) {
    check_destination("--picture", o.picture, o.input, "the mesh");
    if (std::filesystem::path(o.picture).extension() != ".png")
        throw Error(fmt::format("--picture: \"{}\": pictures end in .png", o.picture));
    if (!o.output.empty() && std::filesystem::weakly_canonical(o.picture) == std::filesystem::weakly_canonical(o.output))
        throw Error("--picture and --output name one file");
    if (!o.overwrite && std::filesystem::exists(o.picture))
        throw Error(fmt::format("--picture: \"{}\" exists; give --overwrite to replace it", o.picture));
}

void write_spheres(const std::vector<Ball>& spheres, const std::string& path) {
    std::string text = "x,y,z,radius\n";
    for (const Ball& b : spheres) fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", b[0], b[1], b[2], b[3]);
    write_file_atomically(path, text);
}

void write_substitute(const Substitute& found, const std::string& path) {
    if (!is_mesh_name(path)) return write_spheres(found.spheres, path);
    write_parts(found.spheres.empty() ? found.parts : balls_of(found.spheres), path);
}

std::int64_t faces_of(const std::vector<FaceList>& parts) {
    std::int64_t sum = 0;
    for (const FaceList& part : parts) sum += static_cast<std::int64_t>(part.face.size());
    return sum;
}

std::pair<double, double> radii_of(const std::vector<Ball>& spheres) {
    const auto [least, most] =
        std::minmax_element(spheres.begin(), spheres.end(), [](const Ball& a, const Ball& b) { return a[3] < b[3]; });
    return {(*least)[3], (*most)[3]};
}

void add_json(JsonWriter& json, const Substitute& found, const ShapeOptions& o) {
    json.begin_object(o.as == "packed" ? "fill" : o.as);
    if (o.as == "packed") {
        json.add("kind", o.random ? "random" : "regular");
        json.add("radius", o.radius);
        json.add("spheres", static_cast<std::int64_t>(found.spheres.size()));
        json.add("solid_fraction", found.solid_fraction);
    } else {
        if (o.as == "spheres") {
            const auto [least, most] = radii_of(found.spheres);
            json.add("spheres", static_cast<std::int64_t>(found.spheres.size()));
            json.add("smallest_radius", least);
            json.add("largest_radius", most);
        } else {
            json.add("parts", static_cast<std::int64_t>(found.parts.size()));
            json.add("faces", faces_of(found.parts));
        }
        json.add("error", found.missing + found.excess);
        json.add("missing", found.missing);
        json.add("excess", found.excess);
        json.begin_object("error_with");
        for (const auto& step : found.steps) json.add(std::to_string(step.number), step.error);
        json.end_object();
    }
    if (!found.spheres.empty()) json.add("surface_distance", found.surface_distance);
    json.end_object();
}

std::string text_of(const Substitute& found, const ShapeOptions& o) {
    std::string text;
    auto out = std::back_inserter(text);
    if (o.as == "packed") {
        fmt::format_to(
            out,
            "  fill      {} {} spheres of radius {:.6g} m, solid fraction {:.4f}; the surface is up to {:.4g} m, {:.3g} radii, off them\n",
            found.spheres.size(), o.random ? "random" : "close-packed", o.radius, found.solid_fraction, found.surface_distance,
            found.surface_distance / o.radius);
        return text;
    }
    if (o.as == "spheres") {
        const auto [least, most] = radii_of(found.spheres);
        fmt::format_to(out, "  spheres   {} of radius {:.4g} to {:.4g} m; the surface is up to {:.4g} m off them\n", found.spheres.size(),
                       least, most, found.surface_distance);
    } else {
        fmt::format_to(out, "  parts     {} convex polyhedra of {} faces in all\n", found.parts.size(), faces_of(found.parts));
    }
    fmt::format_to(out, "  error     {:.4f} of the volume: {:.4f} missing, {:.4f} too much\n", found.missing + found.excess, found.missing,
                   found.excess);
    fmt::format_to(out, "  {:<9} {:>6}  error{}\n", "", o.as == "spheres" ? "number" : "parts",
                   o.as == "spheres" ? "" : ", before parts are joined and lose faces");
    for (const auto& step : found.steps) fmt::format_to(out, "  {:<9} {:>6}  {:.4f}\n", "", step.number, step.error);
    return text;
}

void add_vector(JsonWriter& json, const std::string& key, Vec3 v) {
    json.begin_object(key);
    json.add("x", v.x);
    json.add("y", v.y);
    json.add("z", v.z);
    json.end_object();
}

}  // namespace

std::string shape_report(const ShapeOptions& o) {
    if (!o.output.empty()) check_output(o);
    if (!o.picture.empty()) check_picture(o);
    const std::string label = fmt::format("the mesh of \"{}\"", o.input);
    const ClosedMesh mesh = closed_mesh(read_mesh(o.input, o.scale, {}, {}), label, {});
    const Moments moments = moments_of(mesh);
    const Vec3 centre = moments.first / moments.volume;
    Mat3 inertia = central_inertia(moments);
    for (Vec3& row : inertia.row) row *= o.density;
    const Axes3 axes = principal_axes(inertia);
    const Aabb box = bounds_of(mesh);
    const double area = area_of(mesh), mass = o.density * moments.volume;
    const Substitute found = substitute_of(mesh, o, label, moments.volume);
    if (!o.output.empty()) write_substitute(found, o.output);
    if (!o.picture.empty()) draw_shape(mesh, found.spheres, found.parts, o.picture);
    const Vec3* row = inertia.row;
    if (o.json) {
        JsonWriter json;
        json.add("file", o.input);
        json.add("triangles", static_cast<std::int64_t>(mesh.triangle.size()));
        add_vector(json, "box_min", box.min);
        add_vector(json, "box_max", box.max);
        json.add("volume", moments.volume);
        json.add("area", area);
        json.add("density", o.density);
        json.add("mass", mass);
        add_vector(json, "centre", centre);
        json.begin_object("inertia");
        const double entries[6] = {row[0].x, row[1].y, row[2].z, row[0].y, row[0].z, row[1].z};
        const char* names[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};
        for (int k = 0; k < 6; ++k) json.add(names[k], entries[k]);
        json.end_object();
        add_vector(json, "principal_moments", axes.value);
        for (int k = 0; k < 3; ++k) add_vector(json, fmt::format("principal_axis_{}", k + 1), axes.axis.row[k]);
        if (!o.as.empty()) add_json(json, found, o);
        return json.finish();
    }
    std::string text = fmt::format("{}: closed mesh of {} triangles\n", o.input, mesh.triangle.size());
    auto out = std::back_inserter(text);
    const auto vector = [](Vec3 v) { return fmt::format("{:.6g} {:.6g} {:.6g}", v.x, v.y, v.z); };
    fmt::format_to(out, "  box       {} to {} m\n", vector(box.min), vector(box.max));
    fmt::format_to(out, "  volume    {:.6g} m3\n  area      {:.6g} m2\n", moments.volume, area);
    fmt::format_to(out, "  mass      {:.6g} kg at {:.6g} kg/m3\n  centre    {} m\n", mass, o.density, vector(centre));
    fmt::format_to(out, "  inertia   xx {:.6g}, yy {:.6g}, zz {:.6g}, xy {:.6g}, xz {:.6g}, yz {:.6g} kg m2, about the centre\n", row[0].x,
                   row[1].y, row[2].z, row[0].y, row[0].z, row[1].z);
    const double moment[3] = {axes.value.x, axes.value.y, axes.value.z};
    for (int k = 0; k < 3; ++k)
        fmt::format_to(out, "  {}{:.6g} kg m2 about {}\n", k == 0 ? "principal " : "          ", moment[k], vector(axes.axis.row[k]));
    if (!o.as.empty()) text += text_of(found, o);
    return text;
}

}  // namespace scree
