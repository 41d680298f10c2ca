// Values <-> named byte fields of an EngineState. Flavor-neutral.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "engine/snapshot.hpp"

namespace scree {

inline StateField::Type type_of(double) {
    return StateField::Type::Float64;
}
inline StateField::Type type_of(float) {
    return StateField::Type::Float32;
}
inline StateField::Type type_of(std::int64_t) {
    return StateField::Type::Int64;
}
inline StateField::Type type_of(std::uint32_t) {
    return StateField::Type::UInt32;
}
inline StateField::Type type_of(std::int32_t) {
    return StateField::Type::Int32;
}
inline StateField::Type type_of(std::uint8_t) {
    return StateField::Type::UInt8;
}

/// Appends values as a field.
template <class T>
void put(EngineState& out, const std::string& name, const std::vector<T>& values) {
    StateField f;
    f.name = name;
    f.type = type_of(T{});
    f.bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(f.bytes.data(), values.data(), f.bytes.size());
    out.add(std::move(f));
}

/// Values of a field; throws scree::Error where it is missing or of another type.
template <class T>
std::vector<T> take_field(const EngineState& in, const std::string& name) {
    const StateField* f = in.find(name);
    if (f == nullptr) throw Error("the checkpoint has no field \"" + name + "\"; it was written by another version");
    if (f->type != type_of(T{})) {
        throw Error("field \"" + name + "\" of the checkpoint has another type; restart with the precision it was written with");
    }
    std::vector<T> values(f->bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), f->bytes.data(), values.size() * sizeof(T));
    return values;
}

}  // namespace scree
