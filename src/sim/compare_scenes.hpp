// What a restart may change: walls (but not of hard particles), measures, output, the end and the title. Everything else must be as in the
// checkpoint: also which walls bodies carry, their mass properties and their order, since such walls are, or belong to, bodies that joints
// and states name.
#pragma once

#include <string>
#include <vector>

namespace scree {

/// One setting of a resolved scene.
struct Setting {
    std::string key;    // "material.glass.young", "bodies[2].seed"
    std::string value;  // TOML text
};

/// The settings of a resolved scene (one key per line), in their order.
std::vector<Setting> settings_of(const std::string& resolved);

/// Lines such as `material.glass.young: 1e7 in the checkpoint, 2e7 now`, for settings that a restart may not change. Empty where all fit.
std::vector<std::string> changed_settings(const std::string& before, const std::string& now);

}  // namespace scree
