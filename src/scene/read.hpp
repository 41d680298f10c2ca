// A TOML document -> Scene, walking the schema: unknown keys, kinds, required keys, values, checks of each table, then references.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "scene/scene.hpp"
#include "scene/schema.hpp"

namespace scree {

/// Reads a whole document; `name` stands for the file in messages, paths start at `folder`. Throws Error at the first fault.
Scene read_scene(const toml::table& document, const std::string& name, const std::string& folder);

/// One table of a scene that is there; `label` and `place` are what messages call it. Throws Error.
void read_part(const Table& schema, const toml::table& table, void* object, const Scene& scene, const std::string& label,
               const SourcePlace& place);

}  // namespace scree
