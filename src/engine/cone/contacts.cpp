// Pair lists -> the table of contacts: count the points of each pair, scan by slot of body A, write rows, then the incidence of bodies.
#include <algorithm>

#include "base/hash.hpp"
#include "engine/cone/contact_geometry.hpp"
#include "engine/cone/contact_table.hpp"
#include "model/limits.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// One list as a body's rows see it. entry is null for lists of walls, whose pairs lie in the order of bodies.
struct ListView {
    const RowStart* row_start;
    const std::uint32_t* entry;
    const std::int32_t* count;
    std::int32_t* first;
};

struct ListViews {
    ListView list[kPairLists];
};

Index pairs_of(State& s, int list) {
    const Index sizes[kPairLists] = {s.pairs.size(),         s.mixed_pairs.size(),      s.convex_pairs.size(),
                                     s.plane_pairs.size(),   s.cylinder_pairs.size(),   s.mesh_pairs.size(),
                                     s.convex_planes.size(), s.convex_cylinders.size(), s.convex_meshes.size()};
    return sizes[list];
}

ListViews list_views(State& s, ContactTable& t) {
    BodyPairs* body_lists[kBodyPairLists] = {&s.pairs, &s.mixed_pairs, &s.convex_pairs};
    WallPairs* wall_lists[kPairLists - kBodyPairLists] = {&s.plane_pairs,   &s.cylinder_pairs,   &s.mesh_pairs,
                                                          &s.convex_planes, &s.convex_cylinders, &s.convex_meshes};
    ListViews views{};
    for (int l = 0; l < kPairLists; ++l) {
        const bool two = l < kBodyPairLists;
        Array<RowStart>& rows = two ? body_lists[l]->row_start : wall_lists[l - kBodyPairLists]->row_start;
        const bool used = pairs_of(s, l) > 0;
        views.list[l] = {used ? rows.data() : nullptr, two ? body_lists[l]->entry.data() : nullptr, t.rows[l].count.data(),
                         t.rows[l].first.data()};
    }
    return views;
}

/// use(list, pair, slot is B) for the pairs of slot i, lists in order, partners by id.
template <class Use>
SCREE_HD void each_pair(const ListViews& views, Index i, Use use) {
    for (int l = 0; l < kPairLists; ++l) {
        const ListView& v = views.list[l];
        if (v.row_start == nullptr) continue;
        for (Index k = v.row_start[i]; k < v.row_start[i + 1]; ++k) {
            if (v.entry == nullptr) {
                use(l, k, false);
            } else {
                use(l, static_cast<Index>(v.entry[k] >> 1), (v.entry[k] & 1u) != 0);
            }
        }
    }
}

struct AddPoints {
    const ListViews* views;
    std::int32_t *own, *all;
    SCREE_HD void operator()(int l, Index p, bool is_b) const {
        const std::int32_t points = views->list[l].count[p];
        *own += is_b ? 0 : points;
        *all += points;
    }
};
struct PlaceOwnPoints {
    const ListViews* views;
    Index* next;
    SCREE_HD void operator()(int l, Index p, bool is_b) const {
        if (is_b) return;
        views->list[l].first[p] = static_cast<std::int32_t>(*next);
        *next += views->list[l].count[p];
    }
};

/// Rows by slot of A: first_of_slot and, of each pair, where its first point goes.
void lay_rows(State& state, Workspace& work, ContactTable& t) {
    const Index n = state.bodies.count;
    const ListViews views = list_views(state, t);
    t.counted.resize(n);
    t.touching.resize(n);
    std::int32_t *counted = t.counted.data(), *touching = t.touching.data();
    for_each(
        work.exec, "cone/count_contacts", n, SCREE_LAMBDA(Index i)->void {
            std::int32_t own = 0, all = 0;
            each_pair(views, i, AddPoints{&views, &own, &all});
            counted[i] = own;
            touching[i] = all;
        });
    t.count = scan_counts(work.exec, counted, n, t.first_of_slot);
    const Index* first = t.first_of_slot.data();
    for_each(
        work.exec, "cone/place_contacts", n, SCREE_LAMBDA(Index i)->void {
            Index next = first[i];
            each_pair(views, i, PlaceOwnPoints{&views, &next});
        });
}

struct WriteRows {
    const ListViews* views;
    std::uint32_t* entry;
    Index* next;
    SCREE_HD void operator()(int l, Index p, bool is_b) const {
        const std::uint32_t first = static_cast<std::uint32_t>(views->list[l].first[p]);
        for (std::int32_t q = 0; q < views->list[l].count[p]; ++q)
            entry[(*next)++] = (first + static_cast<std::uint32_t>(q)) * 2 + (is_b ? 1u : 0u);
    }
};

struct CountCollider {
    const std::int32_t* touching;
    std::int32_t* sum;
    SCREE_HD void operator()(Index i) const { *sum += touching[i]; }
};
struct WriteCollider {
    const ListViews* views;
    std::uint32_t* entry;
    Index* next;
    SCREE_HD void operator()(Index i) const { each_pair(*views, i, WriteRows{views, entry, next}); }
};

/// Rows against walls that bodies carry, grouped by that body, in the order of ids of A.
void group_carried(State& state, Workspace& work, const RigidView& rigid, ContactTable& t) {
    if (rigid.carrier == nullptr) return;
    const Index n = state.bodies.count;
    const Touch* touch = t.touch.data();
    const Origin* origin = t.origin.data();
    const Index* first = t.first_of_slot.data();
    t.counted.resize(n);
    std::int32_t* counted = t.counted.data();
    for_each(
        work.exec, "cone/count_carried", n, SCREE_LAMBDA(Index i)->void {
            std::int32_t sum = 0;
            for (Index k = first[i]; k < first[i + 1]; ++k) sum += origin[k].list >= kBodyPairLists && touch[k].b >= 0 ? 1 : 0;
            counted[i] = sum;
        });
    const Index total = scan_counts(work.exec, counted, n, t.carried_offset);
    t.carried_key.resize(total);
    t.carried_row.resize(total);
    t.by_body.resize(total);
    std::uint32_t *key = t.carried_key.data(), *row = t.carried_row.data(), *by_body = t.by_body.data();
    const Index* offset = t.carried_offset.data();
    const std::uint32_t* id = state.bodies.id.data();
    for_each(
        work.exec, "cone/write_carried", n, SCREE_LAMBDA(Index i)->void {
            Index next = offset[i];
            for (Index k = first[i]; k < first[i + 1]; ++k) {
                if (origin[k].list < kBodyPairLists || touch[k].b < 0) continue;
                key[next] = id[i];
                row[next++] = static_cast<std::uint32_t>(k);
            }
        });
    sort_pairs(work.exec, t.carried_key, t.carried_row, bits_for(work.slot_of_id.size()), work.sort);
    row = t.carried_row.data();
    for_each(
        work.exec, "cone/key_carried", total, SCREE_LAMBDA(Index k)->void { by_body[k] = static_cast<std::uint32_t>(touch[row[k]].b); });
    group_by(work.exec, by_body, total, n, t.carried_start, t.counted_order, work.sort);
}

void lay_incidence(State& state, Workspace& work, ContactTable& t) {
    const Index n = state.bodies.count;
    const RigidView rigid = rigid_view(state, work);
    group_carried(state, work, rigid, t);
    const ListViews views = list_views(state, t);
    const Index* carried = rigid.carrier != nullptr ? t.carried_start.data() : nullptr;
    t.counted.resize(n);
    std::int32_t* counted = t.counted.data();
    const std::int32_t* touching = t.touching.data();
    for_each(
        work.exec, "cone/count_incidence", n, SCREE_LAMBDA(Index i)->void {
            std::int32_t sum = 0;
            each_collider(rigid, i, CountCollider{touching, &sum});
            counted[i] = sum + (carried != nullptr ? static_cast<std::int32_t>(carried[i + 1] - carried[i]) : 0);
        });
    const Index total = scan_counts(work.exec, counted, n, t.row_start);
    t.entry.resize(total);
    const Index* start = t.row_start.data();
    std::uint32_t* entry = t.entry.data();
    const std::uint32_t* order = carried != nullptr ? t.counted_order.data() : nullptr;
    const std::uint32_t* row = carried != nullptr ? t.carried_row.data() : nullptr;
    for_each(
        work.exec, "cone/write_incidence", n, SCREE_LAMBDA(Index i)->void {
            Index next = start[i];
            each_collider(rigid, i, WriteCollider{&views, entry, &next});
            if (carried == nullptr) return;
            for (Index k = carried[i]; k < carried[i + 1]; ++k) entry[next++] = row[order[k]] * 2 + 1;
        });
}

void size_table(const Model& model, ContactTable& t) {
    t.rolling = false;
    for (std::size_t a = 0; a < model.pairs.count(); ++a) {
        for (std::size_t b = 0; b < model.pairs.count(); ++b) {
            t.rolling = t.rolling || model.pairs(a, b).rolling_friction > 0 || model.pairs(a, b).spinning_friction > 0;
        }
    }
    const Index n = t.count;
    t.touch.resize(n);
    t.arms.resize(n);
    t.normal.resize(n);
    t.base.resize(n);
    for (Array<Real>* a : {&t.gap, &t.mu, &t.reach, &t.eta, &t.along, &t.across, &t.pull}) a->resize(n);
    t.rho.resize(t.rolling ? n : 0);
    t.sigma.resize(t.rolling ? n : 0);
    t.key.resize(n);
    t.origin.resize(n);
}

}  // namespace

RigidView rigid_view(State& state, Workspace& work) {
    Compounds& c = work.compounds;
    return {c.count > 0 ? state.bodies.owner.data() : nullptr, work.slot_of_id.data(), state.bodies.id.data(), c.view(), c.count,
            c.carried > 0 ? c.carrier.data() : nullptr};
}

std::size_t ContactTable::bytes() const {
    std::size_t sum = first_of_slot.bytes() + touch.bytes() + arms.bytes() + normal.bytes() + base.bytes() + gap.bytes() + mu.bytes() +
                      rho.bytes() + sigma.bytes() + reach.bytes() + eta.bytes() + along.bytes() + across.bytes() + pull.bytes() +
                      key.bytes() + origin.bytes() + row_start.bytes() + entry.bytes() + counted.bytes() + touching.bytes() +
                      carried_key.bytes() + carried_row.bytes() + by_body.bytes() + carried_start.bytes() + carried_offset.bytes() +
                      counted_order.bytes() + pair_rows.bytes() + placed.bytes();
    for (const PairRows& r : rows) sum += r.bytes();
    return sum;
}

void build_contacts(const Model& model, State& state, Workspace& work, const ContactBuild& build, double kick, ContactTable& table,
                    Unknowns& x) {
    find_points(model, state, work, build, table);
    lay_rows(state, work, table);
    require_within<RunError>(static_cast<double>(table.count), count_limits().points, "contact points in a step", fewer_points);
    size_table(model, table);
    x.resize_zero(table.count, table.rolling, x.scalar.size());
    write_contacts(model, state, work, build, kick, table, x);
    lay_incidence(state, work, table);
}

}  // namespace scree::SCREE_FLAVOR
