// What is known of a terminal: how wide it is, and whether it takes colours and lines that are drawn again.
#pragma once

namespace scree {

/// Is the file descriptor a terminal that can go back in a line? (TERM is not "dumb".)
bool can_rewrite(int descriptor);

/// Columns: of the terminal, else what COLUMNS says, else 80.
int terminal_width(int descriptor);

/// A terminal that can rewrite, and NO_COLOR is unset or empty (no-color.org).
bool wants_colour(int descriptor);

}  // namespace scree
