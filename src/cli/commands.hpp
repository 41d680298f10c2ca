// The subcommands of `scree`.
#pragma once

namespace scree {

/// Parses the command line and runs the subcommand named there. Returns the exit code; throws scree::Error, scree::RunError.
int run_command_line(int argc, char** argv);

}  // namespace scree
