#include "setup/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/motion.hpp"
#include "scene/files_of.hpp"
#include "setup/functions.hpp"
#include "setup/timed_table.hpp"

namespace scree {

namespace {

void read_table(const std::string& path, const SourcePlace& place, Motion& motion) {
    TimedTable table = read_timed_table(path, place, {"x", "y", "z", "angle"});
    for (std::size_t k = 0; k < table.time.size(); ++k)
        motion.shift.push_back({table.column[0][k], table.column[1][k], table.column[2][k]});
    motion.time = std::move(table.time);
    motion.angle = std::move(table.column[3]);
}

Vec3 unit(Vec3 v, const SourcePlace& place) {
    const double length = norm(v);
    if (!(std::isfinite(length) && length > 0.0)) throw Error(place, "axis has no direction");
    return v / length;
}

/// Does anything of it go anywhere? A wall of speed 0 is a wall at rest, to the last bit.
bool moves(const Motion& motion) {
    bool swings = false, by_table = false;
    for (const Harmonic& h : motion.harmonics) swings = swings || (h.frequency != 0 && (norm(h.amplitude) != 0 || h.angle != 0));
    for (const Vec3& shift : motion.shift) by_table = by_table || norm(shift) != 0;
    for (const double angle : motion.angle) by_table = by_table || angle != 0;
    return norm(motion.velocity) != 0 || motion.rate != 0 || swings || by_table || motion.servo.on;
}

/// f times a number.
TimeFunction times(double factor, TimeFunction f) {
    f.constant *= factor;
    f.amplitude *= factor;
    for (double& v : f.value) v *= factor;
    return f;
}

Servo servo_of(const SceneServo& given, const std::string& folder, bool planar) {
    Servo servo;
    servo.on = true;
    servo.turns = given.by == "torque";
    servo.target = times(given.by == "pressure" ? *given.area : 1.0, function_of(given.target, folder));
    double least = servo.target.constant - std::fabs(servo.target.amplitude);
    if (!servo.target.value.empty()) least += *std::min_element(servo.target.value.begin(), servo.target.value.end());
    if (given.by == "pressure" && least < 0)
        throw Error(given.place, "the servo's pressure falls below 0, where the wall would pull: keep it at 0 or more");
    if (!servo.turns) {
        if (planar && given.direction.z != 0)
            throw Error(given.place, "in two dimensions a servo's direction lies in the plane: set its z to 0");
        const double length = norm(given.direction);
        if (!(std::isfinite(length) && length > 0.0)) throw Error(given.place, "the servo's direction has no direction");
        servo.direction = given.direction / length;
    }
    servo.gain = given.gain;
    servo.integral_time = given.integral_time;
    servo.max_speed = given.max_speed;
    return servo;
}

}  // namespace

Motion build_motion(const SceneWall& wall, const std::string& folder, bool planar) {
    const SceneMotion& given = *wall.motion;
    Motion motion;
    motion.moves = true;  // for turns() below
    motion.from = given.from;
    motion.to = given.to;
    motion.velocity = given.velocity;
    motion.rate = given.rate;
    const auto add = [&motion](const SceneOscillation& o) { motion.harmonics.push_back({o.amplitude, o.angle, o.frequency, o.phase}); };
    if (given.oscillation) add(*given.oscillation);
    for (const SceneOscillation& one : given.harmonics) add(one);
    if (given.servo) motion.servo = servo_of(*given.servo, folder, planar);
    if (!given.table.empty()) read_table(resolved_path(folder, given.table), given.table_place, motion);
    for (const Vec3& shift : motion.shift)
        if (planar && shift.z != 0)
            throw Error(given.table_place, fmt::format("\"{}\" moves along z, but the scene has two dimensions", given.table));
    const bool cylinder = wall.kind == "cylinder", arc = wall.kind == "arc";
    if (turns(motion) && !cylinder && !arc && !((given.axis || planar) && given.point))
        throw Error(given.place, planar ? "what turns needs a point to turn about" : "what turns needs axis and point");
    motion.axis = unit(given.axis ? *given.axis : (cylinder ? wall.axis : Vec3{0, 0, 1}), given.place);
    motion.point = given.point ? *given.point : cylinder ? wall.point : arc ? wall.centre.value_or(Vec3{}) : Vec3{};
    if (!(motion.from < motion.to)) throw Error(given.place, fmt::format("to = {} must be above from = {}", motion.to, motion.from));
    motion.moves = moves(motion);
    motion.surface = given.surface;
    return motion;
}

void check_servo(const SceneWall& given, const Model& model) {
    const SceneServo& servo = *given.motion->servo;
    if (model.method != Method::Penalty)
        throw Error(
            servo.place,
            fmt::format("wall \"{}\": a servo goes by forces, which only kind = \"penalty\" resolves in time: use it, or give the wall a "
                        "mass and a joint with a motor",
                        given.name));
    const bool known = model.penalty.law == Law::Hertz || model.penalty.law == Law::Linear;
    if (!known && !(servo.gain > 0 && servo.integral_time > 0 && servo.max_speed > 0))
        throw Error(
            servo.place,
            fmt::format("wall \"{}\": under this law a servo does not know its contacts' stiffness: give gain, integral_time and max_speed",
                        given.name));
}

void check_surface_motion(const SceneWall& given, const Wall& wall) {
    const Motion& m = wall.motion;
    if (!m.surface) return;
    constexpr double most = 0.05;  // share of the speed along the normal: of facets of what is round in truth
    struct Mode {
        Vec3 velocity, angular;
    };
    std::vector<Mode> modes{{m.velocity, {}}, {{}, m.rate * m.axis}};
    for (const Harmonic& h : m.harmonics) {
        modes.push_back({h.amplitude, {}});
        modes.push_back({{}, h.angle * m.axis});
    }
    for (std::size_t k = 1; k < m.time.size(); ++k) modes.push_back({m.shift[k] - m.shift[k - 1], (m.angle[k] - m.angle[k - 1]) * m.axis});
    const auto refuse = [&](const char* what) {
        throw Error(given.motion->place,
                    fmt::format("wall \"{}\": surface = true moves its surface along itself, but {} would move along its "
                                "normal: let it move along itself, give that part a wall of its own, or leave surface out",
                                wall.name, what));
    };
    for (const Mode& mode : modes) {
        const auto against = [&](Vec3 at, Vec3 normal) {
            const Vec3 v = mode.velocity + cross(mode.angular, at - m.point);
            return std::fabs(dot(v, normal)) > most * norm(v);
        };
        const double turning = norm(mode.angular), moving = norm(mode.velocity);
        for (const Plane& plane : wall.planes)
            if (against(plane.point, plane.normal) || norm(cross(mode.angular, plane.normal)) > most * turning) refuse("a plane of it");
        for (const Cylinder& round : wall.cylinders) {
            const Vec3 arm = m.point - round.point;
            const bool own = norm(cross(mode.angular, round.axis)) <= most * turning &&
                             (turning == 0 || norm(arm - dot(arm, round.axis) * round.axis) <= most * round.radius);
            if (norm(cross(mode.velocity, round.axis)) > most * moving || !own) refuse("the round surface");
        }
        for (const auto& corner : wall.mesh.triangles) {
            const Vec3 a = wall.mesh.vertices[static_cast<std::size_t>(corner[0])],
                       b = wall.mesh.vertices[static_cast<std::size_t>(corner[1])],
                       c = wall.mesh.vertices[static_cast<std::size_t>(corner[2])];
            const Vec3 across = cross(b - a, c - a);
            const double area = norm(across);
            if (area > 0 && against((1.0 / 3) * (a + b + c), across / area)) refuse("a triangle of it");
        }
    }
}

}  // namespace scree
