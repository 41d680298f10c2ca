// The subcommands `scree sweep` and `scree calibrate`: many runs of a scene, over given settings or in search of settings.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

/// Adds `sweep SWEEP` and `calibrate CALIBRATION` to the command line; `exit_code` becomes that of the script that does the work
/// (src/cli/python): 0 all well, 1 runs failed, 2 wrong input, 130 interrupted.
void add_many_runs_commands(CLI::App& program, int& exit_code);

}  // namespace scree
