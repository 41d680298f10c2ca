// The kinds of joints: a header each, and a name in one of the lists below. Holding kinds hold two frames together; couplings hold a
// weighed sum of the angle of one joint and the angle or travel of another.
#pragma once

#include "engine/joints/cylindrical.hpp"
#include "engine/joints/distance.hpp"
#include "engine/joints/fixed.hpp"
#include "engine/joints/free.hpp"
#include "engine/joints/gear.hpp"
#include "engine/joints/point_on_line.hpp"
#include "engine/joints/point_on_plane.hpp"
#include "engine/joints/prismatic.hpp"
#include "engine/joints/rack.hpp"
#include "engine/joints/revolute.hpp"
#include "engine/joints/revolute_spherical.hpp"
#include "engine/joints/spherical.hpp"
#include "engine/joints/universal.hpp"

namespace scree {

struct HoldingKind {
    JointKind kind;
    int rows;
    bool travels;                                // has an axis of travel: z_A
    void (*place)(const JointPlace&, Row* row);  // values and gradients of its rows
};
/// Kinds as a table, and by name where kernels place them.
template <class... Kinds>
struct KindList {
    static constexpr HoldingKind table[] = {{Kinds::kind, Kinds::rows, Kinds::travels, &Kinds::place}...};
    /// Values and gradients of the rows of a kind; nothing where it is none of the list.
    SCREE_HD static void place(JointKind kind, const JointPlace& at, Row* row) {
        (void)((Kinds::kind == kind && (Kinds::place(at, row), true)) || ...);
    }
    /// How many.
    SCREE_HD static int rows(JointKind kind) { return (0 + ... + (Kinds::kind == kind ? Kinds::rows : 0)); }
};
using HoldingKinds =
    KindList<Spherical, Revolute, Prismatic, Cylindrical, Universal, Fixed, Distance, PointOnLine, PointOnPlane, RevoluteSpherical, Free>;
inline constexpr auto& holding_kinds = HoldingKinds::table;

/// Psi = weight_of_first(ratio) angle_1 + (travel_2 or angle_2), less its value at the start.
struct CouplingKind {
    JointKind kind;
    bool second_travels;
    double (*weight_of_first)(double ratio);
};
template <class Kind>
constexpr CouplingKind coupling() {
    return {Kind::kind, Kind::second_travels, &Kind::weight_of_first};
}
inline constexpr CouplingKind coupling_kinds[] = {coupling<Gear>(), coupling<Rack>()};

/// Null where the kind is no holding one.
inline const HoldingKind* holding_kind(JointKind kind) {
    for (const HoldingKind& k : holding_kinds) {
        if (k.kind == kind) return &k;
    }
    return nullptr;
}
/// Null where the kind is no coupling.
inline const CouplingKind* coupling_kind(JointKind kind) {
    for (const CouplingKind& k : coupling_kinds) {
        if (k.kind == kind) return &k;
    }
    return nullptr;
}

}  // namespace scree
