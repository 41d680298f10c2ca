// The list of laws of cohesion: pulls between round bodies, and of walls on them, beside what the normal law gives. To add one: a header
// with its declaration and the five functions that the others have, and its place in the list below.
//   reach(q, R)         gap up to which it pulls [m]; of laws with bonds, those that surfaces which have touched keep
//   pull(q, R, gap)     [N], positive; gap [m], negative where surfaces overlap
//   energy(q, R, gap)   [J], negative; zero at the reach
//   steepest(q, R)      bound of |d pull / d gap| [N/m], for the step, or where it has none the slope that a step has to follow
//   bonds               it begins as surfaces touch, and ends at its reach
// R effective radius [m].
#pragma once

#include "laws/cohesion/capillary.hpp"
#include "laws/cohesion/constant.hpp"
#include "laws/cohesion/dmt.hpp"
#include "laws/cohesion/jkr.hpp"
#include "laws/cohesion/sjkr.hpp"
#include "laws/cohesion/van_der_waals.hpp"
#include "laws/list.hpp"

namespace scree {

using CohesionLaws = LawList<ConstantPull, SimplifiedJkr, Dmt, Jkr, Capillary, VanDerWaals>;

}  // namespace scree
