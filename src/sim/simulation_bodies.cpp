// What calls between two steps change of which bodies there are.
#include "scene/read_region.hpp"
#include "setup/placement/region.hpp"
#include "sim/simulation.hpp"

namespace scree {

void Simulation::change_bodies(StageTime& stage, const std::function<void()>& change) {
    const WallClock clock;
    try {
        change();
    } catch (const Error&) {  // refused before anything changed
        throw;
    } catch (const std::exception& e) {
        engine_whole_ = false;
        failure_ = stop_at_failure(e);
        throw;
    }
    entries_ = -1;
    stage.seconds += clock.seconds();
    ++stage.calls;
}

std::vector<std::uint32_t> Simulation::insert(const AskedBodies& asked) {
    std::vector<std::uint32_t> ids;
    change_bodies(insert_time_, [&] { ids = stocks_->insert(*engine_, step_, asked); });
    return ids;
}

void Simulation::remove(const std::vector<std::uint32_t>& ids) {
    change_bodies(remove_time_, [&] { stocks_->remove(*engine_, ids); });
}

std::vector<std::uint32_t> Simulation::bodies_in(const std::string& region) {
    const Region where = looked_at(read_region(region, scene_), scene_.dimensions == 2);
    const Snapshot now = engine_->snapshot_of(kSnapshotPositions);
    std::vector<std::uint32_t> ids;
    for (std::size_t k = 0; k < now.id.size(); ++k) {
        if (built_.model.bodies.owner_of(now.id[k]) < 0 && where.contains(now.position[k])) ids.push_back(now.id[k]);
    }
    return ids;
}

}  // namespace scree
