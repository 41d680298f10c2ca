// What `scree run` prints at its end: a line for each of the summary's verdicts, and the files written.
#pragma once

#include <string>

#include "output/summary.hpp"

namespace scree {

/// Lines end at `width` columns, 0: never; the words of verdicts are green, yellow or red with `colour`.
std::string closing_table(const Summary& summary, const std::string& directory, int width, bool colour);

}  // namespace scree
