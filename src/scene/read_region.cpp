#include "scene/read_region.hpp"

#include <toml++/toml.h>

#include "scene/nesting.hpp"
#include "scene/read.hpp"
#include "scene/tables.hpp"

namespace scree {

ScenePlacement read_region(const std::string& keys, const Scene& scene) {
    const std::string name = "region";
    require_shallow(keys, name);
    ScenePlacement region;
    try {
        const toml::table table = toml::parse(std::string_view(keys), std::string(name));
        read_part(*region_table(true), table, &region, scene, name, {name, 1, 1});
    } catch (const toml::parse_error& fault) {
        const toml::source_position at = fault.source().begin;
        throw Error(SourcePlace{name, static_cast<int>(at.line), static_cast<int>(at.column)}, std::string(fault.description()));
    }
    return region;
}

}  // namespace scree
