// Projected block Gauss-Seidel (Tasora & Anitescu 2011): each block steps with what those before it have become. Between looks at the
// residual, which costs an application, the sweeps that are left alone grow with those done. Unless omega is given it starts at 1 and
// shrinks while the residual finds no new low: with eta = 3 / trace a block's own step is sure only for omega < 2/3 (a slender body's
// contact has nearly all of its trace in one direction, and at 1 it goes to and fro for ever), in practice 1 is faster. Sweeps
// work in place: the best iterate is a copy. How many sweeps lie between two looks follows from their number alone, so that host and
// kernels agree on it.
#include <utility>

#include "engine/cone/solvers/iterate.hpp"
#include "engine/cone/step_sums.hpp"

namespace scree::SCREE_FLAVOR {

struct GaussSeidelControl : RepeatControl {
    static constexpr std::uint32_t worse = 2;   // bit of `done`: x is not the best iterate so far
    static constexpr std::uint32_t misfit = 4;  // another: the layout of sweeps does not fit; x is still the guess, in K

    std::int32_t looks_without_low{0};
    std::int64_t iteration{1};      // sweeps and looks so far
    std::int64_t iterations{0};     // at most
    double tolerance{0};            // of the residual [m/s]
    double found{0}, lowest{0};     // residual of x, and of the best iterate [m/s]
    double omega{1};                // of the next sweeps
    bool adapts{false};             // omega shrinks while the residual finds no new low
    double miss[2]{};               // residual of this look: contacts, scalar rows
    const SweepFit* laid{nullptr};  // where kernels find what the layout of sweeps is; null: none yet, or none needed
    SweepSizes sizes{};             // of the layout
};

/// A layout has come: does it fit?
SCREE_HD void take_layout(GaussSeidelControl& c) {
    if (c.laid == nullptr) return;
    c.sizes = c.laid->sizes;
    if (c.laid->misfit != 0) c.done |= GaussSeidelControl::stop | GaussSeidelControl::misfit;
}

namespace detail {

constexpr double least_omega = 0.6;     // below 2/3, where each block's own step is sure (gauss_seidel.cpp)
constexpr double omega_decrease = 0.8;  // where the residual finds no new low
constexpr double allowed_growth = 2.0;  // of the residual over its low: it fluctuates by less where sweeps converge
constexpr int allowed_looks = 3;        // without a new low

}  // namespace detail

/// Is another sweep worth it?
SCREE_HD bool goes_on(const GaussSeidelControl& c) {
    return c.found > c.tolerance && sweeps_after(c.iteration, c.iterations) > 0 && c.found < std::numeric_limits<double>::infinity();
}

/// Judges what the sweeps have made of x.
SCREE_HD void decide(GaussSeidelControl& c) {
    c.iteration += sweeps_after(c.iteration, c.iterations) + 1;
    c.found = c.miss[0] > c.miss[1] ? c.miss[0] : c.miss[1];
    c.looks_without_low = c.found < c.lowest ? 0 : c.looks_without_low + 1;
    c.done = c.found <= c.lowest ? 0 : GaussSeidelControl::worse;
    if (c.found <= c.lowest) c.lowest = c.found;
    if (c.adapts && (c.found > detail::allowed_growth * c.lowest || c.looks_without_low >= detail::allowed_looks)) {
        const double smaller = c.omega * detail::omega_decrease;
        c.omega = smaller > detail::least_omega ? smaller : detail::least_omega;
        c.looks_without_low = 0;
    }
    if (!goes_on(c)) c.done |= GaussSeidelControl::stop;
}

namespace {

/// The residual of the guess into buffers.products; `project_first`: once it lies in K.
void send_first_look(ConeOperator& problem, SolveBuffers& buffers, Unknowns& x, bool project_first, Gate gate) {
    buffers.products.resize_zero(2);
    if (problem.look(x, project_first, gate, buffers.products.data())) return;
    problem.shape(buffers.u);
    if (project_first) project(problem, x, gate);
    send_guess_residual(problem, buffers, x, gate);
}

void send_look(ConeOperator& problem, SolveBuffers& buffers, Unknowns& x, Gate gate, double* miss) {
    if (problem.look(x, false, gate, miss)) return;
    problem.multiply(view_of(x), view_of(buffers.u), true, gate);
    measure_miss(problem, view_of(x), view_of(buffers.u), gate, miss);
}

void send_sweeps(ConeOperator& problem, SolveBuffers& buffers, Unknowns& x, std::int64_t sweeps, GaussSeidelControl* control) {
    const Gate all{&control->done, GaussSeidelControl::stop};
    problem.sweep(x, Late<double>::at(&control->omega), false, sweeps, all);
    send_look(problem, buffers, x, all, control->miss);
    send_decision(problem.exec(), control);
    copy(problem.exec(), x, buffers.best, {&control->done, GaussSeidelControl::stop | GaussSeidelControl::worse});
}

/// A layout that the first sweeps were the first to need.
void send_layout(const Exec& exec, const SweepFit* laid, GaussSeidelControl* control) {
    for_each(
        exec, "cone/take_layout", 1, SCREE_LAMBDA(Index)->void {
            control->laid = laid;
            take_layout(*control);
        });
}

/// From the guess x to the end, or to where a layout does not fit, with x in K.
GaussSeidelControl try_sweeps(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x,
                              bool project_first) {
    GaussSeidelControl start;
    start.iterations = settings.iterations;
    start.tolerance = settings.tolerance;
    start.adapts = !(settings.omega > 0);
    if (!start.adapts) start.omega = settings.omega;
    send_first_look(problem, buffers, x, project_first, settings.gate());
    copy(x, buffers.best);
    start.laid = problem.sweep_fit();
    bool laid = start.laid != nullptr;
    std::int64_t iteration = start.iteration;
    return run_ahead(problem, settings, buffers, start, least_sweeps, [&](GaussSeidelControl* control) {
        const std::int64_t sweeps = sweeps_after(iteration, settings.iterations);
        if (sweeps == 0) return;  // all are on their way
        if (!std::exchange(laid, true)) {
            problem.lay_sweeps();
            send_layout(problem.exec(), problem.sweep_fit(), control);
        }
        send_sweeps(problem, buffers, x, sweeps, control);
        iteration += sweeps + 1;
    });
}

GaussSeidelControl run_sweeps(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x) {
    GaussSeidelControl c = try_sweeps(problem, settings, buffers, x, true);
    if ((c.done & GaussSeidelControl::misfit) != 0) {
        problem.fit_sweeps();
        c = try_sweeps(problem, settings, buffers, x, false);
    }
    if (c.laid != nullptr && c.sizes.open == 0) problem.expect_sweeps(c.sizes);
    return c;
}

}  // namespace

SolveReport gauss_seidel(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x) {
    const GaussSeidelControl c = run_from_guess(problem, x, [&] { return run_sweeps(problem, settings, buffers, x); });
    if ((c.done & GaussSeidelControl::worse) != 0) std::swap(x, buffers.best);
    return report_of(c);
}

}  // namespace scree::SCREE_FLAVOR
