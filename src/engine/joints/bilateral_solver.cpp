#include "engine/joints/bilateral_solver.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "model/rotation.hpp"

namespace scree {

namespace {

// A pivot this far below its diagonal marks a row as dependent on others: rounding leaves 1e-16 times the growth of a few rows, and
// substitution with a pivot above it loses no more than nine digits, which the second pass wins back.
constexpr double least_pivot = 1e-7;
// What dependent rows are shifted by. A pass leaves 3 shift / sigma of what belongs to an eigenvalue sigma; of what belongs to none, each
// filter lets through rounding over the shift, some 1e-5, and the last solve multiplies it by 1 / shift: with two filters it stays below
// one.
constexpr double dependent_shift = 1e-10;
constexpr int filters = 2;
constexpr double rounding = 1e-15;         // of the terms of a row's rate
constexpr double held_by_kernels = 1e-13;  // likewise: what rows of a long chain are held to in each product, at a pass or two less
constexpr int most_passes = 30;

}  // namespace

void push(const JointRow& row, const std::vector<JointBody>& bodies, double lambda, std::vector<Twist>& v) {
    for (int k = 0; k < row_terms; ++k) {
        const RowTerm t = term_of(row, k);
        if (t.body < 0) continue;
        const Twist answer = answer_of(bodies[static_cast<std::size_t>(t.body)], t.linear, t.angular);
        Twist& at = v[static_cast<std::size_t>(t.body)];
        at.velocity += lambda * answer.velocity;
        at.angular += lambda * answer.angular;
    }
}

void BilateralSolver::analyse(const std::vector<JointRow>& rows, std::size_t bodies) {
    terms_.clear();
    products_.clear();
    const int n = static_cast<int>(rows.size());
    std::vector<std::vector<std::int32_t>> at_body(bodies);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < row_terms; ++k) {
            const RowTerm t = term_of(rows[static_cast<std::size_t>(i)], k);
            if (t.body < 0) continue;
            at_body[static_cast<std::size_t>(t.body)].push_back(static_cast<std::int32_t>(terms_.size()));
            terms_.push_back({i, t.body, {}, {}, {}});
        }
    }
    std::vector<Eigen::Triplet<double, int>> entries;
    entries.reserve(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
    const auto each_product = [&](auto&& use) {
        for (const std::vector<std::int32_t>& here : at_body) {
            for (std::size_t p = 0; p < here.size(); ++p) {
                for (std::size_t q = 0; q <= p; ++q) use(here[p], here[q]);  // terms ascend with rows: p is the lower row of A
            }
        }
    };
    const auto row_of = [&](std::int32_t term) { return terms_[static_cast<std::size_t>(term)].row; };
    each_product([&](std::int32_t p, std::int32_t q) { entries.emplace_back(row_of(p), row_of(q), 1.0); });
    matrix_.resize(n, n);
    matrix_.setFromTriplets(entries.begin(), entries.end());
    matrix_.makeCompressed();
    const auto entry_of = [&](int row, int column) {
        const int* first = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column];
        const int* last = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column + 1];
        return static_cast<int>(std::lower_bound(first, last, row) - matrix_.innerIndexPtr());
    };
    each_product([&](std::int32_t p, std::int32_t q) { products_.push_back({entry_of(row_of(p), row_of(q)), p, q}); });
    diagonal_.resize(rows.size());
    for (int i = 0; i < n; ++i) diagonal_[static_cast<std::size_t>(i)] = entry_of(i, i);
    if (n > 0) factor_.analyzePattern(matrix_);
    scale_.resize(rows.size());
    r_.resize(n);
    lambda_.resize(n);
    cut(rows, bodies, {});
}

/// Factorises A + shift; false where a pivot is below the least one allowed.
bool BilateralSolver::decompose(double shift) {
    shift_ = shift;
    for (int entry : diagonal_) matrix_.valuePtr()[entry] = 1.0 + shift;
    factor_.factorize(matrix_);
    return factor_.info() == Eigen::Success && factor_.vectorD().minCoeff() > least_pivot;
}

void BilateralSolver::factorise(const std::vector<JointRow>& rows, const std::vector<JointBody>& bodies) {
    if (rows.empty()) return;
    std::size_t next = 0;
    for (const JointRow& row : rows) {
        for (int k = 0; k < row_terms; ++k) {
            const RowTerm t = term_of(row, k);
            if (t.body < 0) continue;
            Term& to = terms_[next++];
            to.linear = t.linear;
            to.angular = t.angular;
            to.answer = answer_of(bodies[static_cast<std::size_t>(t.body)], t.linear, t.angular);
        }
    }
    double* value = matrix_.valuePtr();
    std::fill(value, value + matrix_.nonZeros(), 0.0);
    for (const Product& p : products_) {
        const Term& first = terms_[static_cast<std::size_t>(p.first)];
        const Term& second = terms_[static_cast<std::size_t>(p.second)];
        value[p.entry] += dot(first.linear, second.answer.velocity) + dot(first.angular, second.answer.angular);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double d = value[diagonal_[i]];
        scale_[i] = d > 0 ? 1 / std::sqrt(d) : 0.0;
    }
    for (int column = 0; column < matrix_.outerSize(); ++column) {
        for (Matrix::InnerIterator at(matrix_, column); at; ++at) {
            at.valueRef() *= scale_[static_cast<std::size_t>(at.row())] * scale_[static_cast<std::size_t>(column)];
        }
    }
    dependent_ = !decompose(0);
    if (dependent_) decompose(dependent_shift);
}

/// r = -(G v + bias), scaled; returns the largest over the size of the terms it is made of.
double BilateralSolver::residual(const std::vector<JointRow>& rows, const std::vector<Twist>& v, bool with_bias) const {
    double largest = 0, made_of = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double bias = with_bias ? rows[i].bias : 0;
        double sum = bias, size = std::fabs(bias);
        for (; next < terms_.size() && terms_[next].row == static_cast<std::int32_t>(i); ++next) {
            const Term& t = terms_[next];
            const Twist& at = v[static_cast<std::size_t>(t.body)];
            const double move = dot(t.linear, at.velocity), turn = dot(t.angular, at.angular);
            sum += move + turn;
            size += norm(t.linear) * norm(at.velocity) + norm(t.angular) * norm(at.angular);
        }
        const double r = -scale_[i] * sum;
        r_[static_cast<Eigen::Index>(i)] = r;
        largest = std::max(largest, std::fabs(r));
        made_of = std::max(made_of, scale_[i] * size);
    }
    return made_of > 0 ? largest / made_of : 0;
}

template <class Solve>
int BilateralSolver::repeat(const std::vector<JointRow>& rows, std::vector<Twist>& v, bool with_bias, std::vector<double>* impulse,
                            double enough, Solve solve) const {
    double before = 0;
    for (int pass = 0; pass < most_passes; ++pass) {
        const double now = residual(rows, v, with_bias);
        // What no longer shrinks is rounding or contradiction.
        if (!(now > enough) || (pass > 0 && now > 0.25 * before)) return pass;
        before = now;
        solve();
        for (std::size_t i = 0; i < scale_.size(); ++i) {
            lambda_[static_cast<Eigen::Index>(i)] *= scale_[i];
            if (impulse != nullptr) (*impulse)[i] += lambda_[static_cast<Eigen::Index>(i)];
        }
        for (const Term& t : terms_) {
            const double lambda = lambda_[t.row];
            Twist& at = v[static_cast<std::size_t>(t.body)];
            at.velocity += lambda * t.answer.velocity;
            at.angular += lambda * t.answer.angular;
        }
    }
    return most_passes;
}

void BilateralSolver::project(const std::vector<JointRow>& rows, std::vector<Twist>& v, bool with_bias,
                              std::vector<double>* impulse) const {
    if (rows.empty()) return;
    repeat(rows, v, with_bias, impulse, rounding, [&] {
        lambda_ = factor_.solve(r_);
        for (int k = 0; dependent_ && k < filters; ++k) {
            r_ -= shift_ * lambda_;  // A (A + shift)^-1 r
            lambda_ = factor_.solve(r_);
        }
    });
}

void BilateralSolver::cut(const std::vector<JointRow>& rows, std::size_t bodies, const BlockLimits& limits) {
    RowBlocks blocks = cut_rows(rows, bodies, limits);
    blocks.number = inverse_.blocks().number + 1;
    inverse_.analyse(matrix_, std::move(blocks));
}

void BilateralSolver::inverse(const std::vector<JointRow>& rows, std::size_t bodies, RowInverse& out) const {
    const bool cut = blocks().cut();
    out.filters = 0;
    out.passes = 1;
    out.scale.clear();
    for (const std::int32_t row : blocks().order) out.scale.push_back(scale_[static_cast<std::size_t>(row)]);
    out.shift = shift_;
    const auto invert = [&](bool dependent) { return inverse_.invert(matrix_, out.shift, dependent && !cut, out.values); };
    bool dependent = dependent_;
    if (!invert(dependent)) {  // pivots come in another order here, and one was lost to rounding
        dependent = true;
        out.shift = dependent_shift;
        if (!invert(dependent))
            throw RunError("the rows of the joints cannot be solved for: their bodies' masses or places differ too much");
    }
    if (!cut) return;
    out.filters = dependent ? filters : 0;
    // As many passes as twists take that know nothing of the joints.
    std::vector<Twist> v(bodies);
    Rng rng(1, 0);
    for (Twist& t : v) t = {{rng.normal(), rng.normal(), rng.normal()}, {rng.normal(), rng.normal(), rng.normal()}};
    const std::vector<std::int32_t>& order = blocks().order;
    std::vector<double> r(order.size()), x;
    out.passes = repeat(rows, v, false, nullptr, held_by_kernels, [&] {
        for (std::size_t p = 0; p < order.size(); ++p) r[p] = r_[order[p]];
        inverse_.apply(out.values, r, x);
        for (int k = 0; k < out.filters; ++k) {
            const std::vector<double> before = x;
            inverse_.apply(out.values, before, x);
            for (std::size_t p = 0; p < order.size(); ++p) x[p] = before[p] - out.shift * x[p];
        }
        for (std::size_t p = 0; p < order.size(); ++p) lambda_[order[p]] = x[p];
    });
}

}  // namespace scree
