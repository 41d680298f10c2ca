// What kernels can raise. Gating flags stop the rest of a batch; the host then acts and resumes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/exec/array.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

enum Flag : std::uint32_t {
    kSkinExhausted = 1,   // a body is more than half the skin away from where the pair list looks for it
    kNotFinite = 2,       // a force or position is not a finite number
    kOverlapLimit = 4,    // an overlap passed the limit
    kOverlapWarning = 8,  // an overlap passed the warning: does not gate
    kLeftDomain = 16,     // a body's centre is outside the domain: does not gate, read at the check
    // Of a fluid:
    kTooFast = 32,    // a particle moves too far in a step
    kRowsFull = 64,   // more particles are near one than its row has room for
    kListSoon = 128,  // a particle has nearly used up its share of the skin: does not gate
    // Of the cone method:
    kNotSolved = 256,  // a step's problem was left with a residual past the limit
    // Of joints:
    kJointsApart = 512  // they were left apart by a share of their mechanism's size
};
inline constexpr std::uint32_t gating_flags =
    kSkinExhausted | kNotFinite | kOverlapLimit | kTooFast | kRowsFull | kNotSolved | kJointsApart;
/// Those that end a run.
inline constexpr std::uint32_t fault_flags = kNotFinite | kOverlapLimit | kNotSolved | kJointsApart;

/// Sizes of a cone problem's tables.
struct ContactCounts {
    Index rows;       // contact points
    Index incidence;  // entries of the rows of bodies
    Index carried;    // contact points against walls that bodies carry
};

struct FlagWords {
    std::uint32_t pending, up;  // kernels raise pending; commit_flags moves it to up, which gates the kernels that follow
    std::int64_t step;          // steps finished; kernels ask it for the time, so that their arguments do not change from step to step
    // Of the cone method. Contacts of its next problem, where they have been counted; 1: a joined body has one of them.
    ContactCounts contacts{};
    std::uint32_t joined_touch{0};
    double joint_miss{0};  // of the last problem, over the mechanism's size
    double residual{0};    // of the last problem [m/s], where its iterations ran out under Coulomb's law
};

/// The flags in kernel memory.
struct Flags {
    Array<FlagWords> words;

    Flags() { words.resize_zero(1); }
    std::uint32_t* pending() { return &words.data()->pending; }
    const std::int64_t* step() { return &words.data()->step; }
    Gate gate() { return {&words.data()->up, gating_flags}; }
    /// To the host; waits for the kernels sent before.
    FlagWords read() const { return words.at(0); }
    /// None raised.
    void clear() { fill_bytes(words.data(), 0, offsetof(FlagWords, step)); }
    void start_at(std::int64_t step) { words.put(0, {0, 0, step}); }
};

}  // namespace scree::SCREE_FLAVOR
