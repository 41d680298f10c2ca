// Pairs of spheres -> contact input: rows of both bodies packed by fours, then unpacked as vector code. Shared by the force kernels and the
// fused step, which must round alike.
#pragma once

#include "engine/exec/loops.hpp"
#include "engine/exec/quad.hpp"
#include "engine/laws/contact.hpp"
#include "engine/narrow/sphere_sphere.hpp"
#include "engine/state/relative.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// What all force kernels share, by value.
struct ForceSettings {
    const LawRow* rows;
    LawRow only;  // the one row, where there is one material
    Real dt;
    Real warning, limit;  // overlap over the smaller radius
};

inline ForceSettings force_settings(const Model& model, const Workspace& work, double dt) {
    return {work.laws.data(), work.only_law, static_cast<Real>(dt), static_cast<Real>(model.penalty.overlap_warning),
            static_cast<Real>(model.penalty.overlap_limit)};
}

/// One row by components: a copy of the whole struct would keep the loop from being vectorised. With one material the row is a
/// constant of the loop, which saves gathers.
template <bool OneMaterial>
SCREE_HD LawRow law_row(const ForceSettings& s, const std::int32_t* law, Index p) {
    if (OneMaterial) return {s.only.k_n, s.only.k_t, s.only.zeta, s.only.zeta_t, s.only.mu};
    const LawRow* row = s.rows + law[p];
    return {row->k_n, row->k_t, row->zeta, row->zeta_t, row->mu};
}

/// Flags of one contact as wide as its numbers: narrower ones would make vector loops take twice as many pairs at once as registers hold.
using LaneFlags = std::conditional_t<sizeof(Real) == sizeof(double), std::uint64_t, std::uint32_t>;

/// Flags of one contact. Written so that NaN raises kNotFinite: it fails every comparison.
SCREE_HD LaneFlags contact_flags(Real delta, Real radius, Real normal_force, const ForceSettings& s) {
    const Real bound = Real(1e30);
    const LaneFlags none = 0;
    const LaneFlags warned = delta > s.warning * radius ? LaneFlags{kOverlapWarning} : none;
    const LaneFlags stopped = delta > s.limit * radius ? LaneFlags{kOverlapLimit} : none;
    const Real larger = delta + normal_force;
    const LaneFlags broken = larger < bound ? none : LaneFlags{kNotFinite};
    return warned | stopped | broken;
}

/// All their lanes are read: a gap would cost vector loops a scalar remainder.
inline constexpr int pair_packs = 4;

/// Asks for what a contact reads of a body.
SCREE_HD void fetch_rows(const BodyView& body, Index i) {
    fetch(body.position.row + i);
    fetch(body.velocity.row + i);
    fetch(body.angular_velocity.row + i);
}

/// The same, for the second-level cache.
SCREE_HD void fetch_rows_second(const BodyView& body, Index i) {
    fetch_second(body.position.row + i);
    fetch_second(body.velocity.row + i);
    fetch_second(body.angular_velocity.row + i);
}

/// What the contact of two spheres needs, packed by fours, differences and sums formed in double:
/// d (B - A) and s, where the contact computes in float s^2 - d^2; velocity difference and r_a; r_a w_a + r_b w_b and r_b; w_a + w_b and
/// 1/m_a + 1/m_b.
SCREE_HD void load_pair(const BodyView& body, Index i, Index j, const StageSlot<Real>& slot) {
    const Quad x_a = load_quad(body.position.row[i]), x_b = load_quad(body.position.row[j]);
    const Quad v_a = load_quad(body.velocity.row[i]), v_b = load_quad(body.velocity.row[j]);
    const Quad w_a = load_quad(body.angular_velocity.row[i]), w_b = load_quad(body.angular_velocity.row[j]);
    const Quad r_a = all_lanes(body.radius[i]), r_b = all_lanes(body.radius[j]), s = r_a + r_b;
    const Quad d = relative_position(x_a, x_b);
    if constexpr (sizeof(Real) == sizeof(double)) {
        store_quad(slot.pack(0), with_last(d, s));
    } else {
        store_quad(slot.pack(0), with_last(d, s * s - all_lanes(norm2_of(d))));
    }
    store_quad(slot.pack(1), with_last(relative_velocity(v_a, v_b), x_a));
    store_quad(slot.pack(2), with_last(r_a * w_a + r_b * w_b, x_b));
    store_quad(slot.pack(3), with_last(w_a + w_b, v_a + v_b));
}

/// The first pack of a contact, and the first of its roots.
struct PairDistance {
    Vec3T<Real> d;    // B - A [m]
    Real distance;    // |d| [m]
    Real sum_or_gap;  // the pack's last lane: s = r_a + r_b [m] in double, s^2 - d^2 [m2] in float
};

/// Reads the first pack alone.
SCREE_HD PairDistance packed_distance(const StageSlot<Real>& slot) {
    const Vec3T<Real> d{slot.at(0, 0), slot.at(0, 1), slot.at(0, 2)};
    return {d, std::sqrt(fused_norm2(d)), slot.at(0, 3)};
}

/// The packs as a contact, as sphere_contact finds it; lever as there.
SCREE_HD ContactInput<Real> packed_contact(const StageSlot<Real>& slot, const PairDistance& of, Vec3T<Real> stretch, Real& lever) {
    const Real r_a = slot.at(1, 3), r_b = slot.at(2, 3), inverse_mass = slot.at(3, 3);
    const Vec3T<Real> d = of.d;
    const Real distance = of.distance;
    Real s = of.sum_or_gap, overlap2 = s;
    if constexpr (sizeof(Real) == sizeof(double)) {
        overlap2 = s * s - norm2(d);  // not fused: zero where bodies just touch, as sphere_gap finds
    } else {
        s = r_a + r_b;
    }
    const Vec3T<Real> surface{slot.at(2, 0), slot.at(2, 1), slot.at(2, 2)}, spin{slot.at(3, 0), slot.at(3, 1), slot.at(3, 2)};
    // One choice, then sums: where two values are chosen by the same condition g++ follows either side, and divides on both. A normal's
    // -0 becomes 0.
    const Real together = distance > Real(0) ? Real(0) : Real(1);
    const Real centres = distance + together, whole = s + distance;
    // One division for 1 / |d|, 1 / (s + |d|), 1 / s and the effective mass.
    const Real lengths = centres * whole, reduced = s * inverse_mass;
    const Real all = Real(1) / (lengths * reduced);
    const Real of_lengths = all * reduced, of_reduced = all * lengths;
    const Real inverse_s = of_reduced * inverse_mass, inverse = of_lengths * whole;
    lever = distance * inverse_s;
    ContactInput<Real> in;
    in.normal = {d.x * inverse, d.y * inverse, d.z * inverse + together};
    in.delta = overlap2 * (of_lengths * centres);
    in.velocity = multiply_add(-lever, fused_cross(surface, in.normal), Vec3T<Real>{slot.at(1, 0), slot.at(1, 1), slot.at(1, 2)});
    in.spin = Real(0.5) * fused_dot(spin, in.normal);
    in.R_eff = r_a * r_b * inverse_s;
    in.m_eff = of_reduced * s;
    in.stretch = stretch;
    return in;
}

/// The smaller of the two radii.
SCREE_HD Real smaller_radius(const StageSlot<Real>& slot) {
    const Real r_a = slot.at(1, 3), r_b = slot.at(2, 3);
    return r_a < r_b ? r_a : r_b;
}

}  // namespace scree::SCREE_FLAVOR
