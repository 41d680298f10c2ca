// Scene -> TOML text, walking the schema: every key that applies, in SI, defaults included.
#pragma once

#include <string>

#include "scene/schema.hpp"

namespace scree {

/// A value as TOML; numbers are the shortest text that reads back to the same double.
std::string toml_text(const Value& value);

/// The scene as TOML that parses to the same Scene from any folder.
std::string resolved_text(const Scene& scene);
/// Its `resolved` text for a file in `folder`, an absolute path: files are named from there, so that a tree of folders may move. What has
/// nothing but the root in common with it keeps its absolute path.
std::string resolved_text_from(const Scene& scene, const std::string& folder);

}  // namespace scree
