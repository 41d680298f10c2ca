// A convex polyhedron as a template that bodies share: in its principal frame about its centre of mass, scaled so that the farthest vertex
// is at distance 1. A body of bounding radius r and orientation q has its vertices at x + rotate(q, r * vertex).
// In: made by make_convex_shape() from vertices and faces. Invariant: convex, closed, coplanar faces merged, edges unique.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/quat.hpp"
#include "base/vec3.hpp"
#include "model/smooth_surface.hpp"

namespace scree {

struct ConvexShape {
    std::string name;
    std::vector<Vec3> vertex;                       // principal frame; the largest length is 1
    std::vector<std::int32_t> face_start;           // faces + 1, ascending, first 0
    std::vector<std::int32_t> face_vertex;          // loop of face f: [face_start[f], face_start[f + 1]), counterclockwise from outside
    std::vector<Vec3> normal;                       // outward unit normal of each face
    std::vector<double> offset;                     // normal . x on each face, > 0
    std::vector<std::array<std::int32_t, 2>> edge;  // vertices of each edge, low then high, each edge once
    std::vector<std::array<std::int32_t, 2>> edge_face;  // the two faces at it
    double volume{0};                                    // over bounding radius cubed
    Vec3 inertia;                                        // principal moments over mass and bounding radius squared, ascending or as given
    Vec3 box_min, box_max;                               // bounding box in the principal frame
    double inradius{0};                                  // smallest offset: radius of the largest ball about the centre of mass
    // Back to the frame the shape was given in: given = bounding_radius * rotate(to_given, x) + centre.
    double bounding_radius{1};  // of the shape as given [m]
    Quat to_given;              // principal frame -> frame as given
    Vec3 centre;                // centre of mass in the frame as given [m]
    // Of an ellipsoid or superquadric: what the faces stand in for where contacts do not look at it.
    SmoothSurface smooth;

    std::size_t faces() const { return normal.size(); }
    /// A shape without surface: mass and inertia of a compound body, whose colliders are bodies of their own.
    bool compound() const { return vertex.empty(); }
};

/// Most faces plus corners of the largest face that a shape may have: what the overlap of two bodies keeps at hand while it is computed.
constexpr std::size_t kMostFacesAndCorners = 512;

/// A list of vertices and faces, each a loop of vertex numbers.
struct FaceList {
    std::vector<Vec3> vertex;
    std::vector<std::vector<std::int32_t>> face;
};

/// The template of a closed convex mesh. Loops may run either way round and be triangles or polygons; vertices may stand several times.
/// Vertices nearer than 1e-6 of the size are one, and neighbouring faces whose corners lie within 1e-6 of the size of one plane are one
/// face (a mesh in single precision is exact to about 1e-7); size: the diagonal of the bounding box. The principal axes are those given
/// where the inertia tensor is diagonal to 1e-12 of its largest entry, as for a box along its edges. Throws scree::Error with `name` and
/// what is wrong: open, not convex, without volume, too many faces.
ConvexShape make_convex_shape(const std::string& name, const std::vector<Vec3>& vertices,
                              const std::vector<std::vector<std::int32_t>>& faces);

/// A box of these edge lengths [m], its edges along the axes.
ConvexShape box_shape(const std::string& name, Vec3 edges);

}  // namespace scree
