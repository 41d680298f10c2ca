// What each flavor gives for collision detection on its own: one object that finds pairs and keeps its memory from call to call.
#pragma once

#include <cstddef>
#include <memory>

#include "engine/collide/problem.hpp"

namespace scree {

class Collider {
public:
    virtual ~Collider() = default;

    /// Finds all touching pairs; `take`, if there is one, gets them in an order that does not depend on threads. Throws PairsDoNotFit past
    /// `most` pairs (about; 0: any number).
    virtual CollideReport find(const SphereView& spheres, CollideMethod method, const TakePairs& take, std::int64_t most = 0) = 0;
    /// Memory that a search may take [bytes]; 0: not known. To be asked for by the thread that calls find.
    virtual std::size_t free_bytes() = 0;
    /// Gives the memory of earlier calls back.
    virtual void drop_memory() = 0;
};

}  // namespace scree

#if defined(SCREE_FLAVOR)
namespace scree::SCREE_FLAVOR {

/// `threads` of the host, 0: all; `device`: which of several GPUs.
std::unique_ptr<Collider> make_collider(int threads, bool shuffle, int device);

}  // namespace scree::SCREE_FLAVOR
#endif
