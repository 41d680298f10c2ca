// The subcommand `scree shape`: mass properties of a closed mesh, and spheres that fill it.
#pragma once

namespace CLI {
class App;
}

namespace scree {

/// Adds the subcommand.
void add_shape_command(CLI::App& program);

}  // namespace scree
