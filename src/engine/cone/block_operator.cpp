#include "engine/cone/block_operator.hpp"

#include <cmath>

#include "base/error.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

void check(const ExplicitProblem& p) {
    const BlockMatrix& m = p.matrix;
    const std::size_t n = p.mu.size();
    if (static_cast<std::size_t>(m.rows()) != n || p.r.size() != n || p.normal.size() != n || m.column.size() != m.values.size() ||
        (n > 0 && (m.row_start.front() != 0 || static_cast<std::size_t>(m.row_start.back()) != m.column.size())))
        throw Error("friction problem: the sizes of matrix, r, mu and normals do not fit each other");
    for (std::size_t k = 0; k < n; ++k) {
        if (m.row_start[k + 1] < m.row_start[k]) throw Error("friction problem: rows of the matrix do not ascend");
        if (!(p.mu[k] >= 0)) throw Error("friction problem: contact " + std::to_string(k) + " has a negative friction coefficient");
        if (!(std::fabs(norm2(p.normal[k]) - 1) < 1e-6))
            throw Error("friction problem: the normal of contact " + std::to_string(k) + " is not of unit length");
    }
    for (const std::int32_t c : m.column)
        if (c < 0 || static_cast<std::size_t>(c) >= n) throw Error("friction problem: the matrix has a column that is no contact's");
}

/// 3 / trace of the diagonal block, 0 where there is none.
double step_of(const BlockMatrix& m, std::int64_t k) {
    double trace = 0;
    for (std::int64_t e = m.row_start[static_cast<std::size_t>(k)]; e < m.row_start[static_cast<std::size_t>(k) + 1]; ++e) {
        const std::array<double, 9>& b = m.values[static_cast<std::size_t>(e)];
        if (m.column[static_cast<std::size_t>(e)] == k) trace += b[0] + b[4] + b[8];
    }
    return trace > 0 ? 3 / trace : 0;
}

}  // namespace

SCREE_HD Vec3 row_times(const BlockView& m, const Vec3R* x, Index k) {
    Vec3 sum{0, 0, 0};
    for (Index e = m.row_start[k]; e < m.row_start[k + 1]; ++e) {
        const double* b = m.values + 9 * e;
        const Vec3 g = cast<double>(x[m.column[e]]);
        sum += Vec3{b[0] * g.x + b[1] * g.y + b[2] * g.z, b[3] * g.x + b[4] * g.y + b[5] * g.z, b[6] * g.x + b[7] * g.y + b[8] * g.z};
    }
    return sum;
}

SCREE_HD Vec3 constant_of(const BlockView& m, const ConeView& cone, Index k) {
    return m.r[k] + m.shift[k] * cast<double>(cone.normal[k]);
}

void multiply_blocks(const Exec& exec, BlockView m, ConeView cone, const Late<UnknownsView>& x, const Late<bool>& with_r,
                     const Late<UnknownsView>& u, Gate gate) {
    for_each(
        exec, "cone/multiply_blocks", cone.contacts,
        SCREE_LAMBDA(Index k)->void {
            const Vec3 sum = row_times(m, x.now().impulse, k);
            u.now().impulse[k] = cast<Real>(with_r.now() ? sum + constant_of(m, cone, k) : sum);
        },
        gate);
}

/// One task, so one thread: each row sees the ones before it.
void sweep_blocks(const Exec& exec, BlockView m, ConeView cone, Vec3R* x, const Late<double>& omega, Gate gate) {
    for_each(
        exec, "cone/sweep_blocks", Index{1},
        SCREE_LAMBDA(Index)->void {
            const Real relaxation = static_cast<Real>(omega.now());
            for (Index k = 0; k < cone.contacts; ++k) {
                const Real eta = cone.eta[k];
                if (!(eta > Real(0))) continue;
                const Vec3R u = cast<Real>(row_times(m, x, k) + constant_of(m, cone, k));
                const Vec3R g = x[k] - (relaxation * eta) * u;
                x[k] = cone.slides ? project_disk(g, cone.normal[k], cone.mu[k]) : project_cone(g, cone.normal[k], cone.mu[k]);
            }
        },
        gate);
}

void slide(const Exec& exec, ConeView cone, const Vec3R* u, double* shift, Gate gate) {
    for_each(
        exec, "cone/slide", cone.contacts,
        SCREE_LAMBDA(Index k)->void {
            const Vec3R along = u[k] - dot(u[k], cone.normal[k]) * cone.normal[k];
            shift[k] = static_cast<double>(cone.mu[k] * norm(along));
        },
        gate);
}

BlockOperator::BlockOperator(const Exec& exec, const ExplicitProblem& problem) : exec_(exec), problem_(problem) {
    check(problem);
    const std::size_t n = problem.mu.size();
    row_start_.assign(problem.matrix.row_start);
    column_.assign(problem.matrix.column);
    std::vector<double> values;
    values.reserve(9 * problem.matrix.values.size());
    for (const std::array<double, 9>& b : problem.matrix.values) values.insert(values.end(), b.begin(), b.end());
    values_.assign(values);
    r_.assign(problem.r);
    shift_.resize_zero(static_cast<Index>(n));
    std::vector<Vec3R> normal(n);
    std::vector<Real> mu(n), eta(n);
    for (std::size_t k = 0; k < n; ++k) {
        normal[k] = cast<Real>(normalized(problem.normal[k]));
        mu[k] = static_cast<Real>(problem.mu[k]);
        eta[k] = static_cast<Real>(step_of(problem.matrix, static_cast<std::int64_t>(k)));
    }
    normal_.assign(normal);
    mu_.assign(mu);
    eta_.assign(eta);
}

BlockView BlockOperator::view() const {
    return {row_start_.data(), column_.data(), values_.data(), r_.data(), shift_.data()};
}

ConeView BlockOperator::cone() const {
    ConeView cone{mu_.size(), 0, normal_.data(), mu_.data(), nullptr, nullptr, nullptr, eta_.data(), nullptr, nullptr, nullptr};
    cone.slides = slides_;
    return cone;
}

void BlockOperator::shape(Unknowns& x) const {
    x.resize_zero(mu_.size(), false, 0);
}

void BlockOperator::multiply(const Late<UnknownsView>& x, const Late<UnknownsView>& u, const Late<bool>& with_r, Gate gate) {
    multiply_blocks(exec_, view(), cone(), x, with_r, u, gate);
}

void BlockOperator::sweep(Unknowns& x, const Late<double>& omega, bool, std::int64_t sweeps, Gate gate) {
    for (std::int64_t k = 0; k < sweeps; ++k) sweep_blocks(exec_, view(), cone(), x.impulse.data(), omega, gate);
}

void BlockOperator::shift_by_sliding(Unknowns* u, Gate gate) {
    if (u == nullptr) {
        shift_.resize_zero(shift_.size());
    } else {
        slide(exec_, cone(), u->impulse.data(), shift_.data(), gate);
    }
}

bool BlockOperator::explicit_form(ExplicitProblem& out) {
    out = problem_;
    return true;
}

}  // namespace scree::SCREE_FLAVOR
