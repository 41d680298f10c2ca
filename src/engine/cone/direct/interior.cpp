#include "engine/cone/direct/interior.hpp"

#include <algorithm>
#include <cmath>

#include "engine/cone/direct/block_system.hpp"

namespace scree::direct {
namespace {

/// r = d x turns the friction cone into Lorentz' cone; a frictionless contact keeps its normal component only.
struct Lorentz {
    std::vector<Vector3> scale;
    std::vector<Matrix3> matrix;

    explicit Lorentz(const Problem& p) : scale(p.contacts), matrix(p.contacts) {
        for (int i = 0; i < p.contacts; ++i) {
            const double s = std::sqrt(p.mu[i]);
            scale[i] = p.mu[i] > 0 ? Vector3(1 / s, s, s) : Vector3(1, 0, 0);
            matrix[i] = scale[i].asDiagonal();
        }
    }
    Vector times(const Vector& v) const {
        Vector out(v.size());
        for (std::size_t i = 0; i < scale.size(); ++i) out.segment<3>(3 * i) = scale[i].cwiseProduct(v.segment<3>(3 * i));
        return out;
    }
};

/// x0^2 - |x1|^2 without cancellation of squares.
double determinant(const Vector3& x) {
    const double t = x.tail<2>().norm();
    return (x[0] - t) * (x[0] + t);
}

Vector3 product(const Vector3& a, const Vector3& b) {
    return {a.dot(b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
}

/// Solves product(a, b) = c for b.
Vector3 quotient(const Vector3& a, const Vector3& c) {
    const double inner = a[1] * c[1] + a[2] * c[2];
    const double b0 = (a[0] * c[0] - inner) / determinant(a);
    return {b0, (c[1] - a[1] * b0) / a[0], (c[2] - a[2] * b0) / a[0]};
}

/// Longest step s <= 1 that keeps x + s d in Lorentz' cone.
double longest_step(const Vector3& x, const Vector3& d) {
    const double a = determinant(d);
    const double b = x[0] * d[0] - x.tail<2>().dot(d.tail<2>());
    const double c = std::max(determinant(x), 0.0);
    double s = 1;
    if (d[0] < 0) s = std::min(s, -x[0] / d[0]);
    // a s^2 + 2 b s + c = 0: the smallest positive root.
    const double disc = b * b - a * c;
    if (disc >= 0) {
        const double root = std::sqrt(disc);
        if (b < 0) {
            s = std::min(s, c / (root - b));
        } else if (a < 0) {
            s = std::min(s, (b + root) / -a);
        }
    }
    return s;
}

/// Nesterov–Todd scaling of one contact: W x = W^-1 y = lambda.
struct NesterovTodd {
    Matrix3 w, inverse, squared;
    Vector3 lambda;

    NesterovTodd(const Vector3& x, const Vector3& y) {
        const double dx = std::max(determinant(x), 1e-300), dy = std::max(determinant(y), 1e-300);
        const Vector3 a = x / std::sqrt(dx), b = y / std::sqrt(dy);
        const double gamma = std::sqrt(0.5 * (1 + a.dot(b)));
        const Vector3 v = Vector3(b[0] + a[0], b[1] - a[1], b[2] - a[2]) / (2 * gamma);
        const double beta = std::pow(dy / dx, 0.25);
        Matrix3 m;
        m(0, 0) = v[0];
        m.block<1, 2>(0, 1) = v.tail<2>().transpose();
        m.block<2, 1>(1, 0) = v.tail<2>();
        m.block<2, 2>(1, 1) = Eigen::Matrix2d::Identity() + v.tail<2>() * v.tail<2>().transpose() / (1 + v[0]);
        w = beta * m;
        m.block<1, 2>(0, 1) *= -1;
        m.block<2, 1>(1, 0) *= -1;
        inverse = m / beta;
        squared = w * w;
        lambda = w * x;
    }
};

struct Iterate {
    Vector x, y;
};

/// Slope of w in u at each contact: with the term |y_t| of Coulomb's law, in Lorentz' coordinates.
std::vector<Matrix3> sliding_slopes(const Vector& y, const std::vector<double>& mu, FrictionLaw law) {
    std::vector<Matrix3> slope(mu.size(), Matrix3::Identity());
    for (std::size_t i = 0; i < mu.size() && law == FrictionLaw::Coulomb; ++i) {
        const Eigen::Vector2d t = y.segment<2>(3 * i + 1);
        if (mu[i] > 0 && t.norm() > 0) slope[i].block<1, 2>(0, 1) = t.transpose() / t.norm();
    }
    return slope;
}

/// Solves W dx + W^-1 dy = complementarity, dy = slope (M dx + miss).
Iterate direction(const BlockSystem& system, const std::vector<NesterovTodd>& scaling, const std::vector<Matrix3>& slope,
                  const Vector& miss, const Vector& complementarity) {
    const int n = static_cast<int>(scaling.size());
    Vector rhs(miss.size());
    for (int i = 0; i < n; ++i) {
        rhs.segment<3>(3 * i) = scaling[i].w * complementarity.segment<3>(3 * i) - slope[i] * miss.segment<3>(3 * i);
    }
    Iterate d;
    d.x = system.solve(rhs);
    d.y.resize(rhs.size());
    for (int i = 0; i < n; ++i) {
        d.y.segment<3>(3 * i) = scaling[i].w * complementarity.segment<3>(3 * i) - scaling[i].squared * d.x.segment<3>(3 * i);
    }
    return d;
}

double step_length(const Iterate& at, const Iterate& d, const std::vector<double>& mu) {
    double s = 1;
    for (std::size_t i = 0; i < mu.size(); ++i) {
        s = std::min(s, longest_step(at.x.segment<3>(3 * i), d.x.segment<3>(3 * i)));
        s = std::min(s, longest_step(at.y.segment<3>(3 * i), d.y.segment<3>(3 * i)));
    }
    return s;
}

}  // namespace

InteriorResult interior_point(const Problem& problem, const Vector& given_q, FrictionLaw law, double target, int most, Vector& r) {
    const int n = problem.contacts;
    const Lorentz lorentz(problem);
    const Vector q = lorentz.times(given_q);
    BlockSystem system(problem, problem.symmetric && law == FrictionLaw::Ccp);
    Iterate at;
    at.x.setZero(problem.size());
    at.y.setZero(problem.size());
    const double start = std::max(q.cwiseAbs().maxCoeff(), 1e-3 / std::sqrt(n));
    for (int i = 0; i < n; ++i) at.x[3 * i] = at.y[3 * i] = start;
    InteriorResult result;
    std::vector<NesterovTodd> scaling;
    std::vector<Matrix3> add(n), left(n);
    Vector complementarity(problem.size());
    int stalls = 0;
    for (; result.iterations < most; ++result.iterations) {
        Vector miss = lorentz.times(problem.multiply(lorentz.times(at.x))) + q - at.y;
        for (int i = 0; i < n && law == FrictionLaw::Coulomb; ++i) {
            if (problem.mu[i] > 0) miss[3 * i] += at.y.segment<2>(3 * i + 1).norm();
        }
        result.gap = at.x.dot(at.y) / n;
        result.infeasibility = miss.norm();
        if (std::max(result.gap, result.infeasibility) <= target) break;
        const std::vector<Matrix3> slope = sliding_slopes(at.y, problem.mu, law);
        scaling.clear();
        for (int i = 0; i < n; ++i) {
            scaling.emplace_back(at.x.segment<3>(3 * i), at.y.segment<3>(3 * i));
            add[i] = scaling[i].squared;
            left[i] = slope[i] * lorentz.matrix[i];
            complementarity.segment<3>(3 * i) = -scaling[i].lambda;
        }
        if (!system.factorise(left, lorentz.matrix, add)) break;
        const Iterate predictor = direction(system, scaling, slope, miss, complementarity);
        const double sigma = std::pow(1 - step_length(at, predictor, problem.mu), 3);
        for (int i = 0; i < n; ++i) {
            const NesterovTodd& s = scaling[i];
            const Vector3 second = product(s.w * predictor.x.segment<3>(3 * i), s.inverse * predictor.y.segment<3>(3 * i));
            complementarity.segment<3>(3 * i) = quotient(s.lambda, Vector3(sigma * result.gap, 0, 0) - second) - s.lambda;
        }
        const Iterate d = direction(system, scaling, slope, miss, complementarity);
        const double step = std::min(1.0, 0.99 * step_length(at, d, problem.mu));
        if (!(step > 0) || !d.x.allFinite() || !d.y.allFinite()) break;
        at.x += step * d.x;
        at.y += step * d.y;
        stalls = step < 1e-3 ? stalls + 1 : 0;
        // Rounding sets in: what is left is Newton's work.
        if (stalls >= 3 || (step < 0.1 && result.gap < 1e-11 && result.infeasibility < 1e-9)) break;
    }
    r = lorentz.times(at.x);
    return result;
}

}  // namespace scree::direct
