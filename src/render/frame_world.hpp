// One frame of a run -> the things that a picture shows: bodies in their colours, walls, bonds and force chains.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/aabb.hpp"
#include "render/fields.hpp"
#include "render/world.hpp"

namespace scree {

/// From numbers to colours: along a map between two ends, or by name.
struct ColourRule {
    bool categories{false};
    std::string map{"viridis"};
    double low{0}, high{1};
    std::map<long long, Rgb> by_category;

    Rgb colour(double value) const;
};

/// A half-space that is taken away: where sign x coordinate > sign x value.
struct Cut {
    int axis{0};
    double sign{1}, value{0};  // [m]

    /// How far a point lies in what is taken away, below 0 outside [m].
    double depth(Vec3 p) const { return sign * (along(p, axis) - value); }
};

/// Reads "x<0.01", "z >= 5e-3": what is taken away. Throws Error.
Cut parse_cut(const std::string& text, const std::string& option = "--cut");

/// What is drawn, and how.
struct Look {
    std::string colour{"speed"};  // field of bodies
    ColourRule bodies;
    double body_size{1};  // over the true one; 0: none
    bool bonds{false}, chains{false};
    std::string bond_colour{"damage"};  // damage, strain, force or kind
    ColourRule bond_rule, chain_rule;
    std::set<std::string> hidden;               // walls
    std::map<std::string, double> transparent;  // walls and their opacity; all others: as it is best seen
    std::set<std::string> solid;                // walls that never turn to glass
    std::vector<Cut> cuts;                      // take bodies whole, by their centres
    std::vector<Cut> sections;                  // cut through bodies
    bool flat{false};
};

/// Rows that are seen: neither compounds, which have no surface of their own, nor what is cut away whole.
bool is_seen(const FrameParts& frame, const Look& look, std::size_t k);
/// The triangles of a shape, with normals where its surface is smooth.
DrawnShape drawn_shape(const ShapeFaces& faces);

/// One number for each bond, by Look::bond_colour.
std::vector<double> bond_values(const std::string& colour, const std::vector<HeldBond>& bonds);

/// The box of all bodies, and of walls as far as they are near them; planes are drawn so far.
Aabb region_of(const FrameParts& frame, const Look& look);

/// What a camera has to take in: the outermost bodies of a frame, and its walls.
std::vector<Reach> reaches_of(const FrameParts& frame, const Look& look, const Aabb& region);

/// Bodies whose centres lie in a cut are left out, and walls end there. Parts of walls that stand between the camera and the bodies are
/// glass. Throws Error where the frame lacks what the look asks for.
World build_world(const FrameParts& frame, const Look& look, const Aabb& region, const Camera& camera);

}  // namespace scree
