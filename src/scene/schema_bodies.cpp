// The table bodies, its placement, and the regions of a placement.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/tables.hpp"

namespace scree {
namespace {

using Kind = ScenePlacement::Kind;

std::string placement_variant(const ScenePlacement& place) {
    switch (place.kind) {
        case Kind::Single:
            return "at";
        case Kind::Lattice:
            return "lattice";
        case Kind::Random:
            return "random";
        case Kind::File:
            return "file";
    }
    return "";
}

void choose_placement(ScenePlacement& place, const std::string& key) {
    place.kind = key == "lattice" ? Kind::Lattice : key == "random" ? Kind::Random : key == "file" ? Kind::File : Kind::Single;
}

bool has_counts(const ScenePlacement& place) {
    return place.count[0] > 0;
}

TablePtr sphere_table(const char* name, const char* doc) {
    TableOf<ScenePlacement> t(name, doc);
    t.vector("centre", &ScenePlacement::centre, Dimension::Length, "Centre.").required();
    t.number("radius", &ScenePlacement::radius, Dimension::Length, "Radius.").required().above(0);
    return t.build();
}

TablePtr plane_table() {
    TableOf<ScenePlacement> t("plane", "All that is past a plane.");
    t.vector("point", &ScenePlacement::centre, Dimension::Length, "A point of it.").required();
    t.vector("normal", &ScenePlacement::axis, Dimension::Number, "Direction to the side that is meant; only its direction counts.")
        .required();
    t.check([](ScenePlacement& place, const TableReading& reading) { check_direction(place.axis, reading, "normal"); });
    return t.build();
}

}  // namespace

TablePtr region_table(bool half_spaces) {
    TableOf<ScenePlacement> t("region", half_spaces ? "A part of space; a body is in it with its centre of mass."
                                                    : "The part of space to fill; bodies lie wholly inside, but those of [[bodies]] cross "
                                                      "the borders of a box that is a periodic domain.");
    t.box("box", &ScenePlacement::region, &ScenePlacement::box_min, &ScenePlacement::box_max, "Box: lower and upper corner.");
    t.same(
        "cylinder", [](const ScenePlacement& place) { return place.region == "cylinder"; },
        cylinder_table(&ScenePlacement::centre, &ScenePlacement::axis, &ScenePlacement::radius, &ScenePlacement::length), "A cylinder.");
    t.same(
        "sphere", [](const ScenePlacement& place) { return place.region == "sphere"; }, sphere_table("sphere", "A ball."), "A ball.");
    t.same(
        "circle", [](const ScenePlacement& place) { return place.region == "circle"; }, sphere_table("circle", "A circle."), "A circle.");
    std::vector<std::string> kinds{"box", "cylinder", "sphere", "circle"};
    if (half_spaces) {
        const auto is_plane = [](const ScenePlacement& place) { return place.region == "plane"; };
        t.same("plane", is_plane, plane_table(), "All that is past a plane.");
        kinds.emplace_back("plane");
    }
    t.one_of(
        kinds, [](ScenePlacement& place, const std::string& key) { place.region = key; },
        [](const ScenePlacement& place) { return place.region; });
    t.check([](ScenePlacement& place, const TableReading& reading) {
        const bool planar = reading.scene.dimensions == 2;
        if (planar ? place.region == "cylinder" || place.region == "sphere" : place.region == "circle")
            reading.fail(place.region,
                         planar ? "has three dimensions, but the scene two; use box or circle" : "needs dimensions = 2; use sphere");
        if (place.region == "box") check_box(place.box_min, place.box_max, reading, "box");
    });
    return t.build();
}

namespace {

// Shares of space and of the plane that equal bodies fill at most: pi / sqrt 18 and pi / sqrt 12.
constexpr double kDensestSpheres = 0.74, kDensestDisks = 0.9069;

void check_placement(ScenePlacement& place, const TableReading& reading) {
    place.file_place = reading.at("file");
    if (place.kind == Kind::Lattice) {
        if (!has_counts(place) && place.region.empty())
            reading.fail("lattice", "\"fill\" needs a region to fill; add region, or give three counts");
        const double per_cell = place.lattice == "sc" ? 1 : 4;
        const double sites = per_cell * double(place.count[0]) * double(place.count[1]) * double(place.count[2]);
        if (sites > kMostBodies) reading.fail("lattice", fmt::format("{:.3g} bodies are more than ids of 32 bits can count", sites));
    }
    if (place.kind == Kind::Random) {
        if (place.region.empty()) reading.fail("random", "needs a region to fill, such as region = { box = [[0, 0, 0], [1, 1, 1]] }");
        if (place.fraction && place.bodies) reading.fail("bodies", "give either fraction or bodies, not both");
        if (!place.fraction && !place.bodies) reading.fail("random", "needs fraction (of the region's volume) or bodies (a number)");
        if (reading.scene.dimensions == 3 && place.fraction && *place.fraction > kDensestSpheres)
            reading.fail("fraction", fmt::format("must be above 0 and at most {}, not {} (equal spheres cannot be packed denser)",
                                                 kDensestSpheres, *place.fraction));
    }
}

void add_lattice_keys(TableOf<ScenePlacement>& t) {
    t.key(
         "lattice", Type::Counts,
         [](ScenePlacement& place, const Value& value) {
             if (std::holds_alternative<std::monostate>(value)) return;
             for (std::size_t i = 0; i < 3; ++i) place.count[i] = std::get<std::vector<std::int64_t>>(value)[i];
         },
         [](const ScenePlacement& place) -> std::optional<Value> {
             if (!has_counts(place)) return std::nullopt;
             return written(std::vector<std::int64_t>(place.count, place.count + 3));
         },
         "A regular lattice: cells along x, y and z (one body each for sc, four for fcc and hcp), or \"fill\" for all that the region "
         "holds.")
        .from(1)
        .to(kMostBodies)
        .empty_as("fill");
    t.word("lattice_kind", &ScenePlacement::lattice, {"sc", "fcc", "hcp"}, "Simple cubic, face-centred cubic, or hexagonal close-packed.")
        .only_for({"lattice"});
    t.number("spacing", &ScenePlacement::spacing, Dimension::Length,
             "Distance of nearest neighbours, centre to centre; polyhedra may stand closer than their bounding spheres.")
        .required()
        .above(0)
        .only_for({"lattice"});
    t.number("jitter", &ScenePlacement::jitter, Dimension::Number,
             "Random displacement as a share of the free gap (spacing less the largest diameter, of polyhedra the bounding one); bodies "
             "never overlap by it.")
        .from(0)
        .to(1)
        .only_for({"lattice"});
    t.vector("origin", &ScenePlacement::origin, Dimension::Length, "Centre of the first body.")
        .only_for({"lattice"})
        .otherwise("the region's lower corner, or 0, and half a spacing");
}

}  // namespace

TablePtr placement_table() {
    TableOf<ScenePlacement> t("place", "Where the bodies are at the start.");
    t.key("at", Type::Points, &ScenePlacement::at, "Centres: one point, or a list of points.").from(1).to(kMostBodies).dimension =
        Dimension::Length;
    add_lattice_keys(t);
    t.key(
         "random", Type::Flag, [](ScenePlacement&, const Value&) {},
         [](const ScenePlacement&) -> std::optional<Value> { return written(true); },
         "Random places in the region, without overlap of (bounding) spheres.")
        .from(1)
        .otherwise("—");
    t.same(
         "region", [](const ScenePlacement& place) { return !place.region.empty(); }, region_table(),
         "The part of space to fill; a lattice is clipped to it.")
        .only_for({"lattice", "random"});
    t.number("fraction", &ScenePlacement::fraction, Dimension::Number, "Wanted share of the region's volume taken by bodies.")
        .above(0)
        .to(kDensestDisks)
        .because("equal spheres are packed to 0.7405 at most, equal disks to 0.9069")
        .only_for({"random"});
    t.key("bodies", Type::Integer, &ScenePlacement::bodies,
          "Wanted number of bodies. A lattice leaves its other sites free; where it has fewer the scene is refused.")
        .from(1)
        .to(kMostBodies)
        .only_for({"lattice", "random"});
    t.key("file", Type::Path, &ScenePlacement::file,
          "Text file with a line per body: named columns x, y, z, radius (or r, diameter, d) where no shape is given, and any of vx, vy, "
          "vz, wx, wy, wz, material, shape (a name, or \"sphere\"), and of polyhedra the orientation qw, qx, qy, qz; all in SI units. A "
          "frame of "
          "`scree export --to csv` is read as it is, without the members of compounds, which follow their shape. Dumps (their last frame) "
          "and data files of LAMMPS and LIGGGHTS, VTK files (.vtk, .vtp, .vtu, .pvd), frames of `scree export --to vtk` among them, and "
          "GSD files of "
          "HOOMD are known by their content: [Bodies from files](body_files.md).");
    t.key("types", Type::Names, &ScenePlacement::types,
          "Materials of the numbers of types 1, 2, … in a dump, a data file, a VTK file or a GSD file; without it all bodies have the "
          "group's.")
        .reference("material")
        .only_for({"file"});
    t.number("scale", &ScenePlacement::scale, Dimension::Number,
             "Factor from the file's unit of length to metres, for places, radii and velocities (0.001 for millimetres and mm/s).")
        .above(0)
        .only_for({"file"});
    t.place(&ScenePlacement::place);
    t.one_of({"at", "lattice", "random", "file"}, choose_placement, placement_variant);
    t.check(check_placement);
    return t.build();
}

namespace {

/// The rotation as it would be read: no zero has a sign, which its text does not keep.
Quat turned_by(Vec3 angle_vector) {
    const Quat q = rotation_by(angle_vector);
    return {q.w + 0.0, q.x + 0.0, q.y + 0.0, q.z + 0.0};
}

}  // namespace

void add_orientation_keys(TableOf<SceneBodies>& t) {
    t.key(
         "orientation", Type::Quaternion,
         [](SceneBodies& bodies, const Value& value) {
             bodies.random_orientation = std::holds_alternative<std::monostate>(value);
             if (bodies.random_orientation) return;
             const auto& q = std::get<std::vector<double>>(value);
             bodies.orientation = {q[0], q[1], q[2], q[3]};
         },
         [](const SceneBodies& bodies) -> std::optional<Value> {
             const Quat& q = bodies.orientation;
             if (bodies.random_orientation) return written(std::string("random"));
             return written(std::vector<double>{q.w, q.x, q.y, q.z});
         },
         "Orientation of all but spheres: the quaternion that turns the frame in which the shape is given into the world, of any length "
         "but "
         "0; or uniformly random, each body its own.")
        .empty_as("random")
        .only_in(3);
    t.same(
         "rotation", [](const SceneBodies&) { return false; }, rotation_table(&SceneBodies::rotation_axis, &SceneBodies::rotation_angle),
         "The orientation by an axis and an angle.")
        .only_in(3);
    t.key(
         "angle", Type::Number,
         [](SceneBodies& bodies, const Value& value) {
             bodies.random_orientation = std::holds_alternative<std::monostate>(value);
             if (!bodies.random_orientation) bodies.rotation_angle = std::get<double>(value);
         },
         [](const SceneBodies& bodies) -> std::optional<Value> {
             if (bodies.random_orientation) return written(std::string("random"));
             return written(bodies.rotation_angle);
         },
         "Angle by which polygons are turned from how their shape is given, counterclockwise; or random, each body its own.")
        .empty_as("random")
        .only_in(2)
        .dimension = Dimension::Angle;
}

bool is_round(const Scene& scene, const std::string& shape) {
    const auto own = std::find_if(scene.shapes.begin(), scene.shapes.end(), [&](const SceneShape& one) { return one.name == shape; });
    return shape.empty() || (own != scene.shapes.end() && (own->kind == "sphere" || own->kind == "disk"));
}

void settle_turn(SceneBodies& bodies, const TableReading& reading, bool round) {
    const bool turned = bodies.random_orientation || !(bodies.orientation == Quat{}) || reading.has("rotation");
    if (reading.scene.dimensions == 2) {
        if ((bodies.random_orientation || bodies.rotation_angle != 0) && round)
            reading.fail("angle", "turns polygons; a disk is the same from all sides. Leave it out");
        bodies.orientation = turned_by(Vec3{0, 0, bodies.rotation_angle});
        return;
    }
    if (turned && round)
        reading.fail(reading.has("rotation") ? "rotation" : "orientation",
                     "turns polyhedra; a sphere is the same from all sides. Leave it out");
    bodies.orientation = settled_orientation(bodies.orientation, bodies.rotation_axis, bodies.rotation_angle, reading);
}

Quat settled_orientation(Quat q, Vec3 axis, double angle, const TableReading& reading) {
    if (reading.has("orientation") && reading.has("rotation")) reading.fail("rotation", "give either orientation or rotation, not both");
    if (reading.has("rotation")) return turned_by(angle / norm(axis) * axis);
    const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(length > 1e-100 && length < 1e100)) reading.fail("orientation", "is a rotation, so its length must be above 0 and ordinary");
    return q;
}

namespace {

void check_bodies(SceneBodies& bodies, const TableReading& reading) {
    if (bodies.shape.empty() && bodies.placement.kind != Kind::File)
        throw Error(reading.place, "[[bodies]] needs \"shape\", the name of a [shape.NAME] table");
    settle_turn(bodies, reading, is_round(reading.scene, bodies.shape));
}

}  // namespace

TablePtr bodies_table() {
    TableOf<SceneBodies> t("[[bodies]]", "A group of bodies of one shape and material.");
    t.key("shape", Type::Name, &SceneBodies::shape, "Name of a shape; left out where a file names shapes, or gives the radii of spheres.")
        .reference("shape");
    t.key("material", Type::Name, &SceneBodies::material, "Name of a material.").required().reference("material");
    t.table("place", &SceneBodies::placement, placement_table(), "Where the bodies are at the start.").required();
    t.vector("velocity", &SceneBodies::velocity, Dimension::Velocity, "Velocity at the start.");
    t.number("velocity_deviation", &SceneBodies::velocity_deviation, Dimension::Velocity,
             "Standard deviation of each component of normally distributed velocities, which are added to `velocity`; the group as a whole "
             "gains no momentum by them.")
        .from(0);
    t.vector("angular_velocity", &SceneBodies::angular_velocity, Dimension::AngularVelocity, "Angular velocity at the start.").turning();
    add_orientation_keys(t);
    t.key("seed", Type::Integer, &SceneBodies::seed, "Seed of the random numbers of sizes, places and orientations.").from(0);
    t.place(&SceneBodies::place);
    t.check(check_bodies);
    return t.build();
}

}  // namespace scree
