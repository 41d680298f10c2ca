// How deeply a TOML text nests, found before a parser sees it: the parser and the tables that it makes call themselves once a level, and
// end the program where the stack ends.
#pragma once

#include <string_view>

#include "base/error.hpp"

namespace scree {

/// Most levels of tables and lists within each other; the language of scenes has no use for more than eight.
constexpr int kMostNesting = 64;

/// Throws Error with line and column in `name` where brackets and dotted keys of `text` go deeper than kMostNesting. O(length).
void require_shallow(std::string_view text, const std::string& name);

}  // namespace scree
