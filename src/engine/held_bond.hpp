// A bond as it leaves the engine. Flavor-neutral.
#pragma once

#include <cstdint>

#include "engine/snapshot.hpp"

namespace scree {

/// A bond that holds, as frames show it.
struct HeldBond {
    std::uint32_t a{ContactRecord::none}, b{ContactRecord::none};  // ids; b is none where it goes to a wall
    std::int32_t wall{-1}, kind{0};                                // the number of its table
    Vec3 arm;                                                      // from the centre of a to the other end [m]
    Vec3 force;                                                    // on a [N]
    double strain{0};                                              // largest stress over its strength
    double damage{0};                                              // of what softens
};

}  // namespace scree
