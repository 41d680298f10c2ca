#include "engine/step/insertion.hpp"

#include <string>

#include "engine/broad/broad.hpp"
#include "engine/motion/fields.hpp"
#include "engine/motion/members.hpp"
#include "engine/penalty/gather_all.hpp"
#include "engine/penalty/liquid.hpp"
#include "engine/state/body_operations.hpp"
#include "engine/state/load_bodies.hpp"
#include "engine/step/rebuild.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Kinetic and potential energy [J].
double energy_of(const Model& model, const BodyTable& start, const std::vector<Vec3>& momentum) {
    double sum = 0;
    const double of_inertia = model.dimensions == 2 ? 0.5 : 0.4;
    for (std::size_t i = 0; i < start.size(); ++i) {
        if (start.owner_of(i) >= 0) continue;
        const double m = start.mass[i], r = start.radius[i];
        const Vec3 w = start.angular_velocity[i], L = start.shape[i] < 0 ? (of_inertia * m * r * r) * w : momentum[i];
        sum += 0.5 * m * norm2(start.velocity[i]) + 0.5 * dot(L, w) - m * dot(model.gravity, start.position[i]);
    }
    return sum;
}

/// Velocities beside those with which a cell's lengths change, about its centre.
BodyTable in_flow(const Cell& cell, const BodyTable& start) {
    BodyTable moving = start;
    const Vec3 middle{cell.low[0] + 0.5 * cell.length[0], cell.low[1] + 0.5 * cell.length[1], cell.low[2] + 0.5 * cell.length[2]};
    for (std::size_t k = 0; k < moving.size(); ++k) {
        const std::int32_t owner = start.owner_of(k);
        const Vec3 at = start.position[owner < 0 ? k : static_cast<std::size_t>(owner)];
        moving.velocity[k] += cell.flow(at - middle, cell.growth, cell.sheared ? cell.speed_at(0, cell.growth) : 0.0);
    }
    return moving;
}

}  // namespace

void insert_bodies(const Model& model, State& state, Workspace& work, StageTimers& timers, const std::vector<std::int32_t>& ids,
                   const BodyTable& given, bool again) {
    if (ids.empty()) return;
    const Cell& cell = work.images.cell;
    const bool grows = cell.growth[0] != 0 || cell.growth[1] != 0 || cell.growth[2] != 0;
    const BodyTable moving = grows ? in_flow(cell, given) : BodyTable{};
    const BodyTable& start = grows ? moving : given;
    std::vector<bool> there(model.bodies.size());
    for (const std::uint32_t id : state.bodies.id.host()) there[id] = true;
    for (const std::int32_t id : ids) {
        const auto i = static_cast<std::size_t>(id);
        if (id < 0 || i >= there.size()) throw RunError("the model has no body " + std::to_string(id));
        if (there[i]) throw RunError("body " + std::to_string(id) + " is there already");
        there[i] = true;
    }
    if (work.media.force.size() + work.media.torque.size() > 0)  // what pushed them before
        push_bodies(model, state, work, ids, std::vector<Vec3>(ids.size()), std::vector<Vec3>(ids.size()));
    note_held_liquid(state, work);
    settle_forces(state, work);  // which travel with the bodies: rows of contacts do not
    const bool forces = state.bodies.force.size() == state.bodies.count;
    Bodies more;
    load_bodies(model, work.body_parts, ids, start, more);
    if (forces) {
        more.force.resize_zero(more.count);
        more.torque.resize_zero(more.count);
    }
    const Index before = state.bodies.count;
    append_bodies(state.bodies, more);
    for (std::size_t k = 0; k < ids.size(); ++k) {
        const bool member = start.owner_of(k) >= 0;
        state.members += member ? 1 : 0;
        state.inserted += member || again ? 0 : 1;
        state.removed -= member || !again ? 0 : 1;
    }
    state.removed_energy -= energy_of(model, start, angular_momenta(model, ids, start));
    work.inside_at = -1;
    state.next_wrap = state.step;  // they may be faster than what is there
    if (state.has_compounds) {     // members find their compound by its slot
        for (std::size_t k = 0; k < ids.size(); ++k) work.slot_of_id.put(ids[k], before + static_cast<Slot>(k));
        place_members(state, work);
        for (const std::int32_t id : ids) work.slot_of_id.put(id, Slot{-1});  // the lists have none of them yet
    }
    rebuild(model, state, work, timers, false);
}

}  // namespace scree::SCREE_FLAVOR
