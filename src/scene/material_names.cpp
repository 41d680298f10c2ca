#include "scene/material_names.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "scene/parse.hpp"

namespace scree {

std::vector<std::string> material_names(const std::string& scene) {
    std::vector<std::string> names;
    std::error_code error;
    if (!std::filesystem::exists(scene, error)) return names;
    try {
        for (const SceneMaterial& material : parse_scene(scene).materials) names.push_back(material.name);
    } catch (const Error&) {
        names.clear();  // of files that are gone: numbers do
    }
    return names;
}

}  // namespace scree
