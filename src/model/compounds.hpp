// Which bodies of a model are compounds: frames of members, without a surface of their own.
#pragma once

#include "model/model.hpp"

namespace scree {

/// Is a body of this shape (BodyTable::shape) a compound?
inline bool is_compound_shape(const Model& model, std::int32_t shape) {
    return shape >= 0 && model.shapes.at(static_cast<std::size_t>(shape)).compound();
}
/// Is body i a compound?
inline bool is_compound(const Model& model, std::size_t i) {
    return is_compound_shape(model, model.bodies.shape[i]);
}

}  // namespace scree
