// Bonds (model/bonds.hpp) where kernels read them: a list of its own, by the bonds' numbers, that outlives the lists of contacts.
// Between the centres of two bodies, along unit vector n and L long, with a frame of axes e1 (along n at the start), e2, e3 fixed in either
// body, a bond has the potential energy (after Kuzkin & Asonov 2012, Phys. Rev. E 86:051301)
//   U = k_a / 2 (L - L0)^2 + B2 (2 - a1.n - b1.n) + B3 (1 - a1.b1) + k_t / 2 (2 - a2.b2 - a3.b3),
//   B2 = k_s L0^2 / 2, B3 = k_b - k_s L0^2 / 4 - k_t / 2,
// whose slopes for small angles are the stiffnesses k_a, k_s, k_b, k_t of stretching, shearing, bending and twisting. Forces and couples
// are its exact slopes for any angle: nothing is gained or lost over a closed way, and a bond remembers nothing but damage.
#pragma once

#include "engine/held_bond.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// What bonds of one kind share, as kernels read it.
struct BondKindRow {
    double inverse_tensile, shear, inverse_bending;  // strengths [Pa]
    double friction, moment_share, damping, ductility;
    double at_ends, compressed, softens, keeps_contact;  // 1: so, 0: not; as wide as all else for vector loops
};

/// The constants of a bond.
struct BondRow {
    Quat frame_a, frame_b;                             // the bond's axes in those of its bodies
    double length;                                     // at the start [m]
    double k[4];                                       // axial, shear, twist, bend
    double inverse_area, inverse_bend, inverse_twist;  // 1 / m2; of section moduli, which turn a moment into its stress [1/m3]
    double inverse_strength;                           // of its kind's over its own
};
inline constexpr int bond_row_values = sizeof(BondRow) / sizeof(double);

/// Rows by component, as vector loops read them.
struct BondRowsView {
    const double* column[bond_row_values];
    SCREE_HD BondRow operator[](Index k) const {
        const auto& c = column;
        return {{c[0][k], c[1][k], c[2][k], c[3][k]},
                {c[4][k], c[5][k], c[6][k], c[7][k]},
                c[8][k],
                {c[9][k], c[10][k], c[11][k], c[12][k]},
                c[13][k],
                c[14][k],
                c[15][k],
                c[16][k]};
    }
};
static_assert(bond_row_values == 17);

struct Bonds {
    Index count{0};
    Index at_start{0};           // of these; the others have been made since
    bool skips_contacts{false};  // some bonded pairs have none
    bool damped{false};
    bool keeps_pushes{false};  // what dashpots do, as energy is accounted for
    bool joined{false};        // bonds have been made since the list was, whose bodies are to have no contact
    BondKindRow only_kind{};   // the first
    Array<BondKindRow> kinds;
    Array<std::uint32_t> id_a, id_b;
    Array<std::int32_t> kind;
    Array<double> rows[bond_row_values];
    Array<Slot> a, b;                      // of the list at hand, b of one to a wall as a; -1: the bond is no more
    Vec3Array<double> force;               // on b, and its opposite on a [N]
    Vec3Array<double> torque_a, torque_b;  // about their centres [N m]
    Vec3Array<double> push, couple;        // of dashpots, on b at the middle [N], [N m]; where energy is accounted for
    Array<std::int32_t> how;               // BondBreak
    Array<double> damage;                  // of what softens, from 0 to 1
    Array<double> dissipated;              // by dashpots, and as it broke [J]
    Array<double> work_of_cell;  // that the images of a cell that moves have done on bodies by it, where energy is accounted for [J]
    Array<double> power;         // that dashpots took at the end of the last step, where energy is accounted for [W]
    Array<std::uint32_t> broke;  // one: 1 where a bond whose bodies have no contact broke since the list was made
    Array<double> freed;         // what it held as it broke [J]
    Array<std::int64_t> broken_step;
    Vec3Array<double> place;                  // where it broke [m]
    Array<Index> row_start;                   // of each id
    Array<std::uint32_t> entry;               // bond << 1 | whether the body is b, of a body by ascending bonds
    std::vector<std::uint64_t> joined_apart;  // pairs without contact that joints keep
    std::vector<std::uint64_t> apart;         // the pair of a bond: its bodies, or what carries them; by bonds
    double given{0};                          // contacts that were there as a bond broke, overlapped [J]
    std::int64_t listed_broken{-1};           // bonds that were broken when pairs without contact were last listed

    Array<double> strain;  // largest stress over its strength

    bool to_walls{false};      // some go to walls: else the next two are empty
    Array<std::int32_t> wall;  // of each bond, -1: it joins two bodies
    Vec3Array<double> foot;    // where it is held, in the wall's first place [m]

    Array<double> held;  // under the cone method what each row of a bond bore last, six a bond, from which solves start [N]
    bool in_rows{false};

    BondRowsView rows_view() const {
        BondRowsView view;
        for (int c = 0; c < bond_row_values; ++c) view.column[c] = rows[c].data();
        return view;
    }
    std::size_t bytes() const;
};

/// Makes the bonds of a model, once its walls and compounds are there; null where it has no kind of them.
void load_bonds(const Model& model, bool account, Workspace& work);
/// Those of the model from number `first` on, without load as their bodies are now; find_bonded() then says where these are.
void append_bonds(const Model& model, const State& state, Workspace& work, std::size_t first);
/// Before a list is made: which pairs have no contact. After it: where the bodies of bonds are.
void list_bonded_apart(Workspace& work);
void find_bonded(const State& state, Workspace& work);
/// Has a bond broken whose bodies the list at hand leaves out?
bool misses_broken(const Workspace& work);

/// Forces of all bonds, from positions and velocities half a step behind; dt: 0 where no step follows: then nothing breaks.
void bond_forces(const Model& model, State& state, Workspace& work, double dt);
/// Once bodies have drifted: has the list new pairs to find? Raises that it is used up.
void look_for_broken(Workspace& work);
/// At the end of a step, and with dt = 0 at the start, what dashpots take. Nothing without accounts.
/// of_walls: time for which walls have worked by the forces at hand, or will.
void account_bonds(State& state, Workspace& work, double dt, double of_walls);
/// Adds them to the forces of their bodies.
void add_bond_forces(State& state, Workspace& work, Gate gate);

/// Breaks those whose middles are in a region, of the kinds whose entry in `chosen` is 1. Between two steps.
/// Returns misses_broken().
bool break_bonds(const Model& model, State& state, Workspace& work, const Region& region, const std::vector<std::int32_t>& chosen);

/// Adds what bonds give to walls to these loads.
void add_bond_loads(const Model& model, State& state, Workspace& work, std::vector<Wrench>& loads);
/// half: of a step, which the forces at hand have yet to act.
BondSums sums_of_bonds(State& state, Workspace& work, double half);
std::vector<BrokenBond> broken_bonds(const Workspace& work);
/// Bonds that hold, as the contacts of two bodies are told: where their middles are, and the forces last evaluated.
std::vector<ContactRecord> bond_records(const Model& model, State& state, Workspace& work);

std::vector<HeldBond> all_held_bonds(const Model& model, State& state, Workspace& work);

void save_bonds(const Model& model, const Workspace& work, EngineState& out);
/// Adds the bonds that were made since the start to a model. Throws scree::Error where they do not fit it.
void take_made_bonds(const EngineState& saved, Model& model);
/// The model with those. Throws scree::Error where the checkpoint has other bonds.
void load_saved_bonds(const Model& model, const EngineState& saved, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
