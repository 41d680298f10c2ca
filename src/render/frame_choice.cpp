// Which frames of a run are meant by "last", "2:10:2", or a time.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/error.hpp"
#include "render/render_run.hpp"

namespace scree {
namespace {

template <class T>
std::optional<T> number(const std::string& word) {
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return {};
    return value;
}

std::vector<std::string> split(const std::string& text, char between = ':') {
    std::vector<std::string> parts{""};
    for (const char c : text) {
        if (c == between) {
            parts.emplace_back();
        } else {
            parts.back().push_back(c);
        }
    }
    return parts;
}

std::vector<std::size_t> by_number(const std::string& frames, std::size_t count) {
    const auto wrong = [&](const std::string& why) { return Error(fmt::format("--frames {}: {}", frames, why)); };
    const std::vector<std::string> parts = split(frames);
    const char* wanted = "must be last, first, all, a number, a:b or a:b:step as in 0:100:5, or several of these as in 0,20,-1";
    if (parts.size() > 3) throw wrong(wanted);
    const auto last = static_cast<std::int64_t>(count) - 1;
    const auto read = [&](std::size_t k, std::int64_t otherwise) {
        if (k >= parts.size() || parts[k].empty()) return otherwise;
        const auto value = number<std::int64_t>(parts[k]);
        if (!value) throw wrong(wanted);
        return *value;
    };
    const auto place = [&](std::int64_t k) { return k < 0 ? k + last + 1 : k; };  // -1 is the last
    const auto checked = [&](std::int64_t k) {
        if (k < 0 || k > last) throw wrong(fmt::format("the run has frames 0 to {}", last));
        return k;
    };
    if (parts.size() == 1) {
        if (parts[0].empty()) throw wrong(wanted);
        return {static_cast<std::size_t>(checked(place(read(0, 0))))};
    }
    const std::int64_t step = read(2, 1), from = checked(place(read(0, 0)));
    const std::int64_t to = parts[1].empty() ? last : std::min(last, place(read(1, last)));
    if (step < 1) throw wrong("the step must be at least 1");
    std::vector<std::size_t> chosen;
    for (std::int64_t k = from; k <= to; k += step) chosen.push_back(static_cast<std::size_t>(k));
    if (chosen.empty()) throw wrong("chooses no frame: the first number must not be above the second");
    return chosen;
}

std::vector<std::size_t> by_time(const std::string& text, const std::vector<double>& times) {
    const std::vector<std::string> parts = split(text);
    const auto wrong = [&](const std::string& why) { return Error(fmt::format("--time {}: {}", text, why)); };
    const auto read = [&](std::size_t k) {
        const auto value = number<double>(parts[k]);
        if (!value || !std::isfinite(*value)) throw wrong("must be a time in seconds, or two as in 0.5:1.5");
        return *value;
    };
    if (parts.size() > 2) throw wrong("must be a time in seconds, or two as in 0.5:1.5");
    if (parts.size() == 1) {
        const double t = read(0);
        std::size_t nearest = 0;
        for (std::size_t k = 1; k < times.size(); ++k) {
            if (std::fabs(times[k] - t) < std::fabs(times[nearest] - t)) nearest = k;
        }
        return {nearest};
    }
    const double from = read(0), to = read(1);
    const double slack = 1e-9 * (std::fabs(from) + std::fabs(to));
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (times[k] >= from - slack && times[k] <= to + slack) chosen.push_back(k);
    }
    if (chosen.empty()) throw wrong(fmt::format("no frame lies there; the run's go from {:g} to {:g} s", times.front(), times.back()));
    return chosen;
}

}  // namespace

std::vector<std::size_t> chosen_frames(const std::string& frames, const std::string& time, const std::vector<double>& times) {
    if (times.empty()) return {};
    if (!time.empty()) return by_time(time, times);
    if (frames.empty() || frames == "last") return {times.size() - 1};
    std::vector<std::size_t> chosen;
    for (const std::string& part : split(frames, ',')) {
        const std::string numbers = part == "all" ? "0:" : part == "first" ? "0" : part == "last" ? "-1" : part;
        for (const std::size_t frame : by_number(numbers, times.size())) {
            if (std::find(chosen.begin(), chosen.end(), frame) == chosen.end()) chosen.push_back(frame);
        }
    }
    return chosen;
}

}  // namespace scree
