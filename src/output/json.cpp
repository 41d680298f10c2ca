#include "output/json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree {
namespace {

/// Length of the UTF-8 sequence that starts at `i`, 0 where there is no valid one (RFC 3629, without its rarer range checks on surrogates).
std::size_t utf8_length(const std::string& text, std::size_t i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char lead = byte(i);
    std::size_t length = 0;
    if (lead < 0x80) return 1;
    if (lead >= 0xc2 && lead <= 0xdf) length = 2;
    if (lead >= 0xe0 && lead <= 0xef) length = 3;
    if (lead >= 0xf0 && lead <= 0xf4) length = 4;
    if (length == 0 || i + length > text.size()) return 0;
    for (std::size_t k = i + 1; k < i + length; ++k) {
        if ((byte(k) & 0xc0) != 0x80) return 0;
    }
    // Overlong forms of three and four bytes.
    if ((lead == 0xe0 && byte(i + 1) < 0xa0) || (lead == 0xf0 && byte(i + 1) < 0x90)) return 0;
    return length;
}

}  // namespace

std::string json_string(const std::string& text) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_length(text, i);
        const char c = text[i];
        if (length == 0) {
            out += "\\ufffd";
        } else if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (length == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out.append(text, i, length);
        }
        i += length == 0 ? 1 : length;
    }
    return out + '"';
}

void JsonWriter::open(char bracket) {
    text_ += bracket;
    ++depth_;
    first_ = true;
}

void JsonWriter::close(char bracket) {
    --depth_;
    if (!first_) text_ += '\n' + std::string(2 * static_cast<std::size_t>(depth_), ' ');
    text_ += bracket;
    first_ = false;
}

void JsonWriter::start(const std::string& key) {
    if (!first_) text_ += ',';
    first_ = false;
    text_ += '\n' + std::string(2 * static_cast<std::size_t>(depth_), ' ') + json_string(key) + ": ";
}

void JsonWriter::begin_object(const std::string& key) {
    start(key);
    open('{');
}

void JsonWriter::end_object() {
    close('}');
}

void JsonWriter::add(const std::string& key, const std::string& value) {
    start(key);
    text_ += json_string(value);
}

void JsonWriter::add(const std::string& key, double value) {
    if (!std::isfinite(value)) return add_null(key);
    start(key);
    text_ += fmt::format("{}", value);  // the shortest text that reads back the same
}

void JsonWriter::add(const std::string& key, std::int64_t value) {
    start(key);
    text_ += fmt::format("{}", value);
}

void JsonWriter::add(const std::string& key, bool value) {
    start(key);
    text_ += value ? "true" : "false";
}

void JsonWriter::add_null(const std::string& key) {
    start(key);
    text_ += "null";
}

void JsonWriter::add(const std::string& key, const std::vector<std::string>& values) {
    start(key);
    text_ += '[';
    for (std::size_t i = 0; i < values.size(); ++i) text_ += (i == 0 ? "" : ", ") + json_string(values[i]);
    text_ += ']';
}

std::string JsonWriter::finish() {
    close('}');
    return text_ + '\n';
}

}  // namespace scree
