// What callers change of a running Simulation.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scene/parse.hpp"
#include "setup/motion.hpp"
#include "setup/periods.hpp"
#include "sim/simulation.hpp"

namespace scree {

void Simulation::retime_wall(std::size_t wall, const std::function<void(Wall& wall, double now)>& change) {
    Wall changed = built_.model.walls.at(wall);
    change(changed, engine_->counters().time);
    std::swap(changed, built_.model.walls[wall]);
    try {
        engine_->retime(built_.model);
    } catch (...) {
        std::swap(changed, built_.model.walls[wall]);
        throw;
    }
    calls_.note_wall(wall);
    output_->walls_changed(built_.model);
}

void Simulation::move_wall(std::size_t wall, const std::string& text) {
    const Wall& now = built_.model.walls.at(wall);
    const double time = engine_->counters().time;
    if (wall >= scene_.walls.size() || scene_.walls[wall].name != now.name)
        throw Error(fmt::format("wall \"{}\" is none of the scene's [[wall]] tables and cannot be moved", now.name));
    SceneWall given = scene_.walls[wall];
    given.motion = read_wall_motion(text, given, scene_);
    if (given.motion->servo) throw Error(given.motion->servo->place, "a servo belongs into the scene and cannot be given by a call");
    if (!(given.motion->to > time))
        throw Error(given.motion->place, fmt::format("to = {} is over: it is t = {} s", given.motion->to, time));
    given.motion->from = std::max(given.motion->from, time);
    Motion motion = build_motion(given, scene_.folder, built_.model.dimensions == 2);
    motion.moves = true;  // at speed 0, too, from where it is
    motion.first = engine_->snapshot_of(0).walls.at(wall);
    Wall moved = now;
    moved.motion = motion;
    check_surface_motion(given, moved);
    given.place = given.motion->place;
    check_motion_in_periods(given, moved, built_.model);
    engine_whole_ = false;
    engine_->move_wall(wall, motion);
    engine_whole_ = true;
    built_.model.walls[wall].motion = motion;
    calls_.note_wall(wall);
    output_->walls_changed(built_.model);
}

void Simulation::drive_joint(std::size_t joint, bool along, double value) {
    TimeFunction steady;
    steady.constant = value;
    engine_->drive_joint(joint, along, steady);
    Joint& of = built_.model.joints.at(joint);
    (along ? of.travel_motor : of.angle_motor).value = steady;
    calls_.note_motor(joint, along);
}

}  // namespace scree
