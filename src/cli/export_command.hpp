// The subcommand that writes frames for other programs.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

/// Adds `scree export`.
void add_export_command(CLI::App& program);

}  // namespace scree
