// Dashpots beside normal laws, and laws of friction: their words and parameters. Their formulas are in engine/laws/general.hpp.
#pragma once

#include <iterator>

#include "laws/part.hpp"

namespace scree {

inline constexpr LawParameter viscous_time{
    "viscous_time", "s", "Damping force over elastic stiffness and speed: the A of Brilliantov et al.", Mixing::ArithmeticMean};
inline constexpr LawParameter sliding_damping{"sliding_damping", "N s/m", "Friction over sliding speed, below the limit of Coulomb."};
inline constexpr LawParameter tangential_stiffness{"tangential_stiffness", "N/m", "Tangential spring, whatever the overlap.",
                                                   Mixing::GeometricMean, true};
inline constexpr LawParameter dynamic_friction{"dynamic_friction", "1",
                                               "Coefficient of friction of fast sliding, where `friction` is that of rest."};
inline constexpr LawParameter stribeck_speed{"stribeck_speed", "m/s", "Sliding speed at which friction is midway between the two.",
                                             Mixing::ArithmeticMean, true};

/// Dashpot of the normal law: from the restitution, never pulling; from the restitution, as it is; from a viscosity.
enum class Damping { Restitution, Tsuji, Brilliantov };
inline constexpr LawPart damping_parts[] = {
    {"restitution",
     "2 zeta sqrt(S_n m_eff) from `restitution`, where the force never pulls: the contact ends when the force does (Schwager & Poeschel "
     "2007)",
     false,
     0,
     {}},
    {"tsuji",
     "the same dashpot with the whole force, which may pull as surfaces part (Tsuji, Tanaka & Ishida 1992; of linear springs Cundall & "
     "Strack 1979)",
     false,
     0,
     {}},
    {"brilliantov",
     "viscous bulk: `viscous_time` times the elastic stiffness, so that restitution falls with speed (Brilliantov et al. 1996)",
     false,
     1,
     {&viscous_time}}};

/// Friction: none; viscous up to Coulomb's limit; spring of the normal law; a spring of one stiffness; with a coefficient that falls with
/// speed.
enum class Tangential { None, Viscous, Spring, Linear, Stribeck };
inline constexpr LawPart tangential_parts[] = {
    {"none", "smooth surfaces", false, 0, {}},
    {"viscous", "in proportion to sliding speed up to Coulomb's limit, without memory", false, 1, {&sliding_damping}},
    {"spring",
     "spring and dashpot up to Coulomb's limit: Mindlin's no-slip stiffness with a force that falls with it on unloading, of linear laws "
     "`tangential_ratio` times the normal spring",
     false,
     0,
     {}},
    {"linear", "the same with one stiffness", false, 1, {&tangential_stiffness}},
    {"stribeck",
     "as `spring`, with a coefficient that falls from `friction` at rest towards `dynamic_friction` as the square of the speed grows (Hess "
     "& Soom 1990)",
     false,
     2,
     {&dynamic_friction, &stribeck_speed}}};

}  // namespace scree
