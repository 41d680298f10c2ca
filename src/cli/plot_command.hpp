// The subcommands `scree plot` and `scree report`: pictures and a page of what runs came to.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

/// Adds `plot RUN...` and `report RUN...` to the command line; `exit_code` becomes that of the script that draws (src/cli/python).
void add_plot_commands(CLI::App& program, int& exit_code);

}  // namespace scree
