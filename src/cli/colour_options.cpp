#include "cli/colour_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <sstream>

#include "base/error.hpp"
#include "cli/option_checks.hpp"
#include "output/run_directory.hpp"
#include "render/colours.hpp"
#include "render/fields.hpp"
#include "scene/material_names.hpp"

namespace scree {
namespace {

/// The fields that every run has.
std::vector<std::string> known_fields() {
    std::vector<std::string> names;
    std::istringstream words(field_names());
    for (std::string name; std::getline(words >> std::ws, name, ',');) names.push_back(name);
    return names;
}

}  // namespace

std::vector<double> numbers_of(const std::string& text, char between, std::size_t count) {
    std::vector<double> values;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at <= end) {
        double value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc() || !std::isfinite(value)) return {};
        values.push_back(value);
        if (next == end) break;
        if (*next != between) return {};
        at = next + 1;
    }
    return values.size() == count ? values : std::vector<double>{};
}

std::optional<std::pair<double, double>> range_of(const std::string& text) {
    if (text.empty()) return {};
    const std::vector<double> v = numbers_of(text, ':', 2);
    if (v.empty() || !(v[0] < v[1]))
        throw Error(fmt::format("--range: must be two numbers, the lower first, as in 0:2.5, not \"{}\"", text));
    return std::pair{v[0], v[1]};
}

std::vector<std::string> materials_of(const std::string& run) {
    return material_names(run_file(run, RunFiles::scene));
}

CLI::Option* add_colour_options(CLI::App& app, std::string& colour, std::string& range, std::string& map, const std::string& otherwise,
                                const std::string& without, const char* group) {
    CLI::Option* given = app.add_option("--colour,--color", colour,
                                        "Field of bodies that colours show (" + otherwise + "): " + field_names() +
                                            ", and columns of the frames such as damage or fragment")
                             ->check(not_empty())
                             ->check(such_as(known_fields()))
                             ->type_name("FIELD")
                             ->group(group);
    app.add_option("--range", range, "Ends of the colour bar, in SI units (default: " + without + ")")->type_name("LOW:HIGH")->group(group);
    app.add_option("--map", map,
                   "Colours of the bar: viridis, cividis, inferno, embers or coolwarm (default: viridis; coolwarm for what has a sign)")
        ->check(one_of(map_names()))
        ->type_name("NAME")
        ->group(group);
    return given;
}

}  // namespace scree
