// Algebra over the vectors of a cone problem: what methods are written in.
// Metric: block k of x has scales H_k: along and across the normal for its impulse (eta both where the operator gives none), eta reach^2
// for its couple, scalar_eta for a row. P is the nearest point of the cone in the metric of H^-1: with a scale of its own along the normal
// that is a projection onto a cone of another slope (cones.hpp). Gradient methods see N scaled to unit diagonal, whatever the masses and
// arms. Blocks whose eta is zero do not move.
#pragma once

#include "engine/cone/operator.hpp"
#include "engine/cone/solvers/solve.hpp"

namespace scree::SCREE_FLAVOR {

void copy(const Unknowns& from, Unknowns& to);

/// The same by kernels, between vectors of the same sizes; nothing where the gate is closed.
void copy(const Exec& exec, Unknowns& from, Unknowns& to, Gate gate);

/// out = x + b y; out may be x or y. Nothing where the gate is closed.
void combine(const Exec& exec, Unknowns& x, const Late<double>& b, Unknowns& y, Unknowns& out, Gate gate);

/// x = P(x); nothing where the gate is closed.
void project(const ConeOperator& problem, Unknowns& x, Gate gate = {});

/// next = lambda P(x - t H u) + (1 - lambda) x of a trial step: one iteration of Algorithm 1 (Negrut et al. 2010, eqs. 12-13); and
/// direction = next - x, where one is given. Nothing where the gate is closed.
void relaxed_step(const ConeOperator& problem, const Late<TrialStep>& step, double lambda, UnknownsView direction, Gate gate);

/// Where a trial step takes the blocks: to the nearest point of the cone; the same with De Saxcé's term as it is known so far in g; into
/// the disc.
enum class StepInto { Cone, ShiftedCone, Disk };

/// next = P(y - t H g) of a trial step; nothing where the gate is closed. shift: of contacts, for the shifted cone, which moves it towards
/// the sliding of y.
void extrapolated_step(const ConeOperator& problem, const Late<TrialStep>& step, StepInto into, Real* shift, Gate gate);

/// The same of the scalar rows alone.
void extrapolated_rows(const ConeOperator& problem, const Late<TrialStep>& step, Gate gate);

/// shift = De Saxcé's term of velocities u; nothing where the gate is closed.
void set_shift(const ConeOperator& problem, const Late<UnknownsView>& u, Array<Real>& shift, Gate gate);

/// Sums of products in the operator's order into out[0], of contacts, and out[1], of scalar rows; nothing where the gate is closed.
void send_products(ConeOperator& problem, Unknowns& x, Unknowns& y, Gate gate, double* out);

/// The largest over blocks of |x - P(x - H u)| / eta [m/s]; of a scalar row in its own unit. Infinite where anything is not a number.
double residual(const ConeOperator& problem, Unknowns& x, Unknowns& u);

/// Gives the buffers the problem's sizes, all zero.
void shape_buffers(const ConeOperator& problem, SolveBuffers& buffers);

/// The same; then projects x, which becomes zero where it is not a number; u = N x + r. Returns the residual; costs
/// one application.
double begin(ConeOperator& problem, SolveBuffers& buffers, Unknowns& x, Unknowns& u);

/// The same without buffers.
double start(ConeOperator& problem, Unknowns& x, Unknowns& u);

}  // namespace scree::SCREE_FLAVOR
