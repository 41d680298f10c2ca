#include "setup/solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scene/files_of.hpp"
#include "setup/approximations.hpp"
#include "setup/clumps.hpp"
#include "setup/packed.hpp"
#include "setup/shapes.hpp"
#include "setup/placement/text_rows.hpp"

namespace scree {

namespace {

constexpr double kBall = 4.18879020478639098;  // 4 pi / 3

Mat3 diagonal(Vec3 d) {
    return {{{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}};
}

/// Adds weight (|d|^2 1 - d d^T): what the parallel axes add.
void add_parallel(Mat3& m, double weight, Vec3 d) {
    const double part[3] = {d.x, d.y, d.z};
    const Mat3 square = diagonal({norm2(d), norm2(d), norm2(d)});
    for (int k = 0; k < 3; ++k) m.row[k] += weight * (square.row[k] - part[k] * d);
}

void scale(Solid& solid, double factor) {
    for (Part& part : solid.parts) {
        part.pose.shift *= factor;
        part.radius *= factor;
    }
    const double cube = factor * factor * factor;
    solid.volume *= cube;
    solid.centre *= factor;
    for (Vec3& row : solid.inertia.row) row *= cube * factor * factor;
}

/// Rows x, y, z, r of a text file; a first line of names may tell the order.
std::vector<Ball> read_balls(const Scene& scene, const SceneShape& shape) {
    TextRows rows(resolved_path(scene.folder, shape.file), shape.file_place);
    std::array<std::size_t, 4> column{0, 1, 2, 3};
    std::vector<std::string_view> row;
    std::vector<Ball> balls;
    bool first = true;
    while (rows.next(row)) {
        if (row.size() != 4) throw Error(rows.here(), fmt::format("expected four columns x, y, z, r, not {}", row.size()));
        if (first && !parse_number(row[0])) {
            constexpr std::array<std::string_view, 4> names{"x", "y", "z", "r"};
            for (std::size_t k = 0; k < 4; ++k) {
                const auto found = std::find(row.begin(), row.end(), names[k]);
                if (found == row.end()) throw Error(rows.here(), fmt::format("the columns are x, y, z and r; there is no {}", names[k]));
                column[k] = static_cast<std::size_t>(found - row.begin());
            }
        } else {
            Ball& ball = balls.emplace_back();
            for (std::size_t k = 0; k < 4; ++k) ball[k] = number_or_throw(row[column[k]], rows.here(row[column[k]]));
            if (!(ball[3] > 0.0)) throw Error(rows.here(row[column[3]]), fmt::format("the radius must be above 0, not {}", ball[3]));
        }
        first = false;
    }
    if (balls.empty()) throw Error(shape.file_place, fmt::format("\"{}\" holds no spheres", shape.file));
    return balls;
}

/// Sizes of a clump over the radius of its largest sphere that its moments bear: past it the sphere's own numbers are lost beside those of
/// where it lies (a slice has 1e-16 times the square of this of error, the moments' tolerance is 1e-8).
constexpr double kMostExtent = 1e3;
constexpr double kFarthest = 1e60;  // [m]: the fifth power, of second moments, stays within doubles

void require_compact(const std::vector<Ball>& balls, const SceneShape& shape) {
    Vec3 low{balls[0][0], balls[0][1], balls[0][2]}, high = low;
    double largest = 0.0, farthest = 0.0;
    for (const Ball& b : balls) {
        low = {std::min(low.x, b[0]), std::min(low.y, b[1]), std::min(low.z, b[2])};
        high = {std::max(high.x, b[0]), std::max(high.y, b[1]), std::max(high.z, b[2])};
        largest = std::max(largest, b[3]);
        farthest = std::max({farthest, std::fabs(b[0]), std::fabs(b[1]), std::fabs(b[2]), b[3]});
    }
    const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    if (!(farthest <= kFarthest) || !(extent <= kMostExtent * largest))
        throw Error(shape.place,
                    fmt::format("clump \"{}\": its spheres lie {:.3g} m apart and have radii up to {:.3g} m: a clump may be {:.0f} "
                                "times as wide as its largest radius; are all in the same unit?",
                                shape.name, extent, largest, kMostExtent));
}

Solid clump(const Scene& scene, const SceneShape& shape) {
    const std::vector<Ball> balls = shape.file.empty() ? shape.spheres : read_balls(scene, shape);
    if (balls.empty()) throw Error(shape.place, fmt::format("clump \"{}\" has no spheres", shape.name));
    require_compact(balls, shape);
    Solid solid;
    for (const Ball& b : balls) solid.parts.push_back({{{}, {b[0], b[1], b[2]}}, b[3], BodyTable::sphere_shape});
    const Moments moments = moments_of_union(balls);
    solid.volume = moments.volume;
    solid.centre = moments.first / moments.volume;
    solid.inertia = central_inertia(moments);
    return solid;
}

Solid sphere(double radius) {
    const double volume = kBall * radius * radius * radius, I = 0.4 * volume * radius * radius;
    return {{{{}, radius, BodyTable::sphere_shape}}, volume, {}, diagonal({I, I, I})};
}

Solid polyhedron(std::int32_t index, const Model& model) {
    const ConvexShape& s = model.shapes[static_cast<std::size_t>(index)];
    const double R = s.bounding_radius, volume = s.volume * R * R * R;
    return {{{{s.to_given, s.centre}, R, index}}, volume, s.centre, turned(diagonal(volume * R * R * s.inertia), s.to_given)};
}

Solid compound(const Scene& scene, const SceneShape& shape, Model& model) {
    Solid sum;
    std::vector<Solid> placed;
    for (const ScenePart& part : shape.parts) {
        const SceneShape& own = shape_named(scene, part.shape, part.place);
        if (own.kind == "compound") throw Error(part.place, fmt::format("shape \"{}\" is a compound itself", own.name));
        if (!own.rigid) throw Error(part.place, fmt::format("shape \"{}\" is not rigid, as a part of a compound is", own.name));
        Solid solid = solid_of(scene, own, model);
        const Pose pose{normalized(part.orientation), part.at};
        for (Part& p : solid.parts) p.pose = {normalized(pose.turn * p.pose.turn), scree::placed(pose, p.pose.shift)};
        solid.centre = scree::placed(pose, solid.centre);
        solid.inertia = turned(solid.inertia, pose.turn);
        sum.volume += solid.volume;
        sum.centre += solid.volume * solid.centre;
        placed.push_back(std::move(solid));
    }
    if (placed.empty()) throw Error(shape.place, fmt::format("compound \"{}\" has no parts", shape.name));
    sum.centre = sum.centre / sum.volume;
    for (const Solid& solid : placed) {
        sum.parts.insert(sum.parts.end(), solid.parts.begin(), solid.parts.end());
        for (int k = 0; k < 3; ++k) sum.inertia.row[k] += solid.inertia.row[k];
        add_parallel(sum.inertia, solid.volume, solid.centre - sum.centre);
    }
    return sum;
}

}  // namespace

Mat3 turned(const Mat3& m, Quat q) {
    const Mat3 R = rotation_matrix(q);
    Mat3 result;
    for (int k = 0; k < 3; ++k) result.row[k] = R * transposed_times(m, R.row[k]);
    return result;
}

const SceneShape& shape_named(const Scene& scene, const std::string& name, const SourcePlace& place) {
    for (const SceneShape& shape : scene.shapes)
        if (shape.name == name) return shape;
    throw Error(place, fmt::format("unknown shape \"{}\": add a table [shape.{}]", name, name));
}

std::int32_t shape_index(const Scene& scene, const std::string& name, const SourcePlace& place) {
    return static_cast<std::int32_t>(&shape_named(scene, name, place) - scene.shapes.data());
}

std::int32_t polyhedron_index(const Scene& scene, const SceneShape& shape, Model& model) {
    if (shape.kind == "sphere" || shape.kind == "disk") return BodyTable::sphere_shape;
    for (std::size_t i = 0; i < model.shapes.size(); ++i)
        if (model.shapes[i].name == shape.name && !model.shapes[i].compound()) return static_cast<std::int32_t>(i);
    model.shapes.push_back(build_shape(scene, shape));
    return static_cast<std::int32_t>(model.shapes.size() - 1);
}

Solid solid_of(const Scene& scene, const SceneShape& shape, Model& model) {
    const bool packed = shape.kind == "packed";  // whose radius is that of its spheres
    const bool has_radius = !packed && shape.size.kind == SizeDistribution::Kind::Single && shape.size.radius > 0.0;
    if (shape.kind == "sphere") {
        if (!has_radius) throw Error(shape.place, fmt::format("sphere \"{}\" needs a radius here", shape.name));
        return sphere(shape.size.radius);
    }
    Solid solid = packed                     ? packed_solid(scene, shape)
                  : shape.kind == "clump"    ? clump(scene, shape)
                  : shape.kind == "compound" ? compound(scene, shape, model)
                  : is_approximation(shape)  ? approximated_solid(scene, shape, model)
                                             : polyhedron(polyhedron_index(scene, shape, model), model);
    if (has_radius) scale(solid, shape.size.radius / bounding_radius(solid, solid.centre, model));
    return solid;
}

double bounding_radius(const Solid& solid, Vec3 centre, const Model& model) {
    double farthest = 0.0;
    for (const Part& part : solid.parts) {
        const Vec3 at = part.pose.shift - centre;
        if (part.shape == BodyTable::sphere_shape) {
            farthest = std::max(farthest, norm(at) + part.radius);
        } else {
            for (const Vec3& v : model.shapes[static_cast<std::size_t>(part.shape)].vertex)
                farthest = std::max(farthest, norm(at + part.radius * rotate(part.pose.turn, v)));
        }
    }
    return farthest;
}

}  // namespace scree
