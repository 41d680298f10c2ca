// Pairs and what their contacts remember. Pairs of two bodies, and pairs of a body and a wall surface, in one list per shape class.
// Invariant of BodyPairs: id[a] < id[b]. A body's incidence row lists its pairs in the order of partner ids, so that its sums do not
// depend on the list. Invariant of WallPairs: sorted by slot, then by surface key.
#pragma once

#include <string>

#include "engine/exec/array.hpp"

namespace scree::SCREE_FLAVOR {

/// What a contact keeps and gives: one entry per pair.
struct ContactView {
    Vec3View<Real> stretch;
    Vec3View<Real> force;
    Vec3View<Real> twist;
};

/// Calls visit(name, array) for the three arrays of a vector field.
template <class Visit>
void visit_vector(const std::string& name, Vec3Array<Real>& v, Visit& visit) {
    visit(name + ".x", v.x);
    visit(name + ".y", v.y);
    visit(name + ".z", v.z);
}

/// Where a row of a list begins. A list has fewer than 2^31 pairs (model/limits.hpp), and two entries of each.
using RowStart = std::uint32_t;

struct Contacts {
    Vec3Array<Real> stretch;  // history: elastic tangential displacement xi [m], of two disks n x xi; n, written by penalty
    Vec3Array<Real> force;    // on A [N], n, written by penalty; zero where not touching; of spheres see fused/fused.hpp
    Vec3Array<Real> twist;    // torque on either body per its radius: r * twist [N], n, written by penalty

    Index size() const { return stretch.size(); }
    void resize_zero(Index n) {
        stretch.resize_zero(n);
        force.resize_zero(n);
        twist.resize_zero(n);
    }
    void swap(Contacts& other) noexcept {
        stretch.swap(other.stretch);
        force.swap(other.force);
        twist.swap(other.twist);
    }
    std::size_t bytes() const { return stretch.bytes() + force.bytes() + twist.bytes(); }
    ContactView view() { return {stretch.view(), force.view(), twist.view()}; }
    template <class Visit>
    void each_field(const std::string& prefix, Visit visit) {
        visit_vector(prefix + ".stretch", stretch, visit);
        visit_vector(prefix + ".force", force, visit);
        visit_vector(prefix + ".twist", twist, visit);
    }
};

/// Pairs of two bodies, grouped by the lower slot, ascending; pairs that reach from one range of slots into another come last, grouped
/// alike.
struct BodyPairs {
    Array<Slot> a, b;           // slots, n, written by broad
    Array<std::int32_t> law;    // row of the law table: material of a * materials + material of b, n, written by broad; none: the only one
    Contacts contacts;          // n
    Array<RowStart> row_start;  // bodies + 1: the row of a slot is [row_start[s], row_start[s + 1]); none where no pair is looked for
    // 2n and three unused: pair * 2 + (1 where the slot is b), by the id of the other body, ascending; between fused steps the place of the
    // pair's wrench stands for the pair (FusedRoom::placed).
    Array<std::uint32_t> entry;
    Array<RowStart> first;  // bodies + 1: pairs of a lower slot within its range are [first[s], first[s + 1])
    Index inner{0};         // pairs within ranges
    Index range{0};         // slots of a range

    Index size() const { return a.size(); }
    std::size_t bytes() const {
        return a.bytes() + b.bytes() + law.bytes() + contacts.bytes() + row_start.bytes() + entry.bytes() + first.bytes();
    }
};

/// Pairs [first, last) of a slot; none where there are no rows.
struct PairRow {
    Index first, last;
};
SCREE_HD PairRow row_of(const RowStart* row_start, Index i) {
    if (row_start == nullptr) return {0, 0};
    return {row_start[i], row_start[i + 1]};
}

/// Row of the law table of a pair of two bodies.
SCREE_HD Index law_of(const std::int32_t* law, Index p) {
    return law == nullptr ? 0 : law[p];
}

/// Pairs of a body and a surface of a wall (plane, cylinder, or patch of a mesh).
struct WallPairs {
    Array<Slot> body;             // n, ascending
    Array<std::int32_t> surface;  // index into the surfaces of this class, n, ascending for each body
    Array<std::int32_t> law;      // row of the law table, n
    Contacts contacts;            // n; force on the body
    Array<RowStart> row_start;    // bodies + 1; none where the model has no such surface

    Index size() const { return body.size(); }
    std::size_t bytes() const { return body.bytes() + surface.bytes() + law.bytes() + contacts.bytes() + row_start.bytes(); }
};

/// What the contact of polyhedra remembers beside Contacts, and the feature that last kept the two apart.
struct PatchView {
    Vec3View<Real> axis;
    Real* turn;
    std::int32_t* feature;
    Vec3View<Real> torque_b;
};

/// Where the points of two polyhedra were when they were searched for: on either body in its own frame and with A's normal, as many as
/// there are keys, then zeros; where B was as seen from A, and its turn as a quaternion. All zero: not searched yet.
struct KeptPoints {
    Vec3T<Real> on_a[4], on_b[4], normal[4], place;
    Real turn[4];

    static constexpr int values = 43;
    SCREE_HD Real& value(int k) {
        Vec3T<Real>* const part[4] = {on_a, on_b, normal, &place};
        if (k >= 39) return turn[k - 39];
        Vec3T<Real>& v = part[k / 12][k % 12 / 3];
        return k % 3 == 0 ? v.x : (k % 3 == 1 ? v.y : v.z);
    }
};

/// What the points of a contact of polyhedra remember under the cone method: the features that met and the force there, four a pair.
struct PointsView {
    std::int32_t* key[4];
    Vec3View<Real> push[4];
    KeptPoints* kept;  // null but for pairs of two polyhedra
};

struct PointHistory {
    Array<std::int32_t> key[4];  // of ContactPoints, no_key where unused, n each, written by cone
    Vec3Array<Real> push[4];     // force on B [N], n each, written by cone
    Array<KeptPoints> kept;      // of pairs of two polyhedra, n, else none; written by cone

    static constexpr std::int32_t no_key = -1;

    void resize(Index n, bool keeps) {
        kept.resize_zero(keeps ? n : 0);
        for (int q = 0; q < 4; ++q) {
            key[q].resize(n);
            if (n > 0) fill_bytes(key[q].data(), 0xff, static_cast<std::size_t>(n) * sizeof(std::int32_t));
            push[q].resize_zero(n);
        }
    }
    void swap(PointHistory& other) noexcept {
        kept.swap(other.kept);
        for (int q = 0; q < 4; ++q) {
            key[q].swap(other.key[q]);
            push[q].swap(other.push[q]);
        }
    }
    std::size_t bytes() const {
        std::size_t sum = kept.bytes();
        for (int q = 0; q < 4; ++q) sum += key[q].bytes() + push[q].bytes();
        return sum;
    }
    PointsView view() {
        PointsView v{};
        v.kept = kept.size() > 0 ? kept.data() : nullptr;
        for (int q = 0; q < 4; ++q) {
            v.key[q] = key[q].size() > 0 ? key[q].data() : nullptr;
            v.push[q] = push[q].view();
        }
        return v;
    }
};

struct Patches {
    Vec3Array<Real> axis;  // history: contact normal times the radius of the patch [m], zero where not touching, n, written by penalty
    Array<Real> turn;      // history: elastic turn about the normal [rad], n, written by penalty
    Array<std::int32_t>
        feature;               // a feature that separated the two, none where unknown: saves work, changes nothing; n, written by penalty
    Vec3Array<Real> torque_b;  // on B about its centre [N m], n, pairs of two bodies only, written by penalty
    PointHistory points;       // n under the cone method, else none

    static constexpr std::int32_t none = -1;

    void resize(Index n, bool two_bodies, bool with_points, bool keeps = false) {
        axis.resize_zero(n);
        turn.resize_zero(n);
        feature.resize(n);
        if (n > 0) fill_bytes(feature.data(), 0xff, static_cast<std::size_t>(n) * sizeof(std::int32_t));
        torque_b.resize_zero(two_bodies ? n : 0);
        points.resize(with_points ? n : 0, keeps);
    }
    void swap(Patches& other) noexcept {
        axis.swap(other.axis);
        turn.swap(other.turn);
        feature.swap(other.feature);
        torque_b.swap(other.torque_b);
        points.swap(other.points);
    }
    std::size_t bytes() const { return axis.bytes() + turn.bytes() + feature.bytes() + torque_b.bytes() + points.bytes(); }
    PatchView view() { return {axis.view(), turn.data(), feature.data(), torque_b.view()}; }
    /// The fields that a checkpoint holds.
    template <class Visit>
    void each_field(const std::string& prefix, Visit visit) {
        visit_vector(prefix + ".axis", axis, visit);
        visit(prefix + ".turn", turn);
        if (torque_b.size() > 0) visit_vector(prefix + ".torque_b", torque_b, visit);
        for (int q = 0; q < 4 && points.key[0].size() > 0; ++q) {
            visit(prefix + ".key" + std::to_string(q), points.key[q]);
            visit_vector(prefix + ".push" + std::to_string(q), points.push[q], visit);
        }
    }
};

/// Pairs of two bodies of which one or both are polyhedra. Contacts::twist is here the torque on A about its centre [N m].
struct ConvexPairs : BodyPairs {
    Patches patches;
    std::size_t bytes() const { return BodyPairs::bytes() + patches.bytes(); }
};

/// A contact as it is now: what measures find out, one per pair.
struct PatchState {
    std::int32_t touching;
    std::int32_t kind;
    double overlap;                                     // least depth over all directions, of a wall along the normal [m]
    double area, volume;                                // [m2], [m3]
    double elastic_normal, elastic_tangential;          // [J]
    double power_damping, power_friction, power_walls;  // [W]
    Vec3 point, normal;                                 // in the world
};

/// Distance of a patch pair that makes no contact: as far away as can be, but finite.
inline constexpr double no_contact = 1e30;

/// Pairs of a body and a mesh patch, with the triangles of the patch near the body.
struct MeshPairs : WallPairs {
    Array<Index> triangle_start;   // n: first candidate of each pair
    Array<Index> triangle_end;     // n: past its last
    Array<std::int32_t> triangle;  // candidates of each pair, ascending
    Array<Slot> near_body;         // slots that have mesh pairs, ascending
    Vec3Array<double> normal;      // from the body to the nearest point of the patch, n, written by penalty
    Array<double> distance;  // of the centre from the patch [m], no_contact where another patch has the contact, n, written by penalty
};

/// Pairs of a polyhedron and a plane or cylinder. Contacts::twist is here the torque on the body about its centre [N m].
struct ConvexWallPairs : WallPairs {
    Patches patches;
    std::size_t bytes() const { return WallPairs::bytes() + patches.bytes(); }
};

/// Pairs of a polyhedron and a mesh patch.
struct ConvexMeshPairs : MeshPairs {
    Patches patches;
    std::size_t bytes() const { return MeshPairs::bytes() + patches.bytes(); }
};

}  // namespace scree::SCREE_FLAVOR
