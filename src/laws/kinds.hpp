// Every kind of law that is declared (laws/part.hpp), by its key in [method].
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "laws/cohesion.hpp"
#include "laws/friction.hpp"
#include "laws/normal.hpp"

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

inline const std::vector<LawKind>& law_kinds() {
    static const std::vector<LawKind> all = [] {
        std::vector<LawKind> kinds{
            {"law", {std::begin(PlasticLaws::parts), std::end(PlasticLaws::parts)}}, {"dashpot", {}}, {"tangential", {}}};
        for (const LawPart& part : damping_parts) kinds[1].parts.push_back(&part);
        for (const LawPart& part : tangential_parts) kinds[2].parts.push_back(&part);
        kinds.push_back({"cohesion", {std::begin(CohesionLaws::parts), std::end(CohesionLaws::parts)}});
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
