// Depths of bodies in surfaces. Symbols: r radius of a sphere; s place along a cylinder's axis, rho distance from it, R its radius.
#include "setup/wall_overlaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "model/compounds.hpp"
#include "model/motion.hpp"
#include "model/surfaces/triangle_distance.hpp"
#include "model/thickness.hpp"
#include "setup/joints.hpp"
#include "setup/placement/sphere_grid.hpp"

namespace scree {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// How deep a body is in a surface [m], negative where it is clear of it, and whether its centre is beyond.
struct Depth {
    double depth{-kInfinite};
    bool beyond{false};
};

/// A body as its corners about its centre; a sphere is one corner with a radius.
struct Form {
    Vec3 centre;
    std::vector<Vec3> corner;  // from the centre [m]
    double radius{0};          // of the sphere [m], else 0
    bool sphere() const { return radius > 0; }
    /// The farthest that it reaches from its centre along a unit vector [m].
    double reach(Vec3 along) const {
        double most = -kInfinite;
        for (const Vec3& c : corner) most = std::max(most, dot(c, along));
        return most + radius;
    }
};

Form form_of(const Model& model, const BodyTable& bodies, std::size_t i) {
    Form form{bodies.position[i], {}, 0};
    if (bodies.shape[i] == BodyTable::sphere_shape) {
        form.corner = {Vec3{}};
        form.radius = bodies.radius[i];
        return form;
    }
    for (const Vec3& v : model.shapes[static_cast<std::size_t>(bodies.shape[i])].vertex)
        form.corner.push_back(rotate(bodies.orientation[i], bodies.radius[i] * v));
    return form;
}

/// What an overlap is held against: as in the engine (model/thickness.hpp).
double size_of(const Model& model, const BodyTable& bodies, std::size_t i) {
    const std::int32_t shape = bodies.shape[i];
    const double flat = shape == BodyTable::sphere_shape ? 1.0 : thickness_share(model.shapes[static_cast<std::size_t>(shape)].inradius);
    return bodies.radius[i] * flat;
}

Depth depth_in(const Plane& plane, const Form& form) {
    const double height = dot(form.centre - plane.point, plane.normal);
    return {form.reach(-plane.normal) - height, height <= 0};
}

/// A solid block along the axes; in the plane its sides alone.
Depth depth_in_block(Vec3 low, Vec3 high, const Form& form, bool planar) {
    // Of all corners the way out through each face; a sphere beside an edge or a corner is farther away than any face says.
    Depth found{kInfinite, true};
    Vec3 aside;
    for (int axis = 0; axis < (planar ? 2 : 3); ++axis) {
        const Vec3 along{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
        const double above = dot(form.centre - high, along), below = dot(low - form.centre, along);
        found.depth = std::min({found.depth, form.reach(-along) - above, form.reach(along) - below});
        found.beyond = found.beyond && above <= 0 && below <= 0;
        aside += std::max({above, below, 0.0}) * along;
    }
    if (form.sphere() && norm(aside) > 0) found.depth = std::min(found.depth, form.radius - norm(aside));
    return found;
}

/// An arc of a plane model, felt from both sides: disks only, corners of polygons are left to the run.
Depth depth_in_arc(const Cylinder& arc, const Form& form) {
    if (!form.sphere()) return {};
    Vec3 from = form.centre - arc.point;
    from.z = 0;
    const double rho = norm(from);
    const double along = rho > 0 ? dot(from, arc.middle) / rho : 1.0;
    if (along >= std::cos(arc.half_angle)) return {form.radius - std::fabs(rho - arc.radius), false};
    const Vec3 across = cross(Vec3{0, 0, 1}, arc.middle);
    double nearest = kInfinite;
    for (const double side : {-1.0, 1.0}) {
        const Vec3 end = arc.radius * (std::cos(arc.half_angle) * arc.middle + side * std::sin(arc.half_angle) * across);
        nearest = std::min(nearest, norm(from - end));
    }
    return {form.radius - nearest, false};
}

/// A tube with ends is a shell that is felt from both sides.
Depth depth_in_tube(const Cylinder& tube, const Form& form) {
    const bool endless = !std::isfinite(tube.length);
    const Vec3 from = form.centre - tube.point;
    const double s = dot(from, tube.axis), rho = norm(from - s * tube.axis);
    if (form.sphere()) {
        if (endless) return {form.radius + rho - tube.radius, rho >= tube.radius};
        const double past = std::max({-s, s - tube.length, 0.0});
        return {form.radius - std::hypot(past, rho - tube.radius), false};
    }
    if (!endless && (rho >= tube.radius || s < 0 || s > tube.length)) return {};
    double most = -kInfinite;
    for (const Vec3& corner : form.corner) {
        const Vec3 at = from + corner;
        const double along = dot(at, tube.axis);
        if (!endless && (along < 0 || along > tube.length)) continue;
        most = std::max(most, norm(at - along * tube.axis) - tube.radius);
    }
    return {most, rho >= tube.radius};
}

/// A solid rod; with a length it has flat caps.
Depth depth_in_rod(const Cylinder& rod, const Form& form) {
    const Vec3 from = form.centre - rod.point;
    const double s = dot(from, rod.axis), rho = norm(from - s * rod.axis);
    const bool endless = !std::isfinite(rod.length);
    const Vec3 out = rho > 0 ? (from - s * rod.axis) / rho : Vec3{};
    const double below = endless ? -kInfinite : -s, above = endless ? -kInfinite : s - rod.length, beside = rho - rod.radius;
    const bool beyond = below <= 0 && above <= 0 && beside <= 0;
    if (form.sphere()) {
        if (beyond) return {form.radius - std::max({below, above, beside}), true};
        return {form.radius - std::hypot(std::max({below, above, 0.0}), std::max(beside, 0.0)), false};
    }
    double depth = rho > 0 ? form.reach(-out) - beside : kInfinite;
    if (!endless) depth = std::min({depth, form.reach(rod.axis) - below, form.reach(-rod.axis) - above});
    return {depth, beyond};
}

/// Spheres by their distance. Polyhedra by the shortest way out along the normal and across each edge in the triangle's plane: a bound from
/// above, enough to warn by.
Depth depth_in_triangle(const Vec3 (&corner)[3], const Form& form) {
    if (form.sphere()) return {form.radius - distance_to_triangle(form.centre, corner), false};
    const Vec3 twice_area = cross(corner[1] - corner[0], corner[2] - corner[0]);
    if (!(norm2(twice_area) > 0)) return {};
    const Vec3 n = twice_area / norm(twice_area);
    const double height = dot(form.centre - corner[0], n);
    double depth = std::min(form.reach(-n) - height, form.reach(n) + height);
    for (int k = 0; k < 3; ++k) {
        const Vec3 along = corner[(k + 1) % 3] - corner[k];
        const Vec3 out = cross(along, n) / norm(along);
        depth = std::min(depth, form.reach(-out) - dot(form.centre - corner[k], out));
    }
    return {depth, false};
}

/// Bodies near a triangle: large ones are halved until a search about the pieces costs less than a look at every body.
class NearTriangles {
public:
    NearTriangles(const BodyTable& bodies, const std::vector<std::size_t>& seen) : seen_(seen), mark_(bodies.size(), -1) {
        smallest_ = kInfinite;
        for (const std::size_t i : seen) smallest_ = std::min(smallest_, bodies.radius[i]);
        grid_ = std::make_unique<SphereGrid>(smallest_, seen.size());
        for (const std::size_t i : seen) grid_->insert(static_cast<std::int32_t>(i), bodies.position[i], bodies.radius[i]);
    }
    /// Calls found(i) once for every body that may touch triangle `number`.
    template <class F>
    void each(std::int32_t number, const Vec3 (&corner)[3], F&& found) {
        const double piece = kPiece * smallest_;
        const double area = 0.5 * norm(cross(corner[1] - corner[0], corner[2] - corner[0]));
        double longest = 0;
        for (int k = 0; k < 3; ++k) longest = std::max(longest, norm(corner[(k + 1) % 3] - corner[k]));
        if (kCells * (area / (piece * piece) + longest / piece) > static_cast<double>(seen_.size())) {
            for (const std::size_t i : seen_) found(i);
            return;
        }
        const auto once = [&](std::int32_t i) {
            if (mark_[static_cast<std::size_t>(i)] == number) return true;
            mark_[static_cast<std::size_t>(i)] = number;
            found(static_cast<std::size_t>(i));
            return true;
        };
        halve(corner, piece, once);
    }

    /// Triangles are numbered from 0 again.
    void new_wall() { std::fill(mark_.begin(), mark_.end(), -1); }

private:
    static constexpr double kPiece = 4;   // smallest radii: about as far as a piece reaches
    static constexpr double kCells = 64;  // of the grid, that a search about a piece comes by

    template <class F>
    void halve(const Vec3 (&corner)[3], double piece, F& found) {
        int longest = 0;
        double length = 0;
        for (int k = 0; k < 3; ++k) {
            const double edge = norm(corner[(k + 1) % 3] - corner[k]);
            if (edge > length) {
                length = edge;
                longest = k;
            }
        }
        // Of the midpoint of the longest edge no corner is farther away than that edge is long.
        const Vec3 a = corner[longest], b = corner[(longest + 1) % 3], c = corner[(longest + 2) % 3], middle = 0.5 * (a + b);
        if (length <= piece) {
            grid_->near(middle, length, found);
            return;
        }
        const Vec3 first[3] = {a, middle, c}, second[3] = {middle, b, c};
        halve(first, piece, found);
        halve(second, piece, found);
    }

    const std::vector<std::size_t>& seen_;
    std::vector<std::int32_t> mark_;  // the triangle that a body was last found for
    double smallest_;
    std::unique_ptr<SphereGrid> grid_;
};

/// What is known of one wall so far.
class Tally {
public:
    Tally(const Model& model, const BodyTable& bodies, double warning, double limit)
        : model_(model), bodies_(bodies), warning_(warning), limit_(limit) {}
    /// Takes what one surface of the wall, or one after another, says of body i; the deepest of them counts.
    void add(std::size_t i, const Form& form, Depth d) {
        if (!(d.depth > 0)) return;
        const double share = d.depth / size_of(model_, bodies_, i);
        const auto id = static_cast<std::int32_t>(i);
        if (share > warning_ && seen_.insert({id, false}).second) ++found_.past_warning;
        if (share > found_.worst) {
            found_.worst = share;
            found_.depth = d.depth;
            found_.body = id;
        }
        const bool past = form.sphere() ? share > limit_ : d.beyond;
        if (!past) return;
        if (seen_.insert({id, true}).second) ++found_.past_limit;
        if (found_.first_past_limit >= 0 && d.depth <= found_.depth_past_limit) return;
        found_.first_past_limit = id;
        found_.depth_past_limit = d.depth;
    }
    WallOverlap found() const { return found_; }

private:
    const Model& model_;
    const BodyTable& bodies_;
    double warning_, limit_;
    WallOverlap found_;
    std::set<std::pair<std::int32_t, bool>> seen_;  // bodies past the warning, past the limit
};

}  // namespace

std::vector<WallOverlap> find_wall_overlaps(const Scene& scene, const Model& model, const BodyTable& bodies, const WallsNow& now,
                                            double warning, double limit) {
    const bool planar = model.dimensions == 2, own = &bodies == &model.bodies;
    const auto apart = own ? pairs_apart(model) : std::set<std::pair<std::int32_t, std::int32_t>>();
    std::vector<std::size_t> seen;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (!is_compound_shape(model, bodies.shape[i])) seen.push_back(i);
    std::unique_ptr<NearTriangles> triangles;
    std::vector<WallOverlap> found;
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        const Wall& wall = model.walls[w];
        if (!now.there[w] || seen.empty()) {
            found.emplace_back();
            continue;
        }
        const Pose& pose = now.pose[w];
        const auto meets = [&](std::size_t i) {
            if (wall.body < 0 || !own) return true;
            const std::int32_t carrier = bodies.owner_of(i) >= 0 ? bodies.owner_of(i) : static_cast<std::int32_t>(i);
            return carrier != wall.body && !apart.contains(std::minmax(carrier, wall.body));
        };
        Tally tally(model, bodies, warning, limit);
        const bool block = w < scene.walls.size() && scene.walls[w].kind == "box" && scene.walls[w].side == "outside";
        if (block || !wall.planes.empty() || !wall.cylinders.empty()) {
            for (const std::size_t i : seen) {
                if (!meets(i)) continue;
                Form form = form_of(model, bodies, i);
                // Seen from the wall's own frame its surfaces are where the model has them.
                form.centre = in_frame(pose, form.centre);
                for (Vec3& c : form.corner) c = rotate(conjugate(pose.turn), c);
                for (const Plane& plane : wall.planes) tally.add(i, form, depth_in(plane, form));
                for (const Cylinder& c : wall.cylinders)
                    tally.add(i, form, planar ? depth_in_arc(c, form) : c.inside ? depth_in_tube(c, form) : depth_in_rod(c, form));
                if (block) tally.add(i, form, depth_in_block(scene.walls[w].min, scene.walls[w].max, form, planar));
            }
        }
        if (!block && !wall.mesh.triangles.empty()) {
            if (!triangles) triangles = std::make_unique<NearTriangles>(bodies, seen);
            triangles->new_wall();
            for (std::size_t t = 0; t < wall.mesh.triangles.size(); ++t) {
                Vec3 corner[3];
                for (std::size_t k = 0; k < 3; ++k)
                    corner[k] = placed(pose, wall.mesh.vertices[static_cast<std::size_t>(wall.mesh.triangles[t][k])]);
                triangles->each(static_cast<std::int32_t>(t), corner, [&](std::size_t i) {
                    if (!meets(i) || distance_to_triangle(bodies.position[i], corner) >= bodies.radius[i]) return;
                    const Form form = form_of(model, bodies, i);
                    tally.add(i, form, depth_in_triangle(corner, form));
                });
            }
        }
        found.push_back(tally.found());
    }
    return found;
}

std::vector<WallOverlap> find_wall_overlaps(const Scene& scene, const Model& model, double warning, double limit) {
    WallsNow start;
    for (const Wall& wall : model.walls) {
        start.pose.push_back(wall.motion.moves ? pose_at(view_of(wall.motion), 0.0) : Pose{});
        start.there.push_back(wall.active_from <= 0 && wall.active_to > 0);
    }
    return find_wall_overlaps(scene, model, model.bodies, start, warning, limit);
}

}  // namespace scree
