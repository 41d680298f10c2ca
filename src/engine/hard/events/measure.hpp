// What both ways of stepping hard particles measure, on the host, in the order of ids.
#pragma once

#include "engine/snapshot.hpp"
#include "model/model.hpp"

namespace scree {

/// Energies, momenta and sums; hard particles touch nothing for any time, so there are no contacts and no loads.
Measurement measure_hard(const Model& model, const Snapshot& at, const HardReport& report);

RegionSum sum_in_region(const Snapshot& at, const Region& region);

/// Moment of inertia of a solid sphere, or of a disk about its axis [kg m2].
double inertia_of(int dimensions, double mass, double radius);

/// Everything of a snapshot but places and velocities, from the model, as far as `parts` (SnapshotPart) names it.
Snapshot hard_snapshot(const Model& model, std::int64_t step, double time, std::vector<Vec3> positions, std::vector<Vec3> velocities,
                       std::uint32_t parts = kSnapshotAll);

}  // namespace scree
