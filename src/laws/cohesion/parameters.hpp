// Parameters that laws of cohesion read.
#pragma once

#include "laws/part.hpp"

namespace scree {

inline constexpr LawParameter cohesion_pull{"cohesion", "N", "Pull of a touching contact.", Mixing::GeometricMean, false, 0.0};
inline constexpr LawParameter surface_energy{"surface_energy", "J/m2",
                                             "Surface energy of each of two like surfaces: half of what it takes to part a unit of area."};
inline constexpr LawParameter cohesion_energy_density{"cohesion_energy_density", "J/m3", "Pull over the area of contact."};
inline constexpr LawParameter surface_tension{"surface_tension", "N/m", "Surface tension of the liquid."};
inline constexpr LawParameter contact_angle{
    "contact_angle", "rad", "Angle of the liquid on the surface, less than a right one.", Mixing::ArithmeticMean, false, 0.0, 1.57};
inline constexpr LawParameter bridge_volume{"bridge_volume", "m3", "Volume of liquid in a bridge.", Mixing::GeometricMean, true};
inline constexpr LawParameter liquid_content{
    "liquid_content", "1", "Liquid on a body at the start, over the volume of the solid.", Mixing::ArithmeticMean, false, 0.0, 0.5};
inline constexpr LawParameter hamaker{"hamaker", "J", "Hamaker constant."};
inline constexpr LawParameter vdw_separation{"vdw_separation", "m",
                                             "Separation of surfaces that touch, below which the pull of van der Waals grows no more.",
                                             Mixing::ArithmeticMean, true};
inline constexpr LawParameter vdw_cutoff{"vdw_cutoff", "m", "Separation from which on the pull of van der Waals is left out.",
                                         Mixing::ArithmeticMean, true};

inline constexpr double law_pi = 3.14159265358979323846;

}  // namespace scree
