// All lists of a state, and what each is of: a class of pairs is registered by its line in list_layouts. What goes by list (carrying
// history, checkpoints, memory, clearing) walks them all.
#pragma once

#include "engine/contacts/list.hpp"
#include "model/model.hpp"
#include "model/pulls.hpp"

namespace scree::SCREE_FLAVOR {

/// The lists, in the order in which a body's contacts count under the cone method.
enum PairList : int { kSpheres, kMixed, kConvex, kPlanes, kCylinders, kMeshes, kConvexPlanes, kConvexCylinders, kConvexMeshes, kPairLists };
inline constexpr int kBodyPairLists = 3;  // the first ones join two bodies
inline constexpr int sphere_classes = 4;  // of lists without polyhedra: with bodies, planes, cylinders, meshes

/// What a body is in a pair with.
enum class Partner { Body, Plane, Cylinder, Patch };

struct ListLayout {
    const char* name;  // of its fields in checkpoints
    Partner partner;
    int polyhedra;  // in each pair

    constexpr bool two_bodies() const { return partner == Partner::Body; }
    constexpr bool has_patch() const { return polyhedra > 0; }
    /// Index of the surface's class: planes, cylinders, patches.
    constexpr int surface_class() const { return static_cast<int>(partner) - 1; }
    constexpr const char* first_name() const { return two_bodies() ? ".a" : ".body"; }
    constexpr const char* second_name() const { return two_bodies() ? ".b" : ".surface"; }
};

inline constexpr ListLayout list_layouts[] = {
    {"pair", Partner::Body, 0},          {"mixed", Partner::Body, 1},
    {"convex", Partner::Body, 2},        {"plane", Partner::Plane, 0},
    {"cylinder", Partner::Cylinder, 0},  {"mesh", Partner::Patch, 0},
    {"convex_plane", Partner::Plane, 1}, {"convex_cylinder", Partner::Cylinder, 1},
    {"convex_mesh", Partner::Patch, 1},
};
static_assert(std::size(list_layouts) == kPairLists, "a list without a layout");

/// What lists keep by the method.
struct ListParts {
    bool points{false};  // of the cone method
    bool rolls{false};   // resistance to rolling or twisting of the penalty method
    bool pulls{false};   // cohesion of the penalty method
    bool yields{false};  // its normal law has a memory
    bool spends{false};  // and energy is accounted for
    bool shares{false};  // liquid
};
inline ListParts list_parts(const Model& model, bool account) {
    const bool yields = model.method == Method::Penalty && (model.penalty.law == Law::Plastic || model.penalty.by_pair);
    const bool penalty = model.method == Method::Penalty;
    return {model.method == Method::Cone,
            penalty && (model.penalty.rolling != Rolling::None || model.penalty.twisting != Twisting::None),
            penalty && model.penalty.cohesion != 0,
            yields,
            yields && account,
            shares_liquid(model)};
}

/// The columns of a list. forces: they are not lent (fused/fused.hpp).
constexpr std::uint32_t groups_of(const ListLayout& layout, ListParts parts, bool forces = true) {
    std::uint32_t groups = kStretch | (forces ? kForces : 0u);
    if (!layout.has_patch())
        return groups | (layout.partner == Partner::Patch ? kGap : 0u) | (parts.rolls ? kRoll : 0u) | (parts.pulls ? kPull : 0u) |
               (parts.yields ? kPlastic : 0u) | (parts.spends ? kSpent : 0u) | (parts.shares ? kLiquid : 0u);
    groups |= kPatch | (layout.two_bodies() ? kTorqueB : 0u);
    if (parts.points) groups |= kPoints | (layout.polyhedra == 2 ? kKeptPoints : 0u);
    return groups;
}

template <class List>
struct EachList {
    List list[kPairLists];
    List& operator[](int k) { return list[k]; }
    const List& operator[](int k) const { return list[k]; }
};
using ContactLists = EachList<ContactList>;
using OldLists = EachList<OldContacts>;

/// use(layout, list of each of those given) for every list.
template <class Use, class... Lists>
void each_list(Use use, Lists&... lists) {
    for (int k = 0; k < kPairLists; ++k) use(list_layouts[k], lists[k]...);
}

}  // namespace scree::SCREE_FLAVOR
