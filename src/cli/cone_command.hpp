// The subcommand `scree cone`: one friction problem from a file, solved, with what came out as JSON.
#pragma once

namespace CLI {
class App;
}

namespace scree {

/// Adds the subcommand; running it sets exit_code to 0 where the tolerance was reached, else 1.
void add_cone_command(CLI::App& program, int& exit_code);

}  // namespace scree
