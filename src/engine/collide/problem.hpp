// Collision detection on its own: spheres in, pairs of touching ones out. Plain types that every flavor and its callers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/snapshot.hpp"

namespace scree {

/// Spheres by component, in the caller's memory; their number in these arrays is their id. Finite, radii above zero.
struct SphereView {
    const double* x{nullptr};
    const double* y{nullptr};
    const double* z{nullptr};
    const double* r{nullptr};
    std::int64_t n{0};
};

/// How pairs are found. All methods find the same ones.
enum class CollideMethod {
    Auto,    // Brute for a few, else Levels, which is Grid where sizes are within a factor of two
    Brute,   // all pairs
    Grid,    // one grid of cells, as wide as the largest sphere
    Levels,  // a grid for each octave of size
    Bins     // nine stages, a sphere in every bin it reaches into
};

struct CollideSettings {
    CollideMethod method{CollideMethod::Auto};
    int threads{0};         // 0: all
    bool shuffle{false};    // visit in shuffled order: must change nothing (tests)
    std::size_t memory{0};  // most bytes that arrays other than the spheres may take; 0: no limit. Space is cut into boxes to keep it
};

/// Thrown by a search whose pairs would not fit: the caller cuts its box in two.
struct PairsDoNotFit {};

struct CollideReport {
    CollideMethod method{CollideMethod::Auto};  // that was used
    std::int64_t bodies{0};
    std::int64_t tested{0};         // distances computed
    std::int64_t contacts{0};       // pairs with distance <= 0
    std::int64_t touching{0};       // of these with distance 0 exactly
    std::int64_t boxes{1};          // worked through one after another
    std::int64_t copies{0};         // bodies sent to boxes, all together; one in several boxes counts in each
    std::size_t bytes{0};           // of all arrays at the peak, without the spheres
    std::vector<StageTime> stages;  // in the order they ran
};

/// Takes pairs, ids by component, a[k] < b[k]; called in an order that does not depend on threads.
using TakePairs = std::function<void(const std::uint32_t* a, const std::uint32_t* b, std::int64_t count)>;

}  // namespace scree
