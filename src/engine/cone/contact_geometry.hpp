// Pairs -> points. Counting comes first, so that the table is written once and in order.
#pragma once

#include "base/hash.hpp"
#include "engine/cone/contact_table.hpp"
#include "engine/penalty/contact_input.hpp"

namespace scree::SCREE_FLAVOR {

/// Which rigid body moves a collider, and which colliders a rigid body has. Tables go by id (state/compounds.hpp).
struct RigidView {
    const std::int32_t* owner;  // by slot: id of the compound that carries it, or less; null where the model has no compounds
    const Slot* slot_of_id;
    const std::uint32_t* id;  // by slot
    CompoundView compounds;
    Index count;                  // of compounds
    const std::int32_t* carrier;  // by wall: id of the compound that carries it, -1: none; null where none is carried

    SCREE_HD Slot body_of(Index i) const { return owner != nullptr && owner[i] >= 0 ? slot_of_id[owner[i]] : static_cast<Slot>(i); }
    SCREE_HD Slot carrier_of(std::int32_t wall) const {
        return carrier != nullptr && carrier[wall] >= 0 ? slot_of_id[carrier[wall]] : Slot{-1};
    }
    /// Number of compound i among the compounds.
    SCREE_HD Index number_of(Index i) const {
        Index low = 0, high = count - 1;
        while (low < high) {
            const Index middle = (low + high) / 2;
            if (compounds.id[middle] < id[i]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
};
RigidView rigid_view(State& state, Workspace& work);

/// visit(slot) for the colliders of rigid body i: itself, or the members of a compound in the order of ids; none for members.
template <class Visit>
SCREE_HD void each_collider(const RigidView& rigid, Index i, Visit visit) {
    if (rigid.owner == nullptr || rigid.owner[i] == -1) {
        visit(i);
    } else if (rigid.owner[i] == compound_entry) {
        const Index n = rigid.number_of(i);
        for (Index k = rigid.compounds.member_start[n]; k < rigid.compounds.member_start[n + 1]; ++k)
            visit(static_cast<Index>(rigid.slot_of_id[rigid.compounds.member[k]]));
    }
}

/// Counts of points of all pairs, and the points of pairs with polyhedra.
void find_points(const Model& model, State& state, Workspace& work, const ContactBuild& build, ContactTable& table);
/// All rows of the table but eta, and x.
void write_contacts(const Model& model, State& state, Workspace& work, const ContactBuild& build, double kick, ContactTable& table,
                    Unknowns& x);
/// find_points for lists with polyhedra.
void find_convex_points(const Model& model, State& state, Workspace& work, const ContactBuild& build, ContactTable& table);

/// One row of the table where kernels write it.
struct TableRowView {
    Touch* touch;
    Arms* arms;
    Vec3R *normal, *base, *impulse, *couple;
    Real *gap, *mu, *rho, *sigma, *reach, *pull;
    std::uint32_t* key;
    Origin* origin;
};

/// What rows need of bodies, walls and materials.
struct RowInput {
    BodyView body;
    RigidView rigid;
    const WallPlace* places;
    const ConePairRow* pair;
    Real dt, recovery, threshold, kick;
};

/// A point between collider i (A) and collider j or a wall (B).
struct RowPoint {
    Index i, j;         // j -1: a wall
    std::int32_t wall;  // -1: none
    std::int32_t law;   // row of the pair table
    Vec3 normal;        // from A to B
    Vec3 point;         // relative to the centre of collider i [m]
    double gap;         // [m]
    Origin origin;
    std::uint32_t other, feature;  // id of B or number of its surface, and what meets, for the key
};

SCREE_HD RigidVelocity motion_of(const BodyView& body, Index i) {
    return {body.position[i], body.velocity[i], body.angular_velocity[i]};
}

/// Bias of the normal row: u_n + bias >= 0. An open gap may close within the drift; an overlap opens at most at the recovery speed. A
/// contact that approaches faster than the threshold and closes within half the drift rebounds by the pair's restitution instead; before
/// that it is left alone, so that its approach is not taken away early.
SCREE_HD Real gap_bias(Real gap, Real approach, Real restitution, const RowInput& s) {
    const Real open = gap / s.dt;
    const Real plain = open > -s.recovery ? open : -s.recovery;
    if (!(restitution > Real(0)) || !(approach > s.threshold)) return plain;
    if (gap - Real(0.5) * s.dt * approach > Real(0)) return open + approach;
    return -restitution * approach;
}

/// Writes row k but impulse and couple.
SCREE_HD void write_row(const RowInput& s, const TableRowView& to, Index k, const RowPoint& c) {
    const ConePairRow q = s.pair[c.law];
    const Slot a = s.rigid.body_of(c.i);
    const Slot b = c.j >= 0 ? s.rigid.body_of(c.j) : s.rigid.carrier_of(c.wall);
    const Vec3 at = s.body.position[c.i] + c.point;
    const Vec3 v_a = velocity_at(motion_of(s.body, a), at);
    Vec3 v_b{}, wall{};
    if (b >= 0) {
        v_b = velocity_at(motion_of(s.body, b), at);
    } else if (s.places != nullptr) {
        wall = velocity_at(velocity_in(&s.places[c.wall].now), at);
        v_b = wall;
    }
    const double r_a = s.body.radius[c.i];
    const double reach = c.j >= 0 ? r_a * s.body.radius[c.j] / (r_a + s.body.radius[c.j]) : r_a;
    const Real approach = static_cast<Real>(dot(v_a - v_b, c.normal)), gap = static_cast<Real>(c.gap);
    const Real bias = gap_bias(gap, approach, q.restitution, s);
    to.touch[k] = {a, b};
    to.arms[k] = {cast<Real>(at - s.body.position[a]), b >= 0 ? cast<Real>(at - s.body.position[b]) : Vec3R{}};
    to.normal[k] = cast<Real>(c.normal);
    to.base[k] = cast<Real>(wall) + bias * cast<Real>(c.normal);
    to.gap[k] = gap;
    to.mu[k] = q.mu;
    if (to.rho != nullptr) {
        to.rho[k] = q.rolling * static_cast<Real>(reach);
        to.sigma[k] = q.spinning * static_cast<Real>(reach);
    }
    to.reach[k] = static_cast<Real>(reach);
    // A pull acts where the two touch: a gap below a thousandth of the size is rounding of the solution.
    to.pull[k] = gap < Real(1e-3) * static_cast<Real>(reach) ? q.cohesion : Real(0);
    const std::uint64_t h =
        hash_combine(hash_combine(s.body.id[c.i], c.other), (static_cast<std::uint64_t>(c.feature) << 4) + c.origin.list);
    to.key[k] = static_cast<std::uint32_t>(h ^ (h >> 32));
    to.origin[k] = c.origin;
}

}  // namespace scree::SCREE_FLAVOR
