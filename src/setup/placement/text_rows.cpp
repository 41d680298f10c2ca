// Reading of text tables; the whole file is held at once, since fields are views into it.
#include "setup/placement/text_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "scene/plain_file.hpp"

namespace scree {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
    return s;
}

/// What stands between quotation marks, or the field as it is.
std::string_view unquoted(std::string_view field) {
    return field.size() >= 2 && field.front() == '"' && field.back() == '"' ? field.substr(1, field.size() - 2) : field;
}

void split_at_commas(std::string_view line, std::vector<std::string_view>& fields) {
    for (;;) {
        line = trimmed(line);
        // A comma between quotation marks is part of the field.
        const std::size_t closing = line.starts_with('"') ? line.find('"', 1) : std::string_view::npos;
        const std::size_t comma = line.find(',', closing == std::string_view::npos ? 0 : closing);
        fields.push_back(unquoted(trimmed(line.substr(0, comma))));
        if (comma == std::string_view::npos) return;
        line.remove_prefix(comma + 1);
    }
}

void split_at_blanks(std::string_view line, std::vector<std::string_view>& fields) {
    while (!line.empty()) {
        std::size_t end = 0;
        while (end < line.size() && !is_blank(line[end])) ++end;
        fields.push_back(unquoted(line.substr(0, end)));
        line = trimmed(line.substr(end));
    }
}

}  // namespace

TextRows::TextRows(const std::string& path, const SourcePlace& place) : TextRows(path, read_plain_file(path, kMostDataBytes, place)) {
}

TextRows::TextRows(const std::string& path, std::string text) : path_(path), text_(std::move(text)) {
    if (text_.compare(0, 3, "\xEF\xBB\xBF") == 0) at_ = 3;  // byte order mark
}

void TextRows::skip_to(std::size_t at) {
    const auto begin = text_.begin();
    line_ = static_cast<int>(std::count(begin, begin + static_cast<std::ptrdiff_t>(at), '\n'));
    at_ = at;
}

void TextRows::require_text(std::string_view line) const {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 && !is_blank(c); };
    const auto odd = std::find_if(line.begin(), line.end(), is_control);
    if (odd != line.end())
        throw Error(here(line.substr(static_cast<std::size_t>(odd - line.begin()))),
                    fmt::format("a byte {:#04x} is not text: the file is binary or damaged", static_cast<unsigned>(*odd)));
}

bool TextRows::next(std::vector<std::string_view>& fields) {
    fields.clear();
    while (at_ < text_.size()) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        const std::string_view line = trimmed(std::string_view(text_).substr(at_, end - at_));
        begin_ = static_cast<std::ptrdiff_t>(at_);
        at_ = end + 1;
        ++line_;
        if (line.empty() || line.front() == '#') continue;
        require_text(line);
        commas_ = line.find(',') != std::string_view::npos;
        if (commas_) {
            split_at_commas(line, fields);
        } else {
            split_at_blanks(line, fields);
        }
        return true;
    }
    return false;
}

std::optional<double> parse_number(std::string_view field) {
    if (!field.empty() && field.front() == '+') field.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<std::int64_t> parse_whole_number(std::string_view field) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    return error == std::errc() && end == field.data() + field.size() ? std::optional(value) : std::nullopt;
}

double number_or_throw(std::string_view field, const SourcePlace& place) {
    const std::optional<double> value = parse_number(field);
    if (!value) throw Error(place, fmt::format("\"{}\" is not a finite number", field));
    return *value;
}

}  // namespace scree
