// The subcommand `scree collide`: collision detection alone, with what was found as JSON.
#pragma once

namespace CLI {
class App;
}

namespace scree {

/// Adds the subcommand.
void add_collide_command(CLI::App& program);

}  // namespace scree
