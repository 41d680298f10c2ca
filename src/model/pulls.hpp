// What laws of cohesion read of a model, and how far they reach.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace scree {

/// Of materials a and b. The modulus is that of Hertz's law, else 0. O(1), of laws that share liquid without the capacity of bridges.
LawValues cohesion_values(const Model& model, std::size_t a, std::size_t b);
/// Do any contacts share the liquid of films (laws/cohesion/capillary.hpp)?
bool shares_liquid(const Model& model);
/// Of those the liquid on each body at the start [m3], and the most that a bridge takes: twice the most of these [m3]. O(bodies).
std::vector<double> films_of(const Model& model);
double bridge_capacity(const Model& model);
/// Do bodies of material a meet bodies or walls of b, or the other way round: count x count. O(bodies + walls + materials^2).
std::vector<char> materials_that_meet(const Model& model);
/// Smallest and largest radius of what collides [m].
struct RadiusRange {
    double least{1e300}, most{0};
};
RadiusRange radius_range(const Model& model);
/// Of every two materials, count x count, with the capacity of bridges where they share liquid. O(bodies + materials^2).
std::vector<LawValues> cohesion_table(const Model& model);
/// The widest gap at which contacts of two materials may pull [m], count x count; none without cohesion. O(bodies + materials^2).
std::vector<double> cohesion_reaches(const Model& model);
/// The widest gap at which two bodies, or a body and a wall, may pull on each other [m]; 0 where none do. O(bodies + materials^2).
double cohesion_reach(const Model& model);

}  // namespace scree
