#include "output/series.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"
#include "output/atomic_file.hpp"

namespace scree {
namespace {

std::string header(const std::vector<std::string>& columns) {
    std::string line = "step,time";
    for (const std::string& column : columns) {
        line += ',';
        line += csv_field(column);
    }
    return line + "\n";
}

struct Kept {
    std::string text;
    std::int64_t last_step{-1};
};

/// The header and the rows up to `step`; a line without an end is dropped.
Kept rows_up_to(const std::string& text, std::int64_t step) {
    Kept kept;
    bool first = true;
    for (std::size_t from = 0, end = text.find('\n'); end != std::string::npos; from = end + 1, end = text.find('\n', from)) {
        const std::string line = text.substr(from, end - from + 1);
        const std::int64_t row = first ? -1 : std::strtoll(line.c_str(), nullptr, 10);
        first = false;
        if (row > step) continue;
        kept.text += line;
        kept.last_step = row;
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
    const Kept kept = rows_up_to(old, step);
    write_file_atomically(path, kept.text);
    last_step_ = kept.last_step;
    open("a");
}

void SeriesWriter::open(const char* mode) {
    file_.reset(std::fopen(path_.c_str(), mode));
    if (!file_) throw RunError("cannot write " + path_ + ": " + std::strerror(errno));
}

void SeriesWriter::put(const std::string& line) {
    // A file that was removed takes what is written, and loses it at the end.
    struct stat status {};
    if (fstat(fileno(file_.get()), &status) == 0 && status.st_nlink == 0) {
        throw RunError("cannot write " + path_ + ": it was removed or replaced while the run went on");
    }
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
    last_step_ = step;
}

}  // namespace scree
