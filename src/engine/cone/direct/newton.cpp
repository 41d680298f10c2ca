#include "engine/cone/direct/newton.hpp"

#include <algorithm>
#include <cmath>

#include "engine/cone/direct/block_system.hpp"

namespace scree::direct {
namespace {

/// Value of the equation at one contact, and its slopes in r and in u.
struct Local {
    Vector3 value;
    Matrix3 by_r, by_u;
};

/// Slope of the projection onto the cone (an element of its generalised Jacobian).
Matrix3 projection_slope(const Vector3& z, double mu) {
    const double t = z.tail<2>().norm();
    if (t <= mu * z[0]) return Matrix3::Identity();
    if (mu * t <= -z[0]) return Matrix3::Zero();
    const double n = (z[0] + mu * t) / (1 + mu * mu);
    const Vector3 along(1, mu * z[1] / t, mu * z[2] / t), across(0, -z[2] / t, z[1] / t);
    return along * along.transpose() / (1 + mu * mu) + (mu * n / t) * across * across.transpose();
}

/// r - P(r - w) as w plus the projection onto the polar cone, which keeps the digits of a w far smaller than r.
Vector3 natural_value(const Vector3& r, const Vector3& w, double mu) {
    const Vector3 z = r - w;
    const double t = z.tail<2>().norm();
    if (t <= mu * z[0]) return w;
    if (mu * t <= -z[0]) return r;
    const double out = (t - mu * z[0]) / (1 + mu * mu);
    return w + out * Vector3(-mu, z[1] / t, z[2] / t);
}

Local natural(const Vector3& r, const Vector3& u, double mu, FrictionLaw law) {
    const Vector3 w = sliding_velocity(u, mu, law);
    const Matrix3 slope = projection_slope(r - w, mu);
    Matrix3 shift = Matrix3::Identity();
    const double speed = u.tail<2>().norm();
    if (law == FrictionLaw::Coulomb && speed > 0) shift.block<1, 2>(0, 1) = mu / speed * u.tail<2>().transpose();
    return {natural_value(r, w, mu), Matrix3::Identity() - slope, slope * shift};
}

Local alart_curnier(const Vector3& r, const Vector3& u, double mu) {
    Local local{r, Matrix3::Identity(), Matrix3::Zero()};
    const Vector3 z = r - u;
    if (z[0] <= 0) return local;
    local.value[0] = u[0];
    local.by_r(0, 0) = 0;
    local.by_u(0, 0) = 1;
    const double t = z.tail<2>().norm(), radius = mu * z[0];
    if (t <= radius) {
        local.value.tail<2>() = u.tail<2>();
        local.by_r.block<2, 2>(1, 1).setZero();
        local.by_u.block<2, 2>(1, 1).setIdentity();
        return local;
    }
    const Eigen::Vector2d d = z.tail<2>() / t;
    const Eigen::Matrix2d across = radius / t * (Eigen::Matrix2d::Identity() - d * d.transpose());
    local.value.tail<2>() = r.tail<2>() - radius * d;
    local.by_r.block<2, 2>(1, 1) -= across;
    local.by_r.block<2, 1>(1, 0) = -mu * d;
    local.by_u.block<2, 2>(1, 1) = across;
    local.by_u.block<2, 1>(1, 0) = mu * d;
    return local;
}

struct Evaluation {
    Vector value;
    std::vector<Matrix3> by_r, by_u;
    double norm;
};

Evaluation evaluate(const Problem& p, const Vector& q, const NewtonSettings& s, const Vector& centre, const Vector& r) {
    Vector u = p.multiply(r) + q;
    if (s.proximal > 0) u += s.proximal * (r - centre);
    Evaluation e{Vector(p.size()), {}, {}, 0};
    e.by_r.resize(p.contacts);
    e.by_u.resize(p.contacts);
    for (int i = 0; i < p.contacts; ++i) {
        const Vector3 ri = r.segment<3>(3 * i), ui = u.segment<3>(3 * i);
        const Local local = s.equation == Equation::Natural ? natural(ri, ui, p.mu[i], s.law) : alart_curnier(ri, ui, p.mu[i]);
        e.value.segment<3>(3 * i) = local.value;
        e.by_r[i] = local.by_r;
        e.by_u[i] = local.by_u;
    }
    e.norm = e.value.norm();
    return e;
}

}  // namespace

NewtonResult newton(const Problem& p, const Vector& q, const NewtonSettings& s, const Vector& centre, Vector& r) {
    BlockSystem system(p, false);
    const std::vector<Matrix3> right(p.contacts, Matrix3::Identity());
    std::vector<Matrix3> add(p.contacts);
    Evaluation now = evaluate(p, q, s, centre, r);
    NewtonResult result{0, now.norm};
    double damping = 1e-12;
    while (result.iterations < s.iterations && now.norm > s.target) {
        bool moved = false;
        for (int trial = 0; trial < 5 && !moved && result.iterations < s.iterations; ++trial, ++result.iterations) {
            for (int i = 0; i < p.contacts; ++i) add[i] = now.by_r[i] + (s.proximal + damping) * now.by_u[i];
            const Vector d = system.factorise(now.by_u, right, add) ? system.solve(-now.value) : Vector::Constant(p.size(), NAN);
            for (double step = 1; step > 0.02 && d.allFinite(); step *= 0.5) {
                Evaluation next = evaluate(p, q, s, centre, r + step * d);
                if (!(next.norm < (1 - 1e-3 * step) * now.norm)) continue;
                r += step * d;
                now = std::move(next);
                if (step == 1) damping = std::max(damping * 1e-2, 1e-13);
                moved = true;
                break;
            }
            if (!moved) damping = std::min(damping * 300, 1.0);
        }
        if (!moved) break;
    }
    result.residual = now.norm;
    return result;
}

}  // namespace scree::direct
