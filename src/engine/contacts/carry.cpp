#include "engine/contacts/carry.hpp"

#include "base/error.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Pairs of a list set aside.
struct OldRows {
    const RowStart* first;
    const std::int32_t* partner;
    const Slot* crossing;
    Index inner, all;

    SCREE_HD Index find(Index from, Index to, std::int32_t wanted) const {
        for (Index p = from; p < to; ++p) {
            if (partner[p] == wanted) return p;
        }
        return -1;
    }
    /// The first pair from `inner` on whose lower slot is not below `low`.
    SCREE_HD Index first_crossing(Slot low) const {
        Index from = inner, to = all;
        while (from < to) {
            const Index middle = (from + to) / 2;
            if (crossing[middle - inner] < low) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }
    /// The pair of a slot and its partner, or -1.
    SCREE_HD Index find(Slot low, std::int32_t wanted) const {
        const Index p = find(first[low], first[low + 1], wanted);
        if (p >= 0 || inner == all) return p;
        return find(first_crossing(low), first_crossing(low + 1), wanted);
    }
    /// The same of a pair across a border, that goes by the slot whose image is not in it.
    SCREE_HD Index find_across(Slot low, Slot high) const {
        if (inner == all) return -1;
        return find(first_crossing(high), first_crossing(high + 1), low);
    }
};

/// Part of a value of any type.
using Word = std::uint32_t __attribute__((may_alias));

/// Columns to copy, word by word.
struct CarriedColumns {
    static constexpr int most = 40;
    struct One {
        Word* to;
        const Word* from;
        Index words;
    } column[most];
    int count{0};

    SCREE_HD void copy(Index p, Index q) const {
        for (int k = 0; k < count; ++k) {
            const One& c = column[k];
            for (Index w = 0; w < c.words; ++w) c.to[p * c.words + w] = c.from[q * c.words + w];
        }
    }
};

CarriedColumns columns_of(ContactColumns& now, ContactColumns& old) {
    CarriedColumns carried;
    each_column(
        [&](const Column&, auto& to, auto& from) {
            if (to.size() == 0 || from.size() == 0) return;
            SCREE_ASSERT(carried.count < CarriedColumns::most);
            constexpr std::size_t bytes = sizeof(*to.data());
            static_assert(bytes % sizeof(Word) == 0);
            carried.column[carried.count++] = {reinterpret_cast<Word*>(to.data()), reinterpret_cast<const Word*>(from.data()),
                                               static_cast<Index>(bytes / sizeof(Word))};
        },
        now, old);
    return carried;
}

}  // namespace

void set_aside(const Exec& exec, const ListLayout& layout, ContactList& list, OldContacts& old, const ImagesOf& images, bool forces) {
    each_column(
        [&](const Column& column, auto& now, auto& then) {
            if (forces || column.group != kForces) then.swap(now);
        },
        static_cast<ContactColumns&>(list), static_cast<ContactColumns&>(old));
    if (!layout.two_bodies()) {
        old.partner.swap(list.b);
        old.first.swap(list.row_start);
        return;
    }
    old.first.swap(list.first);
    const Index inner = list.inner, crossing = list.size() - inner;
    old.partner.resize(list.size());
    old.crossing.resize(crossing);
    const Slot *a = list.a.data(), *b = list.b.data();
    Slot *higher = old.partner.data(), *lower = old.crossing.data();
    for_each(
        exec, "contacts/higher_slots", list.size(),
        SCREE_LAMBDA(Index p)->void { higher[p] = static_cast<Slot>(images(a[p] < b[p] ? b[p] : a[p])); });
    for_each(
        exec, "contacts/crossing_slots", crossing,
        SCREE_LAMBDA(Index k)->void { lower[k] = a[inner + k] < b[inner + k] ? a[inner + k] : b[inner + k]; });
}

void carry_contacts(const Exec& exec, const ListLayout& layout, ContactList& list, OldContacts& old, const std::uint32_t* id,
                    const Slot* old_slot) {
    if (old.first.size() == 0) return;
    const Slot *a = list.a.data(), *b = list.b.data();
    const OldRows rows{old.first.data(), old.partner.data(), old.crossing.data(), old.partner.size() - old.crossing.size(),
                       old.partner.size()};
    const CarriedColumns columns = columns_of(list, old);
    const bool bodies = layout.two_bodies();
    for_each(
        exec, "contacts/carry", list.size(), SCREE_LAMBDA(Index p)->void {
            const Slot s = old_slot[id[a[p]]], t = bodies ? old_slot[id[b[p]]] : b[p];
            if (s < 0 || t < 0) return;
            const bool turned = bodies && t < s;
            Index q = rows.find(turned ? t : s, turned ? s : t);
            if (q < 0 && bodies) q = rows.find_across(turned ? t : s, turned ? s : t);
            if (q >= 0) columns.copy(p, q);
        });
}

void take_back(const Exec& exec, ContactList& list, OldContacts& old) {
    each_column([](const Column&, auto& now, auto& then) { now.swap(then); }, static_cast<ContactColumns&>(list),
                static_cast<ContactColumns&>(old));
    list.b.swap(old.partner);
    list.row_start.swap(old.first);
    list.a.resize(list.b.size());
    Slot* a = list.a.data();
    const RowStart* start = list.row_start.data();
    for_each(
        exec, "contacts/take_back", std::max<Index>(list.row_start.size() - 1, 0), SCREE_LAMBDA(Index i)->void {
            for (Index p = start[i]; p < start[i + 1]; ++p) a[p] = static_cast<Slot>(i);
        });
}

}  // namespace scree::SCREE_FLAVOR
