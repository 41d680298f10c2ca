// The list of normal laws with a memory. To add one: a header with its declaration, the functions that the others have, and its line in the
// list. Laws without a memory are in engine/laws/.
//   hertzian                         loads with k_n = 4/3 E*, and its tangential stiffness is Mindlin's; else with k_n = `stiffness`
//   row(q, k_n)                      what its kernel reads beside k_n, as q.own
//   load(q, R_eff, delta, memory)    force at an overlap above zero, and what is remembered from it on
//   stored(q, R_eff, delta, memory)  elastic energy, such that force and energy agree along unloading [J]
//   steepest(q, k_n, R_eff, delta)   bound of the slope, for the step [N/m]
#pragma once

#include "laws/list.hpp"
#include "laws/normal/eepa.hpp"
#include "laws/normal/thornton_ning.hpp"
#include "laws/normal/walton_braun.hpp"

namespace scree {

using PlasticLaws = LawList<WaltonBraun, Luding, ThorntonNing, Eepa>;

}  // namespace scree
