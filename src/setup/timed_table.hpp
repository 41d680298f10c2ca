// Text files of values over time: a line of names, then rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace scree {

struct TimedTable {
    std::vector<double> time;                 // ascending, one at least
    std::vector<std::vector<double>> column;  // by the names asked for, as long as `time`; of a name that the file has not all 0
};

/// Rows of `time` and any of `names`, one at least. Throws scree::Error at `place` (the key that names the file) or at a line of the file.
TimedTable read_timed_table(const std::string& path, const SourcePlace& place, const std::vector<std::string_view>& names);

}  // namespace scree
