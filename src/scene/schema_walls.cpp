// The table wall.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "scene/checks.hpp"
#include "scene/tables.hpp"

namespace scree {
namespace {

/// Fails where a motion moves nothing, or about no axis. The columns of a table are not known here.
void check_motion(const SceneWall& wall, const TableReading& reading) {
    const SceneMotion& motion = *wall.motion;
    const bool planar = reading.scene.dimensions == 2;
    const bool has_axis = wall.kind == "cylinder" || wall.kind == "arc" || (planar && motion.point) || (motion.axis && motion.point);
    bool turns = motion.rate != 0 || (motion.oscillation && motion.oscillation->angle != 0);
    for (const SceneOscillation& one : motion.harmonics) turns = turns || one.angle != 0;
    if (turns && !has_axis) reading.fail("motion", planar ? "what turns needs a point to turn about" : "what turns needs axis and point");
}

TablePtr oscillation_table() {
    TableOf<SceneOscillation> t("oscillation", "A harmonic motion: sin(2 pi frequency t + phase) - sin(phase), times amplitude and angle.");
    t.vector("amplitude", &SceneOscillation::amplitude, Dimension::Length, "To and fro along this vector, by its length.");
    t.number("angle", &SceneOscillation::angle, Dimension::Angle, "To and fro about the axis, by this angle.");
    t.number("frequency", &SceneOscillation::frequency, Dimension::Frequency, "Periods per second; with 0 nothing moves.")
        .required()
        .from(0);
    t.number("phase", &SceneOscillation::phase, Dimension::Angle, "Of the sine at the start.");
    t.check([](SceneOscillation&, const TableReading& reading) {
        if (!reading.has("amplitude") && !reading.has("angle")) reading.fail("frequency", "an oscillation needs an amplitude or an angle");
    });
    return t.build();
}

TablePtr servo_table() {
    TableOf<SceneServo> t(
        "servo",
        "A wall that presses: it goes where bodies bear a given force, pressure or torque of it. Penalty method. One of force, "
        "pressure (with area) and torque.");
    const auto target = [&t](const char* name, Dimension dimension, const char* doc) {
        t.function(name, &SceneServo::target, &SceneFunction::constant, is_plain, function_table(dimension), dimension, doc);
    };
    target("force", Dimension::Force, "Force of the wall on the bodies along `direction`; a table gives it over the time since `from`.");
    target("pressure", Dimension::Pressure, "The same over `area`.");
    target("torque", Dimension::Torque, "Torque of the wall on the bodies about the motion's axis.");
    t.number("area", &SceneServo::area, Dimension::Area, "On which the pressure acts.").above(0).only_for({"pressure"}).required();
    t.vector("direction", &SceneServo::direction, Dimension::Number,
             "Direction in which the wall goes to press harder; only its direction counts.")
        .only_for({"force", "pressure"})
        .required();
    t.number(
         "gain", &SceneServo::gain, Dimension::Number,
         "Speed over what is missing, m/(s N), of a torque rad/(s N m); 0: the inverse of the impedance of the contacts, by which a plate "
         "does not swing.")
        .from(0);
    t.number("integral_time", &SceneServo::integral_time, Dimension::Time,
             "Time in which what is missing adds itself once more; 0: 1000 times of a contact.")
        .from(0);
    t.number("max_speed", &SceneServo::max_speed, Dimension::Number,
             "Fastest that the wall goes, m/s, of a torque rad/s; 0: a hundredth of a diameter in a contact's time.")
        .from(0);
    t.place(&SceneServo::place);
    t.one_of(
        {"force", "pressure", "torque"}, [](SceneServo& servo, const std::string& key) { servo.by = key; },
        [](const SceneServo& servo) { return servo.by; });
    t.check([](SceneServo& servo, const TableReading& reading) {
        if (servo.by == "pressure" && is_plain(servo.target) && servo.target.constant < 0)
            reading.fail("pressure", fmt::format("must be at least 0, not {}", servo.target.constant));
    });
    return t.build();
}

}  // namespace

TablePtr motion_table() {
    TableOf<SceneMotion> t("motion",
                           "Prescribed motion: turned about an axis through `point`, then shifted. All that is given adds up; times count "
                           "from `from`.");
    t.vector("velocity", &SceneMotion::velocity, Dimension::Velocity,
             "Steady velocity. A plane that slides along itself is a belt; one of velocity 0 is at rest.");
    t.number("rate", &SceneMotion::rate, Dimension::AngularVelocity, "Steady angular velocity about the axis; may be 0.");
    t.vector("axis", &SceneMotion::axis, Dimension::Number, "Direction of the axis; only its direction counts.")
        .only_in(3)
        .otherwise("a cylinder's own; needed where others turn");
    t.vector("point", &SceneMotion::point, Dimension::Length, "A point of the axis; it moves with the shift.")
        .otherwise("a cylinder's or arc's own; needed where others turn");
    t.optional_table("oscillation", &SceneMotion::oscillation, oscillation_table(), "A harmonic motion.");
    t.tables("harmonics", &SceneMotion::harmonics, oscillation_table(),
             "More of them, which add up: a plate that several frequencies shake.");
    t.key("table", Type::Path, &SceneMotion::table,
          "Text file with a header line of names, then rows: `time`, and any of `x`, `y`, `z` (shift) and `angle` (about the axis), in SI "
          "units. Straight between rows, at rest before the first and after the last.");
    t.key("surface", Type::Flag, &SceneMotion::surface,
          "The surface alone moves, along itself, and the wall stays in its place: a belt of given length, the shell of a drum that is a "
          "mesh.");
    t.optional_table("servo", &SceneMotion::servo, servo_table(), "A wall that moves as bodies press on it, in place of all other motion.");
    t.number("from", &SceneMotion::from, Dimension::Time, "Simulated time at which the motion starts; before, the wall is at rest.");
    t.number("to", &SceneMotion::to, Dimension::Time, "Simulated time at which it ends; the wall stays where it is then.").infinite();
    t.place(&SceneMotion::place);
    t.check([](SceneMotion& motion, const TableReading& reading) {
        motion.table_place = reading.at("table");
        if (motion.axis) check_direction(*motion.axis, reading, "axis");
        const bool prescribed =
            reading.has("velocity") || reading.has("rate") || motion.oscillation || !motion.harmonics.empty() || !motion.table.empty();
        if (!prescribed && !motion.servo) reading.fail("velocity", "a motion needs velocity, rate, oscillation, harmonics, table or servo");
        const bool goes = norm(motion.velocity) != 0 || motion.rate != 0 || motion.oscillation || !motion.harmonics.empty() ||
                          !motion.table.empty() || motion.surface;
        if (motion.servo && goes)
            reading.fail("servo", "a servo moves the wall by itself: leave velocity, rate, oscillation, harmonics, table and surface out");
        if (!(motion.from < motion.to)) reading.fail("to", fmt::format("must be above from = {}, not {}", motion.from, motion.to));
    });
    return t.build();
}

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

/// Fails where more than one thing moves a wall, or a mass is given by halves.
void check_carried(const SceneWall& wall, const TableReading& reading) {
    if (!wall.body.empty() && wall.mass) reading.fail("mass", "a wall carried by a body has no mass of its own; give either body or mass");
    for (const char* key : {"inertia", "centre"}) {
        if (wall.mass && !reading.has(key))
            reading.fail("mass", fmt::format("a wall with a mass needs {} too: a surface alone has none", key));
        if (wall.mass || !reading.has(key) || (wall.kind == "arc" && key == std::string("centre"))) continue;
        if (reading.scene.dimensions == 2)
            reading.fail(key, fmt::format("does not apply to kind = \"{}\"; it belongs to \"arc\"", wall.kind));
        reading.fail(key, "does not apply without mass");
    }
    if (wall.motion && (wall.mass || !wall.body.empty()))
        reading.fail("motion", fmt::format("a wall {} moves with it and has no motion of its own; drive it by a joint with a motor",
                                           wall.mass ? "with a mass is a body," : "carried by a body"));
    if (wall.inertia.empty()) return;
    const std::string problem = problem_of_inertia(wall.inertia);
    if (!problem.empty()) reading.fail("inertia", problem);
}

void add_body_keys(TableOf<SceneWall>& t) {
    t.key("body", Type::Name, &SceneWall::body, "Body that carries the wall; the wall stands where it is given at the start.")
        .reference("carrier")
        .only_in(3);
    t.number("mass", &SceneWall::mass, Dimension::Mass,
             "Makes the wall a body of its own name, which joints can hold and drive. Walls do not touch each other: without a joint it "
             "must be the "
             "only wall.")
        .above(0)
        .only_in(3);
    t.key("inertia", Type::Numbers, &SceneWall::inertia,
          "With `mass`: entries xx, yy, zz, or xx, yy, zz, xy, xz, yz of the inertia tensor about the centre of mass, along the world's "
          "axes.")
        .from(3)
        .to(6)
        .only_in(3)
        .dimension = Dimension::Inertia;
    t.vector("centre", &SceneWall::centre, Dimension::Length,
             "With `mass`: the centre of mass, in the world at the start. Of an arc: the centre of its circle.");
}

/// Fails where a wall is not one of the scene's space, or a wall of the plane has no length.
void check_space(const SceneWall& wall, const TableReading& reading) {
    const bool solid = wall.kind == "quad" || wall.kind == "cylinder" || wall.kind == "mesh";
    const bool planar = wall.kind == "segment" || wall.kind == "arc";
    if (reading.scene.dimensions == 2 && solid)
        reading.fail("kind", fmt::format("\"{}\" has three dimensions, but the scene two; use plane, box, segment or arc", wall.kind));
    if (reading.scene.dimensions == 3 && planar)
        reading.fail("kind", fmt::format("\"{}\" needs dimensions = 2; in three dimensions use quad or cylinder", wall.kind));
    if (wall.kind == "segment" && norm(wall.max - wall.min) == 0) reading.fail("to", "must not be where the segment starts");
    if (wall.kind != "arc") return;
    if (!wall.centre) throw Error(reading.place, fmt::format("{} with kind = \"arc\" needs \"centre\"", reading.label));
    const double span = wall.angle_to - wall.angle_from;
    if (!(span > 0 && span <= 2 * std::numbers::pi * (1 + 1e-12)))  // 1e-12: rounding of 360 degrees
        reading.fail("angles",
                     fmt::format("must rise from the first to the last by at most a full turn, not by {:.6g} degrees; past 0 degrees count "
                                 "on, as in [\"350 deg\", \"370 deg\"]",
                                 span * 180 / std::numbers::pi));
}

void check_wall(SceneWall& wall, const TableReading& reading) {
    check_space(wall, reading);
    wall.file_place = reading.at("file");
    if (wall.kind == "plane") check_direction(wall.normal, reading, "normal");
    if (wall.kind == "quad") check_quad(wall.corners, reading);
    if (wall.kind == "box") check_box(wall.min, wall.max, reading, "max");
    if (wall.kind == "cylinder") check_direction(wall.axis, reading, "axis");
    if (wall.motion) check_motion(wall, reading);
    check_carried(wall, reading);
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
    t.vector("from", &SceneWall::min, Dimension::Length, "One end.").required().only_in(2).only_for({"segment"});
    t.vector("to", &SceneWall::max, Dimension::Length, "The other end; either side may be touched.")
        .required()
        .only_in(2)
        .only_for({"segment"});
    t.key(
         "angles", Type::Interval,
         [](SceneWall& wall, const Value& value) {
             wall.angle_from = std::get<std::vector<double>>(value)[0];
             wall.angle_to = std::get<std::vector<double>>(value)[1];
         },
         [](const SceneWall& wall) -> std::optional<Value> {
             return written(std::vector<double>{wall.angle_from, wall.angle_to});
         },
         "Where the arc begins and ends, counterclockwise, seen from its centre and counted from the x axis; either side may be touched.")
        .only_in(2)
        .only_for({"arc"})
        .dimension = Dimension::Angle;
    t.vector("min", &SceneWall::min, Dimension::Length, "Lower corner.").required().only_for({"box"});
    t.vector("max", &SceneWall::max, Dimension::Length, "Upper corner.").required().only_for({"box"});
    t.vector("axis", &SceneWall::axis, Dimension::Number, "Direction of the axis from `point`; only its direction counts.")
        .only_for({"cylinder"});
    t.number("radius", &SceneWall::radius, Dimension::Length, "Radius.").required().above(0).only_for({"cylinder", "arc"});
    t.number("length", &SceneWall::length, Dimension::Length, "Length from `point`; `inf` is endless both ways.")
        .above(0)
        .infinite()
        .only_for({"cylinder"});
    t.word("side", &SceneWall::side, {"inside", "outside"},
           "Where bodies are: in a tube or a box of six planes, or about a rod or a solid block, which they touch from without.")
        .only_for({"cylinder", "box"});
    t.key("file", Type::Path, &SceneWall::file, "Mesh file: STL, OBJ, PLY and others.").required().only_for({"mesh"});
    t.number("scale", &SceneWall::scale, Dimension::Number, "Factor from the file's unit to metres (0.001 for millimetres).")
        .above(0)
        .only_for({"mesh"});
    t.vector("offset", &SceneWall::offset, Dimension::Length, "Shift after scaling.").only_for({"mesh"});
}

}  // namespace

TablePtr wall_table() {
    TableOf<SceneWall> t("[[wall]]", "A surface, at rest, in prescribed motion, or carried by a body.");
    t.word("kind", &SceneWall::kind, {"plane", "quad", "box", "cylinder", "mesh", "segment", "arc"},
           "What surface it is; `segment` and `arc` belong to two dimensions, `quad`, `cylinder` and `mesh` to three.")
        .required();
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
    t.optional_table("motion", &SceneWall::motion, motion_table(), "How it moves; left out, it is at rest.");
    add_body_keys(t);
    t.place(&SceneWall::place);
    t.select_by("kind", [](const SceneWall& wall) { return wall.kind; });
    t.check(check_wall);
    return t.build();
}

}  // namespace scree
