// Pair lists -> the table of contacts: count the points of each pair, scan by slot of body A, write rows, then the incidence of bodies.
#include <algorithm>

#include "base/hash.hpp"
#include "engine/cone/points/contact_geometry.hpp"
#include "engine/cone/contact_table.hpp"
#include "engine/penalty/joined_bodies.hpp"
#include "model/limits.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// One list as a body's rows see it. entry is null for lists of walls, whose pairs lie in the order of bodies; surface and the wall of each
/// surface are null for lists of bodies.
struct ListView {
    const RowStart* row_start;
    const std::uint32_t* entry;
    const std::int32_t* count;
    std::int32_t* first;
    const std::int32_t *surface, *surface_wall;
};

struct ListViews {
    ListView list[kPairLists];
};

ListViews list_views(State& s, Workspace& work, ContactTable& t) {
    ListViews views{};
    for (int l = 0; l < kPairLists; ++l) {
        ContactList& pairs = s.lists[l];
        if (pairs.size() == 0) continue;
        ListView& v = views.list[l];
        v.row_start = pairs.row_start.data();
        v.count = t.rows[l].count.data();
        v.first = t.rows[l].first.data();
        if (list_layouts[l].two_bodies()) {
            v.entry = pairs.entry.data();
        } else {
            v.surface = pairs.b.data();
            v.surface_wall = work.walls.walls_of(list_layouts[l].partner).data();
        }
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

struct CountCollider {
    const std::int32_t* touching;
    std::int32_t* sum;
    SCREE_HD void operator()(Index i) const { *sum += touching[i]; }
};

/// Points of slot i against walls that bodies carry.
SCREE_HD std::int32_t carried_points(const ListViews& views, const RigidView& rigid, Index i) {
    std::int32_t sum = 0;
    for (int l = kBodyPairLists; l < kPairLists; ++l) {
        const ListView& v = views.list[l];
        if (v.row_start == nullptr) continue;
        for (Index p = v.row_start[i]; p < v.row_start[i + 1]; ++p)
            sum += v.count[p] > 0 && rigid.carrier_of(v.surface_wall[v.surface[p]]) >= 0 ? v.count[p] : 0;
    }
    return sum;
}

/// Has slot i a point against a wall that is marked?
SCREE_HD bool meets_marked(const ListViews& views, const std::uint8_t* mark, Index i) {
    for (int l = kBodyPairLists; l < kPairLists; ++l) {
        const ListView& v = views.list[l];
        if (v.row_start == nullptr) continue;
        for (Index p = v.row_start[i]; p < v.row_start[i + 1]; ++p) {
            if (v.count[p] > 0 && mark[v.surface_wall[v.surface[p]]] != 0) return true;
        }
    }
    return false;
}

/// Rows by slot of A: how many, and first_of_slot; touching.
void count_rows(const ListViews& views, Workspace& work, Index n, ContactTable& t) {
    t.counted.resize(n);
    t.touching.resize(n);
    std::int32_t *counted = t.counted.data(), *touching = t.touching.data();
    for_each(
        work.exec, "cone/count_contacts", n,
        SCREE_LAMBDA(Index i)->void {
            std::int32_t own = 0, all = 0;
            each_pair(views, i, AddPoints{&views, &own, &all});
            counted[i] = own;
            touching[i] = all;
        },
        work.flags.gate());
    scan_starts(work.exec, counted, n, t.first_of_slot);
}

/// The same for rows against walls that bodies carry: carried_offset.
void count_carried(const ListViews& views, const RigidView& rigid, Workspace& work, Index n, ContactTable& t) {
    std::int32_t* counted = t.counted.data();
    for_each(
        work.exec, "cone/count_carried", n, SCREE_LAMBDA(Index i)->void { counted[i] = carried_points(views, rigid, i); },
        work.flags.gate());
    scan_starts(work.exec, counted, n, t.carried_offset);
}

/// Entries of each body's rows: row_start. carried: where those of carried walls start, by body; null: they are left out.
void count_incidence(const RigidView& rigid, const Index* carried, Workspace& work, Index n, ContactTable& t) {
    std::int32_t* counted = t.counted.data();
    const std::int32_t* touching = t.touching.data();
    for_each(
        work.exec, "cone/count_incidence", n,
        SCREE_LAMBDA(Index i)->void {
            std::int32_t sum = 0;
            each_collider(rigid, i, CountCollider{touching, &sum});
            counted[i] = sum + (carried != nullptr ? static_cast<std::int32_t>(carried[i + 1] - carried[i]) : 0);
        },
        work.flags.gate());
    scan_starts(work.exec, counted, n, t.row_start);
}

/// What was counted, to where the host reads the flags.
void tell_counts(Workspace& work, Index n, bool carries, ContactTable& t) {
    const Index *rows = t.first_of_slot.data(), *incidence = t.row_start.data(), *carried = carries ? t.carried_offset.data() : nullptr;
    FlagWords* words = work.flags.words.data();
    for_each(
        work.exec, "cone/tell_counts", 1, SCREE_LAMBDA(Index)->void {
            const Index of_carried = carried != nullptr ? carried[n] : 0;
            words->contacts = {rows[n], incidence[n] + of_carried, of_carried};
            words->joined_touch = 0;
        });
}

/// Where the first point of each pair goes.
void place_rows(State& state, Workspace& work, ContactTable& t) {
    const Index n = state.bodies.count;
    const ListViews views = list_views(state, work, t);
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

struct WriteCollider {
    const ListViews* views;
    std::uint32_t* entry;
    Index* next;
    SCREE_HD void operator()(Index i) const { each_pair(*views, i, WriteRows{views, entry, next}); }
};

/// Rows against walls that bodies carry, grouped by that body, in the order of ids of A.
void group_carried(State& state, Workspace& work, Index total, ContactTable& t) {
    const Index n = state.bodies.count;
    const Touch* touch = t.touch.data();
    const Origin* origin = t.origin.data();
    const Index* first = t.first_of_slot.data();
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
    sort_pairs(work.exec, t.carried_key, t.carried_row, bits_for(work.slot_of_id.size()), t.sort);
    row = t.carried_row.data();
    for_each(
        work.exec, "cone/key_carried", total, SCREE_LAMBDA(Index k)->void { by_body[k] = static_cast<std::uint32_t>(touch[row[k]].b); });
    group_by(work.exec, by_body, total, n, t.carried_start, t.counted_order, t.sort);
}

void lay_incidence(State& state, Workspace& work, const ContactCounts& counts, ContactTable& t) {
    const Index n = state.bodies.count;
    const RigidView rigid = rigid_view(state, work);
    if (rigid.carrier != nullptr) {
        group_carried(state, work, counts.carried, t);
        count_incidence(rigid, t.carried_start.data(), work, n, t);
    }
    const ListViews views = list_views(state, work, t);
    const Index* carried = rigid.carrier != nullptr ? t.carried_start.data() : nullptr;
    t.entry.resize(counts.incidence);
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
    t.rolling = t.pulling = false;
    for (std::size_t a = 0; a < model.pairs.count(); ++a) {
        for (std::size_t b = 0; b < model.pairs.count(); ++b) {
            t.rolling = t.rolling || model.pairs(a, b).rolling_friction > 0 || model.pairs(a, b).spinning_friction > 0;
            t.pulling = t.pulling || model.pairs(a, b).cohesion > 0;
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
    t.pulled.resize(t.pulling ? n : 0);
    t.key.resize(n);
    t.origin.resize(n);
}

}  // namespace

RigidView rigid_view(State& state, Workspace& work) {
    Compounds& c = work.compounds;
    return {c.count > 0 ? state.bodies.owner.data() : nullptr,
            work.slot_of_id.data(),
            state.bodies.id.data(),
            c.view(),
            c.count,
            c.carried > 0 ? c.carrier.data() : nullptr,
            images_of(work.images),
            static_cast<std::int32_t>(work.slot_of_id.size())};
}

std::size_t ContactTable::bytes() const {
    std::size_t sum = first_of_slot.bytes() + touch.bytes() + arms.bytes() + normal.bytes() + base.bytes() + gap.bytes() + mu.bytes() +
                      rho.bytes() + sigma.bytes() + reach.bytes() + eta.bytes() + along.bytes() + across.bytes() + pull.bytes() +
                      pulled.bytes() + key.bytes() + origin.bytes() + row_start.bytes() + entry.bytes() + counted.bytes() +
                      touching.bytes() + carried_key.bytes() + carried_row.bytes() + by_body.bytes() + carried_start.bytes() +
                      carried_offset.bytes() + counted_order.bytes() + pair_rows.bytes() + placed.bytes() + sort.keys.bytes() +
                      sort.values.bytes() + sort.sorted.bytes() + sort.counts.bytes() + sort.bytes.bytes();
    for (const PairRows& r : rows) sum += r.bytes();
    return sum;
}

void count_contacts(const Model& model, State& state, Workspace& work, const ContactBuild& build, ContactTable& table) {
    find_points(model, state, work, build, table);
    const Index n = state.bodies.count;
    const ListViews views = list_views(state, work, table);
    const RigidView rigid = rigid_view(state, work);
    count_rows(views, work, n, table);
    if (rigid.carrier != nullptr) count_carried(views, rigid, work, n, table);
    count_incidence(rigid, nullptr, work, n, table);
    tell_counts(work, n, rigid.carrier != nullptr, table);
}

void flag_touched(State& state, Workspace& work, const JointRun& joints, std::uint32_t* touched, ContactTable& table) {
    const Index* start = table.row_start.data();
    const std::uint32_t* id = joints.id.data();
    const Slot* slot = work.slot_of_id.data();
    flag_each(
        work.exec, "cone/joined_touch", joints.id.size(), touched,
        SCREE_LAMBDA(Index k)->std::uint32_t {
            const Slot i = slot[id[k]];
            return i >= 0 && start[i + 1] > start[i] ? 1u : 0u;  // none: the body is gone
        },
        work.flags.gate());
    if (joints.carried.size() == 0) return;
    const ListViews views = list_views(state, work, table);
    const std::uint8_t* mark = joints.carried.data();
    flag_each(
        work.exec, "cone/joined_walls", state.bodies.count, touched,
        SCREE_LAMBDA(Index i)->std::uint32_t { return meets_marked(views, mark, i) ? 1u : 0u; }, work.flags.gate());
}

void build_contacts(const Model& model, State& state, Workspace& work, const ContactBuild& build, double kick, const ContactCounts& counts,
                    ContactTable& table, Unknowns& x) {
    table.count = counts.rows;
    require_within<RunError>(static_cast<double>(table.count), count_limits().points, "contact points in a step", fewer_points);
    size_table(model, table);
    x.resize_zero(table.count, table.rolling, x.scalar.size());
    place_rows(state, work, table);
    write_contacts(model, state, work, build, kick, table, x);
    lay_incidence(state, work, counts, table);
}

}  // namespace scree::SCREE_FLAVOR
