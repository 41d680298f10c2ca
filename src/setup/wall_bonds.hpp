// Where bonds to walls are held: the nearest points of surfaces.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/aabb.hpp"
#include "model/model.hpp"

namespace scree {

/// Finds nearest points of a wall, in its first place. The wall outlives it.
class NearestOnWall {
public:
    NearestOnWall(const Wall& wall, bool planar);
    /// The point that is nearest to x, of planes only where x is before them; nothing where none is within `reach` [m].
    std::optional<Vec3> point(Vec3 x, double reach) const;

private:
    const Wall& wall_;
    bool planar_;
    std::vector<Aabb> box_;  // of triangles
};

/// Bonds of a kind, from bodies whose spheres are within its gap of the wall, by ids. place: of bodies by their ids; pose: of the wall now.
std::vector<Bond> bonds_to_wall(const Model& model, std::int32_t kind, std::size_t wall, const Pose& pose,
                                const std::vector<std::int32_t>& ids, const std::vector<Vec3>& place);

}  // namespace scree
