// Accelerated projected gradient descent (Mazhar, Heyn, Tasora & Negrut 2015, ACM TOG 34:32; Nesterov 1983) in the metric of H^-1
// (algebra.hpp), with backtracking on the Lipschitz constant, its slow decrease, restart by the gradient (O'Donoghue & Candès 2015) and the
// best iterate kept. One application per trial step: N y follows from N x of the last two iterates, and neither y nor N y is stored. Three
// iterates and their velocities change places instead of being copied. y extrapolated point, g = N y + r, t step, theta Nesterov's
// sequence.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/cone/algebra.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double regrowth = 1.01;  // of t per iteration; 1 / 0.9 in the source, at the cost of many steps taken twice
constexpr double rounding = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon());
constexpr double shortest = 1e-6;  // no step of H N is shorter: a body has fewer contacts

/// The step that the move from y to x asks for; t where it is short enough. f(x) <= f(y) + g.d + |d|^2 / (2 t) for a quadratic f reads
/// d.N d <= |d|^2 / t, but for the rounding of u.
double step_asked_for(const StepSums& s, double t) {
    if (!(s.length2 > 0) || !(s.curvature * t > s.length2)) return t;
    const double noise = rounding * std::sqrt(s.length2 * s.speed2);
    if ((s.curvature - noise) * t <= s.length2) return t;
    return std::max({0.25 * t, shortest, std::min(0.8 * t, 0.95 * s.length2 / s.curvature)});
}

/// The best iterate without copies: it is found among the last two iterates, or was set aside when its place was needed.
class Lowest {
public:
    Lowest(Unknowns& kept, double residual) : kept_(kept), residual_(residual) {}
    /// Notes the newest iterate.
    void offer(double residual) {
        ++age_;
        if (!(residual <= residual_)) return;
        residual_ = residual;
        age_ = 0;
    }
    /// Before the place of the iterate before last is written over: sets it aside if it is the best.
    void keep(Unknowns& before_last) {
        if (age_ == 1) std::swap(before_last, kept_);
    }
    /// x becomes the best iterate; returns its residual.
    double restore(Unknowns& x, Unknowns& previous) {
        if (age_ > 0) std::swap(x, age_ == 1 ? previous : kept_);
        return residual_;
    }

private:
    Unknowns& kept_;
    double residual_;
    std::int64_t age_{0};  // iterations since
};

}  // namespace

SolveReport apgd(ConeOperator& problem, const SolveSettings& settings, SolveRoom& room, Unknowns& x) {
    double found = begin(problem, room, x, room.u);
    std::int64_t iteration = 1;
    Lowest best(room.best, found);
    Unknowns &next = room.y, &previous = room.previous, &next_u = room.gradient, &previous_u = room.u_before;
    copy(x, previous);
    copy(room.u, previous_u);
    double theta = 1, t = 1, beta = 0;
    while (found > settings.tolerance && iteration < settings.iterations && std::isfinite(found)) {
        const Extrapolation from{&x, &previous, &room.u, &previous_u, beta};
        StepSums sums;
        for (;;) {
            extrapolated_step(problem, from, t, next);
            sums = apply_and_sum(problem, room, next, from, next_u);
            ++iteration;
            const double asked = step_asked_for(sums, t);
            if (!(asked < t) || iteration >= settings.iterations) break;
            t = asked;
        }
        found = sums.residual;
        best.keep(previous);
        std::swap(previous, x);
        std::swap(x, next);
        std::swap(previous_u, room.u);
        std::swap(room.u, next_u);
        best.offer(found);
        // (y - x) H^-1 (x - x_before) > 0: the last step runs against the momentum.
        const bool against = sums.onward < 0;
        const double turned = against ? 1 : theta * (std::sqrt(theta * theta + 4) - theta) / 2;
        beta = against ? 0 : theta * (1 - theta) / (theta * theta + turned);
        theta = turned;
        t *= regrowth;
    }
    found = best.restore(x, previous);
    return {iteration, found, found <= settings.tolerance};
}

}  // namespace scree::SCREE_FLAVOR
