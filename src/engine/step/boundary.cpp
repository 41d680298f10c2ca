#include "engine/step/boundary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/broad/broad.hpp"
#include "engine/space/images.hpp"
#include "engine/step/removal.hpp"

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

bool checks_at(const Model& model, std::int64_t step) {
    return bounded(open_box(model.domain)) && step % model.domain.check_every == 0;
}

/// A member goes with its compound.
void mark_inside(const Aabb& box, State& state, Workspace& work, Array<std::int32_t>& keep, Gate gate = {}) {
    keep.resize(state.bodies.count);
    std::int32_t* out = keep.data();
    const BodyView body = state.bodies.view();
    const Slot* slot = work.slot_of_id.data();
    flag_each(
        work.exec, "step/mark_inside", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t {
            const bool in = box.contains(body.position[body.is_member(i) ? Index{slot[body.owner[i]]} : i]);
            out[i] = in ? 1 : 0;
            return in ? 0u : kLeftDomain;
        },
        gate);
}

/// What is outside, by slot.
struct Outside {
    std::vector<std::uint32_t> id;
    std::vector<std::int32_t> inside, owner;
    Outside(Bodies& bodies, const Array<std::int32_t>& keep) : id(bodies.id.host()), inside(keep.host()), owner(bodies.owner.host()) {}
    bool is_member(std::size_t i) const { return !owner.empty() && owner[i] >= 0; }
    bool any_of(const std::vector<std::uint32_t>& ids) const {
        for (std::size_t i = 0; i < id.size(); ++i) {
            if (inside[i] == 0 && std::binary_search(ids.begin(), ids.end(), id[i])) return true;
        }
        return false;
    }
};

/// Names the outside body of the lowest id, of `among` where that is given.
Fault left_fault(State& state, const Outside& outside, const std::vector<std::uint32_t>* among) {
    const std::vector<Vec3> position = state.bodies.position.host();
    Fault f;
    f.kind = FaultKind::Left;
    f.step = state.step;
    f.time = state.time;
    for (std::size_t i = 0; i < outside.id.size(); ++i) {
        if (outside.inside[i] != 0 || outside.is_member(i) || outside.id[i] > f.body) continue;
        if (among != nullptr && !std::binary_search(among->begin(), among->end(), outside.id[i])) continue;
        f.body = outside.id[i];
        f.position = position[i];
    }
    return f;
}

}  // namespace

bool update_active_walls(const Model& model, const State& state, Workspace& work) {
    std::vector<std::uint8_t> active(model.walls.size());
    // Those that may be gone: bodies are removed between the lists that slots are numbered by, so ids are asked.
    std::vector<std::uint32_t> present;
    const bool ask = work.walls.motions.any_carried && state.removed > 0;
    if (ask) present = state.bodies.id.host();
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        const Wall& wall = model.walls[w];
        active[w] = state.step >= step_at(wall.active_from, model.dt) && state.step < step_at(wall.active_to, model.dt) ? 1 : 0;
        if (ask && wall.body >= 0 && std::find(present.begin(), present.end(), static_cast<std::uint32_t>(wall.body)) == present.end())
            active[w] = 0;
    }
    if (active == work.walls.active_host) return false;
    work.walls.active_host = active;
    work.walls.active.assign(active);
    return true;
}

void check_ahead(const Model& model, State& state, Workspace& work, std::int64_t step) {
    if (checks_at(model, step)) mark_inside(open_box(model.domain), state, work, work.keep, work.flags.gate());
}

void note_check(const Model& model, const State& state, Workspace& work, const FlagWords& flags) {
    if (checks_at(model, state.step) && (flags.pending & kLeftDomain) == 0) work.inside_at = state.step;
}

void note_bounds(const Model& model, const State& state, Workspace& work, const Aabb& bounds) {
    const Aabb box = open_box(model.domain);
    if (checks_at(model, state.step) && box.contains(bounds.min) && box.contains(bounds.max)) work.inside_at = state.step;
}

bool bring_back(const Model& model, State& state, Workspace& work) {
    if (!work.images.cell.any() || state.step < state.next_wrap) return false;
    const bool any = wrap_bodies(model, state, work);
    state.next_wrap = state.step + steps_to_next_wrap(model, state, work);
    return any;
}

BoundaryCheck check_domain(const Model& model, State& state, Workspace& work, BatchReport& report) {
    if (!checks_at(model, state.step) || work.inside_at == state.step) return BoundaryCheck::Clear;
    Array<std::int32_t>& keep = work.keep;
    mark_inside(open_box(model.domain), state, work, keep);
    const bool left = (work.flags.read().pending & kLeftDomain) != 0;
    work.flags.clear();
    if (!left) return BoundaryCheck::Clear;
    const Outside outside(state.bodies, keep);
    const std::vector<std::uint32_t>& joined = work.compounds.joined;
    if (model.domain.leave == Leave::Stop || outside.any_of(joined)) {
        // A mechanism cannot lose a body: that one is named.
        report.fault = left_fault(state, outside, model.domain.leave == Leave::Stop ? nullptr : &joined);
        return BoundaryCheck::Fault;
    }
    take_out(model, state, work, keep);
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
    if (cell_of(model).any()) next = std::min(next, std::max(state.next_wrap, state.step + 1));
    if (bounded(open_box(model.domain))) {
        const std::int64_t k = model.domain.check_every;
        next = std::min(next, (state.step / k + 1) * k);
    }
    return next;
}

}  // namespace scree::SCREE_FLAVOR
