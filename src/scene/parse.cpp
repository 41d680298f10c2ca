#include "scene/parse.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <filesystem>
#include <system_error>

#include "scene/nesting.hpp"
#include "scene/overrides.hpp"
#include "scene/plain_file.hpp"
#include "scene/read.hpp"
#include "scene/tables.hpp"
#include "scene/write.hpp"

namespace scree {

Scene parse_scene_text(const std::string& text, const std::string& name, const std::string& folder,
                       const std::vector<std::string>& overrides) {
    require_shallow(text, name);
    toml::table document;
    try {
        document = toml::parse(std::string_view(text), std::string(name));
    } catch (const toml::parse_error& fault) {
        const toml::source_position at = fault.source().begin;
        throw Error(SourcePlace{name, static_cast<int>(at.line), static_cast<int>(at.column)}, std::string(fault.description()));
    }
    for (const std::string& change : overrides) apply_override(document, change);
    Scene scene = read_scene(document, name, folder);
    scene.resolved = resolved_text(scene);
    return scene;
}

SceneMotion read_wall_motion(const std::string& text, const SceneWall& wall, const Scene& scene) {
    const std::string name = "motion of wall \"" + wall.name + "\"";
    if (text.find_first_of("\n\r") != std::string::npos) throw Error(SourcePlace{name, 0, 0}, "must be on one line");
    require_shallow(text, name);
    toml::table document;
    try {
        document = toml::parse(std::string_view("motion = " + text));  // without a file: no line and column are told
    } catch (const toml::parse_error& fault) {
        throw Error(SourcePlace{name, 0, 0}, fmt::format("{} is not a table of TOML: {}", text, fault.description()));
    }
    const toml::table* table = document["motion"].as_table();
    if (table == nullptr || document.size() != 1) throw Error(SourcePlace{name, 0, 0}, "must be a table { … }, not " + text);
    SceneMotion motion;
    read_part(*motion_table(), *table, &motion, scene, "motion", {name, 0, 0});
    return motion;
}

Scene parse_scene(const std::string& path, const std::vector<std::string>& overrides) {
    std::error_code fault;
    if (std::filesystem::is_directory(path, fault)) throw Error(SourcePlace{path, 0, 0}, "is a folder; give the scene file in it");
    if (!std::filesystem::exists(path, fault)) throw Error(SourcePlace{path, 0, 0}, "cannot be read; is the path right?");
    const std::string text = read_plain_file(path, kMostSceneBytes, {});
    return parse_scene_text(text, path, std::filesystem::path(path).parent_path().string(), overrides);
}

}  // namespace scree
