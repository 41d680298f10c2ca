#include "setup/joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/mat3.hpp"
#include "model/cell.hpp"
#include "model/symmetric3.hpp"
#include "setup/functions.hpp"

namespace scree {

namespace {

constexpr std::array<std::pair<std::string_view, JointKind>, 13> kKinds{{{"spherical", JointKind::Spherical},
                                                                         {"revolute", JointKind::Revolute},
                                                                         {"prismatic", JointKind::Prismatic},
                                                                         {"cylindrical", JointKind::Cylindrical},
                                                                         {"universal", JointKind::Universal},
                                                                         {"fixed", JointKind::Fixed},
                                                                         {"distance", JointKind::Distance},
                                                                         {"point_on_line", JointKind::PointOnLine},
                                                                         {"point_on_plane", JointKind::PointOnPlane},
                                                                         {"revolute_spherical", JointKind::RevoluteSpherical},
                                                                         {"free", JointKind::Free},
                                                                         {"gear", JointKind::Gear},
                                                                         {"rack", JointKind::Rack}}};

JointKind kind_of(const SceneJoint& given) {
    for (const auto& [word, kind] : kKinds)
        if (given.kind == word) return kind;
    throw Error(given.place, fmt::format("unknown kind of joint \"{}\"", given.kind));
}

std::int32_t body_named(const Model& model, const std::string& name, const SourcePlace& place) {
    if (name == "ground") return Joint::ground;
    const auto& names = model.bodies.name;
    const auto found = std::find(names.begin(), names.end(), name);
    if (name.empty() || found == names.end()) throw Error(place, fmt::format("there is no body \"{}\" to join", name));
    return static_cast<std::int32_t>(found - names.begin());
}

Vec3 unit(const std::optional<Vec3>& v, const char* key, const SourcePlace& place) {
    const double length = v ? norm(*v) : 0.0;
    if (!(length > 0.0 && std::isfinite(length))) throw Error(place, fmt::format("the joint needs {}, a direction", key));
    return *v / length;
}

/// Frame with these axes -> world. x, y, z: right-handed, unit and square to each other.
Quat frame_of(Vec3 x, Vec3 y, Vec3 z) {
    return quaternion_of({{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}});
}

Quat frame_along(Vec3 z) {
    const double a = std::fabs(z.x), b = std::fabs(z.y), c = std::fabs(z.z);
    const Vec3 from = a <= b && a <= c ? Vec3{1, 0, 0} : b <= c ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const Vec3 x = normalized(from - dot(from, z) * z);
    return frame_of(x, cross(z, x), z);
}

/// The turn of both frames at the start, frame -> world.
Quat turn_of(const SceneJoint& given, JointKind kind) {
    switch (kind) {
        case JointKind::Revolute:
        case JointKind::Prismatic:
        case JointKind::Cylindrical:
        case JointKind::PointOnLine:
        case JointKind::PointOnPlane:
        case JointKind::RevoluteSpherical:
            return frame_along(unit(given.axis, "axis", given.place));
        case JointKind::Universal: {
            const Vec3 y = unit(given.axis, "axis", given.place), b = unit(given.axis_b, "axis_b", given.place);
            const Vec3 x = normalized(b - dot(b, y) * y);
            return frame_of(x, y, cross(x, y));
        }
        default:
            return {};
    }
}

/// A frame of the world as one of the body's principal frame; in a periodic domain at the origin's image that is nearest to the body.
Pose in_body(const Model& model, std::int32_t body, Quat turn, Vec3 origin) {
    if (body == Joint::ground) return {turn, origin};
    const std::size_t i = static_cast<std::size_t>(body);
    const Pose pose{model.bodies.orientation[i], model.bodies.position[i]};
    const Cell cell = cell_of(model);
    const Vec3 nearest = cell.any() ? pose.shift + cell.nearest(origin - pose.shift) : origin;
    return {normalized(conjugate(pose.turn) * turn), in_frame(pose, nearest)};
}

void add_motor(const Scene& scene, const SceneMotor& given, Joint& joint) {
    const std::string& drive = given.drive;
    const bool about = drive == "angle" || drive == "speed" || drive == "torque";
    Motor& motor = about ? joint.angle_motor : joint.travel_motor;
    motor.drive = drive == "angle" || drive == "travel"     ? Drive::Position
                  : drive == "speed" || drive == "velocity" ? Drive::Speed
                                                            : Drive::Effort;
    motor.value = function_of(given.value, scene.folder);
    if (motor.drive != Drive::Effort) motor.most = given.most;
}

Spring spring_of(const SceneSpring& given, double rest) {
    return {given.stiffness, given.damping, given.rest.value_or(rest), given.preload, given.stiffening};
}

/// A joint whose ends are half a period or more apart would be ambiguous: another image of its second end is as near.
void check_reach(const SceneJoint& given, const Cell& cell, Vec3 between) {
    for (int a = 0; a < 3; ++a) {
        if (!cell.periodic[a] || std::fabs(along(between, a)) < 0.499 * cell.length[a]) continue;
        throw Error(given.place,
                    fmt::format("joint \"{0}\": its ends are {1:.6g} m apart along {2}, half the period of {3:.6g} m or more, so "
                                "that another image of the one is as near to the other: move point and point_b nearer to each "
                                "other, make the domain longer, or leave {2} out of domain.periodic",
                                given.name, std::fabs(along(between, a)), "xyz"[a], cell.length[a]));
    }
}

Joint joint_between(const Scene& scene, const SceneJoint& given, JointKind kind, const Model& model) {
    Joint joint;
    joint.a = body_named(model, given.a, given.place);
    joint.b = body_named(model, given.b, given.place);
    if (joint.a == joint.b) throw Error(given.place, fmt::format("joint \"{}\" joins \"{}\" with itself", given.name, given.a));
    const Quat turn = turn_of(given, kind);
    const Vec3 end_b = given.point_b.value_or(given.point);
    // Travel counts from the start, so the origin on a line is where B's point is.
    const Vec3 end_a = kind == JointKind::PointOnLine ? end_b : given.point;
    check_reach(given, cell_of(model), end_b - end_a);
    joint.frame_a = in_body(model, joint.a, turn, end_a);
    joint.frame_b = in_body(model, joint.b, turn, end_b);
    const double apart = norm(end_b - end_a);
    if (kind == JointKind::Distance || kind == JointKind::RevoluteSpherical) {
        joint.length = given.length.value_or(apart);
        if (!(joint.length > 0.0)) throw Error(given.place, fmt::format("joint \"{}\": the length to hold must be above 0", given.name));
    }
    joint.angle_limits = {given.angle_low, given.angle_high};
    // The travel of a free joint is the length of its line, in the scene what that length has grown by.
    const double zero = kind == JointKind::Free ? apart : 0.0;
    joint.travel_limits = {given.travel_low + zero, given.travel_high + zero};
    if (given.motor) add_motor(scene, *given.motor, joint);
    if (joint.travel_motor.drive == Drive::Position) joint.travel_motor.value.constant += zero;
    if (given.spring) joint.travel_spring = spring_of(*given.spring, zero);
    if (given.torsion) joint.angle_spring = spring_of(*given.torsion, 0.0);
    joint.collide = given.collide;
    return joint;
}

}  // namespace

std::vector<Joint> build_joints(const Scene& scene, const Model& model) {
    std::vector<Joint> joints;
    const auto index_of = [&](const std::string& name, const SourcePlace& place) {
        const auto found = std::find_if(scene.joints.begin(), scene.joints.end(), [&](const SceneJoint& j) { return j.name == name; });
        if (found == scene.joints.end()) throw Error(place, fmt::format("there is no joint \"{}\"", name));
        return static_cast<std::int32_t>(found - scene.joints.begin());
    };
    for (const SceneJoint& given : scene.joints) {
        const JointKind kind = kind_of(given);
        Joint joint;
        if (kind == JointKind::Gear || kind == JointKind::Rack) {
            joint.first = index_of(given.first, given.place);
            joint.second = index_of(given.second, given.place);
            joint.ratio = given.ratio;
        } else {
            joint = joint_between(scene, given, kind, model);
        }
        joint.name = given.name;
        joint.kind = kind;
        joints.push_back(std::move(joint));
    }
    return joints;
}

std::vector<std::string> motors_that_jump(const Scene& scene, const std::vector<Joint>& joints) {
    constexpr double kRounding = 1e-9;  // [rad] or [m]: places written with nine digits pass
    std::vector<std::string> warnings;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const SceneJoint& given = scene.joints[j];
        const bool about = joints[j].angle_motor.drive == Drive::Position;
        if (!about && joints[j].travel_motor.drive != Drive::Position) continue;
        const double length = joints[j].kind == JointKind::Free ? norm(given.point_b.value_or(given.point) - given.point) : 0.0;
        const double start = value_at(about ? joints[j].angle_motor.value : joints[j].travel_motor.value, 0) - length;
        if (!(std::fabs(start) > kRounding)) continue;
        const std::string text = fmt::format(
            "[[joint]] motor {}: asks for {:.6g} {} at t = 0, but \"{}\" starts at 0: the first steps pull it there as fast as `most` "
            "allows. Let "
            "the value start at 0, or start the bodies there",
            given.motor->drive, start, about ? "rad" : "m", given.name);
        warnings.emplace_back(Error(given.motor->place, text).what());
    }
    return warnings;
}

std::set<std::pair<std::int32_t, std::int32_t>> pairs_apart(const Model& model) {
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    for (const Joint& joint : model.joints)
        if (!joint.collide && joint.a >= 0 && joint.b >= 0) pairs.insert(std::minmax(joint.a, joint.b));
    const auto rigid = [&](std::int32_t id) {
        const std::int32_t owner = model.bodies.owner_of(static_cast<std::size_t>(id));
        return owner >= 0 ? owner : id;
    };
    for (const Bond& bond : model.bonds)
        if (!bond.to_wall() && !model.bond_kinds[static_cast<std::size_t>(bond.kind)].keeps_contact)
            pairs.insert(std::minmax(rigid(bond.a), rigid(bond.b)));
    return pairs;
}

}  // namespace scree
