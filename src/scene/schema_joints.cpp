// The table joint: what holds between two bodies, and its motor, springs and stops.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "scene/checks.hpp"
#include "scene/tables.hpp"

namespace scree {
namespace {

const std::vector<std::string> kKinds{"spherical", "revolute", "prismatic",     "cylindrical",    "universal",
                                      "fixed",     "distance", "point_on_line", "point_on_plane", "revolute_spherical",
                                      "free",      "gear",     "rack"};
const std::vector<std::string> kBetweenBodies(kKinds.begin(), kKinds.end() - 2);
const std::vector<std::string> kWithAxis{"revolute",      "prismatic",      "cylindrical",       "universal",
                                         "point_on_line", "point_on_plane", "revolute_spherical"};
const std::vector<std::string> kTwoPoints{"distance", "revolute_spherical", "free"};
const std::vector<std::string> kMaySplit{"distance", "revolute_spherical", "free", "point_on_line", "point_on_plane"};

bool is_one_of(const std::string& word, const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

TablePtr motor_table() {
    TableOf<SceneMotor> t("motor", "What drives the joint, about or along its axis; of `free` along the line of its points.");
    const auto drive = [&t](const char* name, Dimension dimension, const char* doc) {
        t.function(name, &SceneMotor::value, &SceneFunction::constant, is_plain, function_table(dimension), dimension, doc);
    };
    drive("angle", Dimension::Angle, "Angle about the axis, counted from the start.");
    drive("speed", Dimension::AngularVelocity, "Angular velocity about the axis, of B against A; a table is as for `angle`.");
    drive("torque", Dimension::Torque, "Torque about the axis on B; a table is as for `angle`.");
    drive("travel", Dimension::Length, "Travel along the axis, counted from the start; a table is as for `angle`.");
    drive("velocity", Dimension::Velocity, "Velocity along the axis, of B against A; a table is as for `angle`.");
    drive("force", Dimension::Force, "Force along the axis on B; a table is as for `angle`.");
    t.number("most", &SceneMotor::most, Dimension::Force, "Largest force it may use, or torque in N m; not for `torque` and `force`.")
        .above(0)
        .infinite()
        .measured_in({{"angle", Dimension::Torque}, {"speed", Dimension::Torque}});
    t.place(&SceneMotor::place);
    t.one_of(
        {"angle", "speed", "torque", "travel", "velocity", "force"}, [](SceneMotor& motor, const std::string& key) { motor.drive = key; },
        [](const SceneMotor& motor) { return motor.drive; });
    t.check([](SceneMotor& motor, const TableReading& reading) {
        if (reading.has("most") && (motor.drive == "torque" || motor.drive == "force") && std::isfinite(motor.most))
            reading.fail("most", fmt::format("does not apply to {}, which is what the motor gives", motor.drive));
    });
    return t.build();
}

TablePtr spring_table(bool turns) {
    const auto of = [turns](Dimension along, Dimension about) { return turns ? about : along; };
    TableOf<SceneSpring> t(turns ? "torsion" : "spring",
                           "Effort -(stiffness + stiffening |x - rest|) (x - rest) - damping dx/dt + preload.");
    t.number("stiffness", &SceneSpring::stiffness, of(Dimension::Stiffness, Dimension::Torsion), "Stiffness.").from(0);
    t.number(
         "stiffening", &SceneSpring::stiffening, Dimension::Number,
         turns ? "Growth of the stiffness with the turn from rest [N m/rad2]." : "Growth of the stiffness with the way from rest [N/m2].")
        .from(0);
    t.number("damping", &SceneSpring::damping, of(Dimension::Damping, Dimension::TorsionDamping), "Damping.").from(0);
    t.number("rest", &SceneSpring::rest, of(Dimension::Length, Dimension::Angle), "Where it is without effort.")
        .otherwise(turns ? "0" : "0; of `free` the length at the start");
    t.number("preload", &SceneSpring::preload, of(Dimension::Force, Dimension::Torque),
             turns ? "Steady torque on B about the axis." : "Steady force on B along the axis, or away from A.");
    t.check([](SceneSpring& spring, const TableReading& reading) {
        if (spring.stiffness == 0 && spring.stiffening == 0 && spring.damping == 0 && spring.preload == 0)
            throw Error(reading.place, fmt::format("{} needs one of stiffness, stiffening, damping, preload", reading.label));
    });
    return t.build();
}

Key& stops(TableOf<SceneJoint>& t, const char* name, double SceneJoint::*low, double SceneJoint::*high, Dimension dimension,
           const char* doc) {
    Key& key = t.key(
        name, Type::Limits,
        [=](SceneJoint& joint, const Value& value) {
            joint.*low = std::get<std::vector<double>>(value)[0];
            joint.*high = std::get<std::vector<double>>(value)[1];
        },
        [=](const SceneJoint& joint) -> std::optional<Value> {
            if (joint.*low == -kInfinity && joint.*high == kInfinity) return std::nullopt;
            return written(std::vector<double>{joint.*low, joint.*high});
        },
        doc);
    key.dimension = dimension;
    return key.infinite();
}

/// Fails where a motor, spring or stop asks for an angle or a travel that the kind does not have.
void check_drives(const SceneJoint& joint, const TableReading& reading) {
    constexpr const char* kTurning = "revolute and cylindrical have one";
    constexpr const char* kTravelling =
        "prismatic, cylindrical and point_on_line have one along the axis, free along the line of its points";
    const bool turns = turns_about_axis(joint.kind), travels = travels_along_axis(joint.kind) || joint.kind == "free";
    const auto lack_of = [&](bool about) {
        return fmt::format("kind = \"{}\" has no {}; {}", joint.kind, about ? "angle about an axis" : "travel",
                           about ? kTurning : kTravelling);
    };
    for (const char* key : {"angle", "torsion"})
        if (reading.has(key) && !turns) reading.fail(key, lack_of(true));
    for (const char* key : {"travel", "spring"})
        if (reading.has(key) && !travels) reading.fail(key, lack_of(false));
    if (!joint.motor) return;
    const std::string& drive = joint.motor->drive;
    const bool about = drive == "angle" || drive == "speed" || drive == "torque";
    if (about ? turns : travels) return;
    std::string instead;
    if (turns || travels) instead = fmt::format(". Use {}", turns ? "angle, speed or torque" : "travel, velocity or force");
    throw Error(joint.motor->place, fmt::format("[[joint]] motor {}: {}{}", drive, lack_of(about), instead));
}

/// Fails where points and axes cannot be those of a joint of this kind.
void check_geometry(const SceneJoint& joint, const TableReading& reading) {
    if (joint.axis) check_direction(*joint.axis, reading, "axis");
    if (joint.axis_b) check_direction(*joint.axis_b, reading, "axis_b");
    // 1e-6: directions written with seven digits pass.
    const auto square = [](Vec3 a, Vec3 b) { return std::abs(dot(a, b)) <= 1e-6 * norm(a) * norm(b); };
    const auto angle_between = [](Vec3 a, Vec3 b) { return std::atan2(norm(cross(a, b)), dot(a, b)) * 57.29577951308232; };
    if (joint.kind == "universal" && !square(*joint.axis, *joint.axis_b))
        reading.fail("axis_b", fmt::format("must be square to axis; the angle between them is {:.6g} deg",
                                           angle_between(*joint.axis, *joint.axis_b)));
    if (!joint.point_b) return;
    const Vec3 line = *joint.point_b - joint.point;
    if ((joint.kind == "distance" || joint.kind == "revolute_spherical") && norm(line) == 0)
        reading.fail("point_b", "is the same as point; the distance to hold must be above 0");
    // 1e-3: a length rounded to three digits passes; the joint pulls the bodies onto it.
    if (joint.length && std::abs(*joint.length - norm(line)) > 1e-3 * norm(line))
        reading.fail("length",
                     fmt::format("is {:.6g} m, but point and point_b are {:.6g} m apart at the start; move the points, or leave it out",
                                 *joint.length, norm(line)));
    if (joint.kind == "revolute_spherical" && !square(*joint.axis, line))
        reading.fail("axis", fmt::format("must be square to the line from point to point_b; the angle between them is {:.6g} deg",
                                         angle_between(*joint.axis, line)));
    if (joint.kind == "point_on_line" && norm(cross(normalized(*joint.axis), line)) > 1e-6 * norm(line))
        reading.fail("point_b", fmt::format("must lie on the line through point along axis; it is {:.6g} m off",
                                            norm(cross(normalized(*joint.axis), line))));
    if (joint.kind == "point_on_plane" && !square(*joint.axis, line))
        reading.fail("point_b", fmt::format("must lie in the plane through point across axis; it is {:.6g} m off",
                                            std::abs(dot(normalized(*joint.axis), line))));
}

void check_joint(SceneJoint& joint, const TableReading& reading) {
    if (joint.kind == "gear" || joint.kind == "rack") {
        if (joint.first == joint.second) reading.fail("joints", "are one and the same; name two");
        if (joint.ratio == 0) reading.fail("ratio", "must not be 0");
        return;
    }
    if (joint.a == joint.b)
        reading.fail("between", joint.a == "ground" ? "both ends are the ground, which does not move; name a body"
                                                    : fmt::format("\"{}\" is joined to itself; name two bodies", joint.a));
    if (!joint.point_b && is_one_of(joint.kind, kTwoPoints))
        throw Error(reading.place, fmt::format("[[joint]] with kind = \"{}\" needs \"point_b\"", joint.kind));
    check_geometry(joint, reading);
    for (const auto& [key, low, high] :
         {std::tuple{"angle", joint.angle_low, joint.angle_high}, {"travel", joint.travel_low, joint.travel_high}}) {
        if (!(low <= high)) reading.fail(key, fmt::format("must be [low, high] with low not above high, not [{}, {}]", low, high));
        if (low > 0 || high < 0)
            reading.fail(key, fmt::format("counts from the start, which is 0: [{}, {}] must contain it. Start the bodies between the stops",
                                          low, high));
    }
    check_drives(joint, reading);
}

void add_pair(TableOf<SceneJoint>& t, const char* name, std::string SceneJoint::*first, std::string SceneJoint::*second,
              const std::vector<std::string>& kinds, const char* scope, const char* doc) {
    t.key(
         name, Type::NamePair,
         [=](SceneJoint& joint, const Value& value) {
             joint.*first = std::get<std::vector<std::string>>(value)[0];
             joint.*second = std::get<std::vector<std::string>>(value)[1];
         },
         [=](const SceneJoint& joint) -> std::optional<Value> {
             return written(std::vector<std::string>{joint.*first, joint.*second});
         },
         doc)
        .required()
        .only_for(kinds)
        .reference(scope);
}

void add_geometry_keys(TableOf<SceneJoint>& t) {
    t.vector(
         "point", &SceneJoint::point, Dimension::Length,
         "Where the joint is at the start, in the world; A's end where B has its own. In a periodic domain it joins those images of the "
         "bodies that are nearest to it.")
        .required()
        .only_for(kBetweenBodies);
    t.vector("point_b", &SceneJoint::point_b, Dimension::Length,
             "B's end at the start, in the world; required for distance, revolute_spherical and free.")
        .only_for(kMaySplit)
        .otherwise("`point`");
    t.vector(
         "axis", &SceneJoint::axis, Dimension::Number,
         "Direction in the world at the start: axis of turn or travel, line, normal of the plane, hinge at A; of universal the axis that A "
         "turns about.")
        .required()
        .only_for(kWithAxis);
    t.vector("axis_b", &SceneJoint::axis_b, Dimension::Number, "Axis that B turns about, square to `axis`.")
        .required()
        .only_for({"universal"});
    t.number("length", &SceneJoint::length, Dimension::Length, "Distance to hold.")
        .above(0)
        .only_for({"distance", "revolute_spherical"})
        .otherwise("that of the points at the start");
}

}  // namespace

TablePtr joint_table() {
    TableOf<SceneJoint> t("[[joint]]", "What holds two bodies together, or a body to the ground; in three dimensions.");
    t.key("name", Type::Name, &SceneJoint::name, "Name, for measures and gears; every joint has its own.").required();
    t.word("kind", &SceneJoint::kind, kKinds, "What it holds; `gear` and `rack` couple two other joints, `free` carries a spring alone.")
        .required();
    add_pair(t, "between", &SceneJoint::a, &SceneJoint::b, kBetweenBodies, "joined",
             "The bodies A and B; one may be `\"ground\"`, the world.");
    add_geometry_keys(t);
    stops(t, "angle", &SceneJoint::angle_low, &SceneJoint::angle_high, Dimension::Angle, "Stops of the angle, counted from the start.")
        .only_for(kBetweenBodies);
    stops(t, "travel", &SceneJoint::travel_low, &SceneJoint::travel_high, Dimension::Length, "Stops of the travel, counted from the start.")
        .only_for(kBetweenBodies);
    t.optional_table("motor", &SceneJoint::motor, motor_table(), "What drives it.").only_for(kBetweenBodies);
    t.optional_table("spring", &SceneJoint::spring, spring_table(false),
                     "Spring and damper along the axis, or of `free` along the line of its points.")
        .only_for(kBetweenBodies);
    t.optional_table("torsion", &SceneJoint::torsion, spring_table(true), "Spring and damper about the axis.").only_for(kBetweenBodies);
    add_pair(t, "joints", &SceneJoint::first, &SceneJoint::second, {"gear", "rack"}, "joint",
             "Gear: two joints that turn; rack: one that turns, then one that travels.");
    t.number("ratio", &SceneJoint::ratio, Dimension::Number,
             "Gear: teeth of the first over the second, negative where they turn the same way; rack: radius, a length.")
        .required()
        .only_for({"gear", "rack"})
        .measured_in({{"rack", Dimension::Length}});
    t.key("collide", Type::Flag, &SceneJoint::collide, "Whether the two bodies touch each other.").only_for(kBetweenBodies);
    t.place(&SceneJoint::place);
    t.select_by("kind", [](const SceneJoint& joint) { return joint.kind; });
    t.check(check_joint);
    return t.build();
}

}  // namespace scree
