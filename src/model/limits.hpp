// What the program counts in 32 bits, and what it says where there is more to count. Everything else counts in 64 bits. Tests lower these
// limits; nothing else changes them.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace scree {

struct CountLimits {
    /// Ids and slots are std::int32_t where -1 means none.
    std::int64_t bodies{std::numeric_limits<std::int32_t>::max()};
    /// Of one list, of two bodies or of bodies and walls: the rows of bodies hold 2 * pair + side in 32 bits and start at most at twice the
    /// number of pairs, points of the cone method have a pair's number in std::int32_t.
    std::int64_t pairs{std::numeric_limits<std::int32_t>::max()};
    /// Contact points of a step under the cone method: rows of bodies hold 2 * point + side in 32 bits.
    std::int64_t points{std::numeric_limits<std::int32_t>::max()};
    /// Cells of a search: keys of 32 bits.
    std::int64_t cells{std::numeric_limits<std::uint32_t>::max()};
    /// Numbers of points in the triangles of polyhedra in a frame.
    std::int64_t surface_numbers{std::numeric_limits<std::int32_t>::max()};
};

namespace detail {
inline const CountLimits* lowered_limits = nullptr;
}

/// Those of the numbers; while a LoweredLimits lives, its own.
inline CountLimits count_limits() {
    return detail::lowered_limits != nullptr ? *detail::lowered_limits : CountLimits{};
}

/// For tests: lower limits as long as this lives. One at a time, made while nothing runs.
class LoweredLimits {
public:
    explicit LoweredLimits(const CountLimits& limits) : limits_(limits) { detail::lowered_limits = &limits_; }
    ~LoweredLimits() { detail::lowered_limits = nullptr; }
    LoweredLimits(const LoweredLimits&) = delete;
    LoweredLimits& operator=(const LoweredLimits&) = delete;

private:
    CountLimits limits_;
};

/// A run stops with a checkpoint where its list has more than this share of the pairs it may have: the next list may be longer, and is made
/// in the middle of a step.
inline constexpr double share_to_stop_at = 0.95;

inline constexpr const char* fewer_bodies = "use fewer bodies, or several runs";
inline constexpr const char* fewer_pairs = "use fewer bodies or a smaller method.skin";
inline constexpr const char* fewer_points = "use fewer bodies or a smaller method.envelope";

/// "2.3e+09 pairs of bodies pass the limit of 2147483647 (32-bit numbers): use fewer bodies"
inline std::string past_limit(double count, std::int64_t limit, const std::string& what, const std::string& remedy) {
    const bool exact = std::abs(count) < 1e15;
    return (exact ? std::to_string(static_cast<std::int64_t>(count)) : std::to_string(count)) + " " + what + " pass the limit of " +
           std::to_string(limit) + " (32-bit numbers): " + remedy;
}

/// Throws Problem where `count` passes the limit: Error for what is known beforehand, RunError for what a run finds.
template <class Problem>
void require_within(double count, std::int64_t limit, const std::string& what, const std::string& remedy) {
    if (count > static_cast<double>(limit)) throw Problem(past_limit(count, limit, what, remedy));
}

}  // namespace scree
