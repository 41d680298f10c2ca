#include "engine/state/wall_motion.hpp"

#include <algorithm>
#include <cmath>

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
    const bool coaxial = along_axis(m, c.axis) && from_axis(m, c.point) <= 1e-12 * c.radius;
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

}  // namespace

void load_motions(const Model& model, WallMotions& motions) {
    const auto moves = [](const Wall& w) { return w.motion.moves; };
    motions.any = std::any_of(model.walls.begin(), model.walls.end(), moves);
    if (!motions.any) return;
    std::vector<double> time, angle;
    std::vector<Vec3> shift;
    std::vector<WallReach> reach;
    Index planes = 0, cylinders = 0;
    for (const Wall& w : model.walls) {
        time.insert(time.end(), w.motion.time.begin(), w.motion.time.end());
        shift.insert(shift.end(), w.motion.shift.begin(), w.motion.shift.end());
        angle.insert(angle.end(), w.motion.angle.begin(), w.motion.angle.end());
        reach.push_back(reach_of(w, planes, cylinders));
    }
    motions.table_time.assign(time);
    motions.table_shift.assign(shift);
    motions.table_angle.assign(angle);
    motions.reach.assign(reach);
    std::vector<MotionView> views;
    Index first = 0;
    for (const Wall& w : model.walls) {
        MotionView view = view_of(w.motion);
        view.time = motions.table_time.data() + first;
        view.shift = motions.table_shift.data() + first;
        view.angle = motions.table_angle.data() + first;
        first += static_cast<Index>(w.motion.time.size());
        views.push_back(view);
    }
    const auto walls = static_cast<Index>(model.walls.size());
    motions.motion.assign(views);
    motions.place.resize_zero(walls);
    motions.listed.resize_zero(walls);
    motions.extent.resize_zero(walls);
}

}  // namespace scree::SCREE_FLAVOR
