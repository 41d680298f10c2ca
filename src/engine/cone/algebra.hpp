// Algebra over the vectors of a cone problem: what methods are written in.
// Metric: block k of x has scales H_k: along and across the normal for its impulse (eta both where the operator gives none), eta reach^2
// for its couple, scalar_eta for a row. P is the nearest point of the cone in the metric of H^-1: with a scale of its own along the normal
// that is a projection onto a cone of another slope (cones.hpp). Gradient methods see N scaled to unit diagonal, whatever the masses and
// arms. Blocks whose eta is zero do not move.
#pragma once

#include "engine/cone/operator.hpp"
#include "engine/cone/solve.hpp"

namespace scree::SCREE_FLAVOR {

void copy(const Unknowns& from, Unknowns& to);

/// The same by kernels, between vectors of the same sizes; nothing where the gate is closed.
void copy(const Exec& exec, Unknowns& from, Unknowns& to, Gate gate);

/// out = a x + b y; out may be x or y.
void combine(const Exec& exec, double a, Unknowns& x, double b, Unknowns& y, Unknowns& out);

/// x = P(x).
void project(const ConeOperator& problem, Unknowns& x);

/// next = lambda P(x - t H u) + (1 - lambda) x of a trial step: one iteration of Algorithm 1 (Negrut et al. 2010, eqs. 12-13); and
/// direction = next - x, where one is given. Nothing where the gate is closed.
void relaxed_step(const ConeOperator& problem, const Late<TrialStep>& step, double lambda, UnknownsView direction, Gate gate);

/// next = P(y - t H g) of a trial step; nothing where the gate is closed.
void extrapolated_step(const ConeOperator& problem, const Late<TrialStep>& step, Gate gate);

/// Sum of products in the operator's order.
double dot(ConeOperator& problem, SolveRoom& room, Unknowns& x, Unknowns& y);

/// The largest over blocks of |x - P(x - H u)| / eta [m/s]; of a scalar row in its own unit. Infinite where anything is not a number.
double residual(const ConeOperator& problem, Unknowns& x, Unknowns& u);

/// Gives the room the problem's sizes, all zero.
void shape_room(const ConeOperator& problem, SolveRoom& room);

/// The same; then projects x, which becomes zero where it is not a number; u = N x + r. Returns the residual; costs
/// one application.
double begin(ConeOperator& problem, SolveRoom& room, Unknowns& x, Unknowns& u);

/// The same without a room.
double start(ConeOperator& problem, Unknowns& x, Unknowns& u);

/// Keeps the best iterate of a method: the residual is not monotonic.
class Best {
public:
    Best(Unknowns& x, Unknowns& kept, double residual);
    /// Notes x where its residual is the least so far; false where it is not a number.
    bool offer(Unknowns& x, double residual);
    /// x becomes the best iterate; returns its residual.
    double restore(Unknowns& x);
    double residual() const { return residual_; }

private:
    Unknowns& kept_;
    double residual_;
    bool last_is_best_{true};
};

}  // namespace scree::SCREE_FLAVOR
