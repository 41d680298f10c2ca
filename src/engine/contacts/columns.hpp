// What a contact keeps and gives, column by column: one entry per pair of a list. Each column is declared once, in each_column; carrying
// from list to list, checkpoints, resizing and the forecast of memory walk the declarations.
#pragma once

#include "engine/exec/array.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

struct ContactView {
    Vec3View<Real> stretch;
    Vec3View<Real> force;
    Vec3View<Real> twist;
};

struct Contacts {
    Vec3Array<Real> stretch;  // history: elastic tangential displacement xi [m], of two disks n x xi; n, written by penalty
    Vec3Array<Real> force;    // on A [N], n, written by penalty; zero where not touching; of spheres see fused/fused.hpp
    // Of spheres the torque on either body per its radius: r * twist [N]; of polyhedra the torque on A about its centre [N m]; n, written
    // by penalty
    Vec3Array<Real> twist;

    Vec3Array<Real> roll;    // history: elastic turn of B against A across the normal [rad]; n with rolling friction, else none; penalty
    Array<Real> torsion;     // history: elastic turn of B against A about the normal [rad]; likewise
    Vec3Array<Real> couple;  // against rolling and twisting, on A [N m]; likewise

    Array<Real> deepest, softened;  // history: PlasticMemory of the normal law; n with one that has it, else none; penalty
    Array<double> spent;            // what yielding takes [W]; likewise, where energy is accounted for

    Array<Real> pull;    // part of `force` along the normal that a law of cohesion gives [N]; n with one, else none; penalty
    Array<Real> bond;    // history: BondState of laws with bonds; likewise
    Array<Real> liquid;  // history: volume of a bridge of shared liquid [m3]; n where contacts share it, else none; penalty

    Index size() const { return stretch.size(); }
    ContactView view() { return {stretch.view(), force.view(), twist.view()}; }
};

/// Of what pulls on from when surfaces touched.
enum BondState : std::int32_t {
    kNoBond = 0,
    kBond = 1,
    kNewBond = 2
};  // a number, as wide as what is computed with it; the last: since this step, which its energy is charged to

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
        feature;  // a feature that separated the two, none where unknown: saves work, changes nothing; of spheres with polyhedra
                  // covered_contact where the contact is not there (convex_pairs.hpp), found anew when asked for; n, by penalty
    Vec3Array<Real> torque_b;  // on B about its centre [N m], n, pairs of two bodies only, written by penalty
    PointHistory points;       // n under the cone method, else none

    static constexpr std::int32_t none = -1;

    PatchView view() { return {axis.view(), turn.data(), feature.data(), torque_b.view()}; }
};

/// Distance of a pair that makes no contact: as far away as can be, but finite.
inline constexpr double no_contact = 1e30;

/// All columns; a list has those of its groups, the others are empty.
struct ContactColumns {
    Contacts contacts;
    Patches patches;
    Vec3Array<double> normal;  // of spheres and mesh patches: from the body to the nearest point of the patch, n, written by penalty
    Array<double> distance;    // of the centre from the patch [m], no_contact where another patch has the contact, n, written by penalty
};

/// What a list has of columns is chosen group by group.
enum ColumnGroup : std::uint32_t {
    kStretch = 1u << 0,
    kForces = 1u << 1,
    kPatch = 1u << 2,
    kTorqueB = 1u << 3,  // of two bodies with a patch
    kPoints = 1u << 4,
    kKeptPoints = 1u << 5,
    kGap = 1u << 6,
    kRoll = 1u << 7,
    kPull = 1u << 8,
    kPlastic = 1u << 9,
    kSpent = 1u << 10,
    kLiquid = 1u << 11,
};

/// Is a column in checkpoints? Where it is not always, one without it is read as one of nothing known.
enum class Saved { Always, Optional, Never };
/// What stands for "nothing known" in a column.
enum class Unset { Zero, MinusOne, FarAway };

struct Column {
    const char *name, *part;  // of its field, after the name of the list
    ColumnGroup group;
    Saved saved;
    Unset unset;
};

namespace detail {
inline constexpr const char *key_name[4] = {".key0", ".key1", ".key2", ".key3"}, *push_name[4] = {".push0", ".push1", ".push2", ".push3"};
}  // namespace detail

/// Calls visit(column, array of each of the columns given) for every column: the one place that declares them.
template <class Visit, class... Columns>
void each_column(Visit visit, Columns&... c) {
    const auto vector = [&visit](const char* name, ColumnGroup group, auto&... v) {
        const Saved saved = group == kPoints || group == kRoll ? Saved::Optional : Saved::Always;
        visit(Column{name, ".x", group, saved, Unset::Zero}, v.x...);
        visit(Column{name, ".y", group, saved, Unset::Zero}, v.y...);
        visit(Column{name, ".z", group, saved, Unset::Zero}, v.z...);
    };
    vector(".stretch", kStretch, c.contacts.stretch...);
    vector(".force", kForces, c.contacts.force...);
    vector(".twist", kForces, c.contacts.twist...);
    vector(".roll", kRoll, c.contacts.roll...);
    visit(Column{".torsion", "", kRoll, Saved::Optional, Unset::Zero}, c.contacts.torsion...);
    vector(".couple", kRoll, c.contacts.couple...);
    visit(Column{".deepest", "", kPlastic, Saved::Optional, Unset::Zero}, c.contacts.deepest...);
    visit(Column{".softened", "", kPlastic, Saved::Optional, Unset::Zero}, c.contacts.softened...);
    visit(Column{".spent", "", kSpent, Saved::Never, Unset::Zero}, c.contacts.spent...);
    visit(Column{".pull", "", kPull, Saved::Optional, Unset::Zero}, c.contacts.pull...);
    visit(Column{".bond", "", kPull, Saved::Optional, Unset::Zero}, c.contacts.bond...);
    visit(Column{".liquid", "", kLiquid, Saved::Optional, Unset::Zero}, c.contacts.liquid...);
    vector(".axis", kPatch, c.patches.axis...);
    visit(Column{".turn", "", kPatch, Saved::Always, Unset::Zero}, c.patches.turn...);
    visit(Column{".feature", "", kPatch, Saved::Never, Unset::MinusOne}, c.patches.feature...);
    vector(".torque_b", kTorqueB, c.patches.torque_b...);
    for (int q = 0; q < 4; ++q) {
        visit(Column{detail::key_name[q], "", kPoints, Saved::Optional, Unset::MinusOne}, c.patches.points.key[q]...);
        vector(detail::push_name[q], kPoints, c.patches.points.push[q]...);
    }
    visit(Column{".kept", "", kKeptPoints, Saved::Optional, Unset::Zero}, c.patches.points.kept...);
    vector(".normal", kGap, c.normal...);
    visit(Column{".distance", "", kGap, Saved::Always, Unset::FarAway}, c.distance...);
}

/// n entries of nothing known in the columns of these groups, none in the others.
void resize_columns(const Exec& exec, ContactColumns& columns, Index n, std::uint32_t groups);

/// Bytes of a row of these groups.
inline double column_row_bytes(std::uint32_t groups) {
    ContactColumns none;
    double sum = 0;
    each_column(
        [&](const Column& column, auto& array) {
            if ((groups & column.group) != 0) sum += sizeof(*array.data());
        },
        none);
    return sum;
}

}  // namespace scree::SCREE_FLAVOR
