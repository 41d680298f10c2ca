// The table wall.
#include <fmt/format.h>

#include <algorithm>

#include "scene/tables.hpp"

namespace scree {
namespace {

/// Fails where four corners are not those of a flat, convex quadrilateral in order.
void check_quad(const std::vector<Vec3>& corner, const TableReading& reading) {
    const Vec3 across = corner[2] - corner[0], other = corner[3] - corner[1];
    const double size = std::max(norm(across), norm(other));
    const Vec3 twice_area = cross(across, other);
    // 1e-9 of the square of the size: far below any wall one would draw, far above rounding.
    if (!(norm(twice_area) > 1e-9 * size * size))
        reading.fail("corners", "the quad has no area; give four different corners in order around it");
    const Vec3 normal = normalized(twice_area);
    const double off = std::max(std::abs(dot(corner[1] - corner[0], normal)), std::abs(dot(corner[3] - corner[0], normal)));
    if (off > 1e-6 * size)
        reading.fail(
            "corners",
            fmt::format("the four corners must lie in one plane; one is {:.3g} m off (allowed: 1e-6 of the size). Use a mesh", off));
    for (std::size_t i = 0; i < 4; ++i) {
        const Vec3 here = corner[(i + 1) % 4];
        const double turn = dot(cross(here - corner[i], corner[(i + 2) % 4] - here), normal);
        if (turn < 1e-9 * size * size)
            reading.fail("corners",
                         fmt::format("the quad must be convex, its corners in order around it; corner {} is not", (i + 1) % 4 + 1));
    }
}

void check_wall(SceneWall& wall, const TableReading& reading) {
    if (wall.kind == "plane") check_direction(wall.normal, reading, "normal");
    if (wall.kind == "quad") check_quad(wall.corners, reading);
    if (wall.kind == "box") check_box(wall.min, wall.max, reading, "max");
    if (wall.kind == "cylinder") check_direction(wall.axis, reading, "axis");
    if (!(wall.active_from < wall.active_to))
        reading.fail("active", fmt::format("must be [from, to] with from below to, not [{}, {}]", wall.active_from, wall.active_to));
}

void add_kind_keys(TableOf<SceneWall>& t) {
    t.vector("point", &SceneWall::point, Dimension::Length, "Plane: any point of it. Cylinder: centre of one end of the axis.")
        .required()
        .only_for({"plane", "cylinder"});
    t.vector("normal", &SceneWall::normal, Dimension::Number, "Direction towards the bodies; only its direction counts.")
        .required()
        .only_for({"plane"});
    t.key("corners", Type::Points, &SceneWall::corners, "Four corners in order, in one plane, convex.")
        .required()
        .from(4)
        .to(4)
        .only_for({"quad"})
        .dimension = Dimension::Length;
    t.vector("min", &SceneWall::min, Dimension::Length, "Lower corner; bodies are inside.").required().only_for({"box"});
    t.vector("max", &SceneWall::max, Dimension::Length, "Upper corner.").required().only_for({"box"});
    t.vector("axis", &SceneWall::axis, Dimension::Number, "Direction of the axis from `point`; only its direction counts.")
        .only_for({"cylinder"});
    t.number("radius", &SceneWall::radius, Dimension::Length, "Radius.").required().above(0).only_for({"cylinder"});
    t.number("length", &SceneWall::length, Dimension::Length, "Length from `point`; `inf` is endless both ways.")
        .above(0)
        .infinite()
        .only_for({"cylinder"});
    t.word("side", &SceneWall::side, {"inside", "outside"}, "A tube that holds bodies, or a rod that bodies touch from without.")
        .only_for({"cylinder"});
    t.key("file", Type::Path, &SceneWall::file, "Mesh file: STL, OBJ, PLY and others.").required().only_for({"mesh"});
    t.number("scale", &SceneWall::scale, Dimension::Number, "Factor from the file's unit to metres (0.001 for millimetres).")
        .above(0)
        .only_for({"mesh"});
    t.vector("offset", &SceneWall::offset, Dimension::Length, "Shift after scaling.").only_for({"mesh"});
}

}  // namespace

TablePtr wall_table() {
    TableOf<SceneWall> t("[[wall]]", "A fixed surface.");
    t.word("kind", &SceneWall::kind, {"plane", "quad", "box", "cylinder", "mesh"}, "What surface it is.").required();
    t.key("name", Type::Name, &SceneWall::name, "Name, for measures and messages; every wall has its own.").otherwise("wall1, wall2, …");
    t.key("material", Type::Name, &SceneWall::material, "Name of a material.").required().reference("material");
    add_kind_keys(t);
    t.key(
         "active", Type::Interval,
         [](SceneWall& wall, const Value& value) {
             wall.active_from = std::get<std::vector<double>>(value)[0];
             wall.active_to = std::get<std::vector<double>>(value)[1];
         },
         [](const SceneWall& wall) -> std::optional<Value> {
             return written(std::vector<double>{wall.active_from, wall.active_to});
         },
         "Simulated time from which and up to which the wall exists.")
        .infinite()
        .dimension = Dimension::Time;
    t.place(&SceneWall::place);
    t.select_by("kind", [](const SceneWall& wall) { return wall.kind; });
    t.check(check_wall);
    return t.build();
}

}  // namespace scree
