// Settings of the method of hard particles (method.kind = "hard"): straight flight between collisions that take no time.
#pragma once

#include <cstdint>

namespace scree {

/// Events: exact, one collision after the other, on the host. Steps: all collisions of a step together, in every flavor.
enum class HardStepping : std::int32_t { Events, Steps };

struct HardSettings {
    HardStepping stepping{HardStepping::Events};
    double elastic_below{0};   // an approach slower than this rebounds with restitution 1 [m/s]: ends inelastic collapse
    std::int64_t rounds{500};  // Steps: most rounds of impulses in a step
};

}  // namespace scree
