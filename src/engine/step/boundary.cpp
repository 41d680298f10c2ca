#include "engine/step/boundary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/broad/broad.hpp"
#include "engine/measure/measure.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// The first step that starts at or after time t. A millionth of a step forgives the rounding of t.
std::int64_t step_at(double t, double dt) {
    if (t <= 0) return 0;
    const double step = std::ceil(t / dt - 1e-6);
    return step < 9e18 ? static_cast<std::int64_t>(step) : never;
}

bool bounded(const Aabb& b) {
    return std::isfinite(b.min.x) || std::isfinite(b.min.y) || std::isfinite(b.min.z) || std::isfinite(b.max.x) || std::isfinite(b.max.y) ||
           std::isfinite(b.max.z);
}

void mark_inside(const Aabb& box, State& state, Workspace& work, Array<std::int32_t>& keep) {
    keep.resize(state.bodies.count);
    std::int32_t* out = keep.data();
    const BodyView body = state.bodies.view();
    flag_each(
        work.exec, "step/mark_inside", state.bodies.count, work.flags.pending(), SCREE_LAMBDA(Index i)->std::uint32_t {
            const bool in = box.contains(body.position[i]);
            out[i] = in ? 1 : 0;
            return in ? 0u : kLeftDomain;
        });
}

Fault left_fault(State& state, const Array<std::int32_t>& keep) {
    const std::vector<std::int32_t> inside = keep.host();
    const std::vector<std::uint32_t> id = state.bodies.id.host();
    const std::vector<Vec3> position = state.bodies.position.host();
    Fault f;
    f.kind = FaultKind::Left;
    f.step = state.step;
    f.time = state.time;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        if (inside[i] != 0 || id[i] > f.body) continue;
        f.body = id[i];
        f.position = position[i];
    }
    return f;
}

}  // namespace

bool update_active_walls(const Model& model, const State& state, Workspace& work) {
    std::vector<std::uint8_t> active(model.walls.size());
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        const Wall& wall = model.walls[w];
        active[w] = state.step >= step_at(wall.active_from, model.dt) && state.step < step_at(wall.active_to, model.dt) ? 1 : 0;
    }
    if (active == work.walls.active_host) return false;
    work.walls.active_host = active;
    work.walls.active.assign(active);
    return true;
}

BoundaryCheck check_domain(const Model& model, State& state, Workspace& work, BatchReport& report) {
    if (!bounded(model.domain.box) || state.step % model.domain.check_every != 0) return BoundaryCheck::Clear;
    Array<std::int32_t>& keep = work.keep;
    mark_inside(model.domain.box, state, work, keep);
    const bool left = (work.flags.word.at(0) & kLeftDomain) != 0;
    work.flags.word.resize_zero(2);
    if (!left) return BoundaryCheck::Clear;
    if (model.domain.leave == Leave::Stop) {
        report.fault = left_fault(state, keep);
        return BoundaryCheck::Fault;
    }
    const RemovedEnergy energy = energy_of_removed(model, state, work, keep);
    state.removed_energy += energy.mechanical;
    state.removed_work[0] += energy.work_damping;
    state.removed_work[1] += energy.work_friction;
    state.removed_work[2] += energy.work_walls;
    // The lists still name the old slots; their contacts are set aside under the old ids before the rebuild that must follow.
    state.removed += remove_bodies(state, work, keep);
    return BoundaryCheck::Removed;
}

std::int64_t next_boundary_event(const Model& model, const State& state) {
    std::int64_t next = never;
    for (const Wall& wall : model.walls) {
        for (const double t : {wall.active_from, wall.active_to}) {
            const std::int64_t step = step_at(t, model.dt);
            if (step > state.step) next = std::min(next, step);
        }
    }
    if (bounded(model.domain.box)) {
        const std::int64_t k = model.domain.check_every;
        next = std::min(next, (state.step / k + 1) * k);
    }
    return next;
}

}  // namespace scree::SCREE_FLAVOR
