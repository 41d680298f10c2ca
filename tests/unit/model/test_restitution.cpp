// Restitution and damping ratio against a direct integration of one collision, and against the published closed form.
#include <doctest/doctest.h>

#include <cmath>

#include "base/error.hpp"
#include "model/contact_parameters.hpp"

using namespace scree;

namespace {

/// Restitution of x'' = -F(x, x'), x(0) = 0, x'(0) = 1, until F = 0, by Runge-Kutta of fourth order with the last step cut by bisection.
/// In units with m = k = 1: F = x + 2 zeta x' (linear) or x^{3/2} + 2 zeta sqrt(3/2) x^{1/4} x' (Hertz).
double integrated_restitution(Law law, double zeta) {
    const auto force = [&](double x, double v) {
        if (law == Law::Linear) return x + 2.0 * zeta * v;
        const double depth = std::fmax(x, 0.0);
        return depth * std::sqrt(depth) + 2.0 * zeta * std::sqrt(1.5) * std::sqrt(std::sqrt(depth)) * v;
    };
    const auto advance = [&](double& x, double& v, double h) {
        const double k1x = v, k1v = -force(x, v);
        const double k2x = v + 0.5 * h * k1v, k2v = -force(x + 0.5 * h * k1x, v + 0.5 * h * k1v);
        const double k3x = v + 0.5 * h * k2v, k3v = -force(x + 0.5 * h * k2x, v + 0.5 * h * k2v);
        const double k4x = v + h * k3v, k4v = -force(x + h * k3x, v + h * k3v);
        x += h / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
    };
    double x = 0.0, v = 1.0, t = 0.0;
    for (;;) {
        // The root at x = 0 of the Hertz dashpot needs small steps there: they grow with time from 1e-12.
        double h = std::fmin(2e-4, 1e-12 + 1e-3 * t);
        double next_x = x, next_v = v;
        advance(next_x, next_v, h);
        if (next_v < 0.0 && force(next_x, next_v) <= 0.0) {
            double low = 0.0;
            for (int i = 0; i < 60; ++i) {
                const double middle = 0.5 * (low + h);
                double mx = x, mv = v;
                advance(mx, mv, middle);
                (mv < 0.0 && force(mx, mv) <= 0.0 ? h : low) = middle;
            }
            advance(x, v, low);
            return -v;
        }
        x = next_x;
        v = next_v;
        t += h;
    }
}

}  // namespace

TEST_CASE("restitution agrees with an integrated collision") {
    // The Runge-Kutta reference is good to about 1e-8 (Hertz, through the root at x = 0).
    for (const double zeta : {0.0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.7072, 0.8, 0.95, 0.999999, 1.0, 1.000001, 1.3, 2.0, 4.0}) {
        CAPTURE(zeta);
        CHECK(restitution_of(Law::Linear, zeta) == doctest::Approx(integrated_restitution(Law::Linear, zeta)).epsilon(1e-9));
        CHECK(restitution_of(Law::Hertz, zeta) == doctest::Approx(integrated_restitution(Law::Hertz, zeta)).epsilon(1e-7));
    }
}

TEST_CASE("linear restitution is the closed form of Schwager and Poeschel in its three branches") {
    const double pi = std::acos(-1.0);
    for (double zeta = 0.05; zeta < 5.0; zeta += 0.0437) {
        const double omega = std::sqrt(std::fabs(1.0 - zeta * zeta));
        double expected = 0.0;
        if (zeta < std::sqrt(0.5)) {
            expected = std::exp(-zeta / omega * (pi - std::atan(2.0 * zeta * omega / (omega * omega - zeta * zeta))));
        } else if (zeta < 1.0) {
            expected = std::exp(-zeta / omega * std::atan(-2.0 * zeta * omega / (omega * omega - zeta * zeta)));
        } else {
            expected = std::exp(-zeta / omega * std::log((zeta + omega) / (zeta - omega)));
        }
        CAPTURE(zeta);
        CHECK(restitution_of(Law::Linear, zeta) == doctest::Approx(expected).epsilon(1e-12));
    }
}

TEST_CASE("critical damping leaves exp(-2)") {
    CHECK(restitution_of(Law::Linear, 1.0) == doctest::Approx(std::exp(-2.0)).epsilon(1e-14));
    CHECK(restitution_of(Law::Hertz, std::sqrt(5.0 / 6.0)) == doctest::Approx(std::exp(-2.0)).epsilon(1e-12));
    // No jump where the series about critical damping hands over.
    for (const double z : {1.0 - 1e-5, 1.0 + 1e-5})
        CHECK(restitution_of(Law::Linear, z * (1 - 1e-12)) == doctest::Approx(restitution_of(Law::Linear, z * (1 + 1e-12))).epsilon(1e-10));
}

TEST_CASE("damping_ratio inverts restitution_of") {
    for (const Law law : {Law::Linear, Law::Hertz}) {
        for (double e = 0.01; e < 1.0; e += 0.0099) {
            CAPTURE(e);
            CHECK(std::fabs(restitution_of(law, damping_ratio(law, e)) - e) < 1e-12);
        }
        CHECK(damping_ratio(law, 1.0) == 0.0);
        CHECK(damping_ratio(law, 0.01) > damping_ratio(law, 0.011));
        CHECK_THROWS_AS(damping_ratio(law, 0.009), Error);
        CHECK_THROWS_AS(damping_ratio(law, 1.01), Error);
        CHECK_THROWS_AS(damping_ratio(law, std::nan("")), Error);
    }
}
