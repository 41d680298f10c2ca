// Values <-> named byte fields of an EngineState, rows of four among them.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "engine/exec/array.hpp"
#include "engine/state_fields.hpp"

namespace scree::SCREE_FLAVOR {

using scree::put;

/// The entries of values that `chosen` lists, in its order.
template <class T>
std::vector<T> chosen_of(const std::vector<T>& values, const std::vector<std::size_t>& chosen) {
    std::vector<T> out;
    out.reserve(chosen.size());
    for (const std::size_t k : chosen) out.push_back(values[k]);
    return out;
}

/// Rows are saved as plain numbers, four a row.
inline void put(EngineState& out, const std::string& name, const std::vector<Row4>& rows) {
    std::vector<double> flat;
    flat.reserve(4 * rows.size());
    for (const Row4& r : rows) flat.insert(flat.end(), r.value, r.value + 4);
    put(out, name, flat);
}

/// Values of a field; throws scree::Error where it is missing or of another type.
template <class T>
std::vector<T> take(const EngineState& in, const std::string& name) {
    if constexpr (std::is_same_v<T, Row4>) {
        const std::vector<double> flat = take_field<double>(in, name);
        std::vector<Row4> rows(flat.size() / 4);
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {{flat[4 * i], flat[4 * i + 1], flat[4 * i + 2], flat[4 * i + 3]}};
        return rows;
    } else {
        return take_field<T>(in, name);
    }
}

}  // namespace scree::SCREE_FLAVOR
