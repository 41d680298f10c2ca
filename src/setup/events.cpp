#include "setup/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace scree {

namespace {

EventAction action_of(const std::string& word) {
    if (word == "add") return EventAction::Add;
    if (word == "remove") return EventAction::Remove;
    if (word == "move") return EventAction::Move;
    if (word == "halt") return EventAction::Halt;
    return word == "next_stage" ? EventAction::NextStage : EventAction::Stop;
}

std::size_t wall_of(const SceneEvent& given, const Model& model) {
    const auto found = std::find_if(model.walls.begin(), model.walls.end(), [&](const Wall& w) { return w.name == given.wall; });
    if (found == model.walls.end()) throw Error(given.place, fmt::format("no wall is named \"{}\"", given.wall));
    if (found->body >= 0)
        throw Error(given.place, fmt::format("wall \"{}\" is carried by a body, and with it: events are of other walls", given.wall));
    return static_cast<std::size_t>(found - model.walls.begin());
}

/// The wall waits for the event, in place of the times of its own.
void wait(const SceneEvent& given, EventAction action, Wall& wall) {
    Motion& motion = wall.motion;
    const auto refuse = [&](const char* key) {
        throw Error(given.place, fmt::format("wall \"{}\": the event says when, so leave out its {}", wall.name, key));
    };
    if ((action == EventAction::Move || action == EventAction::Halt) && !motion.moves)
        throw Error(given.place,
                    fmt::format("wall \"{}\" has no motion that could {}", wall.name, given.action == "move" ? "start" : "end"));
    if (action == EventAction::Add) {
        if (wall.active_from != 0) refuse("active");
        wall.active_from = never;
    } else if (action == EventAction::Remove) {
        if (std::isfinite(wall.active_to)) refuse("active");
    } else if (action == EventAction::Move) {
        if (motion.from != 0 || std::isfinite(motion.to)) refuse("motion's from and to");
        motion.from = never;
    } else if (std::isfinite(motion.to)) {
        refuse("motion's to");
    }
}

}  // namespace

std::string Event::condition() const {
    return fmt::format("{} {} {:.6g}", column, above ? "above" : "below", level);
}

std::vector<Event> build_events(const Scene& scene, Model& model) {
    std::vector<Event> events;
    std::size_t nexts = 0;
    for (const SceneEvent& given : scene.events) {
        Event event;
        event.name = given.name.empty() ? fmt::format("event{}", events.size() + 1) : given.name;
        event.column = given.measure;
        event.above = given.above.has_value();
        event.level = event.above ? *given.above : *given.below;
        event.from = given.from;
        event.action = action_of(given.action);
        event.place = given.place;
        for (const Event& other : events)
            if (other.name == event.name) throw Error(given.place, fmt::format("two events are named \"{}\"", event.name));
        const bool stops = event.action == EventAction::Stop;
        if (model.method == Method::Hard && !stops)
            throw Error(given.place, "walls of hard particles stay as they are: with kind = \"hard\" an event can only stop the run");
        if (event.action == EventAction::NextStage) {
            if (model.domain.stages.empty() || model.domain.shear.at_once)
                throw Error(given.place, "next_stage is of a domain with stages: give [[domain.stage]]");
            ++nexts;
            if (nexts >= model.domain.stages.size())
                throw Error(given.place, fmt::format("there is no stage to go on to: {} of {} stages follow another",
                                                     model.domain.stages.size() - 1, model.domain.stages.size()));
        } else if (!stops) {
            event.wall = wall_of(given, model);
            for (const Event& other : events)
                if (other.wall == event.wall && other.action == event.action)
                    throw Error(given.place, fmt::format("event \"{}\" does the same to this wall", other.name));
            wait(given, event.action, model.walls[event.wall]);
        }
        events.push_back(event);
    }
    return events;
}

void apply_event(const Event& event, double t, Model& model) {
    if (event.action == EventAction::Stop) return;
    if (event.action == EventAction::NextStage) {
        for (CellStage& stage : model.domain.stages) {
            if (t >= stage.to) continue;
            stage.to = t;
            return;
        }
        return;
    }
    Wall& wall = model.walls.at(event.wall);
    if (event.action == EventAction::Add) {
        wall.active_from = t;
        if (wall.active_to <= t) wall.active_to = std::numeric_limits<double>::infinity();  // a call has taken it away before
    }
    if (event.action == EventAction::Remove) wall.active_to = t;
    // What a call has set moving or halted before does so from then on: other times would put the wall elsewhere at once.
    if (event.action == EventAction::Move) wall.motion.from = std::min(wall.motion.from, t);
    if (event.action == EventAction::Halt) wall.motion.to = std::min(wall.motion.to, t);
}

}  // namespace scree
