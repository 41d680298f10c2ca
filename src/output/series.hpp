// series.csv: one row per step at which anything was measured, one column per quantity, a blank cell where a measure was not due.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scree {

class SeriesWriter {
public:
    /// Starts an empty file. Columns "step" and "time" [s] come first. Throws RunError.
    SeriesWriter(const std::string& path, const std::vector<std::string>& columns);
    /// Goes on after an earlier run: rows later than `step`, and a last line cut short, are dropped.
    /// Throws Error where the file has other columns.
    SeriesWriter(const std::string& path, const std::vector<std::string>& columns, std::int64_t step);

    /// Appends a row and hands it to the system; `values` has one entry per column. Throws RunError.
    void add(std::int64_t step, double time, const std::vector<std::optional<double>>& values);

    /// Step of the last row, -1 without any.
    std::int64_t last_step() const { return last_step_; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    void open(const char* mode);
    void put(const std::string& line);

    std::string path_;
    std::int64_t last_step_{-1};
    std::unique_ptr<std::FILE, Close> file_;
};

/// A field of a CSV line: quoted where it holds a comma, a quote or a line end (RFC 4180).
std::string csv_field(const std::string& text);

}  // namespace scree
