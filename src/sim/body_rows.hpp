// What bodies are put in with, as Engine::insert and put_back take it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"

namespace scree {

struct BodyRows {
    std::vector<std::int32_t> ids;
    BodyTable start;
};

/// How a body comes.
struct BodyStart {
    Vec3 at, velocity, angular_velocity;  // [m], [m/s], world frame [rad/s]
    Quat turn;                            // principal frame -> world
};

/// Appends a body of the model, of a compound its members, too: these where their compound is, which carries them along.
inline void add_body(const Model& model, std::int32_t body, const BodyStart& start, BodyRows& rows) {
    const BodyTable& bodies = model.bodies;
    BodyTable& to = rows.start;
    const auto owner = static_cast<std::int32_t>(to.size());
    for (std::int32_t id = body;
         id == body || (static_cast<std::size_t>(id) < bodies.size() && bodies.owner_of(static_cast<std::size_t>(id)) == body); ++id) {
        const auto i = static_cast<std::size_t>(id);
        rows.ids.push_back(id);
        to.position.push_back(start.at);
        to.velocity.push_back(start.velocity);
        to.angular_velocity.push_back(start.angular_velocity);
        to.radius.push_back(bodies.radius[i]);
        to.mass.push_back(bodies.mass[i]);
        to.material.push_back(bodies.material[i]);
        to.shape.push_back(bodies.shape[i]);
        to.orientation.push_back(start.turn);
        to.owner.push_back(id == body ? BodyTable::no_owner : owner);
    }
}

}  // namespace scree
