// "key.path=value" -> a change of the TOML document, before it is read and checked.
#pragma once

#include <toml++/toml.h>

#include <string>

namespace scree {

/// Sets one value. A path goes through tables by key, through named tables by name, and through lists of tables by index (from 0) or by
/// their `name`: "time.end=2", "material.glass.friction=0.3", "bodies.0.seed=3", "wall.lid.active=[0, 1]". A missing [table] is added, a
/// missing named or listed one is an error. A value that is no TOML is taken as text, so that time.end=2 s needs no quotes inside.
/// The value carries "--set key.path" as its source, so that later messages name it. Throws Error there.
void apply_override(toml::table& document, const std::string& text);

}  // namespace scree
