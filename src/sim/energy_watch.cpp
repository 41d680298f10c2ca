#include "sim/energy_watch.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

std::size_t place_of(const std::vector<std::string>& columns, const std::string& name) {
    return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
}

}  // namespace

EnergyWatch::EnergyWatch(const std::vector<std::string>& columns) {
    for (const std::string& column : columns) {
        const auto dot = column.rfind(".total");
        if (dot == std::string::npos || dot + 6 != column.size()) continue;
        const std::string measure = column.substr(0, dot + 1);
        if (place_of(columns, measure + "kinetic_translation") == columns.size()) continue;
        const auto add = [&](std::vector<std::size_t>& to, const char* name) {
            if (const std::size_t place = place_of(columns, measure + name); place < columns.size()) to.push_back(place);
        };
        total_ = place_of(columns, column);
        if (const std::size_t place = place_of(columns, measure + "potential"); place < columns.size()) potential_ = place;
        for (const char* name : {"work_of_walls", "work_of_fields"}) add(work_, name);
        for (const char* name : {"kinetic_translation", "kinetic_rotation", "elastic_normal", "elastic_tangential", "dissipated_damping",
                                 "dissipated_friction"})
            add(turned_, name);
        return;
    }
}

void EnergyWatch::note(const std::vector<std::optional<double>>& row) {
    if (total_ == none || !row[total_] || !std::isfinite(*row[total_])) return;
    const auto sum = [&](const std::vector<std::size_t>& columns) {
        double value = 0;
        for (const std::size_t c : columns) value += row[c].value_or(0);
        return value;
    };
    const double kept = *row[total_] - sum(work_), potential = potential_ == none ? 0 : row[potential_].value_or(0);
    if (error_.samples++ == 0) first_ = kept, lowest_ = highest_ = potential;
    lowest_ = std::min(lowest_, potential), highest_ = std::max(highest_, potential);
    error_.largest_change = std::max(error_.largest_change, std::fabs(kept - first_));
    error_.turned_over = std::max({error_.turned_over, std::fabs(sum(turned_)), highest_ - lowest_});
}

std::optional<EnergyError> EnergyWatch::error() const {
    return error_.samples > 1 ? std::optional(error_) : std::nullopt;
}

}  // namespace scree
