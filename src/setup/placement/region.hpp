// A region that holds whole spheres: box, cylinder along any axis, sphere, or closed mesh; in the plane z = 0 whole disks: box or circle.
#pragma once

#include <optional>
#include <vector>

#include "base/aabb.hpp"
#include "base/rng.hpp"
#include "model/cell.hpp"
#include "model/region.hpp"
#include "scene/scene.hpp"

namespace scree {

class MeshDepth;

class PlaceRegion {
public:
    /// The region of a placement; empty when it names none. Throws scree::Error at `place` for sizes that are not positive.
    static std::optional<PlaceRegion> of(const ScenePlacement& placement, const SourcePlace& place, bool planar = false);

    /// The inside of a closed mesh, which outlives it: spheres lie in it to this share of their radius.
    static PlaceRegion of(const MeshDepth& mesh, double share);

    /// Of a box that is a periodic cell along some axes: spheres may then cross these sides, and meet what is across them.
    void repeat(const Cell& cell);
    /// Ways from p to its images, itself left out, that are within `distance` of the region [m].
    std::vector<Vec3> images(Vec3 p, double distance) const;
    /// The image of p that is inside.
    Vec3 home(Vec3 p) const;

    double volume() const;  // [m3]; in the plane its area [m2]; not of a mesh
    Aabb bounds() const;
    /// True when the sphere of radius r about p is inside, with rounding allowed for.
    bool holds(Vec3 p, double r) const;
    /// A unit vector along which spheres in one point may part.
    Vec3 aside() const { return planar_ ? Vec3{0.6, 0.8, 0} : Vec3{0.6, 0.48, 0.64}; }
    /// Largest sphere that fits [m].
    double inradius() const;
    /// A uniformly distributed centre of a sphere of radius r inside; r <= inradius(). Of a mesh its deepest point, where many draws miss.
    Vec3 random_centre(Rng& rng, double r) const;
    /// The centre nearest to p of a sphere of radius r inside; r <= inradius(). Along periodic axes p stays where it is. Of a mesh one near
    /// p, which may still be outside where the mesh is thin.
    Vec3 nearest_centre(Vec3 p, double r) const;

private:
    enum class Kind { Box, Cylinder, Sphere, Mesh };

    Kind kind_{Kind::Box};
    bool planar_{false};
    Aabb box_;            // box
    double period_[3]{};  // of the box, 0: none [m]
    Vec3 centre_;         // sphere; cylinder: bottom end of the axis
    Vec3 axis_{0, 0, 1};  // cylinder, unit
    Vec3 across_[2];      // cylinder, two unit vectors that complete the axis
    double radius_{0};    // cylinder and sphere [m]
    double length_{0};    // cylinder [m]
    const MeshDepth* mesh_{nullptr};
    double share_{1};  // of a sphere's radius, how deep its centre is in the mesh
};

/// A region that bodies are in by their centres; in the plane a box is endless along z.
Region looked_at(const ScenePlacement& given, bool planar);

}  // namespace scree
