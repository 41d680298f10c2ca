#include "setup/placement/vtk_arrays.hpp"

#include <algorithm>
#include <cctype>

namespace scree {

namespace {

constexpr std::array<VtkMeaning, 9> kArrays{{{"radius", {Column::Radius}, 1},
                                             {"diameter", {Column::Diameter}, 1},
                                             {"v", {Column::Vx, Column::Vy, Column::Vz}, 3},
                                             {"velocity", {Column::Vx, Column::Vy, Column::Vz}, 3},
                                             {"omega", {Column::Wx, Column::Wy, Column::Wz}, 3},
                                             {"angular_velocity", {Column::Wx, Column::Wy, Column::Wz}, 3},
                                             {"id", {Column::Id}, 1},
                                             {"type", {Column::Type}, 1},
                                             {"density", {Column::Density}, 1}}};
// Bodies of a frame keep their order, so that ids are not needed.
constexpr std::array<VtkMeaning, 5> kExported{{{"radius", {Column::Radius}, 1},
                                               {"velocity", {Column::Vx, Column::Vy, Column::Vz}, 3},
                                               {"angular_velocity", {Column::Wx, Column::Wy, Column::Wz}, 3},
                                               {"material", {Column::Material}, 1},
                                               {"orientation", {Column::Qw, Column::Qx, Column::Qy, Column::Qz}, 4}}};

template <std::size_t n>
const VtkMeaning* found(const std::array<VtkMeaning, n>& all, std::string_view name) {
    const auto* one = std::find_if(all.begin(), all.end(), [&](const VtkMeaning& meaning) { return meaning.name == name; });
    return one == all.end() ? nullptr : one;
}

}  // namespace

std::string small_letters(std::string_view word) {
    std::string result(word);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

const VtkMeaning* vtk_meaning(std::string_view name) {
    return found(kArrays, small_letters(name));
}

const VtkMeaning* vtk_meaning_exported(std::string_view name) {
    return found(kExported, name);
}

void store_components(const VtkMeaning& meaning, const std::vector<double>& values, BodyColumns& bodies) {
    for (std::size_t c = 0; c < meaning.components; ++c) {
        std::vector<double>& column = bodies.of(meaning.columns[c]);
        column.reserve(column.size() + values.size() / meaning.components);
        for (std::size_t at = c; at < values.size(); at += meaning.components) column.push_back(values[at]);
    }
}

}  // namespace scree
