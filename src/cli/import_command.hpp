// The subcommand that turns input decks of other programs into scenes.
#pragma once

#include <CLI/CLI.hpp>

namespace scree {

/// Adds `scree import`, which a script of src/cli/python/ carries out.
void add_import_command(CLI::App& program, int& exit_code);

}  // namespace scree
