// One body out of a frame, with what its fields depend on: its compound and that one's other members, and their contacts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "render/fields.hpp"

namespace scree {

struct OneBody {
    FrameParts parts;    // few rows; shapes and walls are the frame's
    std::size_t row{0};  // of the body among them
};

/// Nothing where the frame does not have it.
std::optional<OneBody> one_body(const FrameParts& frame, std::uint32_t id);

/// How strong each contact is [N].
std::vector<double> contact_forces(const FrameParts& frame);

}  // namespace scree
