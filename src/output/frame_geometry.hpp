// What the frames of a run refer to and no frame changes: the shapes of polyhedra, and the walls in their first place.
// A compound has a shape without faces, so nothing of it is drawn but its members. In: a Model, or a file with frames; out: plain arrays.
// Cylinders are made of triangles here, so that whoever draws needs no others.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/snapshot.hpp"
#include "model/model.hpp"

namespace scree {

/// The faces of a convex shape in its principal frame, farthest vertex at distance 1 (see model/convex_shape.hpp).
struct ShapeFaces {
    std::string name;
    double volume{0};                       // over bounding radius cubed
    std::vector<Vec3> vertex;               // principal frame
    std::vector<std::int32_t> face_start;   // faces + 1
    std::vector<std::int32_t> face_vertex;  // loops, counterclockwise from outside
    // Of an ellipsoid or superquadric (model/smooth_surface.hpp), which the faces stand for: its axes, over the bounding radius, and
    // exponents.
    Vec3 smooth_axes;
    double smooth_side{2}, smooth_top{2};
    double smooth_stick{0};  // of a capsule: half the length of its axis, over the bounding radius

    /// Of a body whose surface is smooth.
    bool smooth() const { return smooth_axes.x > 0; }
    /// Of an ellipsoid, a ball among them.
    bool ellipsoid() const { return smooth() && smooth_stick == 0 && smooth_side == 2 && smooth_top == 2; }
    std::size_t faces() const { return face_start.empty() ? 0 : face_start.size() - 1; }
    /// Of a compound: a body that is seen by its members only.
    bool compound() const { return vertex.empty(); }
    /// Triangles that fans over all faces make.
    std::size_t triangles() const { return face_vertex.size() - 2 * faces(); }
    bool operator==(const ShapeFaces&) const = default;
};

/// One wall: its planes, and everything else of it as triangles.
struct WallSurface {
    std::string name;
    std::int32_t material{0};
    bool moves{false};
    double active_from{0}, active_to{0};  // [s]
    std::vector<Vec3> plane_point;        // [m]
    std::vector<Vec3> plane_normal;       // unit
    std::vector<Vec3> vertex;             // [m]
    std::vector<std::array<std::int32_t, 3>> triangle;

    bool active(double time) const { return active_from <= time && time < active_to; }
    bool operator==(const WallSurface&) const = default;
};

/// Walls by the group of the file that holds them; a restart that changes walls adds a group.
using WallSets = std::map<std::string, std::vector<WallSurface>>;

struct FrameGeometry {
    std::vector<ShapeFaces> shapes;
    std::vector<WallSurface> walls;  // as many and in the order of Model::walls
    bool couples{false};             // contacts have couples beside their forces
};

/// Have contacts of the model couples beside their forces? Of faces, and of what resists rolling.
bool has_couples(const Model& model);

/// Cylinders get 64 facets; endless ones are drawn past the bodies and the other walls by a tenth of their box.
FrameGeometry frame_geometry(const Model& model);

/// Where wall `w` is in a snapshot: at its first place where the snapshot does not say.
Pose wall_pose(const Snapshot& snapshot, std::size_t w);

/// Points moved by a pose.
std::vector<Vec3> moved(const std::vector<Vec3>& points, const Pose& pose);

}  // namespace scree
