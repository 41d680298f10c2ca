#include "scene/checks.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace scree {
namespace {

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
    std::vector<std::string> names;
    for (const Item& item : items) names.push_back(item.name);
    return names;
}

template <class Item>
void check_unique(const std::vector<Item>& items, const char* what) {
    std::set<std::string> seen;
    for (const Item& item : items)
        if (!seen.insert(item.name).second)
            throw Error(item.place, fmt::format("two {}s are called \"{}\"; give each its own name", what, item.name));
}

void check_pairs(const Scene& scene) {
    std::set<std::pair<std::string, std::string>> seen;
    for (const SceneMaterialPair& pair : scene.material_pairs)
        if (!seen.insert(std::minmax(pair.first, pair.second)).second)
            throw Error(pair.place, fmt::format("the material pair \"{}\", \"{}\" is listed twice; keep one", pair.first, pair.second));
}

}  // namespace

void check_scene(Scene& scene, const TableReading&) {
    for (std::size_t i = 0; i < scene.walls.size(); ++i)
        if (scene.walls[i].name.empty()) scene.walls[i].name = fmt::format("wall{}", i + 1);
    for (SceneMeasure& measure : scene.measures)
        if (measure.name.empty()) measure.name = measure.kind;
    check_unique(scene.walls, "wall");
    check_unique(scene.measures, "measure");
    check_pairs(scene);
}

std::vector<std::string> names_in(const Scene& scene, const std::string& scope) {
    if (scope == "material") return names_of(scene.materials);
    if (scope == "shape") return names_of(scene.shapes);
    return names_of(scene.walls);
}

}  // namespace scree
