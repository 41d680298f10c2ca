// What the fused step of spheres keeps beside the state (fused/fused.hpp): its stages, places for the forces of pairs, taken while both
// bodies wait for them and given back, how far bodies may have moved, and the state to go back to when a step goes wrong.
#pragma once

#include "engine/exec/array.hpp"

namespace scree::SCREE_FLAVOR {

/// What one pair gives: force on A [N] in lanes 0 to 2, twist (contacts/columns.hpp) in 4 to 6.
struct alignas(8 * sizeof(Real)) PairWrench {
    Real value[8];
};

/// What is known of bodies on their way from where the list looks for them (fused/watch.hpp).
struct SkinWatch {
    bool on{false};                    // else a step looks at each of them
    int unwatched{0};                  // steps since the last look that looked at each
    double moved{0};                   // none is farther away [m]
    double speed{0};                   // a step tells of those that are faster [m/s]
    std::int64_t looks{0}, spared{0};  // at all bodies, and steps that went without one
};

/// What is known of pairs that are left out of steps (fused/prune.hpp).
struct Pruning {
    bool on{false};                   // those of each stage that are not come first
    bool useless{false};              // the list at hand has too few that could be
    double gap{0};                    // parts them at least, when they were looked at [m]
    double moved{0};                  // no body has moved farther since, as far as is known [m]
    std::int64_t looks{0}, steps{0};  // at all pairs, and steps that left some out
};

/// Rows of bodies while pairs are left out (fused/near_rows.hpp).
struct NearRows {
    static constexpr Index length = 8;  // entries of a row
    bool on{false};                     // they are of the pairs that the steps at hand compute
    Array<std::uint16_t> entry;         // bodies * length, on memory of Workspace::rows
    Array<std::uint16_t> longer;        // rows of more entries, there: how many, then these
    Array<std::uint8_t> near_at;        // of each place: 1 where its pair is near
    Index longer_of_body{2};            // room in `longer`
    Index most_places{32767};           // that entries can name
    std::int64_t steps{0};              // that read them

    std::size_t bytes() const { return near_at.bytes(); }
};

struct FusedBuffers {
    bool used{false};     // the steps of this run may be fused
    bool planned{false};  // for the list at hand
    bool saved{false};    // the state below belongs to the list at hand
    bool placed{false};   // entries of rows name places instead of pairs
    std::int64_t saved_step{0};
    Array<std::uint32_t> rows_done;  // of each stage (exec/fused_rows.hpp)
    Array<std::int32_t> place;       // of each pair, and of one past the last that gives nothing, index into `wrench`
    Array<PairWrench> wrench;        // the last one stays zero
    Array<PairWrench> beside;        // of each place: LossSum of penalty/pair_losses.hpp where energy is accounted for, or couples against
                                     // rolling; the last one too
    SkinWatch watch;
    Pruning prune;
    NearRows near_rows;
    Array<std::uint8_t> order;     // of each pair: which of its stage it was
    Array<std::uint8_t> near;      // of each stage (exec/fused_rows.hpp), then of each stage of pairs between ranges: pairs not left out
    Array<std::uint32_t> pair_at;  // each place: room for naming pairs again
    Array<double> orientation;     // w, x, y, z saved, one after the other; empty where not tracked
    Array<double> accounts;        // work_damping, work_friction, work_walls saved, likewise
    Array<double> field_accounts;  // work_fields saved, likewise

    std::size_t bytes() const {
        return rows_done.bytes() + place.bytes() + wrench.bytes() + beside.bytes() + pair_at.bytes() + orientation.bytes() +
               accounts.bytes() + field_accounts.bytes() + order.bytes() + near.bytes() + near_rows.bytes();
    }
};

}  // namespace scree::SCREE_FLAVOR
