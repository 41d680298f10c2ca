#include "setup/approximations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "setup/packed.hpp"

namespace scree {

namespace {

/// What nobody asked for stands for nothing where it differs by so much of the mesh's volume.
constexpr double kHopeless = 0.4;

/// A tolerance that the scene gives is one that it relies on.
void require_tolerance(const SceneShape& shape, double error, std::size_t parts, std::int64_t most, const char* what) {
    if (!(shape.tolerance > 0) && error > kHopeless)
        throw Error(shape.place,
                    fmt::format("shape \"{}\": {} {}{} of \"{}\" differ{} from it by {:.4g} of its volume: raise most, give the tolerance "
                                "that will do, or take {}",
                                shape.name, parts, what, parts == 1 ? "" : "s", shape.file, parts == 1 ? "s" : "", error,
                                shape.kind == "spheres" ? "kind = \"decomposition\"" : "kind = \"spheres\""));
    if (!(shape.tolerance > 0) || error <= shape.tolerance) return;
    const bool is_full = static_cast<std::int64_t>(parts) >= most;
    throw Error(
        shape.tolerance_place,
        fmt::format("shape \"{}\": {} {}{} of \"{}\" still differ{} from it by {:.4g} of its volume, which is above tolerance = {}: {}",
                    shape.name, parts, what, parts == 1 ? "" : "s", shape.file, parts == 1 ? "s" : "", error, shape.tolerance,
                    is_full ? "raise most or tolerance" : "more would not come nearer; raise tolerance"));
}

std::int64_t most_of(const SceneShape& shape, std::int64_t otherwise) {
    return shape.most_parts > 0 ? shape.most_parts : otherwise;
}

double tolerance_of(const SceneShape& shape) {
    return shape.tolerance > 0 ? shape.tolerance : kApproximationTolerance;
}

Part part_of(const ConvexShape& s, std::size_t index) {
    return {{s.to_given, s.centre}, s.bounding_radius, static_cast<std::int32_t>(index)};
}

/// The polyhedra follow each other in the model, and are made once for all that use the shape.
std::vector<Part> convex_parts(const ClosedMesh& mesh, const SceneShape& shape, Model& model) {
    const auto name = [&](std::size_t k) { return fmt::format("{} part {}", shape.name, k + 1); };
    std::vector<Part> parts;
    for (std::size_t i = 0; i < model.shapes.size(); ++i)
        if (model.shapes[i].name == name(parts.size())) parts.push_back(part_of(model.shapes[i], i));
    if (!parts.empty()) return parts;
    const std::int64_t most = most_of(shape, kMostConvexParts);
    Decomposition found;
    try {
        found = decompose(mesh, most, tolerance_of(shape));
    } catch (const Error& fault) {
        throw Error(shape.file_place, fmt::format("the mesh of \"{}\" cannot be cut in parts: {}", shape.file, fault.what()));
    }
    require_tolerance(shape, found.error(), found.parts.size(), most, "convex part");
    for (std::size_t k = 0; k < found.parts.size(); ++k) {
        try {
            model.shapes.push_back(make_convex_shape(name(k), found.parts[k].vertex, found.parts[k].face));
        } catch (const Error& fault) {
            throw Error(shape.place, fmt::format("{}; ask for fewer parts of \"{}\" by most", fault.what(), shape.file));
        }
        parts.push_back(part_of(model.shapes.back(), model.shapes.size() - 1));
    }
    return parts;
}

}  // namespace

Solid approximated_solid(const Scene& scene, const SceneShape& shape, Model& model) {
    const ClosedMesh mesh = packed_mesh(scene, shape);
    const Moments moments = moments_of(mesh);
    Solid solid;
    if (shape.kind == "decomposition") {
        solid.parts = convex_parts(mesh, shape, model);
    } else {
        const std::int64_t most = most_of(shape, kMostSpheres);
        const SphereCover found = cover_by_spheres(mesh, most, tolerance_of(shape), shape.surface);
        require_tolerance(shape, found.error(), found.spheres.size(), most, "sphere");
        for (const Ball& b : found.spheres) solid.parts.push_back({{{}, {b[0], b[1], b[2]}}, b[3], BodyTable::sphere_shape});
    }
    solid.volume = moments.volume;
    solid.centre = moments.first / moments.volume;
    solid.inertia = central_inertia(moments);
    return solid;
}

}  // namespace scree
