#include "cli/closing_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "output/run_directory.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kIndent = 18;  // of what stands behind verdict and name
constexpr std::size_t kNarrowest = 24;

/// Words in lines of at most `width` columns, those behind the first with an indent. A word that is longer has a line of its own.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
    std::istringstream words(text);
    std::string out;
    std::size_t used = 0;
    for (std::string word; words >> word;) {
        if (used > 0 && used + 1 + word.size() > width) {
            out += '\n' + std::string(indent, ' ');
            used = 0;
        } else if (used > 0) {
            out += ' ';
            ++used;
        }
        out += word;
        used += word.size();
    }
    return out;
}

std::string files_of(const std::string& directory, std::int64_t frames) {
    std::string text;
    for (const std::string& path : own_files(directory)) {
        std::error_code error;
        const std::uintmax_t size = fs::file_size(path, error);
        if (error) continue;
        const std::string name = fs::path(path).filename().string();
        const std::string more = name == RunFiles::frames ? fmt::format(", {} frames", frames) : "";
        text += fmt::format("{}{} ({}{})", text.empty() ? "" : ", ", name, format_bytes(static_cast<double>(size)), more);
    }
    return text;
}

}  // namespace

std::string closing_table(const Summary& summary, const std::string& directory, int width, bool colour) {
    const std::size_t room =
        width > 0 ? std::max(static_cast<std::size_t>(width), kIndent + kNarrowest) - kIndent : static_cast<std::size_t>(-1) / 2;
    std::string text;
    for (const Finding& line : summary.findings) {
        const char* word = verdict_word(line.verdict);
        const char* paint = line.verdict == Verdict::Ok ? "\x1b[32m" : line.verdict == Verdict::Look ? "\x1b[33m" : "\x1b[31m";
        const std::string shown = fmt::format("{:<4}", word);
        text += fmt::format("  {}  {:<9} {}\n", colour ? paint + shown + "\x1b[0m" : shown, line.name, wrapped(line.text, room, kIndent));
        if (!line.advice.empty()) text += std::string(kIndent, ' ') + wrapped("-> " + line.advice, room, kIndent) + '\n';
    }
    return text + fmt::format("        {:<9} {}\n", "files", wrapped(files_of(directory, summary.frames), room, kIndent));
}

}  // namespace scree
