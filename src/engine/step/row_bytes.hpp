// How many bytes a row takes of what grows with the number of bodies, pairs and contact points: each from the types of its members, by
// name, so that a member that goes away or changes its type is met here. What a run will take is foretold from it (step/forecast.cpp);
// a test holds it to what the arrays themselves say.
#pragma once

#include <cstddef>

#include "engine/cone/respond.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

namespace detail {

template <class Member>
struct RowBytes;
template <class T>
struct RowBytes<Array<T>> {
    static constexpr double value = sizeof(T);
};
template <class T>
struct RowBytes<Vec3Array<T>> {
    static constexpr double value = 3 * sizeof(T);
};
template <>
struct RowBytes<RowArray> {
    static constexpr double value = sizeof(Row4);
};
template <>
struct RowBytes<Unknowns> {
    static constexpr double value = RowBytes<decltype(Unknowns::impulse)>::value;
};

template <class Pointer>
struct MemberOf;
template <class Owner, class Member>
struct MemberOf<Member Owner::*> {
    using Type = Member;
};

}  // namespace detail

/// Bytes of one row of these members, given by pointers to them.
template <class... Pointer>
constexpr double row_bytes(Pointer...) {
    return (detail::RowBytes<typename detail::MemberOf<Pointer>::Type>::value + ...);
}

/// What takes a row for each pair, and what one for each body.
struct ListRows {
    double pair{0}, body{0};
};

/// Of a list. groups: its columns; laws: there are several, or the list keeps them anyway.
inline ListRows list_rows(const ListLayout& layout, std::uint32_t groups, bool laws) {
    ListRows rows{row_bytes(&ContactList::a, &ContactList::b) + (laws ? row_bytes(&ContactList::law) : 0) + column_row_bytes(groups),
                  row_bytes(&ContactList::row_start)};
    if (layout.two_bodies()) {
        rows.pair += 2 * row_bytes(&ContactList::entry);
        rows.body += row_bytes(&ContactList::first);
    }
    if (layout.partner == Partner::Patch) {
        rows.pair += row_bytes(&ContactList::triangle_start, &ContactList::triangle_end);
        rows.body += row_bytes(&ContactList::near_body);
    }
    return rows;
}

/// Of the list before, which history is carried from. The higher slots stand where places for forces do between lists.
inline ListRows old_rows(std::uint32_t groups) {
    return {column_row_bytes(groups) + row_bytes(&OldContacts::partner), row_bytes(&OldContacts::first)};
}

/// Of the fused step of spheres: of a pair, of a place for forces, of a body beside the room for rows.
inline constexpr double fused_pair_row = row_bytes(&FusedBuffers::order);
constexpr double fused_place_row(bool beside) {
    return row_bytes(&FusedBuffers::wrench, &NearRows::near_at) + (beside ? row_bytes(&FusedBuffers::beside) : 0);
}
constexpr double fused_body_row(bool orientation, bool account) {
    return (orientation ? 4 * row_bytes(&FusedBuffers::orientation) : 0) + (account ? 3 * row_bytes(&FusedBuffers::accounts) : 0);
}

/// Of a problem of the cone method: of a contact point (`vectors`: of the solver), of a pair with points, of any pair, of a body.
inline double cone_point_row(bool rolling, int vectors) {
    using T = ContactTable;
    const double couple = rolling ? row_bytes(&Unknowns::couple) : 0;
    return row_bytes(&T::touch, &T::arms, &T::normal, &T::base, &T::gap, &T::mu, &T::reach, &T::eta, &T::along, &T::across, &T::pull,
                     &T::key, &T::origin) +
           2 * row_bytes(&T::entry) + (rolling ? row_bytes(&T::rho, &T::sigma) : 0) + vectors * (row_bytes(&Unknowns::impulse) + couple);
}
/// Where the host learns of sizes late, sweeps have room for some more than they need (expected_after).
inline constexpr double sweep_part = on_device ? 17.0 / 16 : 1.0;
/// Of Gauss–Seidel's sweeps: of a point, of a manifold. Entries of bodies and their sorting are there where colours come in rounds.
inline constexpr double sweep_point_row =
    row_bytes(&ColourBuffers::bucket, &ColourBuffers::key, &ColourBuffers::row, &SweepBuffers::by_bucket) +
    static_cast<int>(kPointValues) * sweep_part * row_bytes(&SweepBuffers::value) +
    (on_device ? 2 * row_bytes(&ColourBuffers::body, &ColourBuffers::entry, &SortBuffers::keys, &SortBuffers::values, &SortBuffers::sorted)
               : 0);
inline constexpr double sweep_manifold_row =
    sweep_part *
    (row_bytes(&SweepBuffers::manifold) + row_bytes(&SweepBuffers::block) / lane_count + head_values * row_bytes(&SweepBuffers::value));
inline constexpr double sweep_body_row =
    on_device ? row_bytes(&ColourBuffers::start, &ColourBuffers::now, &ColourBuffers::next) : row_bytes(&ColourBuffers::used);
inline constexpr double cone_pair_row = row_bytes(&PairRows::count, &PairRows::first);
inline constexpr double cone_manifold_row = row_bytes(&PairRows::points);
inline constexpr double cone_body_row =
    row_bytes(&ContactTable::first_of_slot, &ContactTable::row_start, &ContactTable::counted) +
    row_bytes(&BodyOperatorBuffers::mass, &BodyOperatorBuffers::free, &BodyOperatorBuffers::twist, &BodyOperatorBuffers::part);

}  // namespace scree::SCREE_FLAVOR
