// What a Collada file says of its own sizes, against its length. The import library believes both counts and indices: it takes the memory
// that they ask for, and reads on where a word is no number. Elements and attributes: Collada 1.4.1, section 5 ("p", "h", "vcount",
// "count").
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scene/plain_file.hpp"
#include "setup/meshes/mesh_check.hpp"

namespace scree {
namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

class ColladaScan {
public:
    ColladaScan(std::string_view text, const std::string& path) : text_(text), path_(path) {}

    void run() {
        for (std::size_t at = text_.find('<'); at != std::string_view::npos; at = text_.find('<', at + 1)) {
            const std::size_t end = std::min(text_.find('>', at), text_.size());
            std::size_t name_end = at + 1;
            while (name_end < end && !is_space(text_[name_end]) && text_[name_end] != '/') ++name_end;
            const std::string_view name = text_.substr(at + 1, name_end - at - 1);
            require_counts(name_end, end);
            const bool holds_numbers = (name == "p" || name == "h" || name == "vcount") && text_[end - 1] != '/';
            if (holds_numbers && end < text_.size()) require_indices(name, end + 1);
        }
    }

private:
    [[noreturn]] void fail(std::size_t at, const std::string& message) const {
        const std::string_view before = text_.substr(0, at);
        const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
        throw Error(
            SourcePlace{path_, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1, static_cast<int>(at - line_start) + 1},
            message);
    }

    /// A whole number of at most the file's bytes: what is counted, and each vertex that an index names, takes a byte at least.
    std::optional<std::uint64_t> number_within(std::string_view word) const {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        const bool whole = error == std::errc() && end == word.data() + word.size() && value <= text_.size();
        return whole ? std::optional(value) : std::nullopt;
    }

    static std::string shortened(std::string_view word) {
        return word.size() <= 40 ? std::string(word) : std::string(word.substr(0, 40)) + "...";
    }

    void require_counts(std::size_t from, std::size_t end) const {
        constexpr std::string_view key = "count=";
        for (std::size_t at = text_.substr(0, end).find(key, from); at != std::string_view::npos;
             at = text_.substr(0, end).find(key, at + key.size())) {
            if (!is_space(text_[at - 1])) continue;
            const std::size_t begin = at + key.size() + 1;
            if (begin >= end) return;
            const std::size_t closing = std::min(text_.find(text_[begin - 1], begin), end);
            const std::string_view word = text_.substr(begin, closing - begin);
            if (!number_within(word))
                fail(begin, fmt::format("the count \"{}\" is not a number of things that a file of {} bytes can hold", shortened(word),
                                        text_.size()));
        }
    }

    void require_indices(std::string_view name, std::size_t at) const {
        while (at < text_.size() && text_[at] != '<') {
            if (is_space(text_[at])) {
                ++at;
                continue;
            }
            std::size_t end = at;
            while (end < text_.size() && !is_space(text_[end]) && text_[end] != '<') ++end;
            const std::string_view word = text_.substr(at, end - at);
            if (!number_within(word))
                fail(at,
                     fmt::format("\"{}\" in <{}> is not a number of a vertex or of corners that a file of {} bytes can have: the file is "
                                 "damaged; write it anew, or as STL",
                                 shortened(word), name, text_.size()));
            at = end;
        }
    }

    std::string_view text_;
    const std::string& path_;
};

}  // namespace

void check_collada(const std::string& path, const SourcePlace& place) {
    ColladaScan(read_plain_file(path, kMostDataBytes, place), path).run();
}

}  // namespace scree
