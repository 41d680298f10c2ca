// State -> contact records and wall loads, on the host, in the order of ids: what users see of contacts. Does not advance history.
#pragma once

#include <vector>

#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Host copies of what records need, slot by slot, of images too.
struct HostBodies {
    std::vector<std::uint32_t> id;
    std::vector<Vec3> position;
    std::vector<double> radius;
    HostBodies(Bodies& b, const Images& images);
    /// What overlaps are held against (state/thickness.hpp) [m].
    static std::vector<double> thicknesses(const Model& model, Bodies& b, const Images& images);
};

/// Touching contacts of spheres with each other, by id of A, then of B.
std::vector<ContactRecord> body_contact_records(State& state, const Workspace& work);
/// Touching contacts of spheres with walls, by body id, then by surface.
std::vector<ContactRecord> wall_contact_records(const Model& model, State& state, Workspace& work);
/// Force and torque (about the world's origin) of the bodies on each wall, from wall records in their order.
std::vector<Wrench> wall_loads(const std::vector<ContactRecord>& records, std::size_t walls);
/// Where the walls are at the end of a step, as a turn and shift of their first places; of one whose carrier is gone: there.
std::vector<Pose> wall_poses(const Model& model, const State& state, const Workspace& work);
/// Power that each wall's motion at `time` gives to the bodies against these loads [W]; of carried walls none.
std::vector<double> wall_powers(const Model& model, const Workspace& work, const std::vector<Wrench>& loads, double time);

}  // namespace scree::SCREE_FLAVOR
