#include "problems/build_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace scree {
namespace {

void check(const std::string& path, int dimensions, const std::vector<Entry>& entries, const std::vector<double>& q,
           const std::vector<double>& mu) {
    const auto rows = static_cast<std::int64_t>(q.size());
    if (dimensions != 2 && dimensions != 3) throw Error(fmt::format("{}: the dimension is {}; it must be 2 or 3", path, dimensions));
    if (mu.empty()) throw Error(fmt::format("{}: there are no contacts", path));
    if (q.size() != mu.size() * static_cast<std::size_t>(dimensions)) {
        throw Error(fmt::format("{}: q has {} numbers; {} contacts in {} dimensions need {}", path, q.size(), mu.size(), dimensions,
                                mu.size() * dimensions));
    }
    const auto too_large = [](double value) { return !(std::abs(value) <= most_magnitude); };
    const std::string bound = fmt::format("it must be at most {:g} in magnitude", most_magnitude);
    for (std::size_t k = 0; k < mu.size(); ++k) {
        if (!(mu[k] >= 0) || too_large(mu[k])) {
            throw Error(fmt::format("{}: mu of contact {} is {}; it must be a number that is not negative", path, k, mu[k]));
        }
    }
    for (std::size_t k = 0; k < q.size(); ++k) {
        if (too_large(q[k])) throw Error(fmt::format("{}: number {} of q is {}; {}", path, k, q[k], bound));
    }
    for (const Entry& e : entries) {
        if (e.row < 0 || e.row >= rows || e.column < 0 || e.column >= rows) {
            throw Error(fmt::format("{}: the matrix has an entry in row {}, column {}, but {} rows", path, e.row, e.column, rows));
        }
        if (too_large(e.value))
            throw Error(fmt::format("{}: the matrix is {} in row {}, column {}; {}", path, e.value, e.row, e.column, bound));
    }
}

}  // namespace

FrictionProblem build_problem(const std::string& path, int dimensions, std::vector<Entry> entries, const std::vector<double>& q,
                              const std::vector<double>& mu) {
    check(path, dimensions, entries, q, mu);
    FrictionProblem result;
    result.dimensions = dimensions;
    ExplicitProblem& p = result.problem;
    p.mu = mu;
    p.normal.assign(mu.size(), Vec3{1, 0, 0});
    for (std::size_t k = 0; k < mu.size(); ++k) {
        const double* at = q.data() + k * dimensions;
        p.r.push_back({at[0], at[1], dimensions == 3 ? at[2] : 0.0});
    }
    std::erase_if(entries, [](const Entry& e) { return e.value == 0; });
    const auto block_of = [dimensions](const Entry& e) { return std::pair(e.row / dimensions, e.column / dimensions); };
    std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) { return block_of(a) < block_of(b); });
    p.matrix.row_start.assign(mu.size() + 1, 0);
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const auto [i, j] = block_of(entries[k]);
        if (k == 0 || block_of(entries[k - 1]) != std::pair(i, j)) {
            p.matrix.column.push_back(static_cast<std::int32_t>(j));
            p.matrix.values.push_back({});
            ++p.matrix.row_start[i + 1];
        }
        p.matrix.values.back()[3 * (entries[k].row % dimensions) + entries[k].column % dimensions] += entries[k].value;
    }
    for (std::size_t k = 0; k < mu.size(); ++k) p.matrix.row_start[k + 1] += p.matrix.row_start[k];
    return result;
}

double asymmetry(const BlockMatrix& matrix) {
    double whole = 0, difference = 0;
    for (std::int32_t i = 0; i < matrix.rows(); ++i) {
        for (std::int64_t e = matrix.row_start[i]; e < matrix.row_start[i + 1]; ++e) {
            const std::int32_t j = matrix.column[e];
            const auto begin = matrix.column.begin() + matrix.row_start[j], end = matrix.column.begin() + matrix.row_start[j + 1];
            const auto found = std::lower_bound(begin, end, i);
            const bool there = found != end && *found == i;
            for (int k = 0; k < 9; ++k) {
                const double here = matrix.values[e][k];
                const double other = there ? matrix.values[found - matrix.column.begin()][3 * (k % 3) + k / 3] : 0.0;
                whole += here * here;
                // A block whose mirror image is missing counts for both.
                difference += (here - other) * (here - other) * (there ? 1 : 2);
            }
        }
    }
    return whole > 0 ? std::sqrt(difference / whole) : 0.0;
}

}  // namespace scree
