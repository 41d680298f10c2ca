// The rows of series.csv as columns of numbers, read on as the file grows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scree {

class SeriesTable {
public:
    /// Reads what is new of a file. True where there is anything: rows, or another file in its place. A file that is not there has none.
    bool read(const std::string& path);

    /// Names of the columns, "step" and "time" first.
    const std::vector<std::string>& columns() const { return columns_; }
    std::size_t rows() const { return columns_.empty() ? 0 : values_.front().size(); }
    /// NaN where a cell is empty.
    const std::vector<double>& values(std::size_t column) const { return values_[column]; }

private:
    void add_line(const std::string& line);
    void forget();

    std::vector<std::string> columns_;
    std::vector<std::vector<double>> values_;
    std::uint64_t node_{0}, read_{0};  // of the file; bytes read so far
};

/// The fields of a line of CSV (RFC 4180), as csv_field() writes them.
std::vector<std::string> csv_fields(const std::string& line);

}  // namespace scree
