// How much memory a run of a scene will take at its peak, foretold from the sizes of what it keeps and from how dense the scene is or will
// be. docs/memory.md says what is assumed.
#pragma once

#include <string>
#include <vector>

#include "engine/forecast.hpp"
#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// How many pairs the longest list of a run will have: of the bodies as they start, or of the bed that they settle into under gravity,
/// whichever has more. Looks at a sample of the bodies. O(bodies).
PairCounts foresee_pairs(const Model& model);

/// Throws Error where more is foreseen than 32 bits count (model/limits.hpp).
void require_limits(const PairCounts& counts);

struct MemoryPart {
    std::string name;
    double bytes{0};
};

struct MemoryForecast {
    PairCounts counts;
    std::vector<MemoryPart> parts;  // at the peak, on the host
    double peak{0};                 // their sum [bytes]
    double device{0};               // on a GPU, where the engine runs there [bytes]
};

MemoryForecast foresee_memory(const Scene& scene, const Model& model, const EngineOptions& options);

/// Empty, or what to say where `forecast` passes `available` [bytes].
std::string memory_warning(const MemoryForecast& forecast, double available);

/// "memory        about 1.2 GB at the peak: …" and a line for each part.
std::string memory_report(const MemoryForecast& forecast, std::size_t bodies);

}  // namespace scree
