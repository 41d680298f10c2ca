// The subcommand `scree render`: pictures and films of runs.
#pragma once

namespace CLI {
class App;
}

namespace scree {

/// Adds the subcommand.
void add_render_command(CLI::App& program);

}  // namespace scree
