// Options of commands that colour bodies by a field, and what stands behind them.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace scree {

/// The numbers of "a<between>b<between>c", as many as wanted, or none.
std::vector<double> numbers_of(const std::string& text, char between, std::size_t count);

/// "LOW:HIGH" of --range; nothing where it is empty. Throws Error.
std::optional<std::pair<double, double>> range_of(const std::string& text);

/// Names of the materials of a run, by their numbers; none where its scene cannot be read again.
std::vector<std::string> materials_of(const std::string& run);

/// --colour, --range and --map; comes back with --colour. `otherwise` is said of the default field, `without`, of the default range.
CLI::Option* add_colour_options(CLI::App& app, std::string& colour, std::string& range, std::string& map, const std::string& otherwise,
                                const std::string& without, const char* group);

}  // namespace scree
