// scene.toml -> Scene. One schema (scene/schema.hpp) drives parsing, checks, the resolved text and the reference page.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace scree {

/// Reads and checks a scene file. `overrides` are "key.path=value" with TOML values, applied before checking.
/// Throws scree::Error "file:line:column: …" naming what to change; unknown keys name the nearest known one.
Scene parse_scene(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same from text; `name` stands for the file in messages, `folder` is where relative paths start.
Scene parse_scene_text(const std::string& text, const std::string& name, const std::string& folder,
                       const std::vector<std::string>& overrides = {});

/// The motion of a wall that a scene has, from the inline table "{ velocity = … }" that stands behind `motion =`. Messages name the wall.
/// Throws scree::Error where it is no motion for it.
SceneMotion read_wall_motion(const std::string& text, const SceneWall& wall, const Scene& scene);

/// The reference page of all keys as Markdown, generated from the schema.
std::string scene_reference();

}  // namespace scree
