#include "setup/placement/body_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace scree {

namespace {

template <class T>
void permute(std::vector<T>& values, const std::vector<std::size_t>& order) {
    if (values.empty()) return;
    std::vector<T> ordered;
    ordered.reserve(order.size());
    for (const std::size_t k : order) ordered.push_back(values[k]);
    values = std::move(ordered);
}

}  // namespace

Error BodyColumns::fault(std::size_t k, const std::string& message) const {
    if (item != nullptr) return {SourcePlace{head.file, 0, 0}, fmt::format("{} {}: {}", item, row[k], message)};
    return {SourcePlace{head.file, row[k], 0}, message};
}

void order_by_id(BodyColumns& bodies) {
    if (!bodies.has(Column::Id)) return;
    const std::vector<double>& id = bodies.of(Column::Id);
    std::vector<std::size_t> order(id.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
    const auto twice = std::adjacent_find(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id[a] == id[b]; });
    if (twice != order.end())
        throw bodies.fault(twice[1],
                           fmt::format("id {} stands twice: first {} {}", id[*twice],
                                       bodies.item != nullptr ? fmt::format("at {}", bodies.item) : "in line", bodies.row[*twice]));
    if (std::is_sorted(order.begin(), order.end())) return;
    permute(bodies.row, order);
    for (std::vector<double>& values : bodies.values) permute(values, order);
}

std::int64_t count_or_throw(std::string_view field, const char* what, const SourcePlace& place) {
    const std::optional<std::int64_t> count = parse_whole_number(field);
    if (!count || *count < 0) throw Error(place, fmt::format("\"{}\" is not a number of {}", field, what));
    return *count;
}

}  // namespace scree
