// The cone method's answer to a state: impulses of contacts and joints over the next kick, as forces (Negrut et al. 2010, eqs. 4-8).
// Time: as the leapfrog of motion/verlet.hpp. Bodies stand at the end of a step; velocities v are those of mid-step before it; the problem
// asks for v' = v + kick (g + F / m) such that gap + dt u_n(v') >= 0 at each contact, and joints hold after the next drift. At a start
// `kick` is half a step, else a whole one.
#pragma once

#include <memory>
#include <optional>

#include "engine/cone/body_operator.hpp"
#include "engine/cone/leave_out.hpp"
#include "engine/cone/solvers/solve.hpp"

namespace scree::SCREE_FLAVOR {

/// What the cone method keeps between steps, to allocate nothing; the joints' impulses of the last step among it.
struct ConeBuffers {
    ContactTable table;
    BodyOperatorBuffers bodies;
    SolveBuffers solve;
    Unknowns x;
    Repetition looks;  // by LeaveOutControl
    ConeReport report;
    bool miss_told{false};             // what joints miss is in FlagWords::joint_miss
    bool residual_told{false};         // the residual is in FlagWords::residual
    double half_thickness{0};          // the least of any body [m]; 0: not looked up yet
    bool counting{false};              // contacts of the bodies as they stand have been sent for
    std::optional<FlagWords> counted;  // and are known
    std::size_t bytes() const { return table.bytes() + bodies.bytes() + solve.bytes() + x.bytes() + looks.bytes(); }
};

/// Gaps up to this make contacts [m].
double cone_envelope(const Model& model, const Workspace& work);

/// State::reach and most_way for a list that is about to be made, from the speeds at hand.
void cone_reach(const Model& model, State& state, Workspace& work);

/// Sends for the contacts of the bodies as they stand, so that the host learns their number when it reads the flags next.
void count_ahead(const Model& model, State& state, Workspace& work);
/// The flags as the host has read them since.
void note_counts(Workspace& work, const FlagWords& flags);
/// Are they known? cone_response begins from them.
bool counts_available(const Workspace& work);
/// Bodies or lists are others: nothing is counted.
void forget_counts(Workspace& work);

/// What the report of a step tells of its solution, into ConeBuffers::report.
void note_solution(const Model& model, const Workspace& work, const FlagWords& flags);
/// What the last solve left of joints, into JointRun. Waits, once a solve; there are joints.
void tell_joints(const Workspace& work);

/// Fills force and torque of every body that is no member, forces of pairs, flags, and the report. Counts are known; waits for nothing but
/// its own iterations.
void cone_response(const Model& model, State& state, Workspace& work, double kick);

}  // namespace scree::SCREE_FLAVOR
