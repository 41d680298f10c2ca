// Bonds in a cone problem: each is a block of six rows at its middle, three of what its ends glide against each other (along it and across)
// and three of how they turn (about it and across), all in m/s by the length `reach` for turns. A spring k with a dashpot c that is taken
// where the step ends, f = f_now - (k dt + c) u, is a row with a compliance (Lacoursiere 2007, "Ghosts and machines"; Tasora et al. 2013):
//   u + x / (kick (k dt + c)) - f_now / (k dt + c) = 0,
// u the row's velocity after the kick [m/s], x its impulse over the kick [N s], f_now the bond's exact force where its bodies stand [N].
// What bears pull alone has a bound to x. The rows are scalar unknowns behind those of joints: row c of bond k is number first + c count +
// k.
#pragma once

#include "engine/bonds/bonds.hpp"
#include "engine/cone/body_twists.hpp"

namespace scree::SCREE_FLAVOR {

inline constexpr int bond_parts = 6;  // rows of a bond: along, two across, about, two across

/// Numbers of a bond's inverse block: below and on the diagonal, row by row.
inline constexpr int bond_block_values = bond_parts * (bond_parts + 1) / 2;
SCREE_HD int bond_block_entry(int row, int column) {
    return row >= column ? row * (row + 1) / 2 + column : column * (column + 1) / 2 + row;
}

/// What rows need of a bond: from the centres of its rigid bodies to its middle, its axes (the third is their product), and the length that
/// weighs turns [m].
enum BondValue : int { kBondArmA = 0, kBondArmB = 3, kBondAlong = 6, kBondAcross = 9, kBondReach = 12, kBondValues };

/// What it does to its rigid bodies: an impulse on B, its opposite on A, and what turns each.
struct BondPush {
    Vec3R linear, on_a, on_b;
};
inline constexpr int bond_push_values = sizeof(BondPush) / sizeof(Real);

struct BondRows {
    Index count{0};              // bonds
    Index first{0};              // of their rows among the scalar unknowns
    bool blocks{false};          // inverse blocks are wanted
    bool bounded{false};         // some bear pull alone
    Array<Slot> a, b;            // rigid bodies; a -1: the bond is no more; b -1: a wall that no body carries
    Array<Real> frame;           // BondValue after BondValue, each of all bonds
    Array<Real> soft, bias;      // of each row, as unknowns lie: compliance [1/kg], [m/s]
    Array<Real> own;             // of each row: its own entry of N, what eta is the inverse of; 0: left out [1/kg]
    Array<Real> push;            // BondPush by component, each of all bonds, of a product
    Array<Real> inverse;         // of each bond's own block, for sweeps, by component [kg]
    Array<Index> group;          // rows that are summed together: where each group starts, and the end
    Array<Index> row_start;      // of each rigid body's id
    Array<std::uint32_t> entry;  // bond << 1 | whether the body is B, by ascending bonds
    std::vector<Index> colours;  // where the bonds of each colour start in by_colour, and the end
    Array<std::uint32_t> by_colour;
    Index in_series{0};   // behind those: bonds without a colour
    std::size_t laid{0};  // bonds for which the last five are laid out
    bool coloured{false};

    Index rows() const { return bond_parts * count; }
    std::size_t bytes() const;
};

struct BodyOperatorBuffers;

/// Fills the rows for an impulse over `kick` [s], once the masses of bodies are loaded and joints have their rows; bounds and steps go
/// behind those of joints.
void load_bond_rows(const Model& model, State& state, Workspace& work, double kick, BodyOperatorBuffers& buffers);

/// Forces of the last step -> impulses of the first guess.
void guess_bonds(Workspace& work, double kick, BodyOperatorBuffers& buffers, Unknowns& x);

/// Adds to the twists of bodies, by slot, what impulses x of bonds do.
void push_by_bonds(const Exec& exec, State& state, const Late<UnknownsView>& x, BodyOperatorBuffers& buffers, Gate gate);

/// Velocities of the rows: those of buffers.twist and what compliance adds for x.
void bond_velocities(const Exec& exec, const Late<UnknownsView>& x, const Late<UnknownsView>& u, const Late<bool>& with_r,
                     BodyOperatorBuffers& buffers, Gate gate);

/// The same for the step of an accelerated method, and what the step says, into *sum.
void measure_bonds(const Exec& exec, const Late<TrialStep>& step, BodyOperatorBuffers& buffers, Array<StepSums>& part, Gate gate,
                   StepSums* sum);

/// One Gauss-Seidel sweep: x and buffers.twist, bond by bond.
void sweep_bonds(const Exec& exec, const UnknownsView& x, const Late<double>& omega, BodyOperatorBuffers& buffers, Gate gate);

/// The solution -> forces of bonds, which are added to those of their rigid bodies, and what is told of bonds. `breaks`: those past their
/// strength break: they have acted through the step.
void keep_bonds(State& state, Workspace& work, double dt, double kick, bool breaks, BodyOperatorBuffers& buffers, const Unknowns& x);

}  // namespace scree::SCREE_FLAVOR
