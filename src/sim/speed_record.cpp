#include "sim/speed_record.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <vector>

#include "setup/method.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kOfAKind = 20, kInAll = 1000, kFewest = 3;
constexpr std::uintmax_t kLargestFile = 1 << 20;  // [bytes]: what is larger was not written here
constexpr const char* kHead = "date,kind,body_steps_per_second";

struct Line {
    std::string text, kind;
    double speed{0};
};

/// The lines that can be read; others are dropped.
std::vector<Line> lines_of(const std::string& path) {
    std::vector<Line> lines;
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error || size > kLargestFile || !fs::is_regular_file(path, error)) return lines;
    std::ifstream in(path);
    for (std::string text; std::getline(in, text);) {
        const auto first = text.find(','), last = text.rfind(',');
        if (first == std::string::npos || last == first) continue;
        Line line{text, text.substr(first + 1, last - first - 1), 0};
        const auto [end, failed] = std::from_chars(text.data() + last + 1, text.data() + text.size(), line.speed);
        if (failed == std::errc() && end == text.data() + text.size() && std::isfinite(line.speed) && line.speed > 0)
            lines.push_back(std::move(line));
    }
    return lines;
}

const char* given(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

std::string speed_record_path() {
    if (given("SCREE_NO_RECORD") != nullptr) return "";
    if (const char* state = given("XDG_STATE_HOME"); state != nullptr && *state == '/') return std::string(state) + "/scree/speeds.csv";
    if (const char* home = given("HOME"); home != nullptr && *home == '/') return std::string(home) + "/.local/state/scree/speeds.csv";
    return "";
}

std::string kind_of_run(const Model& model, std::int64_t bodies, const std::string& device, const EngineOptions& options) {
    std::string kind = method_name(model.method);
    if (model.method == Method::Penalty) kind += fmt::format(" law {}", static_cast<int>(model.penalty.law));
    kind += fmt::format("; {} dimensions", model.dimensions);
    kind += model.shapes.empty() ? "; round"
                                 : fmt::format("; {} shapes", model.shapes.size() > 3 ? "many" : std::to_string(model.shapes.size()));
    if (!model.bond_kinds.empty()) kind += "; bonds";
    if (!model.joints.empty()) kind += "; joints";
    if (bodies > 0) kind += fmt::format("; 1e{:g} bodies", std::round(2 * std::log10(static_cast<double>(bodies))) / 2);
    kind += fmt::format("; {}; {}; {} threads", device, options.precision == Precision::Mixed ? "mixed" : "double", options.threads);
    // One cell of a line.
    std::replace_if(
        kind.begin(), kind.end(), [](char c) { return c == ',' || c == '\n' || c == '\r' || c == '"'; }, ' ');
    return kind;
}

UsualSpeed usual_speed(const std::string& path, const std::string& kind) {
    if (path.empty()) return {};
    try {
        std::vector<double> speeds;
        for (const Line& line : lines_of(path)) {
            if (line.kind == kind) speeds.push_back(line.speed);
        }
        if (speeds.size() < kFewest) return {};
        std::sort(speeds.begin(), speeds.end());
        const std::size_t half = speeds.size() / 2;
        return {speeds.size() % 2 == 1 ? speeds[half] : 0.5 * (speeds[half - 1] + speeds[half]), static_cast<std::int64_t>(speeds.size())};
    } catch (const std::exception&) {
        return {};
    }
}

void record_speed(const std::string& path, const std::string& kind, double speed) {
    if (path.empty() || !(speed > 0) || !std::isfinite(speed)) return;
    try {
        std::vector<Line> lines = lines_of(path);
        const std::time_t now = std::time(nullptr);
        std::tm when{};
        gmtime_r(&now, &when);
        lines.push_back(
            {fmt::format("{:04}-{:02}-{:02},{},{:.4g}", when.tm_year + 1900, when.tm_mon + 1, when.tm_mday, kind, speed), kind, speed});
        auto of_kind =
            static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [&](const Line& line) { return line.kind == kind; }));
        for (auto line = lines.begin(); line != lines.end() && of_kind > kOfAKind;) {
            line = line->kind == kind ? (--of_kind, lines.erase(line)) : line + 1;
        }
        if (lines.size() > kInAll) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kInAll));
        std::error_code error;
        fs::create_directories(fs::path(path).parent_path(), error);
        const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
        {
            std::ofstream out(temporary);
            out << kHead << '\n';
            for (const Line& line : lines) out << line.text << '\n';
            out.close();
            if (!out) {
                fs::remove(temporary, error);
                return;
            }
        }
        fs::rename(temporary, path, error);
        if (error) fs::remove(temporary, error);
    } catch (const std::exception&) {
        return;  // a record is a help, no result
    }
}

}  // namespace scree
