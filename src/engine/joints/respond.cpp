#include "engine/joints/respond.hpp"

#include "engine/joints/bilateral_solver.hpp"
#include "engine/joints/boxed_problem.hpp"

namespace scree {

namespace {

constexpr int most_corrections = 20;

/// Bounded rows once the bilateral ones are eliminated: W = H P M^-1 H^T, P the projection onto what bilateral rows allow.
class BoundedRows {
public:
    /// share: of the step over which forces act; what bounds impulses is a force.
    BoundedRows(JointSystem& joints, double share) : joints_(joints) {
        const std::vector<JointRow>& rows = joints.bounded();
        const auto n = static_cast<Eigen::Index>(rows.size());
        problem_.W.resize(n, n);
        problem_.q.resize(n);
        problem_.low.resize(n);
        problem_.high.resize(n);
        impulse_ = Eigen::VectorXd::Zero(n);
        for (Eigen::Index j = 0; j < n; ++j) {
            const JointRow& row = rows[static_cast<std::size_t>(j)];
            problem_.low[j] = share * row.low;
            problem_.high[j] = share * row.high;
            std::vector<Twist> answer(joints.bodies().size());
            push(row, joints.bodies(), 1, answer);
            const double free = rate_of(row, answer);
            joints.project(answer, false, nullptr);
            for (Eigen::Index i = 0; i < n; ++i) problem_.W(i, j) = rate_of(rows[static_cast<std::size_t>(i)], answer);
            if (problem_.W(j, j) < 1e-12 * free) problem_.W(j, j) = 0;  // bilateral rows leave it nothing but rounding
        }
        problem_.W = (0.5 * (problem_.W + problem_.W.transpose())).eval();
    }
    /// v: twists that bilateral rows allow, biases met. Sets the impulses.
    void solve(const std::vector<Twist>& v) {
        const std::vector<JointRow>& rows = joints_.bounded();
        for (std::size_t i = 0; i < rows.size(); ++i) problem_.q[static_cast<Eigen::Index>(i)] = rate_of(rows[i], v) + rows[i].bias;
        solve_boxed(problem_, impulse_);
    }
    double impulse(std::size_t i) const { return impulse_[static_cast<Eigen::Index>(i)]; }

private:
    JointSystem& joints_;
    BoxedProblem problem_;
    Eigen::VectorXd impulse_;
};

/// Adds the wrenches of these impulses over the kick.
void load(const std::vector<JointRow>& rows, const std::vector<double>& impulse, double kick, std::vector<Wrench>& wrench) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (int k = 0; k < row_terms; ++k) {
            const RowTerm t = term_of(rows[i], k);
            if (t.body < 0) continue;
            Wrench& w = wrench[static_cast<std::size_t>(t.body)];
            w.force += (impulse[i] / kick) * t.linear;
            w.torque += (impulse[i] / kick) * t.angular;
        }
    }
}

}  // namespace

JointResponse respond(JointSystem& joints, const std::vector<Wrench>& external, double time, double dt, const RespondSettings& settings) {
    joints.evaluate(time, dt);
    const std::vector<JointBody>& bodies = joints.bodies();
    const std::vector<JointRow>& bounded = joints.bounded();
    const double kick = settings.kick > 0 ? settings.kick : dt;
    JointResponse out;
    out.wrench.resize(bodies.size());
    out.bilateral.assign(joints.bilateral().size(), 0.0);
    out.bounded.assign(bounded.size(), 0.0);

    std::vector<Twist> unheld(bodies.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const Wrench& applied = joints.applied(k);
        const Twist gain = answer_of(bodies[k], external[k].force + applied.force, external[k].torque + applied.torque);
        unheld[k] = {bodies[k].now.velocity + kick * gain.velocity, bodies[k].now.angular + kick * gain.angular};
    }
    // Each round meets the biases of the bilateral rows as the round before left them.
    std::vector<Twist> held = unheld, v;
    std::vector<double> holding(joints.bilateral().size(), 0.0);
    BoundedRows stops(joints, kick / dt);
    for (;; ++out.corrections) {
        joints.project(held, true, &holding);
        v = held;
        out.bilateral = holding;
        if (!bounded.empty()) {
            stops.solve(held);
            for (std::size_t i = 0; i < bounded.size(); ++i) push(bounded[i], bodies, stops.impulse(i), v);
            joints.project(v, true, &out.bilateral);
        }
        out.miss = joints.correct(v, dt);
        if (!(out.miss > settings.tolerance) || out.corrections == most_corrections) break;
    }
    for (std::size_t i = 0; i < bounded.size(); ++i) out.bounded[i] = stops.impulse(i);

    for (std::size_t k = 0; k < bodies.size(); ++k) out.wrench[k] = joints.applied(k);
    load(joints.bilateral(), out.bilateral, kick, out.wrench);
    load(bounded, out.bounded, kick, out.wrench);
    return out;
}

}  // namespace scree
