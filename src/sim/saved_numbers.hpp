// Plain numbers as fields of checkpoints.
#pragma once

#include <cstring>
#include <vector>

#include "engine/snapshot.hpp"

namespace scree {

template <class T>
StateField field_of(const char* name, StateField::Type type, const std::vector<T>& values) {
    StateField field;
    field.name = name;
    field.type = type;
    field.bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(field.bytes.data(), values.data(), field.bytes.size());
    return field;
}

/// None where there is no such field.
template <class T>
std::vector<T> values_of(const EngineState& from, const char* name) {
    const StateField* field = from.find(name);
    std::vector<T> values(field == nullptr ? 0 : field->bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), field->bytes.data(), values.size() * sizeof(T));
    return values;
}

}  // namespace scree
