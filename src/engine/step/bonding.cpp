#include "engine/step/bonding.hpp"

#include "engine/bonds/bonds.hpp"
#include "engine/step/rebuild.hpp"

namespace scree::SCREE_FLAVOR {

void make_bonds(Model& model, State& state, Workspace& work, StageTimers& timers, const std::vector<Bond>& more) {
    if (more.empty()) return;
    if (!work.bonds) throw RunError("the scene has no [[bond]]");
    const std::size_t first = model.bonds.size();
    model.bonds.insert(model.bonds.end(), more.begin(), more.end());
    append_bonds(model, state, work, first);
    rebuild(model, state, work, timers, false);
}

void break_in_region(const Model& model, State& state, Workspace& work, StageTimers& timers, const Region& region,
                     const std::vector<std::int32_t>& chosen) {
    if (break_bonds(model, state, work, region, chosen)) rebuild(model, state, work, timers, false);
}

}  // namespace scree::SCREE_FLAVOR
