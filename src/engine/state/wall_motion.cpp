#include "engine/state/moved_walls.hpp"

#include <algorithm>
#include <cmath>

#include "model/contact_parameters.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

double from_axis(const Motion& m, Vec3 x) {
    return norm(cross(m.axis, x - m.point));
}

/// Rounding of two unit vectors that mean the same direction.
bool along_axis(const Motion& m, Vec3 direction) {
    return norm(cross(m.axis, direction)) < 1e-14;
}

void add_cylinder(const Motion& m, const Cylinder& c, WallReach& reach) {
    const bool endless = !std::isfinite(c.length);
    const bool coaxial = along_axis(m, c.axis) && from_axis(m, c.point) <= 1e-12 * c.radius && c.half_angle > 3.14159265358979;
    const bool stays = coaxial || !turns(m);
    if (stays && endless) return;
    reach.rigid = true;
    if (stays) return;
    if (endless) {
        reach.unbounded = true;
    } else {
        const double farthest = std::max(from_axis(m, c.point), from_axis(m, c.point + c.length * c.axis));
        reach.radius = std::max(reach.radius, farthest + c.radius);
    }
}

WallReach reach_of(const Wall& wall, Index& planes, Index& cylinders) {
    WallReach reach;
    reach.first_plane = planes;
    reach.first_cylinder = cylinders;
    reach.last_plane = planes += static_cast<Index>(wall.planes.size());
    reach.last_cylinder = cylinders += static_cast<Index>(wall.cylinders.size());
    const Motion& m = wall.motion;
    if (m.first.turn.w != 1) reach.rigid = true;  // normals are not those of the planes that are given
    for (const Plane& p : wall.planes) {
        if (!turns(m) || along_axis(m, p.normal)) continue;
        reach.rigid = reach.unbounded = true;
    }
    for (const Cylinder& c : wall.cylinders) add_cylinder(m, c, reach);
    for (const Vec3 v : wall.mesh.vertices) {
        reach.rigid = true;
        if (turns(m)) reach.radius = std::max(reach.radius, from_axis(m, v));
    }
    return reach;
}

/// The wall with its surfaces where its motion found them.
Wall where_found(Wall wall) {
    const Pose& first = wall.motion.first;
    for (Plane& p : wall.planes) p = {placed(first, p.point), rotate(first.turn, p.normal)};
    for (Cylinder& c : wall.cylinders) {
        c.point = placed(first, c.point);
        c.axis = rotate(first.turn, c.axis);
    }
    for (Vec3& v : wall.mesh.vertices) v = placed(first, v);
    return wall;
}

/// Of a wall that a body carries: no motion leaves its surfaces where they are.
WallReach carried_reach(const Wall& wall, Vec3 centre, Index& planes, Index& cylinders) {
    WallReach reach;
    reach.rigid = true;
    planes += static_cast<Index>(wall.planes.size());
    cylinders += static_cast<Index>(wall.cylinders.size());
    reach.unbounded = !wall.planes.empty();
    for (const Cylinder& c : wall.cylinders) {
        if (!std::isfinite(c.length)) {
            reach.unbounded = true;
            continue;
        }
        reach.radius = std::max({reach.radius, norm(c.point - centre) + c.radius, norm(c.point + c.length * c.axis - centre) + c.radius});
    }
    for (const Vec3 v : wall.mesh.vertices) reach.radius = std::max(reach.radius, norm(v - centre));
    return reach;
}

WallCarrier carrier_of(const Model& model, const Wall& wall) {
    if (wall.body < 0) return {};
    const auto i = static_cast<std::size_t>(wall.body);
    return {wall.body, 1.0 / model.bodies.mass.at(i), model.bodies.position.at(i), model.bodies.orientation.at(i)};
}

}  // namespace

void load_motions(const Model& model, WallMotions& motions) {
    motions.any = std::any_of(model.walls.begin(), model.walls.end(), moves);
    motions.any_carried = std::any_of(model.walls.begin(), model.walls.end(), [](const Wall& w) { return w.body >= 0; });
    if (!motions.any) return;
    std::vector<double> time, angle;
    std::vector<Vec3> shift;
    std::vector<Harmonic> harmonic;
    std::vector<WallReach> reach;
    std::vector<WallCarrier> carrier;
    Index planes = 0, cylinders = 0;
    for (const Wall& w : model.walls) {
        time.insert(time.end(), w.motion.time.begin(), w.motion.time.end());
        shift.insert(shift.end(), w.motion.shift.begin(), w.motion.shift.end());
        angle.insert(angle.end(), w.motion.angle.begin(), w.motion.angle.end());
        harmonic.insert(harmonic.end(), w.motion.harmonics.begin(), w.motion.harmonics.end());
        carrier.push_back(carrier_of(model, w));
        reach.push_back(w.body < 0 ? reach_of(where_found(w), planes, cylinders)
                                   : carried_reach(w, carrier.back().position, planes, cylinders));
    }
    motions.table_time.assign(time);
    motions.table_shift.assign(shift);
    motions.table_angle.assign(angle);
    motions.harmonic.assign(harmonic);
    motions.reach.assign(reach);
    motions.carrier.assign(carrier);
    std::vector<MotionView> views;
    Index first = 0, first_harmonic = 0;
    for (const Wall& w : model.walls) {
        MotionView view = view_of(w.motion);
        view.time = motions.table_time.data() + first;
        view.shift = motions.table_shift.data() + first;
        view.angle = motions.table_angle.data() + first;
        view.harmonic = motions.harmonic.data() + first_harmonic;
        first_harmonic += static_cast<Index>(w.motion.harmonics.size());
        first += static_cast<Index>(w.motion.time.size());
        views.push_back(view);
    }
    const auto walls = static_cast<Index>(model.walls.size());
    motions.motion.assign(views);
    motions.place.resize_zero(walls);
    motions.listed.resize_zero(walls);
    motions.extent.resize_zero(walls);
    motions.carrier_listed.resize_zero(walls);
    std::vector<const TimeFunction*> targets;
    for (const Wall& w : model.walls) {
        targets.push_back(&w.motion.servo.target);
        motions.any_servo = motions.any_servo || w.motion.servo.on;
    }
    if (!motions.any_servo) return;
    motions.servo_target.load(targets);
    std::vector<ServoView> servo;
    for (const Wall& w : model.walls) {
        const Servo& s = w.motion.servo;
        servo.push_back({s.on, s.turns, s.direction, motions.servo_target.view(servo.size()), s.gain, s.integral_time, s.max_speed});
    }
    motions.servo.assign(servo);
    motions.servo_state.assign(std::vector<ServoState>(servo.size()));
    motions.servo_contact = contact_scale(model);
}

void reload_motions(const Model& model, WallMotions& motions) {
    const bool servos = motions.any_servo;
    const std::vector<ServoState> before = servos ? motions.servo_state.host() : std::vector<ServoState>{};
    motions.any_servo = false;
    load_motions(model, motions);
    if (!servos || !motions.any_servo) return;
    std::vector<ServoState> now(before.size());
    for (std::size_t w = 0; w < before.size(); ++w) {
        if (model.walls[w].motion.servo.on) now[w] = before[w];
    }
    motions.servo_state.assign(now);
}

void retime_motions(const Model& model, WallMotions& motions) {
    if (!motions.any) return;
    std::vector<MotionView> views = motions.motion.host();
    for (std::size_t w = 0; w < views.size(); ++w) {
        views[w].from = model.walls[w].motion.from;
        views[w].to = model.walls[w].motion.to;
    }
    motions.motion.assign(views);
}

}  // namespace scree::SCREE_FLAVOR
