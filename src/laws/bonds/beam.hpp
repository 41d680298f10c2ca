// What a bond is to kernels: a straight element between two centres that resists stretching, shearing, twisting and bending, and what of
// the section and its material these stiffnesses are.
#pragma once

#include "laws/part.hpp"

namespace scree {

/// Of a round section, or in two dimensions of a strip one metre thick and twice the radius wide.
struct BondSection {
    double radius, length;  // [m]
    bool planar;

    double area() const { return planar ? 2 * radius : 3.14159265358979324 * radius * radius; }
    /// About an axis across the bond [m4].
    double second_moment() const {
        return planar ? 2.0 / 3 * radius * radius * radius : 0.25 * 3.14159265358979324 * radius * radius * radius * radius;
    }
    double polar_moment() const { return 2 * second_moment(); }
};

/// In N/m of what the ends are apart along and across the bond at its middle, and in N m of what they are turned against each other about
/// it and across it.
struct BondStiffness {
    double axial, shear, twist, bend;
};

/// Where stresses of bending are looked at, and whether a bond bears them at all.
enum class BendingAt { Middle, Ends };

inline constexpr LawParameter bond_young{"young", "Pa", "Young's modulus of the bond.", Mixing::GeometricMean, true};
inline constexpr LawParameter bond_poisson{"poisson", "1", "Poisson's ratio of the bond.", Mixing::GeometricMean, false, -1, 0.5};
inline constexpr LawParameter bond_ratio{"stiffness_ratio", "1", "Normal over shear stiffness.", Mixing::GeometricMean, true, 2.5};
inline constexpr LawParameter bond_ductility{
    "ductility", "1", "Stretch at which it is through, over that at which its strength is reached.", Mixing::GeometricMean, true};

}  // namespace scree
