// Files of General Simulation Data (GSD), file layer 1.x and 2.x: named tables of numbers ("chunks") by frames
// (gsd.readthedocs.io, "File layer").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "setup/placement/binary_numbers.hpp"

namespace scree {

/// Do these bytes begin as such a file does?
bool is_gsd(std::string_view bytes);

class GsdFile {
public:
    /// `bytes` outlive this; `path` is for messages. Throws scree::Error where header, index or names do not lie inside the file.
    GsdFile(const std::string& path, std::string_view bytes);

    /// What the tables mean, such as "hoomd".
    const std::string& schema() const { return schema_; }
    std::uint64_t frames() const { return entries_.empty() ? 0 : entries_.back().frame + 1; }
    bool has(std::string_view chunk, std::uint64_t frame) const { return find(chunk, frame) != nullptr; }
    /// A table of `rows` and `columns` in a frame, row by row; empty where it is not there. Throws scree::Error where it has another size,
    /// does not lie inside the file, or holds numbers that are not finite.
    std::vector<double> read(std::string_view chunk, std::uint64_t frame, std::uint64_t rows, std::uint64_t columns) const;

    SourcePlace place() const { return {path_, 0, 0}; }

private:
    struct Entry {
        std::uint64_t frame, rows, at, columns;
        unsigned type;
    };
    const Entry* find(std::string_view chunk, std::uint64_t frame) const;
    /// Part of the file. Throws scree::Error where it does not lie inside.
    std::string_view part(std::uint64_t at, std::uint64_t count, std::uint64_t bytes_each, const char* what) const;
    std::uint64_t whole(std::size_t at, std::size_t size) const { return bits_of(bytes_.substr(at, size), true); }
    void read_names(std::uint64_t at, std::uint64_t blocks, bool of_fixed_length);
    void read_index(std::uint64_t at, std::uint64_t count);

    std::string path_;
    std::string_view bytes_;
    std::string schema_;
    std::unordered_map<std::string_view, std::size_t> names_;  // to their numbers
    std::vector<Entry> entries_;                               // frames in order
    std::vector<std::size_t> name_of_;                         // of each entry
};

}  // namespace scree
