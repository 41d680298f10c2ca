#include "sim/measured_cell.hpp"

#include <cmath>

namespace scree {

const std::vector<std::string>& cell_columns(int dimensions) {
    static const std::vector<std::string> flat{"strain_x", "strain_y", "shear", "length_x", "length_y", "rate_x", "rate_y", "shear_rate"};
    static const std::vector<std::string> solid{"strain_x", "strain_y", "strain_z", "shear",  "length_x",  "length_y",
                                                "length_z", "rate_x",   "rate_y",   "rate_z", "shear_rate"};
    return dimensions == 2 ? flat : solid;
}

std::vector<std::optional<double>> cell_values(const Cell& start, int dimensions, const Cell& now) {
    std::vector<std::optional<double>> row;
    const auto each_axis = [&](auto value) {
        for (int a = 0; a < dimensions; ++a) row.push_back(now.periodic[a] ? std::optional<double>(value(a)) : std::nullopt);
    };
    each_axis([&](int a) { return std::log(now.length[a] / start.length[a]); });
    row.emplace_back(now.strain);
    each_axis([&](int a) { return now.length[a]; });
    each_axis([&](int a) { return now.growth[a] / now.length[a]; });
    row.emplace_back(now.shear_rate());
    return row;
}

}  // namespace scree
