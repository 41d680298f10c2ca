// Bonds between bodies: which there are, and what each holds and bears.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "laws/bonds.hpp"

namespace scree {

/// What bonds of one kind share.
struct BondKind {
    std::string name;
    int law{BondLaws::number<ParallelBond>()};
    LawValues values{};
    double radius_share{1};                                            // of the section, over the smaller of the two radii
    double tensile_strength{std::numeric_limits<double>::infinity()};  // of the largest normal stress [Pa]
    double shear_strength{std::numeric_limits<double>::infinity()};    // without pressure [Pa]
    double bending_strength{std::numeric_limits<double>::infinity()};  // of the normal stress by bending alone [Pa]
    double friction{0};                                                // what shear strength grows by with the pressure (Mohr & Coulomb)
    double moment_share{1};  // of bending and twisting that counts in normal and shear stresses (Potyondy 2011)
    double scatter{0};       // Weibull's modulus of strengths; 0: all alike
    std::uint64_t seed{0};
    double damping{0};  // of all four stiffnesses, over the critical one
    bool keeps_contact{false};
    // Made while the run goes on, where `from` is above 0 or `on_touch` is set: between bodies within the gap at that time, or between
    // those that touch whenever it is looked, every so many seconds.
    double from{0}, until{std::numeric_limits<double>::infinity()}, every{0};  // [s]
    bool on_touch{false};
    double gap{0};                        // [m]
    std::vector<std::int32_t> materials;  // of bodies that are bonded then; empty: all
};

/// From a to b, ids, a < b: as they are at the start nothing is stretched. To a wall b is wall_end() of its number.
struct Bond {
    std::int32_t a, b, kind;
    Vec3 place{};  // on the wall, in the world at the start [m]

    bool to_wall() const { return b < 0; }
    std::int32_t wall() const { return -1 - b; }
    static std::int32_t wall_end(std::int32_t wall) { return -1 - wall; }
};

/// Radius and length of a bond of two bodies [m].
struct BondSize {
    double radius, length;
};

struct Model;
BondSize size_of(const Model& model, const Bond& bond);
BondStiffness stiffness_of(const Model& model, const Bond& bond);
/// What its strengths are times those of its kind: by Weibull's distribution of mean 1, drawn from its bodies.
double strength_of(const Model& model, const Bond& bond);
/// Bounds of all modes of the bodies between their bonds, by Gershgorin's circles: frequency without dashpots, and rate at which these take
/// a velocity away alone. 0 without bonds.
struct BondRates {
    double frequency{0}, damping{0};  // [rad/s], [1/s]
};
BondRates rates_of_bonds(const Model& model);

/// How a bond broke.
enum class BondBreak : std::int32_t { Holds, Tension, Shear, Bending, Removed, Region };
inline constexpr int bond_breaks = 5;

/// A bond that broke.
struct BrokenBond {
    std::int64_t step;
    std::int32_t bond;  // its number in Model::bonds
    BondBreak how;
    double energy;  // that it held [J]
    Vec3 place;     // of its middle [m]
};

/// By id: the lowest id of the bodies (of compounds, without their members) that bonds which hold join it to, of a member its compound's;
/// no_part where a body never had a bond. `gone`: by bonds. O(bodies + bonds).
inline constexpr std::int32_t no_part = -1;
std::vector<std::int32_t> parts_of(const Model& model, const std::vector<bool>& gone);

/// Of all bonds.
struct BondSums {
    std::int64_t holding{0}, broken[bond_breaks]{};  // by tension, shear, bending, with bodies that were taken out, and in a region
    double elastic{0};                               // [J]
    double work_of_cell{0};                          // that a cell which moves has done through them [J]
    double dissipated{0};                            // by dashpots, and as they broke, since the start [J]
};

}  // namespace scree
