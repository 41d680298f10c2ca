#include "setup/functions.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "scene/files_of.hpp"
#include "setup/placement/text_rows.hpp"

namespace scree {

TimeFunction function_of(const SceneFunction& given, const std::string& folder) {
    TimeFunction f{given.constant, given.amplitude, given.frequency, given.phase, {}, {}};
    if (given.table.empty()) return f;
    const std::string path = resolved_path(folder, given.table);
    TextRows rows(path, given.table_place);
    std::vector<std::string_view> row;
    std::size_t time = 0, value = 1;
    for (bool first = true; rows.next(row); first = false) {
        if (row.size() != 2) throw Error(rows.here(), fmt::format("expected two columns time and value, not {}", row.size()));
        if (first && !parse_number(row[0])) {
            if (row[0] == "value" && row[1] == "time") std::swap(time, value);
            if (row[time] != "time" || row[value] != "value")
                throw Error(rows.here(), "the columns are called time and value, or have no names");
            continue;
        }
        const double t = number_or_throw(row[time], rows.here(row[time]));
        if (!f.time.empty() && !(t > f.time.back()))
            throw Error(rows.here(row[time]), fmt::format("times must rise from row to row; {} follows {}", t, f.time.back()));
        f.time.push_back(t);
        f.value.push_back(number_or_throw(row[value], rows.here(row[value])));
    }
    if (f.time.empty()) throw Error(given.table_place, fmt::format("\"{}\" has no rows", path));
    return f;
}

}  // namespace scree
