// What a solution shows of contacts that stand open or just touch. Their planes are chosen by the motion before it; a body that the step
// sets moving may go where that did not lead, as one that is struck beside a flush seam. In: a solved problem. Out: the rows of pairs that
// held off what would not have touched, left out of the problem, for it to be solved again from where it stands.
#pragma once

#include "engine/cone/body_twists.hpp"
#include "engine/cone/contact_table.hpp"
#include "engine/cone/solvers/outer_control.hpp"

namespace scree::SCREE_FLAVOR {

struct LeaveOutControl : OuterControl {
    std::uint32_t found{0};  // a row to leave out; where none was, `done`
};

/// Before leave_out(). tolerance: of residuals [m/s].
void start_looking(const Exec& exec, double tolerance, LeaveOutControl* control);
/// Needs the twists of all bodies under x. Pairs of polyhedra with each other and with mesh walls are looked at that push each other and
/// are apart, or no deeper than `Way::slack`. Where a plane across their contact still parts the two at the end of the step without that
/// push, for what it moved them by along its normal, their rows get no steps, no impulse, and a bias that opens them. O(pairs).
void leave_out(const Model& model, State& state, Workspace& work, const BodyMass* mass, const BodyTwist* twist, ContactTable& table,
               Unknowns& x, LeaveOutControl* control);

}  // namespace scree::SCREE_FLAVOR
