#include "engine/cone/direct/sweeps.hpp"

#include <cmath>
#include <numbers>

namespace scree::direct {
namespace {

/// Impulse and velocity of a contact that slides against direction d = (cos, sin) of its friction.
struct Sliding {
    const Matrix3& m;
    const Vector3& q;
    double mu;
    FrictionLaw law;

    Vector3 impulse(double angle) const {
        const Vector3 ray(1, mu * std::cos(angle), mu * std::sin(angle));
        // Coulomb: u_n = 0; CCP: u orthogonal to the ray.
        const Vector3 test = law == FrictionLaw::Coulomb ? Vector3(1, 0, 0) : ray;
        const double stiffness = test.dot(m * ray);
        return stiffness > 0 ? Vector3(-test.dot(q) / stiffness * ray) : Vector3::Zero();
    }
    /// Sine-like: zero where friction and sliding are parallel.
    double turn(double angle) const {
        const Vector3 u = m * impulse(angle) + q;
        return std::cos(angle) * u[2] - std::sin(angle) * u[1];
    }
    bool opposes(double angle) const {
        const Vector3 u = m * impulse(angle) + q;
        return std::cos(angle) * u[1] + std::sin(angle) * u[2] <= 0;
    }
};

double root_between(const Sliding& s, double a, double b) {
    double fa = s.turn(a);
    for (int i = 0; i < 60 && b - a > 1e-15; ++i) {
        const double c = 0.5 * (a + b), fc = s.turn(c);
        if ((fc > 0) == (fa > 0)) {
            a = c;
            fa = fc;
        } else {
            b = c;
        }
    }
    return 0.5 * (a + b);
}

}  // namespace

Vector3 solve_contact(const Matrix3& m, const Vector3& q, double mu, FrictionLaw law, const Vector3& guess) {
    if (mu == 0) return m(0, 0) > 0 ? Vector3(std::max(0.0, -q[0] / m(0, 0)), 0, 0) : guess;
    const double slip = law == FrictionLaw::Coulomb ? 0 : mu * q.tail<2>().norm();
    if (q[0] >= slip) return Vector3::Zero();
    Vector3 stick = -m.inverse() * q;
    if (stick.allFinite() && stick.tail<2>().norm() <= mu * stick[0]) return stick;
    constexpr int parts = 24;
    const Sliding s{m, q, mu, law};
    const double start = guess.tail<2>().norm() > 0 ? std::atan2(guess[2], guess[1]) : std::atan2(-q[2], -q[1]);
    const double part = 2 * std::numbers::pi / parts;
    // Outwards from the direction before, to either side in turn.
    for (int k = 0; k < parts; ++k) {
        const double at = start + (k % 2 == 0 ? k / 2 : -(k + 1) / 2) * part - 0.5 * part;
        if ((s.turn(at) > 0) == (s.turn(at + part) > 0)) continue;
        const double angle = root_between(s, at, at + part);
        Vector3 r = s.impulse(angle);
        if (r[0] >= 0 && s.opposes(angle)) return r;
    }
    return guess;
}

void sweep_contacts(const Problem& p, const Vector& q, FrictionLaw law, int sweeps, Vector& r) {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (int i = 0; i < p.contacts; ++i) {
            Vector3 rest = q.segment<3>(3 * i);
            Matrix3 own = Matrix3::Zero();
            for (std::int64_t e = p.row_begin[i]; e < p.row_begin[i + 1]; ++e) {
                if (p.column[e] == i) {
                    own = p.block[e];
                } else {
                    rest += p.block[e] * r.segment<3>(3 * p.column[e]);
                }
            }
            r.segment<3>(3 * i) = solve_contact(own, rest, p.mu[i], law, r.segment<3>(3 * i));
        }
    }
}

}  // namespace scree::direct
