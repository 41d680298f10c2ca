// [[body]] tables, and walls with a mass of their own -> compounds with names.
#pragma once

#include <string>
#include <vector>

#include "setup/compounds.hpp"

namespace scree {

/// A named body before it has an id.
struct NamedBody {
    std::string name;
    std::int32_t shape{0};  // its template in the model
    CompoundStart start;
    std::vector<Member> members;  // none where nothing touches it
    SourcePlace place;
};

/// The named bodies in the order of their ids: [[body]] tables, then walls. Adds their templates to the model, whose materials are there.
/// Throws scree::Error at the body or wall.
std::vector<NamedBody> named_bodies(const Scene& scene, Model& model);

/// Appends them to the bodies of the model, and hands walls to those that carry them.
void add_named_bodies(const Scene& scene, const std::vector<NamedBody>& named, Model& model);

}  // namespace scree
