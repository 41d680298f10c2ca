// A TOML document -> Scene, walking the schema: unknown keys, kinds, required keys, values, checks of each table, then references.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "scene/scene.hpp"

namespace scree {

/// Reads a whole document; `name` stands for the file in messages, paths start at `folder`. Throws Error at the first fault.
Scene read_scene(const toml::table& document, const std::string& name, const std::string& folder);

}  // namespace scree
