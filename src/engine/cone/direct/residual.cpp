// How well impulses solve an explicit problem, by the measures of solvers and of simulation steps.
#include <cmath>

#include "engine/cone/direct/direct.hpp"

namespace scree {

std::vector<Vec3> velocities(const ExplicitProblem& problem, const std::vector<Vec3>& x) {
    const BlockMatrix& matrix = problem.matrix;
    std::vector<Vec3> u = problem.r;
    for (std::size_t i = 0; i < u.size(); ++i) {
        for (std::int64_t e = matrix.row_start[i]; e < matrix.row_start[i + 1]; ++e) {
            const auto& m = matrix.values[e];
            const Vec3 v = x[matrix.column[e]];
            u[i] += Vec3{m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z, m[6] * v.x + m[7] * v.y + m[8] * v.z};
        }
    }
    return u;
}

namespace {

/// u, under Coulomb's law u + mu |u_t| n.
Vec3 with_sliding(Vec3 u, Vec3 n, double mu, FrictionLaw law) {
    return law == FrictionLaw::Ccp ? u : u + mu * norm(u - dot(u, n) * n) * n;
}

/// x - P(x - w), which is w plus the projection of x - w onto the polar cone (Moreau). Written so, a w far smaller than x does not drown in
/// it: impulses that grow without bound solve nothing.
Vec3 natural_map(Vec3 x, Vec3 w, Vec3 n, double mu) {
    const Vec3 z = x - w;
    const double zn = dot(z, n);
    const Vec3 zt = z - zn * n;
    const double t = norm(zt);
    if (t <= mu * zn) return w;
    if (mu * t <= -zn) return x;
    const double out = (t - mu * zn) / (1 + mu * mu);
    return w + (out / t) * zt - (mu * out) * n;
}

}  // namespace

double relative_residual(const ExplicitProblem& problem, const std::vector<Vec3>& x, FrictionLaw law) {
    const std::vector<Vec3> u = velocities(problem, x);
    double sum = 0, r2 = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3 w = with_sliding(u[i], problem.normal[i], problem.mu[i], law);
        sum += norm2(natural_map(x[i], w, problem.normal[i], problem.mu[i]));
        r2 += norm2(problem.r[i]);
    }
    return std::sqrt(sum) / (r2 > 0 ? std::sqrt(r2) : 1.0);
}

double velocity_residual(const ExplicitProblem& problem, const std::vector<Vec3>& x, FrictionLaw law) {
    const std::vector<Vec3> u = velocities(problem, x);
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double trace = 0;
        for (std::int64_t e = problem.matrix.row_start[i]; e < problem.matrix.row_start[i + 1]; ++e) {
            const auto& m = problem.matrix.values[e];
            if (problem.matrix.column[e] == static_cast<std::int32_t>(i)) trace += m[0] + m[4] + m[8];
        }
        if (!(trace > 0)) continue;
        const double eta = 3 / trace;
        const Vec3 w = with_sliding(u[i], problem.normal[i], problem.mu[i], law);
        const double miss = norm(natural_map(x[i], eta * w, problem.normal[i], problem.mu[i])) / eta;
        if (!(miss <= largest)) largest = miss;
    }
    return largest;
}

}  // namespace scree
