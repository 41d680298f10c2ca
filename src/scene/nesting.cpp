// A scan that knows strings and comments of TOML 1.0, and takes each bracket that opens and each dot of a key for a level. Dots count from
// the last sign that ends a key or value ('=', ',', a bracket, a new line); those of the keys around an inline table count on within it.
#include "scene/nesting.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace scree {
namespace {

/// The index past the string that begins at `at` with a quotation mark; its end is the text's where it does not end.
std::size_t past_string(std::string_view text, std::size_t at) {
    const char mark = text[at];
    const std::string three(3, mark);
    const bool many_lines = text.substr(at, 3) == three;
    at += many_lines ? 3 : 1;
    while (at < text.size()) {
        if (mark == '"' && text[at] == '\\') {
            at += 2;
        } else if (many_lines) {
            if (text.substr(at, 3) == three) return at + 3;
            ++at;
        } else {
            if (text[at] == mark || text[at] == '\n') return at + 1;
            ++at;
        }
    }
    return text.size();
}

SourcePlace place_of(std::string_view text, std::size_t at, const std::string& name) {
    SourcePlace place{name, 1, 1};
    for (std::size_t k = 0; k < at; ++k) {
        ++place.column;
        if (text[k] == '\n') {
            ++place.line;
            place.column = 1;
        }
    }
    return place;
}

}  // namespace

void require_shallow(std::string_view text, const std::string& name) {
    std::vector<int> around;  // levels outside each bracket that is open
    int level = 0, dots = 0;
    const auto refuse = [&](std::size_t at) {
        throw Error(place_of(text, at, name),
                    fmt::format("tables and lists within each other go deeper than {} levels here; a scene has no "
                                "use for that: are dots or brackets missing their end, or not meant?",
                                kMostNesting));
    };
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '"' || c == '\'') {
            at = past_string(text, at);
            continue;
        }
        if (c == '#') {
            while (at < text.size() && text[at] != '\n') ++at;
            continue;
        }
        if (c == '[' || c == '{') {
            around.push_back(level);
            level += dots + 1;
            dots = 0;
        } else if (c == ']' || c == '}') {
            if (!around.empty()) {
                level = around.back();
                around.pop_back();
            }
            dots = 0;
        } else if (c == '.') {
            ++dots;
        } else if (c == ',' || c == '\n') {
            dots = 0;
        }
        if (level + dots > kMostNesting) refuse(at);
        ++at;
    }
}

}  // namespace scree
