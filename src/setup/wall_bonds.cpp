#include "setup/wall_bonds.hpp"

#include <algorithm>
#include <cmath>

#include "base/pose.hpp"

namespace scree {

namespace {

/// The point of a triangle that is nearest to p (Ericson 2005, Real-Time Collision Detection, section 5.1.5).
Vec3 nearest_on_triangle(Vec3 p, const Vec3 (&corner)[3]) {
    const Vec3 ab = corner[1] - corner[0], ac = corner[2] - corner[0], ap = p - corner[0];
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return corner[0];
    const Vec3 bp = p - corner[1];
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return corner[1];
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return corner[0] + d1 / (d1 - d3) * ab;
    const Vec3 cp = p - corner[2];
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return corner[2];
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return corner[0] + d2 / (d2 - d6) * ac;
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return corner[1] + (d4 - d3) / (d4 - d3 + d5 - d6) * (corner[2] - corner[1]);
    const double sum = va + vb + vc;
    return corner[0] + vb / sum * ab + vc / sum * ac;
}

/// Of a tube's or rod's surface, with the caps of a rod that ends; of an arc in the plane.
Vec3 nearest_on_cylinder(const Cylinder& c, Vec3 x, bool planar) {
    const Vec3 from = x - c.point;
    const double s = dot(from, c.axis);
    const Vec3 aside = from - s * c.axis;
    const double rho = norm(aside);
    const Vec3 out = rho > 0 ? aside / rho : c.middle;
    if (planar) {
        const Vec3 across = cross(c.axis, c.middle);
        const double angle = std::clamp(std::atan2(dot(out, across), dot(out, c.middle)), -c.half_angle, c.half_angle);
        return c.point + s * c.axis + c.radius * (std::cos(angle) * c.middle + std::sin(angle) * across);
    }
    const double along = std::isfinite(c.length) ? std::clamp(s, 0.0, c.length) : s;
    if (c.inside || !std::isfinite(c.length) || s == along) return c.point + along * c.axis + c.radius * out;
    return c.point + along * c.axis + std::min(rho, c.radius) * out;
}

}  // namespace

NearestOnWall::NearestOnWall(const Wall& wall, bool planar) : wall_(wall), planar_(planar) {
    for (const auto& triangle : wall.mesh.triangles) {
        const auto corner = [&](int k) { return wall.mesh.vertices[static_cast<std::size_t>(triangle[static_cast<std::size_t>(k)])]; };
        Aabb box;
        for (int k = 0; k < 3; ++k) box.include(corner(k));
        box_.push_back(box);
    }
}

std::optional<Vec3> NearestOnWall::point(Vec3 x, double reach) const {
    std::optional<Vec3> found;
    double least = reach;
    const auto take = [&](Vec3 point) {
        const double distance = norm(point - x);
        if (distance > least * (1 + 1e-12) || (found && distance >= least)) return;
        least = distance;
        found = point;
    };
    for (const Plane& plane : wall_.planes) {
        const double height = dot(x - plane.point, plane.normal);
        if (height > 0) take(x - height * plane.normal);
    }
    for (const Cylinder& cylinder : wall_.cylinders) take(nearest_on_cylinder(cylinder, x, planar_));
    for (std::size_t t = 0; t < box_.size(); ++t) {
        if (!grown(box_[t], least * (1 + 1e-12)).contains(x)) continue;
        Vec3 corner[3];
        for (std::size_t k = 0; k < 3; ++k) corner[k] = wall_.mesh.vertices[static_cast<std::size_t>(wall_.mesh.triangles[t][k])];
        take(nearest_on_triangle(x, corner));
    }
    return found;
}

std::vector<Bond> bonds_to_wall(const Model& model, std::int32_t kind, std::size_t wall, const Pose& pose,
                                const std::vector<std::int32_t>& ids, const std::vector<Vec3>& place) {
    const NearestOnWall surface(model.walls[wall], model.dimensions == 2);
    const double gap = model.bond_kinds[static_cast<std::size_t>(kind)].gap;
    const std::int32_t carrier = model.walls[wall].body;
    std::vector<Bond> bonds;
    for (const std::int32_t id : ids) {
        const auto i = static_cast<std::size_t>(id);
        if (carrier >= 0 && (id == carrier || model.bodies.owner_of(i) == carrier)) continue;
        const std::optional<Vec3> at = surface.point(in_frame(pose, place[i]), model.bodies.radius[i] + gap);
        if (at) bonds.push_back({id, Bond::wall_end(static_cast<std::int32_t>(wall)), kind, *at});
    }
    return bonds;
}

}  // namespace scree
