// A fault in words: what happened, to which body, where and when, and which setting to change.
#pragma once

#include <string>

#include "engine/snapshot.hpp"
#include "model/model.hpp"

namespace scree {

std::string fault_message(const Fault& fault, const Model& model);

/// "body 3 and wall \"floor\"": what touches in a contact.
std::string bodies_of(const ContactRecord& contact, const Model& model);

/// What keeps bodies from overlapping that much: "stiffer contacts (method.stiffness)", under the cone method a better solution.
std::string overlap_remedy(const Model& model);

/// "overlap", "not_finite" or "left", for summary.json.
const char* fault_name(FaultKind kind);

}  // namespace scree
