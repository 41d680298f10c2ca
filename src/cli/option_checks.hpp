// Checks of option values, shared by the commands: each says in one line what is wanted and what was given.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace scree {

/// Words of a list, a line each: what a validator is called whose option takes these (command_page.hpp reads them).
inline std::string lines_of(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : "\n") + word;
    return text;
}

/// Accepts these words only; the help text names them already.
inline CLI::Validator one_of(const std::vector<std::string>& words) {
    return CLI::IsMember(words).description("").name(lines_of(words));
}

/// Accepts all; these words are what shells offer.
inline CLI::Validator such_as(const std::vector<std::string>& words) {
    return CLI::Validator([](std::string&) { return std::string(); }, "").name(lines_of(words));
}

/// The whole word as a number of type T, for which good(value) holds, else the message `wanted`.
template <class T, class Good>
CLI::Validator number_that(Good good, const std::string& wanted) {
    return {[=](std::string& word) {
                T value{};
                const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
                const bool is_number = error == std::errc() && end == word.data() + word.size();
                return is_number && good(value) ? std::string() : fmt::format("must be {}, not \"{}\"", wanted, word);
            },
            ""};
}

inline CLI::Validator positive_number() {
    return number_that<double>([](double value) { return value > 0 && std::isfinite(value); }, "a number above 0");
}

inline CLI::Validator number_from_zero() {
    return number_that<double>([](double value) { return value >= 0 && std::isfinite(value); }, "a number of at least 0");
}

inline CLI::Validator integer_between(std::int64_t least, std::int64_t most) {
    return number_that<std::int64_t>([=](std::int64_t value) { return value >= least && value <= most; },
                                     fmt::format("a whole number from {} to {}", least, most));
}

inline CLI::Validator positive_integer() {
    return integer_between(1, std::numeric_limits<std::int64_t>::max());
}

/// Four threads for each processor, and at least 64: results do not depend on the number, and the system may refuse thousands, at which
/// OpenMP's library ends the program.
inline std::int64_t most_threads() {
    return std::max<std::int64_t>(64, 4 * static_cast<std::int64_t>(std::thread::hardware_concurrency()));
}

inline CLI::Validator thread_count() {
    return integer_between(1, most_threads());
}

inline CLI::Validator not_empty() {
    return {[](std::string& word) { return word.empty() ? std::string("must not be empty") : std::string(); }, ""};
}

}  // namespace scree
