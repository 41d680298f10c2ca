// Coulomb friction is not convex, and no method is known that always gets there. Tried in turn until one does: the interior point method
// with Coulomb's term inside, then Newton; Newton from the solution of the convex problem; Newton after Gauss–Seidel sweeps; the fixed
// point s = mu |u_t| (De Saxcé & Feng 1998; Cadoux 2009), whose convex problems the interior point method solves, each followed by Newton;
// longer sweeps.
#include "engine/cone/direct/direct.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "engine/cone/direct/interior.hpp"
#include "engine/cone/direct/newton.hpp"
#include "engine/cone/direct/sweeps.hpp"

namespace scree {
namespace direct {
namespace {

/// One solve: the best iterate so far, and what is left of the factorisations allowed.
class Search {
public:
    Search(const ExplicitProblem& given, const DirectSettings& settings)
        : given_(given), settings_(settings), problem_(scaled_problem(given, scaling_)) {
        best_.setZero(problem_.size());
        residual_ = residual_of(best_);
    }

    const Problem& problem() const { return problem_; }
    const Vector& best() const { return best_; }
    bool done() const { return residual_ <= settings_.tolerance; }
    bool spent() const { return done() || iterations_ >= settings_.iterations; }
    DirectReport report() const { return {iterations_, residual_, done()}; }
    std::vector<Vec3> result() const { return to_given(scaling_, best_); }

    /// Keeps r where it is the best so far.
    void consider(const Vector& r, const char* what = "") {
        if (!r.allFinite()) return;
        const double residual = residual_of(r);
        if (getenv("SCREE_TRACE")) fprintf(stderr, "  %-20s %lld res %.3e\n", what, (long long)iterations_, residual);
        if (residual >= residual_) return;
        residual_ = residual;
        best_ = r;
    }

    /// The convex problem with q + shift: interior point, then Newton. Returns r.
    Vector convex(const Vector& q) {
        Vector r;
        iterations_ += interior_point(problem_, q, FrictionLaw::Ccp, 1e-13, 80, r).iterations;
        NewtonSettings s;
        Vector polished = r;
        const NewtonResult result = newton(problem_, q, s, r, polished);
        iterations_ += result.iterations;
        return polished;
    }

    Vector interior() {
        Vector r;
        iterations_ += interior_point(problem_, problem_.q, settings_.law, 1e-13, 80, r).iterations;
        return r;
    }

    /// Newton's method on the law's own problem by both equations; keeps what is better. True where that solved it.
    bool polish(const Vector& start, int iterations, double proximal = 0) {
        for (const Equation equation : {Equation::AlartCurnier, Equation::Natural}) {
            if (spent()) break;
            NewtonSettings s{settings_.law, equation, 1e-14, iterations, proximal};
            Vector r = start;
            iterations_ += newton(problem_, problem_.q, s, start, r).iterations;
            consider(r, equation == Equation::Natural ? "natural" : "alart-curnier");
        }
        return done();
    }

    /// q + mu |u_t| on normals, u = M r + q.
    Vector shifted(const Vector& r) const {
        const Vector u = problem_.multiply(r) + problem_.q;
        Vector q = problem_.q;
        for (int i = 0; i < problem_.contacts; ++i) q[3 * i] += problem_.mu[i] * u.segment<2>(3 * i + 1).norm();
        return q;
    }

private:
    double residual_of(const Vector& r) const {
        const std::vector<Vec3> x = to_given(scaling_, r);
        return settings_.measure == DirectMeasure::Relative ? relative_residual(given_, x, settings_.law)
                                                            : velocity_residual(given_, x, settings_.law);
    }

    const ExplicitProblem& given_;
    const DirectSettings& settings_;
    Scaling scaling_;
    Problem problem_;
    Vector best_;
    double residual_{0};
    std::int64_t iterations_{0};
};

void fixed_point(Search& search, const Vector& start) {
    Vector q = search.shifted(start);
    double weight = 1;
    for (int outer = 0; outer < 30 && !search.spent(); ++outer) {
        const Vector r = search.convex(q);
        search.consider(r, "fixed point");
        if (search.polish(r, 20)) return;
        if (outer == 10) weight = 0.5;
        q += weight * (search.shifted(r) - q);
    }
}

void solve_coulomb(Search& search) {
    const Vector inside = search.interior();
    search.consider(inside, "interior");
    if (search.polish(inside, 25)) return;
    const Vector convex = search.convex(search.problem().q);
    search.consider(convex, "ccp");
    if (search.polish(convex, 25)) return;
    fixed_point(search, convex);
    Vector r = Vector::Zero(search.problem().size());
    for (int round = 0; round < 6 && !search.spent(); ++round) {
        sweep_contacts(search.problem(), search.problem().q, FrictionLaw::Coulomb, 50 << round, r);
        search.consider(r, "sweeps");
        if (search.polish(r, 40)) return;
    }
}

}  // namespace
}  // namespace direct

DirectReport solve_direct(const ExplicitProblem& given, const DirectSettings& settings, std::vector<Vec3>& x) {
    direct::Search search(given, settings);
    if (settings.law == FrictionLaw::Ccp) {
        if (!search.spent()) search.consider(search.convex(search.problem().q), "ccp");
    } else if (!search.spent()) {
        direct::solve_coulomb(search);
    }
    x = search.result();
    return search.report();
}

}  // namespace scree
