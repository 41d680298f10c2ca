#include "view/series_table.hpp"

#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

namespace scree {

std::vector<std::string> csv_fields(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t k = 0; k < line.size(); ++k) {
        const char c = line[k];
        if (quoted && c == '"' && k + 1 < line.size() && line[k + 1] == '"') {
            fields.back() += line[++k];
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            fields.emplace_back();
        } else if (c != '\r') {
            fields.back() += c;
        }
    }
    return fields;
}

void SeriesTable::forget() {
    columns_.clear();
    values_.clear();
    read_ = 0;
}

void SeriesTable::add_line(const std::string& line) {
    const std::vector<std::string> fields = csv_fields(line);
    if (columns_.empty()) {
        columns_ = fields;
        values_.resize(columns_.size());
        return;
    }
    if (fields.size() != columns_.size()) return;  // damaged
    for (std::size_t c = 0; c < fields.size(); ++c)
        values_[c].push_back(fields[c].empty() ? std::nan("") : std::strtod(fields[c].c_str(), nullptr));
}

bool SeriesTable::read(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        const bool had = !columns_.empty();
        forget();
        node_ = 0;
        return had;
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    bool changed = false;
    if (node_ != status.st_ino || size < read_) {
        changed = !columns_.empty();
        forget();
        node_ = status.st_ino;
    }
    if (size == read_) return changed;
    std::ifstream in(path, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(read_));
    std::string line;
    while (std::getline(in, line) && !in.eof()) {  // a line without an end is still being written
        read_ += line.size() + 1;
        add_line(line);
        changed = true;
    }
    return changed;
}

}  // namespace scree
