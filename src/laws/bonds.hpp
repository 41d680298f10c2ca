// The list of laws of bonds: straight elements that hold two bodies together until they break. To add one: a header or a struct with its
// declaration and what the others have, and its place in the list below.
//   stiffness(q, section)  from its parameters, in their order
//   bending                where stresses of bending are looked at
//   compressed             it bears compression
//   softens                past its strength it weakens by damage, up to `ductility`, instead of breaking at once
#pragma once

#include "laws/bonds/beam.hpp"
#include "laws/list.hpp"

namespace scree {

/// Potyondy & Cundall 2004 (Int. J. Rock Mech. Min. Sci. 41:1329-1364): springs spread over a section, in parallel to the contact, of
/// normal stiffness E / L and shear stiffness E / (ratio L) an area.
struct ParallelBond {
    static constexpr LawPart part{
        "parallel", "springs spread over a round section (Potyondy & Cundall 2004)", false, 2, {&bond_young, &bond_ratio}};
    static constexpr BendingAt bending = BendingAt::Middle;
    static constexpr bool compressed = true, softens = false;
    static BondStiffness stiffness(const LawValues& q, const BondSection& s) {
        const double normal = q.value[0] / s.length, across = normal / q.value[1];
        return {normal * s.area(), across * s.area(), s.planar ? 0.0 : across * s.polar_moment(), normal * s.second_moment()};
    }
};

/// Timoshenko's beam as an element of two nodes (Andre, Iordanoff, Charles & Neauport 2012, Comput. Methods Appl. Mech. Eng. 213:113-125;
/// Brown, Chen & Ooi 2014, Granular Matter 16:299-311), with Cowper's shear coefficient of a round section, 6 (1 + nu) / (7 + 6 nu), and 5
/// / 6 of a strip.
struct BeamBond {
    static constexpr LawPart part{"beam", "Timoshenko's beam (Brown, Chen & Ooi 2014)", false, 2, {&bond_young, &bond_poisson}};
    static constexpr BendingAt bending = BendingAt::Ends;
    static constexpr bool compressed = true, softens = false;
    static BondStiffness stiffness(const LawValues& q, const BondSection& s) {
        const double E = q.value[0], nu = q.value[1], G = E / (2 * (1 + nu)), L = s.length, I = s.second_moment(), A = s.area();
        const double coefficient = s.planar ? 5.0 / 6 : 6 * (1 + nu) / (7 + 6 * nu);
        const double slender = 12 * E * I / (coefficient * G * A * L * L);
        return {E * A / L, 12 * E * I / (L * L * L * (1 + slender)), s.planar ? 0.0 : G * s.polar_moment() / L, E * I / L};
    }
};

/// A thread: it bears nothing but pull.
struct FibreBond {
    static constexpr LawPart part{"fibre", "a thread, which bears nothing but pull", false, 1, {&bond_young}};
    static constexpr BendingAt bending = BendingAt::Middle;
    static constexpr bool compressed = false, softens = false;
    static BondStiffness stiffness(const LawValues& q, const BondSection& s) { return {q.value[0] * s.area() / s.length, 0, 0, 0}; }
};

/// The parallel bond with a cohesive zone: from its strength on what it bears falls in a straight line to nothing at `ductility` times the
/// stretch there, by a damage that never heals and that compression does not feel (bilinear, as Camacho & Ortiz 1996, Int. J. Solids
/// Struct. 33:2899-2938).
struct SofteningBond {
    static constexpr LawPart part{"softening",
                                  "the parallel bond, weakened by damage past its strength (bilinear, Camacho & Ortiz 1996)",
                                  false,
                                  3,
                                  {&bond_young, &bond_ratio, &bond_ductility}};
    static constexpr BendingAt bending = BendingAt::Middle;
    static constexpr bool compressed = true, softens = true;
    static BondStiffness stiffness(const LawValues& q, const BondSection& s) { return ParallelBond::stiffness(q, s); }
};

using BondLaws = LawList<ParallelBond, BeamBond, FibreBond, SofteningBond>;

}  // namespace scree
