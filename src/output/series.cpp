#include "output/series.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"
#include "output/atomic_file.hpp"

namespace scree {
namespace {

std::string header(const std::vector<std::string>& columns) {
    std::string line = "step,time";
    for (const std::string& column : columns) line += "," + csv_field(column);
    return line + "\n";
}

/// The header and the rows up to `step`; a line without an end is dropped.
std::string rows_up_to(const std::string& text, std::int64_t step) {
    std::string kept;
    bool first = true;
    for (std::size_t from = 0, end = text.find('\n'); end != std::string::npos; from = end + 1, end = text.find('\n', from)) {
        const std::string line = text.substr(from, end - from + 1);
        if (first || std::strtoll(line.c_str(), nullptr, 10) <= step) kept += line;
        first = false;
    }
    return kept;
}

}  // namespace

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

SeriesWriter::SeriesWriter(const std::string& path, const std::vector<std::string>& columns) : path_(path) {
    open("w");
    put(header(columns));
}

SeriesWriter::SeriesWriter(const std::string& path, const std::vector<std::string>& columns, std::int64_t step) : path_(path) {
    const std::string old = read_file(path);
    if (old.rfind(header(columns), 0) != 0) {
        throw Error(path + ": the earlier run measured other quantities; keep its measures, or restart into a new directory with -o");
    }
    write_file_atomically(path, rows_up_to(old, step));
    open("a");
}

void SeriesWriter::open(const char* mode) {
    file_.reset(std::fopen(path_.c_str(), mode));
    if (!file_) throw RunError("cannot write " + path_ + ": " + std::strerror(errno));
}

void SeriesWriter::put(const std::string& line) {
    // Flushed row by row: a run that is killed loses none.
    if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size() || std::fflush(file_.get()) != 0) {
        throw RunError("cannot write " + path_ + ": " + std::strerror(errno));
    }
}

void SeriesWriter::add(std::int64_t step, double time, const std::vector<std::optional<double>>& values) {
    std::string line = fmt::format("{},{:.17g}", step, time);
    for (const std::optional<double>& value : values) {
        line += ',';
        if (value) line += fmt::format("{:.17g}", *value);
    }
    put(line + '\n');
}

}  // namespace scree
