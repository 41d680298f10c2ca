#include "engine/step/insertion.hpp"

#include <algorithm>
#include <tuple>

#include "engine/broad/broad.hpp"
#include "engine/motion/members.hpp"
#include "engine/penalty/gather_all.hpp"
#include "engine/penalty/liquid.hpp"
#include "engine/state/body_operations.hpp"
#include "engine/step/rebuild.hpp"
#include "model/rotation.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

template <class... Arrays>
std::tuple<std::vector<typename Arrays::Value>...> vectors_like(const std::tuple<Arrays&...>&);
using FieldVectors = decltype(vectors_like(std::declval<Bodies&>().fields()));

/// use(array, vector) of every field.
template <class Arrays, class Use, std::size_t... k>
void each_with(Arrays arrays, FieldVectors& vectors, Use use, std::index_sequence<k...>) {
    (use(std::get<k>(arrays), std::get<k>(vectors)), ...);
}
template <class Use>
void each_with(Bodies& bodies, FieldVectors& vectors, Use use) {
    each_with(bodies.fields(), vectors, use, std::make_index_sequence<std::tuple_size_v<FieldVectors>>{});
}

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

}  // namespace

/// All fields of bodies that are put in while the run goes on, as they start, on the host, by ascending ids.
struct WaitingBodies {
    std::vector<std::int32_t> id;
    FieldVectors values;

    std::size_t row_of(std::int32_t wanted) const {
        const auto at = std::lower_bound(id.begin(), id.end(), wanted);
        if (at == id.end() || *at != wanted) throw RunError("body " + std::to_string(wanted) + " is none that comes later");
        return static_cast<std::size_t>(at - id.begin());
    }
};

void load_orientations(const BodyTable& table, Bodies& b) {
    std::vector<double> w, x, y, z;
    for (const Quat& q : table.orientation) {
        w.push_back(q.w);
        x.push_back(q.x);
        y.push_back(q.y);
        z.push_back(q.z);
    }
    b.qw.assign(w);
    b.qx.assign(x);
    b.qy.assign(y);
    b.qz.assign(z);
}

std::vector<Vec3> angular_momenta(const Model& model, const BodyTable& table) {
    std::vector<Vec3> momentum(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table.shape[i] < 0 || table.owner_of(i) >= 0) continue;
        const Vec3 moments =
            (table.mass[i] * table.radius[i] * table.radius[i]) * model.shapes.at(static_cast<std::size_t>(table.shape[i])).inertia;
        momentum[i] = angular_momentum_of(table.orientation[i], table.angular_velocity[i], moments);
    }
    return momentum;
}

void set_waiting_aside(const Model& model, State& state, Workspace& work) {
    const BodyTable& table = model.bodies;
    const std::size_t n = table.size();
    auto waiting = std::make_shared<WaitingBodies>();
    std::vector<std::int32_t> keep(n, 1);
    std::vector<Slot> slot(n, -1);
    Slot next = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (i < table.later.size() && table.later[i] != 0) waiting->id.push_back(static_cast<std::int32_t>(i));
        if (!table.is_later(i)) {
            slot[i] = next++;
            continue;
        }
        keep[i] = 0;
        if (table.owner_of(i) >= 0) --state.members;
    }
    if (waiting->id.empty()) return;
    each_with(state.bodies, waiting->values, [&](auto& array, auto& values) {
        if (static_cast<std::size_t>(array.size()) != n) return;  // not in use
        const auto all = array.host();
        for (const std::int32_t id : waiting->id) values.push_back(all[static_cast<std::size_t>(id)]);
    });
    remove_bodies(state, work, Array<std::int32_t>(keep));
    work.slot_of_id.assign(slot);
    work.waiting = std::move(waiting);
}

void insert_bodies(const Model& model, State& state, Workspace& work, StageTimers& timers, const std::vector<std::int32_t>& ids,
                   const BodyTable& start, bool again) {
    if (ids.empty()) return;
    if (work.waiting == nullptr) throw RunError("the scene has no bodies that come later");
    note_held_liquid(state, work);
    settle_forces(state, work);  // which travel with the bodies: rows of contacts do not
    const bool forces = state.bodies.force.size() == state.bodies.count;
    Bodies more;
    more.count = static_cast<Index>(ids.size());
    each_with(more, work.waiting->values, [&](auto& array, const auto& values) {
        std::remove_const_t<std::remove_reference_t<decltype(values)>> chosen;
        if (values.empty()) return;
        for (const std::int32_t id : ids) chosen.push_back(values[work.waiting->row_of(id)]);
        array.assign(chosen);
    });
    more.position.assign(start.position, more.position.host_companions());
    more.velocity.assign(start.velocity, more.velocity.host_companions());
    more.angular_velocity.assign(start.angular_velocity, more.angular_velocity.host_companions());
    more.reference.assign(start.position);
    if (more.qw.size() > 0) load_orientations(start, more);
    const std::vector<Vec3> momentum = angular_momenta(model, start);
    if (more.shape.size() > 0) more.angular_momentum.assign(momentum);
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
    state.removed_energy -= energy_of(model, start, momentum);
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
