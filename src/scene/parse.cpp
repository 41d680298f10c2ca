#include "scene/parse.hpp"

#include <toml++/toml.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "scene/overrides.hpp"
#include "scene/read.hpp"
#include "scene/write.hpp"

namespace scree {

Scene parse_scene_text(const std::string& text, const std::string& name, const std::string& folder,
                       const std::vector<std::string>& overrides) {
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

Scene parse_scene(const std::string& path, const std::vector<std::string>& overrides) {
    std::error_code fault;
    if (std::filesystem::is_directory(path, fault)) throw Error(SourcePlace{path, 0, 0}, "is a folder; give the scene file in it");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(SourcePlace{path, 0, 0}, "cannot be read; is the path right?");
    std::ostringstream text;
    text << file.rdbuf();
    return parse_scene_text(text.str(), path, std::filesystem::path(path).parent_path().string(), overrides);
}

}  // namespace scree
