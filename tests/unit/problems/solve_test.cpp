// The direct solver and the iterative methods, by closed forms and by conditions worked out here.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/rng.hpp"
#include "unit/problems/files.hpp"

namespace scree::problem_test {
namespace {

constexpr Vec3 axis_x{1, 0, 0};

/// One contact of a mass that cannot turn: u = r / mass + q.
ExplicitProblem particle(double mass, Vec3 q, double mu, Vec3 normal = axis_x) {
    const double m = 1 / mass;
    return {{{0, 1}, {0}, {{m, 0, 0, 0, m, 0, 0, 0, m}}}, {q}, {normal}, {mu}};
}

/// Contacts of bodies with six freedoms each that approach each other and the ground: N = J W J^T, r = J v, so that solutions exist. With
/// more contacts than freedoms N is singular.
ExplicitProblem bodies(std::uint64_t seed, int count, int contacts, double mu, double skew = 0) {
    Rng rng(seed, 0);
    std::vector<double> weight(6 * count), v(6 * count), j(static_cast<std::size_t>(18) * contacts * count, 0.0);
    for (int k = 0; k < 6 * count; ++k) {
        weight[k] = std::pow(10.0, rng.uniform(-1, 1));
        v[k] = rng.uniform(-1, 1);
    }
    ExplicitProblem p;
    for (int c = 0; c < contacts; ++c) {
        const int a = static_cast<int>(rng.uniform(0, count)), b = static_cast<int>(rng.uniform(-1, count));
        for (int row = 0; row < 3; ++row) {
            for (int k = 0; k < 6; ++k) {
                j[(3 * c + row) * 6 * count + 6 * a + k] += rng.uniform(-1, 1);
                if (b >= 0) j[(3 * c + row) * 6 * count + 6 * b + k] += rng.uniform(-1, 1);
            }
        }
        p.normal.push_back(axis_x);
        p.mu.push_back(mu);
    }
    p.matrix.row_start.push_back(0);
    for (int c = 0; c < contacts; ++c) {
        std::array<double, 3> r{};
        for (int row = 0; row < 3; ++row) {
            for (int k = 0; k < 6 * count; ++k) r[row] += j[(3 * c + row) * 6 * count + k] * v[k];
        }
        p.r.push_back({r[0], r[1], r[2]});
        for (int d = 0; d < contacts; ++d) {
            std::array<double, 9> block{};
            for (int e = 0; e < 9; ++e) {
                for (int k = 0; k < 6 * count; ++k) {
                    block[e] += j[(3 * c + e / 3) * 6 * count + k] * weight[k] * j[(3 * d + e % 3) * 6 * count + k];
                }
                if (c == d && (e == 1 || e == 3)) block[e] += e == 1 ? skew : -skew;
            }
            p.matrix.column.push_back(d);
            p.matrix.values.push_back(block);
        }
        p.matrix.row_start.push_back(static_cast<std::int64_t>(p.matrix.column.size()));
    }
    return p;
}

/// The largest breach of: r in K, w in K*, r . w = 0, over the size of the velocities without impulses. Shares nothing with the solvers.
double breach(const ExplicitProblem& p, const std::vector<Vec3>& x, FrictionLaw law) {
    const std::vector<double> dense = dense_of(p);
    const std::size_t rows = 3 * x.size();
    double worst = 0, size = 0;
    for (const Vec3& r : p.r) size = std::max(size, norm(r));
    for (std::size_t k = 0; k < x.size(); ++k) {
        std::array<double, 3> u{p.r[k].x, p.r[k].y, p.r[k].z};
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t c = 0; c < x.size(); ++c) {
                const double* m = &dense[(3 * k + row) * rows + 3 * c];
                u[row] += m[0] * x[c].x + m[1] * x[c].y + m[2] * x[c].z;
            }
        }
        const double slip = std::hypot(u[1], u[2]), force = std::hypot(x[k].y, x[k].z);
        const double wn = u[0] + (law == FrictionLaw::Coulomb ? p.mu[k] * slip : 0);
        worst = std::max({worst, force - p.mu[k] * x[k].x, p.mu[k] * slip - wn});
        worst = std::max(worst, std::fabs(x[k].x * wn + x[k].y * u[1] + x[k].z * u[2]));
    }
    return worst / size;
}

ConeSolution solved(const ExplicitProblem& p, FrictionLaw law, ConeSolver solver = ConeSolver::InteriorPoint, double tolerance = 1e-10) {
    return solve_cone_problem(p, {solver, law, tolerance, 0}, Device::Cpu, Precision::Double);
}

}  // namespace

TEST_CASE("a particle that hits a plane: Coulomb's closed form") {
    // Lands at speed 2 with mass 3: normal impulse 6. Slides at 4: friction -mu 6 while that does not stop it, else -12.
    for (const double mu : {0.0, 0.5, 1.5, 3.0}) {
        const ConeSolution s = solved(particle(3, {-2, 2.4, -3.2}, mu), FrictionLaw::Coulomb);
        REQUIRE(s.converged);
        const double friction = std::min(6 * mu, 12.0);
        CHECK(s.impulse[0].x == doctest::Approx(6).epsilon(1e-9));
        CHECK(norm(s.impulse[0] - Vec3{s.impulse[0].x, -0.6 * friction, 0.8 * friction}) < 1e-8);
    }
}

TEST_CASE("a particle that hits a plane: the convex relaxation is a projection") {
    // min 1/2 |r|^2 / m + q . r over K: the nearest point of K to -m q = (6, -7.2, 9.6). For mu = 0.5: n = (6 + 0.5 * 12) / 1.25 = 9.6.
    const ConeSolution s = solved(particle(3, {-2, 2.4, -3.2}, 0.5), FrictionLaw::Ccp);
    REQUIRE(s.converged);
    CHECK(norm(s.impulse[0] - Vec3{9.6, -0.6 * 4.8, 0.8 * 4.8}) < 1e-8);
}

TEST_CASE("contacts that part, or that nothing moves, carry nothing") {
    CHECK(norm(solved(particle(3, {2, 1, 1}, 0.5), FrictionLaw::Coulomb).impulse[0]) == 0);
    CHECK(norm(solved(particle(3, {0, 0, 0}, 0.5), FrictionLaw::Ccp).impulse[0]) == 0);
    ExplicitProblem unmoved = particle(3, {1, 0, 0}, 0.5);
    unmoved.matrix.values[0] = {};
    CHECK(solved(unmoved, FrictionLaw::Coulomb).converged);
}

TEST_CASE("normals of any direction: the answer turns with the frame") {
    const Vec3 n = normalized(Vec3{1, 2, -2});
    const Vec3 t = normalized(cross(n, Vec3{0, 0, 1})), s = cross(n, t);
    const Vec3 along = solved(particle(2, {-1, 0.5, 0.25}, 0.3), FrictionLaw::Coulomb).impulse[0];
    const Vec3 turned = solved(particle(2, -1.0 * n + 0.5 * t + 0.25 * s, 0.3, n), FrictionLaw::Coulomb).impulse[0];
    CHECK(norm(turned - (along.x * n + along.y * t + along.z * s)) < 1e-9);
}

TEST_CASE("random problems of both laws: singular, asymmetric, with and without friction") {
    // The tolerance is relative to q, which is of order one; impulses are up to a hundred, so products lose two digits of 1e-10.
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        for (const double mu : {0.0, 0.05, 0.7}) {
            for (const double skew : {0.0, 0.02}) {
                for (const auto& [count, each] : {std::pair(6, 10), std::pair(3, 20)}) {
                    const int contacts = each;
                    const ExplicitProblem p = bodies(seed, count, contacts, mu, skew);
                    for (const FrictionLaw law : {FrictionLaw::Ccp, FrictionLaw::Coulomb}) {
                        const ConeSolution s = solved(p, law);
                        CAPTURE(seed);
                        CAPTURE(mu);
                        CAPTURE(contacts);
                        CHECK(s.converged);
                        CHECK(s.residual <= 1e-10);
                        CHECK(breach(p, s.impulse, law) < 1e-8);
                    }
                }
            }
        }
    }
}

TEST_CASE("iterative methods reach the same objective as the interior point method") {
    const ExplicitProblem p = bodies(11, 6, 8, 0.4);
    const auto objective = [&p](const ConeSolution& s) {
        const std::vector<Vec3> u = velocities(p, s.impulse);
        double sum = 0;
        for (std::size_t k = 0; k < u.size(); ++k) sum += 0.5 * dot(s.impulse[k], u[k] + p.r[k]);
        return sum;
    };
    const double expected = objective(solved(p, FrictionLaw::Ccp));
    for (const ConeSolver solver : {ConeSolver::Apgd, ConeSolver::BarzilaiBorwein, ConeSolver::GaussSeidel, ConeSolver::Jacobi}) {
        const ConeSolution s = solved(p, FrictionLaw::Ccp, solver, 1e-7);
        CHECK(s.converged);
        CHECK(s.solver == solver);
        // The objective is off by the residual times the distance to the solution, both small.
        CHECK(objective(s) == doctest::Approx(expected).epsilon(1e-6));
    }
}

TEST_CASE("what is not reached is said") {
    const ExplicitProblem p = bodies(5, 6, 10, 0.4);
    const ConeSolution s = solve_cone_problem(p, {ConeSolver::Jacobi, FrictionLaw::Ccp, 1e-12, 3}, Device::Cpu, Precision::Double);
    CHECK_FALSE(s.converged);
    CHECK(s.residual > 1e-12);
    CHECK(s.iterations <= 3);
    // Pulled into a wedge that does not give way: no impulse is enough.
    ExplicitProblem impossible = particle(1, {-1, 0, 0}, 0.5);
    impossible.matrix.values[0] = {};
    CHECK_FALSE(solved(impossible, FrictionLaw::Ccp).converged);
    CHECK_FALSE(solved(impossible, FrictionLaw::Coulomb).converged);
}

}  // namespace scree::problem_test
