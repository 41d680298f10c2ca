// Scene walls -> model walls.
#include "scene/files_of.hpp"
#include "setup/walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "setup/materials.hpp"
#include "setup/motion.hpp"

namespace scree {

namespace {

Vec3 direction(Vec3 v, const char* name, const SourcePlace& place) {
    const double length = norm(v);
    if (!(std::isfinite(length) && length > 0.0)) throw Error(place, fmt::format("{} has no direction", name));
    return v / length;
}

/// Two triangles of a flat, convex quad, its corners in order.
TriangleMesh quad_mesh(const SceneWall& wall) {
    const std::vector<Vec3>& c = wall.corners;
    if (c.size() != 4) throw Error(wall.place, fmt::format("a quad has four corners, not {}", c.size()));
    const Vec3 across = c[2] - c[0], other = c[3] - c[1], twice_area = cross(across, other);
    const double size = std::max(norm(across), norm(other));
    // 1e-9 of the square of the size: far below any wall one would draw, far above rounding.
    if (!(norm(twice_area) > 1e-9 * size * size)) throw Error(wall.place, "the quad has no area");
    const Vec3 n = normalized(twice_area);
    for (std::size_t i = 0; i < 4; ++i) {
        if (std::fabs(dot(c[i] - c[0], n)) > 1e-6 * size) throw Error(wall.place, "the quad's corners are not in one plane: use a mesh");
        const Vec3 here = c[(i + 1) % 4];
        if (dot(cross(here - c[i], c[(i + 2) % 4] - here), n) < 0.0)
            throw Error(wall.place, "the quad is not convex, or its corners are not in order around it");
    }
    return {c, {{0, 1, 2}, {0, 2, 3}}};
}

bool is_outside(const SceneWall& wall) {
    if (wall.side != "inside" && wall.side != "outside")
        throw Error(wall.place, fmt::format("unknown side \"{}\": use inside or outside", wall.side));
    return wall.side == "outside";
}

void check_box(const SceneWall& wall, bool planar) {
    const Vec3 low = wall.min, high = wall.max;
    if (!(low.x < high.x && low.y < high.y && (planar || low.z < high.z)))
        throw Error(wall.place, "the box's max must be above its min in every direction");
}

/// The closed surface of a solid block, normals outwards.
TriangleMesh block_mesh(const SceneWall& wall) {
    TriangleMesh mesh;
    for (int k = 0; k < 8; ++k) {
        mesh.vertices.push_back(
            {(k & 1) != 0 ? wall.max.x : wall.min.x, (k & 2) != 0 ? wall.max.y : wall.min.y, (k & 4) != 0 ? wall.max.z : wall.min.z});
    }
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

std::vector<Plane> box_planes(const SceneWall& wall, bool planar) {
    if (planar) return {{wall.min, {1, 0, 0}}, {wall.max, {-1, 0, 0}}, {wall.min, {0, 1, 0}}, {wall.max, {0, -1, 0}}};
    const Vec3 low = wall.min, high = wall.max;
    return {{low, {1, 0, 0}}, {high, {-1, 0, 0}}, {low, {0, 1, 0}}, {high, {0, -1, 0}}, {low, {0, 0, 1}}, {high, {0, 0, -1}}};
}

Cylinder cylinder_of(const SceneWall& wall) {
    if (!(std::isfinite(wall.radius) && wall.radius > 0.0)) throw Error(wall.place, fmt::format("radius {} must be positive", wall.radius));
    if (!(wall.length > 0.0)) throw Error(wall.place, fmt::format("length {} must be positive", wall.length));
    return {wall.point, direction(wall.axis, "axis", wall.place), wall.radius, wall.length, !is_outside(wall)};
}

/// Walls of the plane reach from z = -1 to 1 until extrude_walls() knows how thick bodies are.
TriangleMesh segment_mesh(const SceneWall& wall) {
    const Vec3 a = wall.min, b = wall.max, up{0, 0, 1};
    if (norm(b - a) == 0) throw Error(wall.place, "the segment has no length");
    return {{a - up, b - up, b + up, a + up}, {{0, 1, 2}, {0, 2, 3}}};
}

TriangleMesh planar_block_mesh(SceneWall wall) {
    wall.min.z = -1;
    wall.max.z = 1;
    return block_mesh(wall);
}

Cylinder arc_of(const SceneWall& wall) {
    if (!(std::isfinite(wall.radius) && wall.radius > 0.0)) throw Error(wall.place, fmt::format("radius {} must be positive", wall.radius));
    if (!wall.centre) throw Error(wall.place, "an arc needs a centre");
    const double middle = 0.5 * (wall.angle_from + wall.angle_to), half = 0.5 * (wall.angle_to - wall.angle_from);
    Cylinder arc{*wall.centre - Vec3{0, 0, 1}, {0, 0, 1}, wall.radius, 2.0, true};
    arc.middle = {std::cos(middle), std::sin(middle), 0};
    arc.half_angle = std::min(half, std::numbers::pi);
    return arc;
}

}  // namespace

void extrude_walls(Model& model) {
    double half = 0;
    for (const double r : model.bodies.radius) half = std::max(half, 4 * r);  // twice the thickness of the largest
    if (half == 0) return;
    for (Wall& wall : model.walls) {
        for (Vec3& v : wall.mesh.vertices) v.z = v.z < 0 ? -half : half;
        for (Cylinder& c : wall.cylinders) {
            c.point.z = -half;
            c.length = 2 * half;
        }
    }
}

Wall build_wall(const Scene& scene, const SceneWall& given, std::size_t number) {
    Wall wall;
    wall.name = given.name.empty() ? fmt::format("wall{}", number) : given.name;
    wall.material = material_index(scene, given.material, given.place);
    wall.active_from = given.active_from;
    wall.active_to = given.active_to;
    const bool planar = scene.dimensions == 2;
    if (given.kind == "plane") {
        wall.planes.push_back({given.point, direction(given.normal, "normal", given.place)});
    } else if (given.kind == "quad") {
        wall.mesh = quad_mesh(given);
    } else if (given.kind == "box") {
        check_box(given, planar);
        if (is_outside(given)) {
            wall.mesh = planar ? planar_block_mesh(given) : block_mesh(given);
        } else {
            wall.planes = box_planes(given, planar);
        }
    } else if (given.kind == "segment") {
        wall.mesh = segment_mesh(given);
    } else if (given.kind == "arc") {
        wall.cylinders.push_back(arc_of(given));
    } else if (given.kind == "cylinder") {
        wall.cylinders.push_back(cylinder_of(given));
    } else if (given.kind == "mesh") {
        wall.mesh = read_mesh(resolved_path(scene.folder, given.file), given.scale, given.offset, given.file_place);
    } else {
        throw Error(given.place, fmt::format("unknown wall kind \"{}\": use plane, quad, box, cylinder, mesh, segment or arc", given.kind));
    }
    if (given.motion) wall.motion = build_motion(given, scene.folder, planar);
    return wall;
}

}  // namespace scree
