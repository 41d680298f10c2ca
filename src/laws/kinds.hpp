// Every kind of law that is declared (laws/part.hpp), by its key in [method].
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "laws/cohesion.hpp"
#include "laws/friction.hpp"
#include "laws/normal.hpp"
#include "laws/rolling.hpp"

namespace scree {

struct LawKind {
    const char* key;
    std::vector<const LawPart*> parts;

    /// Null where no declared law has that name.
    const LawPart* find(std::string_view name) const {
        for (const LawPart* part : parts)
            if (name == part->name) return part;
        return nullptr;
    }
};

/// Its key in [[material_pair]], where `cohesion` is a force.
inline std::string pair_key(std::string_view kind) {
    return kind == "cohesion" ? "cohesion_law" : std::string(kind);
}

/// Does the cone method read it too? Such parameters are members of scenes of their own.
inline bool is_of_cone(const LawParameter* parameter) {
    return parameter == &cohesion_pull || parameter == &rolling_friction || parameter == &rolling_damping ||
           parameter == &spinning_friction;
}

inline const std::vector<LawKind>& law_kinds() {
    static const std::vector<LawKind> all = [] {
        std::vector<LawKind> kinds;
        const auto add = [&](const char* key, const auto& plain) -> std::vector<const LawPart*>& {
            std::vector<const LawPart*>& parts = kinds.emplace_back(LawKind{key, {}}).parts;
            for (const LawPart& part : plain) parts.push_back(&part);
            return parts;
        };
        std::vector<const LawPart*>& normal = add("law", plain_normal_parts);
        normal.insert(normal.end(), std::begin(PlasticLaws::parts), std::end(PlasticLaws::parts));
        add("dashpot", damping_parts);
        add("tangential", tangential_parts);
        add("rolling", rolling_parts);
        add("twisting", twisting_parts);
        std::vector<const LawPart*>& pulls = add("cohesion", no_cohesion);
        pulls.insert(pulls.end(), std::begin(CohesionLaws::parts), std::end(CohesionLaws::parts));
        return kinds;
    }();
    return all;
}

/// Every parameter of these laws, once.
inline std::vector<const LawParameter*> law_parameters() {
    std::vector<const LawParameter*> all;
    for (const LawKind& kind : law_kinds())
        for (const LawPart* part : kind.parts)
            for (int k = 0; k < part->count; ++k)
                if (std::find(all.begin(), all.end(), part->parameters[k]) == all.end()) all.push_back(part->parameters[k]);
    return all;
}

/// The laws that read a parameter, as a scene asks for them: key = "name".
inline std::vector<std::string> readers_of(std::string_view parameter) {
    std::vector<std::string> names;
    for (const LawKind& kind : law_kinds())
        for (const LawPart* part : kind.parts)
            if (part->index_of(parameter) >= 0) names.push_back(std::string(kind.key) + " = \"" + part->name + "\"");
    return names;
}

}  // namespace scree
