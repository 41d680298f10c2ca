// How well the energy of a run is accounted for, from the rows of series.csv as they are written: what `scree report` says of the file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "output/summary.hpp"

namespace scree {

class EnergyWatch {
public:
    EnergyWatch() = default;
    /// `columns` of the series; the first measure that has a column NAME.total and NAME.kinetic_translation is watched.
    explicit EnergyWatch(const std::vector<std::string>& columns);

    /// Takes a row as it was written; cells without value are left out.
    void note(const std::vector<std::optional<double>>& row);

    /// None where nothing was measured at two times.
    std::optional<EnergyError> error() const;

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t total_{none}, potential_{none};
    std::vector<std::size_t> work_, turned_;  // columns
    EnergyError error_;
    double first_{0}, lowest_{0}, highest_{0};  // total less work, potential [J]
};

}  // namespace scree
