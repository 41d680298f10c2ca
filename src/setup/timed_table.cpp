#include "setup/timed_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "setup/placement/text_rows.hpp"

namespace scree {

namespace {

using Row = std::vector<std::string_view>;

/// For each field of a row its place among `names`, -1 for the time.
std::vector<int> read_header(const Row& words, const std::vector<std::string_view>& names, const SourcePlace& here) {
    std::vector<int> meaning;
    for (const std::string_view word : words) {
        const auto found = std::find(names.begin(), names.end(), word);
        if (found == names.end() && word != "time")
            throw Error(here,
                        fmt::format("unknown column \"{}\": the first line names the columns, of time, {}", word, fmt::join(names, ", ")));
        meaning.push_back(word == "time" ? -1 : static_cast<int>(found - names.begin()));
        if (std::count(meaning.begin(), meaning.end(), meaning.back()) > 1)
            throw Error(here, fmt::format("column \"{}\" stands twice", word));
    }
    if (std::count(meaning.begin(), meaning.end(), -1) == 0) throw Error(here, "a column time is needed");
    if (words.size() < 2)
        throw Error(here,
                    fmt::format("beside time a column {} or {} is needed", fmt::join(names.begin(), names.end() - 1, ", "), names.back()));
    return meaning;
}

}  // namespace

TimedTable read_timed_table(const std::string& path, const SourcePlace& place, const std::vector<std::string_view>& names) {
    TextRows rows(path, place);
    Row row;
    if (!rows.next(row)) throw Error(place, fmt::format("\"{}\" is empty", path));
    const std::vector<int> meaning = read_header(row, names, rows.here());
    TimedTable table;
    table.column.resize(names.size());
    while (rows.next(row)) {
        if (row.size() != meaning.size()) throw Error(rows.here(), fmt::format("expected {} fields, not {}", meaning.size(), row.size()));
        double time = 0;
        for (std::vector<double>& column : table.column) column.push_back(0);
        for (std::size_t k = 0; k < row.size(); ++k) {
            const double value = number_or_throw(row[k], rows.here(row[k]));
            (meaning[k] < 0 ? time : table.column[static_cast<std::size_t>(meaning[k])].back()) = value;
        }
        if (!table.time.empty() && !(time > table.time.back()))
            throw Error(rows.here(), fmt::format("times must rise from row to row; {} follows {}", time, table.time.back()));
        table.time.push_back(time);
    }
    if (table.time.empty()) throw Error(place, fmt::format("\"{}\" has no rows", path));
    return table;
}

}  // namespace scree
