// The subcommand `scree new`: a commented scene to start from.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

/// Adds `new [KIND]` to the command line.
void add_new_command(CLI::App& program);

}  // namespace scree
