// What arrays of points mean that VTK files hold, legacy and XML alike.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "setup/placement/body_columns.hpp"

namespace scree {

/// The columns that the components of an array fill.
struct VtkMeaning {
    std::string_view name;  // in small letters
    std::array<Column, 4> columns;
    std::size_t components;
};
inline constexpr VtkMeaning kVtkPlaces{"points", {Column::X, Column::Y, Column::Z}, 3};

/// The meaning of an array of this name, in letters of any size; null where it says nothing about bodies.
const VtkMeaning* vtk_meaning(std::string_view name);
/// The same, of a frame that scree exported.
const VtkMeaning* vtk_meaning_exported(std::string_view name);

/// Appends components to the columns that they fill.
void store_components(const VtkMeaning& meaning, const std::vector<double>& values, BodyColumns& bodies);

std::string small_letters(std::string_view word);

}  // namespace scree
