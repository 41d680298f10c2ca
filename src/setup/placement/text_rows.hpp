// Rows of fields from a text file: apart by commas or by blanks, with blank lines and lines that start with # left out. Fields may
// stand in quotation marks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace scree {

class TextRows {
public:
    /// Reads the whole file. Throws scree::Error at `place` (the key that names the file) where it cannot be read.
    TextRows(const std::string& path, const SourcePlace& place);
    /// The rows of a text that is read already; `path` is for messages.
    TextRows(const std::string& path, std::string text);

    /// The next row, trimmed; false at the end. Throws scree::Error where a row has control characters. A line with a comma is split at
    /// commas, any other at blanks. Views last as long as *this.
    bool next(std::vector<std::string_view>& fields);
    /// Goes on at byte `at` of the file, which begins a line.
    void skip_to(std::size_t at);
    /// All bytes of the file.
    const std::string& text() const { return text_; }
    /// All bytes after the row last read.
    std::string_view rest() const { return std::string_view(text_).substr(std::min(at_, text_.size())); }
    /// File and line of the row last read.
    SourcePlace here() const { return {path_, line_, 0}; }
    /// The same with the column of `field`, one of the row last read.
    SourcePlace here(std::string_view field) const { return {path_, line_, static_cast<int>(field.data() - text_.data() - begin_) + 1}; }
    /// Whether the row last read had commas.
    bool has_commas() const { return commas_; }

private:
    /// Messages quote from rows, and would end at a zero.
    void require_text(std::string_view line) const;

    std::string path_;
    std::string text_;
    std::size_t at_{0};
    std::ptrdiff_t begin_{0};  // of the line last read
    int line_{0};
    bool commas_{false};
};

/// The whole field as a finite number, or nothing.
std::optional<double> parse_number(std::string_view field);
/// The same, with a scree::Error at `place` where the field is no finite number.
double number_or_throw(std::string_view field, const SourcePlace& place);
/// The whole field as a whole number, or nothing.
std::optional<std::int64_t> parse_whole_number(std::string_view field);

}  // namespace scree
