// What laws of cohesion read of a model, and how far they reach.
#pragma once

#include "model/model.hpp"

namespace scree {

/// Of materials a and b. The modulus is that of Hertz's law, else 0.
LawValues cohesion_values(const Model& model, std::size_t a, std::size_t b);
/// Do bodies of material a meet bodies or walls of b, or the other way round: count x count. O(bodies + walls + materials^2).
std::vector<char> materials_that_meet(const Model& model);
/// Smallest and largest radius of what collides [m].
struct RadiusRange {
    double least{1e300}, most{0};
};
RadiusRange radius_range(const Model& model);
/// The widest gap at which two bodies, or a body and a wall, may pull on each other [m]; 0 where none do. O(bodies + materials^2).
double cohesion_reach(const Model& model);

}  // namespace scree
