#include "scene/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace scree {
namespace {

std::string lower_case(std::string_view word) {
    std::string lower(word);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
    std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = last;
        last = row;
    }
    return last[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
    if (word.size() > 60) return "";
    const std::string lower = lower_case(word);
    std::string best;
    int best_distance = std::max(2, static_cast<int>(word.size()) / 3) + 1;
    for (const std::string& candidate : known) {
        const int distance = edit_distance(lower, lower_case(candidate));
        // A word that shares no letter is no suggestion, however short it is.
        if (distance < best_distance && distance < static_cast<int>(std::max(lower.size(), candidate.size()))) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
    const std::string best = nearest(word, known);
    if (!best.empty()) return fmt::format("; did you mean \"{}\"?", best);
    if (known.empty()) return "";
    constexpr std::size_t kShown = 20;
    const std::vector<std::string> shown(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(std::min(known.size(), kShown)));
    return fmt::format("; known: {}{}", fmt::join(shown, ", "), known.size() > kShown ? ", …" : "");
}

}  // namespace scree
