// One TOML value -> Value, by the type, unit, bounds and words of its key.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "scene/schema.hpp"

namespace scree {

/// Where a node stands: line and column in the file, or "--set key.path" for one that an override brought; `fallback` where it has no
/// source.
SourcePlace place_of(const toml::node& node, const SourcePlace& fallback);

/// What a name may be made of: letters, digits, `_` and `-`, so that it can stand in a path, a column head and a TOML header.
bool is_identifier(const std::string& name);

/// Reads and checks the value of a key. `label` names it in messages ("[[wall]] radius"), paths start at `folder`. Throws Error at the
/// node.
Value read_value(const toml::node& node, const Key& key, const std::string& label, const SourcePlace& fallback, const std::string& folder,
                 std::int64_t dimensions = 3);

}  // namespace scree
