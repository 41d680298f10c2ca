// Scene -> TOML text, walking the schema: every key that applies, in SI, defaults included.
#pragma once

#include <string>

#include "scene/schema.hpp"

namespace scree {

/// A value as TOML; numbers are the shortest text that reads back to the same double.
std::string toml_text(const Value& value);

/// The scene as TOML that parses to the same Scene from any folder.
std::string resolved_text(const Scene& scene);

}  // namespace scree
