// Laws of rolling and twisting: their words and parameters. Their formulas are in engine/laws/rolling.hpp.
#pragma once

#include <iterator>

#include "laws/part.hpp"

namespace scree {

inline constexpr LawParameter rolling_friction{
    "rolling_friction", "1", "Couple against rolling over effective radius and normal force.", Mixing::GeometricMean, false, 0.0};
inline constexpr LawParameter spinning_friction{
    "spinning_friction", "1", "Couple about the normal over effective radius and normal force.", Mixing::GeometricMean, false, 0.0};
inline constexpr LawParameter rolling_damping{"rolling_damping",     "1",   "Damping of rolling springs over their critical damping.",
                                              Mixing::GeometricMean, false, 0.3};

/// How contacts of spheres and disks resist rolling: not at all; by a couple of constant size; by a spring and a dashpot in series with a
/// slider.
enum class Rolling { None, Constant, Spring };
inline constexpr LawPart rolling_parts[] = {
    {"none", "not at all", false, 0, {}},
    {"constant", "a couple of constant size against the turning (Ai et al. 2011, model A)", false, 1, {&rolling_friction}},
    {"epsd",
     "a spring and a dashpot in series with a slider, which hold a body at rest on a slope below `rolling_friction` (Ai et al. 2011, "
     "model C; Jiang, Yu & Harris 2005 of disks)",
     false,
     2,
     {&rolling_friction, &rolling_damping}}};

/// And twisting, the turning about their normal, of spheres: not at all; by the tangential law spread over the area of contact; by a spring
/// and a dashpot in series with a slider.
enum class Twisting { None, Marshall, Spring };
inline constexpr LawPart twisting_parts[] = {
    {"none", "not at all", false, 0, {}},
    {"marshall", "the tangential spring, dashpot and friction spread over the area of contact (Marshall 2009)", false, 0, {}},
    {"epsd", "as `rolling = \"epsd\"`, about the normal", false, 2, {&spinning_friction, &rolling_damping}}};

}  // namespace scree
