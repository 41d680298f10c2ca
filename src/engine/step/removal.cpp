#include "engine/step/removal.hpp"

#include <algorithm>

#include "engine/broad/broad.hpp"
#include "engine/measure/measure.hpp"
#include "engine/penalty/gather_all.hpp"
#include "engine/penalty/liquid.hpp"
#include "engine/space/images.hpp"
#include "engine/step/boundary.hpp"
#include "engine/step/rebuild.hpp"

namespace scree::SCREE_FLAVOR {

void take_out(const Model& model, State& state, Workspace& work, const Array<std::int32_t>& keep) {
    const RemovedEnergy energy = energy_of_removed(model, state, work, keep);
    state.removed_energy += energy.mechanical;
    state.removed_work[0] += energy.work_damping;
    state.removed_work[1] += energy.work_friction;
    state.removed_work[2] += energy.work_walls;
    state.removed_work[3] += energy.work_fields;
    note_held_liquid(state, work);
    settle_forces(state, work);  // which travel with the bodies: rows of contacts do not
    const std::vector<std::int32_t> owner = state.bodies.owner.host(), kept = keep.host();
    Index members = 0;
    for (std::size_t i = 0; i < owner.size(); ++i) members += kept[i] == 0 && owner[i] >= 0 ? 1 : 0;
    state.members -= members;
    state.removed += remove_bodies(state, work, keep) - members;
    update_active_walls(model, state, work);
}

std::vector<std::int32_t> centres_in(State& state, Workspace& work, const Region& region) {
    const std::vector<Vec3> position = state.bodies.position.host();
    const std::vector<std::uint32_t> id = state.bodies.id.host();
    const std::vector<std::int32_t> owner = state.bodies.owner.host();
    const Cell& cell = work.images.cell;
    std::vector<std::int32_t> found;
    for (std::size_t i = 0; i < position.size(); ++i) {
        if (i < owner.size() && owner[i] >= 0) continue;
        const Vec3 x = position[i];
        const Vec3 home = cell.any() ? x + cell.shift(cell.home(x, 0.0)) : x;
        if (region.contains(home)) found.push_back(static_cast<std::int32_t>(id[i]));
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<Quat> remove_chosen(const Model& model, State& state, Workspace& work, StageTimers& timers,
                                const std::vector<std::int32_t>& ids) {
    if (ids.empty()) return {};
    Bodies& b = state.bodies;
    const std::vector<std::uint32_t> id = b.id.host();
    const std::vector<std::int32_t> owner = b.owner.host();
    const std::vector<double> w = b.qw.host(), x = b.qx.host(), y = b.qy.host(), z = b.qz.host();
    std::vector<std::int32_t> keep(id.size(), 1);
    std::vector<Quat> turned(ids.size());
    std::size_t found = 0;
    for (std::size_t i = 0; i < id.size(); ++i) {
        const bool member = !owner.empty() && owner[i] >= 0;
        const std::int32_t of = member ? owner[i] : static_cast<std::int32_t>(id[i]);
        const auto at = std::lower_bound(ids.begin(), ids.end(), of);
        if (at == ids.end() || *at != of) continue;
        keep[i] = 0;
        if (member) continue;
        ++found;
        if (!w.empty()) turned[static_cast<std::size_t>(at - ids.begin())] = {w[i], x[i], y[i], z[i]};
    }
    if (found != ids.size()) throw RunError("some of the bodies to take out are not there");
    take_out(model, state, work, Array<std::int32_t>(keep));
    rebuild(model, state, work, timers, false);
    return turned;
}

}  // namespace scree::SCREE_FLAVOR
