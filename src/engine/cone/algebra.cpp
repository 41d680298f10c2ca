#include "engine/cone/algebra.hpp"

#include <cmath>

#include "engine/cone/step_sums.hpp"
#include "engine/cone/sum_order.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct Plus {
    SCREE_HD void operator()(double& sum, double part) const { sum += part; }
};

void copy_array(const auto& from, auto& to) {
    to.resize(from.size());
    if (from.size() > 0) copy_within(to.data(), from.data(), static_cast<std::size_t>(from.size()) * sizeof(*from.data()));
}

}  // namespace

template <class T>
void combine_arrays(const Exec& exec, const T* x, const Late<double>& b, const T* y, T* out, Index n, Gate gate) {
    for_each(
        exec, "cone/combine", n, SCREE_LAMBDA(Index i)->void { out[i] = x[i] + static_cast<Real>(b.now()) * y[i]; }, gate);
}

template <class T>
void copy_elements(const Exec& exec, const T* from, T* to, Index n, Gate gate) {
    for_each_simd(
        exec, "cone/copy", n, SCREE_LAMBDA(Index i)->void { to[i] = from[i]; }, gate);
}

void project_impulses(const Exec& exec, ConeView cone, Vec3R* impulse, Gate gate) {
    const Vec3R* normal = cone.normal;
    const Real* mu = cone.mu;
    for_each_simd(
        exec, "cone/project_impulses", cone.contacts,
        SCREE_LAMBDA(Index k)->void { write(impulse, k, project_cone(read(impulse, k), read(normal, k), mu[k], Real(1))); }, gate);
}
void project_all(const Exec& exec, ConeView cone, UnknownsView x, Gate gate) {
    if (x.couple == nullptr) {
        project_impulses(exec, cone, x.impulse, gate);
    } else {
        for_each(
            exec, "cone/project", cone.contacts, SCREE_LAMBDA(Index k)->void { project_contact(cone, x, k); }, gate);
    }
    for_each(
        exec, "cone/project_rows", cone.scalars, SCREE_LAMBDA(Index s)->void { x.scalar[s] = project_scalar(cone, x.scalar[s], s); }, gate);
}

void relax_blocks(const Exec& exec, ConeView cone, const Late<TrialStep>& step, Real lambda, UnknownsView direction, Gate gate) {
    const Real rest = Real(1) - lambda;
    for_each(
        exec, "cone/step", cone.contacts,
        SCREE_LAMBDA(Index k)->void {
            const TrialStep& s = step.now();
            const ImpulseAndCouple<Real> x = block_of(s.x, k), p = stepped_block(cone, x, static_cast<Real>(s.t), block_of(s.u, k), k);
            const Vec3R impulse = lambda * p.impulse + rest * x.impulse;
            s.next.impulse[k] = impulse;
            if (direction.impulse != nullptr) direction.impulse[k] = impulse - x.impulse;
            if (s.x.couple == nullptr) return;
            const Vec3R couple = lambda * p.couple + rest * x.couple;
            s.next.couple[k] = couple;
            if (direction.couple != nullptr) direction.couple[k] = couple - x.couple;
        },
        gate);
}
void relax_rows(const Exec& exec, ConeView cone, const Late<TrialStep>& step, Real lambda, UnknownsView direction, Gate gate) {
    const Real rest = Real(1) - lambda;
    for_each(
        exec, "cone/step_rows", cone.scalars,
        SCREE_LAMBDA(Index k)->void {
            const TrialStep& s = step.now();
            const Real x = s.x.scalar[k], next = lambda * stepped_scalar(cone, s.x, static_cast<Real>(s.t), s.u, k) + rest * x;
            s.next.scalar[k] = next;
            if (direction.scalar != nullptr) direction.scalar[k] = next - x;
        },
        gate);
}

/// De Saxcé's term of a contact without couples, after it has followed the sliding u.
SCREE_HD Real followed(Real shift, Real follow, Real mu, Vec3R n, Vec3R u) {
    return shift + follow * (mu * norm(u - dot(u, n) * n) - shift);
}

/// P(y - t H g) without couples, without branches.
template <StepInto into>
SCREE_HD Vec3R step_into(Vec3R y, Vec3R g, Vec3R n, Real mu, BlockSteps h, Real t) {
    const Vec3R moved = y - t * scaled(h, n, g);
    if constexpr (into == StepInto::Disk) return project_disk(moved, n, mu);
    return project_cone(moved, n, mu, std::sqrt(h.along / h.across));
}

/// Where there are no couples: vector code.
template <StepInto into>
void extrapolate_impulses(const Exec& exec, ConeView cone, const Late<TrialStep>& step, Gate gate) {
    const Vec3R* normal = cone.normal;
    const Real *eta = cone.eta, *mu = cone.mu, *along = cone.along != nullptr ? cone.along : cone.eta,
               *across = cone.across != nullptr ? cone.across : cone.eta;
    for_each_simd(
        exec, "cone/extrapolated_impulses", cone.contacts,
        SCREE_LAMBDA(Index k)->void {
            const TrialStep& s = step.now();
            const Real beta = static_cast<Real>(s.beta), t = static_cast<Real>(s.t);
            const Vec3R y = extrapolated(s.x.impulse, s.before.impulse, beta, k);
            const Vec3R g = extrapolated(s.u.impulse, s.u_before.impulse, beta, k), n = read(normal, k);
            const bool moves = eta[k] > Real(0);
            const Vec3R p = step_into<into>(y, g, n, mu[k], {along[k], across[k]}, t);
            write(s.next.impulse, k, {moves ? p.x : y.x, moves ? p.y : y.y, moves ? p.z : y.z});
        },
        gate);
}
void extrapolate_shifted(const Exec& exec, ConeView cone, const Late<TrialStep>& step, Real* shift, Gate gate) {
    const Vec3R* normal = cone.normal;
    const Real *eta = cone.eta, *mu = cone.mu, *along = cone.along != nullptr ? cone.along : cone.eta,
               *across = cone.across != nullptr ? cone.across : cone.eta;
    for_each_simd(
        exec, "cone/shifted_impulses", cone.contacts,
        SCREE_LAMBDA(Index k)->void {
            const TrialStep& s = step.now();
            const Real beta = static_cast<Real>(s.beta), t = static_cast<Real>(s.t);
            const Vec3R y = extrapolated(s.x.impulse, s.before.impulse, beta, k);
            const Vec3R u = extrapolated(s.u.impulse, s.u_before.impulse, beta, k), n = read(normal, k);
            const Real now = followed(shift[k], static_cast<Real>(s.follow), mu[k], n, u);
            const bool moves = eta[k] > Real(0);
            const Vec3R p = step_into<StepInto::ShiftedCone>(y, u + now * n, n, mu[k], {along[k], across[k]}, t);
            shift[k] = now;
            write(s.next.impulse, k, {moves ? p.x : y.x, moves ? p.y : y.y, moves ? p.z : y.z});
        },
        gate);
}
void extrapolate_blocks(const Exec& exec, ConeView cone, const Late<TrialStep>& step, Real* shift, Gate gate) {
    for_each(
        exec, "cone/extrapolated_step", cone.contacts,
        SCREE_LAMBDA(Index k)->void {
            const TrialStep& s = step.now();
            const Real beta = static_cast<Real>(s.beta);
            const ImpulseAndCouple<Real> y = extrapolated(s.x, s.before, beta, k);
            ImpulseAndCouple<Real> g = extrapolated(s.u, s.u_before, beta, k);
            if (shift != nullptr) {
                shift[k] += static_cast<Real>(s.follow) * (sliding_of(cone, g, k) - shift[k]);
                g.impulse += shift[k] * cone.normal[k];
            }
            const ImpulseAndCouple<Real> p = stepped_block(cone, y, static_cast<Real>(s.t), g, k);
            s.next.impulse[k] = p.impulse;
            s.next.couple[k] = p.couple;
        },
        gate);
}
void find_shift(const Exec& exec, ConeView cone, const Late<UnknownsView>& u, Real* shift, Gate gate) {
    for_each(
        exec, "cone/shift", cone.contacts, SCREE_LAMBDA(Index k)->void { shift[k] = sliding_of(cone, block_of(u.now(), k), k); }, gate);
}
void extrapolate_rows(const Exec& exec, ConeView cone, const Late<TrialStep>& step, Gate gate) {
    for_each_simd(
        exec, "cone/extrapolated_rows", cone.scalars,
        SCREE_LAMBDA(Index k)->void {
            const TrialStep& s = step.now();
            const Real beta = static_cast<Real>(s.beta), t = static_cast<Real>(s.t);
            const Real y = s.x.scalar[k] + beta * (s.x.scalar[k] - s.before.scalar[k]);
            const Real g = s.u.scalar[k] + beta * (s.u.scalar[k] - s.u_before.scalar[k]);
            const Real eta = cone.scalar_eta[k], low = cone.low[k], high = cone.high[k];
            const Real far = y - t * eta * g, above = far < low ? low : far, within = above > high ? high : above;
            s.next.scalar[k] = eta > Real(0) ? within : y;
        },
        gate);
}

double largest_residual(const Exec& exec, ConeView cone, UnknownsView x, UnknownsView u) {
    const double of_contacts = max_of(
        exec, "cone/residual", cone.contacts, 0.0,
        SCREE_LAMBDA(Index k)->double { return larger_miss(0, miss_of(cone, block_of(x, k), block_of(u, k), k)); });
    const double of_rows = max_of(
        exec, "cone/residual_rows", cone.scalars, 0.0,
        SCREE_LAMBDA(Index s)->double { return larger_miss(0, miss_of_scalar(cone, x, u, s)); });
    return of_contacts > of_rows ? of_contacts : of_rows;
}

void send_products(ConeOperator& problem, Unknowns& first, Unknowns& second, Gate gate, double* out) {
    const UnknownsView x = view_of(first), y = view_of(second);
    const Plus plus;
    fold_contacts(
        problem, "cone/dot", out,
        SCREE_LAMBDA(double& sum, Index k)->void {
            sum += product(x.impulse[k], y.impulse[k]);
            if (x.couple != nullptr) sum += product(x.couple[k], y.couple[k]);
        },
        plus, gate);
    fold_into(
        problem.exec(), "cone/dot_rows", problem.cone().scalars, out + 1,
        SCREE_LAMBDA(Index s)->double { return product(x.scalar[s], y.scalar[s]); }, plus, gate);
}

void copy(const Unknowns& from, Unknowns& to) {
    copy_array(from.impulse, to.impulse);
    copy_array(from.couple, to.couple);
    copy_array(from.scalar, to.scalar);
}

void copy(const Exec& exec, Unknowns& from, Unknowns& to, Gate gate) {
    copy_elements(exec, from.impulse.data(), to.impulse.data(), from.impulse.size(), gate);
    copy_elements(exec, from.couple.data(), to.couple.data(), from.couple.size(), gate);
    copy_elements(exec, from.scalar.data(), to.scalar.data(), from.scalar.size(), gate);
}

void combine(const Exec& exec, Unknowns& x, const Late<double>& b, Unknowns& y, Unknowns& out, Gate gate) {
    combine_arrays(exec, x.impulse.data(), b, y.impulse.data(), out.impulse.data(), x.impulse.size(), gate);
    combine_arrays(exec, x.couple.data(), b, y.couple.data(), out.couple.data(), x.couple.size(), gate);
    combine_arrays(exec, x.scalar.data(), b, y.scalar.data(), out.scalar.data(), x.scalar.size(), gate);
}

void project(const ConeOperator& problem, Unknowns& x, Gate gate) {
    project_all(problem.exec(), problem.cone(), view_of(x), gate);
}

void relaxed_step(const ConeOperator& problem, const Late<TrialStep>& step, double lambda, UnknownsView direction, Gate gate) {
    relax_blocks(problem.exec(), problem.cone(), step, static_cast<Real>(lambda), direction, gate);
    relax_rows(problem.exec(), problem.cone(), step, static_cast<Real>(lambda), direction, gate);
}

void extrapolated_step(const ConeOperator& problem, const Late<TrialStep>& step, StepInto into, Real* shift, Gate gate) {
    ConeView cone = problem.cone();
    cone.slides = into == StepInto::Disk;
    Real* const followed = into == StepInto::ShiftedCone ? shift : nullptr;
    if (cone.rolling != nullptr) {
        extrapolate_blocks(problem.exec(), cone, step, followed, gate);
    } else if (followed != nullptr) {
        extrapolate_shifted(problem.exec(), cone, step, followed, gate);
    } else if (cone.slides) {
        extrapolate_impulses<StepInto::Disk>(problem.exec(), cone, step, gate);
    } else {
        extrapolate_impulses<StepInto::Cone>(problem.exec(), cone, step, gate);
    }
}

void extrapolated_rows(const ConeOperator& problem, const Late<TrialStep>& step, Gate gate) {
    extrapolate_rows(problem.exec(), problem.cone(), step, gate);
}

void set_shift(const ConeOperator& problem, const Late<UnknownsView>& u, Array<Real>& shift, Gate gate) {
    const ConeView cone = problem.cone();
    shift.resize(cone.contacts);
    find_shift(problem.exec(), cone, u, shift.data(), gate);
}

double residual(const ConeOperator& problem, Unknowns& x, Unknowns& u) {
    return largest_residual(problem.exec(), problem.cone(), view_of(x), view_of(u));
}

void shape_buffers(const ConeOperator& problem, SolveBuffers& buffers) {
    for (Unknowns* v : {&buffers.u, &buffers.y, &buffers.gradient, &buffers.best, &buffers.previous, &buffers.direction, &buffers.u_before})
        problem.shape(*v);
}

double begin(ConeOperator& problem, SolveBuffers& buffers, Unknowns& x, Unknowns& u) {
    shape_buffers(problem, buffers);
    return start(problem, x, u);
}

double start(ConeOperator& problem, Unknowns& x, Unknowns& u) {
    project(problem, x);
    problem.apply(x, u, true);
    const double found = residual(problem, x, u);
    if (std::isfinite(found)) return found;
    problem.shape(x);
    project(problem, x);
    problem.apply(x, u, true);
    return residual(problem, x, u);
}

}  // namespace scree::SCREE_FLAVOR
