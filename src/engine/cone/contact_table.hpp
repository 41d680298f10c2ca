// The contacts of one cone problem: made anew in each step from the pair lists. A row per point, in the order of the slots of body A, then
// of partners by id, walls by number, and points: so the row ranges of a body, read by id, do not depend on the order of slots.
#pragma once

#include "engine/cone/operator.hpp"
#include "base/mat3.hpp"
#include "engine/narrow/contact_points.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Scratch of one list: how many points each pair has, and where its first is in the table.
struct PairRows {
    Array<std::int32_t> count, first;
    Array<ContactPoints<Real>> points;  // of lists with polyhedra
    std::size_t bytes() const { return count.bytes() + first.bytes() + points.bytes(); }
};

/// A body where it is, and how far its points may get in a step.
struct PlacedBody {
    Vec3 at;
    double radius;  // bounding [m]
    double way;     // [m]
    Mat3T<Real> turn;
    Real scale;  // radius
};

/// From the centres of the rigid bodies to the contact [m].
struct Arms {
    Vec3R a, b;
};

/// Who touches: slots of rigid bodies (a member's owner), -1 for a wall that no body carries.
struct Touch {
    Slot a, b;
};

/// Where a row comes from.
struct Origin {
    std::int32_t pair;
    std::uint8_t list, point;
    std::uint8_t flags{0};  // of its overlap (state/flags.hpp)
};

/// What holds between two materials.
struct ConePairRow {
    Real mu, restitution, rolling, spinning, cohesion;
};

/// What the pull of a row goes by.
struct Pulled {
    Real cohesion;     // [N]
    Real approach;     // at the begin of the step [m/s]
    Real restitution;  // where the row rebounds in this step, else 0
    Real plain;        // to be added to the bias for the row not to rebound [m/s]
};

struct ContactTable {
    Index count{0};
    bool rolling{false};
    bool pulling{false};         // some pair has a cohesion
    Array<Index> first_of_slot;  // bodies + 1: rows in which the slot is A
    Array<Touch> touch;
    Array<Arms> arms;
    Array<Vec3R> normal;  // from A to B
    Array<Vec3R> base;    // velocity of B's surface where it is a prescribed wall, and the gap's bias along the normal [m/s]
    Array<Real> gap, mu, rho, sigma, reach, eta;
    Array<Real> along, across;  // steps of the impulse along the normal and across it [kg]
    Array<Real> pull;           // cohesion [N]: acts where the row touches
    Array<Pulled> pulled;       // where any pair pulls
    Array<std::uint32_t> key;   // hash of ids and features: the same in each step while the contact lasts
    Array<Origin> origin;
    PairRows rows[kPairLists];
    Array<PlacedBody> placed;  // by slot, where there are pairs of polyhedra
    // Incidence: rows of each rigid body, entries row * 2 + (1 where the body is B). Between count_contacts and build_contacts row_start
    // lacks those of carried walls.
    Array<Index> row_start;
    Array<std::uint32_t> entry;
    // Buffers of the build.
    Array<std::int32_t> counted, touching;  // by slot; touching: rows of collider i, as A or as B
    Array<std::uint32_t> carried_key, carried_row, by_body;
    Array<Index> carried_start, carried_offset;
    Array<std::uint32_t> counted_order;
    SortBuffers sort;              // of steps: Workspace::sort lends its arrays to each new list
    Array<ConePairRow> pair_rows;  // materials x materials

    std::size_t bytes() const;
};

/// What the build reads beside the state.
struct ContactBuild {
    double dt;                     // of the drift [s]
    double recovery_speed;         // [m/s]
    double restitution_threshold;  // [m/s]
    double threshold_run;          // added to it, times what a wall's speed changes by in half a step
    double envelope;               // [m]
    double overlap_warning, overlap_limit;
};

/// Finds the points of all pairs for the bodies as they are (drifted, velocities of mid-step) and counts them into FlagWords::contacts,
/// which mean nothing where a flag is up: then no pair is looked at. The host need not wait. O(pairs).
void count_contacts(const Model& model, State& state, Workspace& work, const ContactBuild& build, ContactTable& table);
/// Raises *touched where a joined body, or a wall that one carries, has any of the contacts that are counted.
void flag_touched(State& state, Workspace& work, const JointRun& joints, std::uint32_t* touched, ContactTable& table);
/// Fills the table, once the points of these bodies are counted, and x with the impulses [N s] that the pairs' forces remember times `kick`
/// [s]. Raises overlap flags. O(pairs).
void build_contacts(const Model& model, State& state, Workspace& work, const ContactBuild& build, double kick, const ContactCounts& counts,
                    ContactTable& table, Unknowns& x);
/// The impulses back to the pair lists as forces over `kick`: for records, wall loads and the next step's start.
void keep_forces(State& state, Workspace& work, double kick, ContactTable& table, Unknowns& x);

}  // namespace scree::SCREE_FLAVOR
