// The nearest known word to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Least number of inserted, deleted, replaced or swapped neighbouring characters that turns `a` into `b`. O(|a| |b|).
int edit_distance(std::string_view a, std::string_view b);

/// The word of `known` nearest to `word`; empty where none is near (more than a third of the letters differ, two at least).
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// `; did you mean "…"?`, or the list of known words where none is near, or nothing where there are none.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace scree
