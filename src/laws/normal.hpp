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

/// Laws without a memory, in the order of Law (model/material.hpp).
inline constexpr LawPart plain_normal_parts[] = {
    {"linear", "a spring of one stiffness (Cundall & Strack 1979)", false, 0, {}},
    {"hertz", "elastic spheres (Hertz 1882, Mindlin 1949)", true, 0, {}},
    {"volume", "polyhedra: a force whose energy is that of the volume they share", true, 0, {}},
    {"power", "`stiffness` times overlap to 3/2, with dashpots of their own (BLAZE-DEM: Govender, Wilke & Kok 2015)", false, 0, {}}};

using PlasticLaws = LawList<WaltonBraun, Luding, ThorntonNing, Eepa>;

}  // namespace scree
