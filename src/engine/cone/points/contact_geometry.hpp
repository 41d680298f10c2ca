// Pairs -> points. Counting comes first, so that the table is written once and in order.
#pragma once

#include "base/hash.hpp"
#include "engine/cone/contact_table.hpp"
#include "engine/penalty/contact_input.hpp"
#include "engine/state/flags.hpp"
#include "engine/state/thickness.hpp"

namespace scree::SCREE_FLAVOR {

/// Which rigid body moves a collider, and which colliders a rigid body has. Tables go by id (state/compounds.hpp).
struct RigidView {
    const std::int32_t* owner;  // by slot: id of the compound that carries it, or less; null where the model has no compounds
    const Slot* slot_of_id;
    const std::uint32_t* id;  // by slot
    CompoundView compounds;
    Index count;                  // of compounds
    const std::int32_t* carrier;  // by wall: id of the compound that carries it, -1: none; null where none is carried
    ImagesOf images;
    std::int32_t ids;  // of bodies

    SCREE_HD Slot body_of(Index i) const { return owner != nullptr && owner[i] >= 0 ? slot_of_id[owner[i]] : static_cast<Slot>(images(i)); }
    /// What image i moves by that its body does not; of a body nothing [m/s].
    SCREE_HD Vec3 drift_of(const BodyView& body, Index i) const {
        const Index of = images(i);
        return of == i ? Vec3{} : body.velocity[i] - body.velocity[of];
    }
    SCREE_HD Slot carrier_of(std::int32_t wall) const {
        // Walls that nothing carries may have numbers past those of bodies, for bonds to them.
        return carrier != nullptr && carrier[wall] >= 0 && carrier[wall] < ids ? slot_of_id[carrier[wall]] : Slot{-1};
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
    Pulled* pulled;  // null where nothing has a cohesion
    std::uint32_t* key;
    Origin* origin;
};

/// What rows need of bodies, walls and materials.
struct RowInput {
    BodyView body;
    RigidView rigid;
    const WallPlace* places;
    const ConePairRow* pair;
    ShapeView shapes;
    Real dt, recovery, kick;
    Real threshold;      // approach slower than this ends without rebound [m/s]
    Real threshold_run;  // and this many times what a wall's speed changes by in half a step
    Real overlap_warning, overlap_limit;
};

/// Who meets: collider i (A) and collider j or a wall (B), with what their points share.
struct RowPair {
    Slot a, b;                         // rigid bodies; b -1: a wall that no body carries
    Vec3 origin;                       // centre of collider i: points are told from it [m]
    Vec3 from_a, from_b;               // to there from the centres of the rigid bodies [m]
    RigidVelocity motion_a, motion_b;  // where `rebounds`, `pulls` or `moves`
    bool moves;                        // b is -1 and the wall moves
    Vec3 drift;                        // what image B moves by that its body does not, less the same of A [m/s]
    bool rebounds;                     // the law has a restitution
    bool pulls;                        // and a cohesion
    ConePairRow law;
    Real reach;          // [m]
    Real thickness;      // what overlaps are held against [m]
    Vec3 wall_run;       // what the wall's speed changes by in half a step, where it moves [m/s]
    std::uint64_t hash;  // of both ids
};

/// One point of a pair.
struct RowPoint {
    Vec3 normal;  // from A to B
    Vec3 point;   // halfway between the two surfaces, relative to the centre of collider i [m]
    double gap;   // [m]
    Origin origin;
    std::uint32_t feature;  // what meets, for the key
};

SCREE_HD RigidVelocity motion_of(const BodyView& body, Index i) {
    return {body.position[i], body.velocity[i], body.angular_velocity[i]};
}

/// Share of an overlap that a step opens. All of it would set a bed moving that few iterations leave with errors: what recovers keeps its
/// speed when it is out.
constexpr Real opened_in_step = Real(0.1);

/// Bias of the normal row: u_n + bias >= 0. An open gap may close within the drift; an overlap opens at most at the recovery speed. A
/// contact that approaches faster than the threshold and closes within half the drift rebounds by the pair's restitution instead; before
/// that it is left alone, so that its approach is not taken away early.
SCREE_HD Real gap_bias(Real gap, Real approach, Real restitution, Real threshold, const RowInput& s) {
    const Real open = gap / s.dt;
    const Real back = opened_in_step * open;
    const Real plain = open > Real(0) ? open : (back > -s.recovery ? back : -s.recovery);
    if (!(restitution > Real(0)) || !(approach > threshold)) return plain;
    if (gap - Real(0.5) * s.dt * approach > Real(0)) return open + approach;
    return -restitution * approach;
}

/// From the rigid body of collider i to its centre.
SCREE_HD Vec3 arm_of(const RowInput& s, Index i, Slot body) {
    return s.body.position[s.rigid.images(i)] - s.body.position[body];
}

/// i: collider A; j: collider B, or -1 and a wall; law: row of the pair table; other: id of B or number of its surface.
SCREE_HD RowPair row_pair(const RowInput& s, Index i, Index j, std::int32_t wall, std::int32_t law, std::uint32_t other) {
    RowPair p{};
    p.a = s.rigid.body_of(i);
    p.b = j >= 0 ? s.rigid.body_of(j) : s.rigid.carrier_of(wall);
    p.origin = s.body.position[i];
    p.law = s.pair[law];
    p.rebounds = p.law.restitution > Real(0);
    p.pulls = p.law.cohesion > Real(0);
    const bool image_a = s.rigid.images(i) != i, image_b = j >= 0 && s.rigid.images(j) != j;
    if (p.rebounds || p.pulls) p.motion_a = motion_of(s.body, p.a);
    if (p.a != i) p.from_a = arm_of(s, i, p.a);
    if (p.b >= 0) {
        p.from_b = image_b ? relative_position(s.body.position[j], p.origin) + arm_of(s, j, p.b) : p.origin - s.body.position[p.b];
        if (p.rebounds || p.pulls) p.motion_b = motion_of(s.body, p.b);
    } else if (s.places != nullptr) {
        p.motion_b = velocity_in(&s.places[wall].now);
        p.moves = true;
        p.wall_run = velocity_at(p.motion_b, p.origin) - velocity_at(velocity_in(&s.places[wall].mid), p.origin);
    }
    if (image_a || image_b) {
        p.drift = (image_b ? s.rigid.drift_of(s.body, j) : Vec3{}) - s.rigid.drift_of(s.body, i);
        p.motion_a = {p.origin - p.from_a, p.motion_a.velocity + s.rigid.drift_of(s.body, i), p.motion_a.angular};
        if (p.b >= 0)
            p.motion_b = {p.origin - p.from_b, p.motion_b.velocity + (image_b ? s.rigid.drift_of(s.body, j) : Vec3{}), p.motion_b.angular};
    }
    p.thickness = static_cast<Real>(j >= 0 ? thickness_of(s.body, s.shapes, i, j) : thickness_of(s.body, s.shapes, i));
    const double r_a = s.body.radius[i];
    p.reach = static_cast<Real>(j >= 0 ? r_a * s.body.radius[j] / (r_a + s.body.radius[j]) : r_a);
    p.hash = hash_combine(s.body.id[i], other);
    return p;
}

/// Flags of an overlap, as the penalty method raises them; `overlap` is that of one point.
SCREE_HD std::uint32_t overlap_flags(Real overlap, Real thickness, const RowInput& s) {
    return (overlap > s.overlap_warning * thickness ? kOverlapWarning : 0u) | (overlap > s.overlap_limit * thickness ? kOverlapLimit : 0u) |
           (overlap < Real(1e30) ? 0u : kNotFinite);
}

/// Where across an open gap the push acts, from A's surface on, as a share of the gap. One point for both keeps their angular momentum; an
/// arm that reaches into the gap turns a body by more than friction does when it lands, so the lighter one has the lesser part.
SCREE_HD double share_across(const RowInput& s, const RowPair& p) {
    if (p.b < 0) return 0.0;
    const double a = s.body.inverse_mass[p.a], b = s.body.inverse_mass[p.b];
    return a + b > 0 ? b / (a + b) : 0.5;
}

/// Cohesion pulls up to a gap of this share of the size: less is rounding of the solution.
constexpr Real cohesion_reach = Real(1e-3);

/// Writes row k but impulse and couple.
SCREE_HD void write_row(const RowInput& s, const TableRowView& to, Index k, const RowPair& p, const RowPoint& c) {
    const Vec3 point = c.gap > 0 ? c.point + ((share_across(s, p) - 0.5) * c.gap) * c.normal : c.point;
    Vec3 v_b{};
    Real approach = Real(0);
    const bool seen = p.rebounds || p.pulls;
    if (p.moves || (seen && p.b >= 0)) v_b = velocity_at(p.motion_b, p.origin + point);
    if (seen) approach = static_cast<Real>(dot(velocity_at(p.motion_a, p.origin + point) - v_b, c.normal));
    const Real gap = static_cast<Real>(c.gap);
    const Real threshold = s.threshold + (p.moves ? s.threshold_run * std::fabs(static_cast<Real>(dot(p.wall_run, c.normal))) : Real(0));
    const Real bias = gap_bias(gap, approach, p.law.restitution, threshold, s);
    to.touch[k] = {p.a, p.b};
    to.arms[k] = {cast<Real>(point + p.from_a), p.b >= 0 ? cast<Real>(point + p.from_b) : Vec3R{}};
    to.normal[k] = cast<Real>(c.normal);
    to.base[k] = (p.moves ? cast<Real>(v_b) : cast<Real>(p.drift)) + bias * cast<Real>(c.normal);
    to.gap[k] = gap;
    to.mu[k] = p.law.mu;
    if (to.rho != nullptr) {
        to.rho[k] = p.law.rolling * p.reach;
        to.sigma[k] = p.law.spinning * p.reach;
    }
    to.reach[k] = p.reach;
    to.pull[k] = gap < cohesion_reach * p.reach ? p.law.cohesion : Real(0);
    if (to.pulled != nullptr) {
        const bool back = bias < Real(0) && bias == -p.law.restitution * approach;
        to.pulled[k] = {p.law.cohesion, approach, back ? p.law.restitution : Real(0), gap_bias(gap, Real(0), Real(0), threshold, s) - bias};
    }
    const std::uint64_t h = hash_combine(p.hash, (static_cast<std::uint64_t>(c.feature) << 4) + c.origin.list);
    to.key[k] = static_cast<std::uint32_t>(h ^ (h >> 32));
    to.origin[k] = c.origin;
    // What is left alone until half a step after it meets gets half a step's way deep before it rebounds.
    const Real early = p.rebounds && approach > threshold ? Real(0.5) * s.dt * approach : Real(0);
    to.origin[k].flags = static_cast<std::uint8_t>(overlap_flags(-gap - early, p.thickness, s));
}

}  // namespace scree::SCREE_FLAVOR
