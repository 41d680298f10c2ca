// Collision detection on its own: spheres in, touching pairs out, on one device or several, within a memory limit. A third front of the
// engine beside engine.hpp and cone_problem.hpp.
#pragma once

#include <memory>

#include "engine/collide/collider.hpp"
#include "engine/collide/contact.hpp"
#include "engine/collide/midpoint.hpp"
#include "engine/collide/problem.hpp"
#include "engine/engine.hpp"
#include "model/convex_shape.hpp"

namespace scree {

/// One object that finds pairs again and again, without a memory limit. Throws Error where the device is not there.
std::unique_ptr<Collider> make_collider(Device device, Precision precision, const CollideSettings& settings);

/// All touching pairs of the spheres. With a memory limit space is cut into boxes, each of which is searched on its own (two-level split);
/// a sphere goes to every box it reaches into, a pair belongs to the box that holds its midpoint. Boxes are dealt out to the devices, each
/// with a thread of its own; CUDA without a number means every GPU that answers. A GPU's free memory limits its boxes too. `take` gets ids
/// with a < b, each pair once, one call at a time; their order depends on the boxes. Throws Error where the limit is too small, or the
/// device is not there.
CollideReport collide(const SphereView& spheres, const CollideSettings& settings, const Devices& devices, Precision precision,
                      const TakePairs& take);

/// Contacts of bodies of any shape: spheres, and polyhedra of these shapes. The spheres that bound them are searched as above, then the
/// surfaces themselves decide, in double. Compounds have no surface; members of one compound do not touch each other.
class BodyContacts {
public:
    /// `bodies` is looked at as long as this lives.
    BodyContacts(const Snapshot& bodies, const std::vector<ConvexShape>& shapes);
    ~BodyContacts();

    /// `take`, which may be empty, gets pairs of bodies that touch, by numbers that only `contact` reads; they rise with the bodies' ids.
    CollideReport find(const CollideSettings& settings, const Devices& devices, Precision precision, const TakePairs& take) const;

    /// How a pair that `find` gave touches, with the ids of its bodies. Polyhedra give the deepest of their contact points.
    Contact contact(std::uint32_t a, std::uint32_t b) const;

private:
    struct Parts;
    std::unique_ptr<const Parts> parts_;
};

}  // namespace scree
