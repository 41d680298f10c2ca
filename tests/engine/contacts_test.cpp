// Columns and lists of contacts: every array is declared, and what a contact keeps stays with its ids from list to list.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/rng.hpp"
#include "engine/contacts/carry.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;

namespace {

constexpr std::size_t array_size = sizeof(Array<double>);

/// Numbers that differ from pair to pair and from column to column, as bytes of an element.
template <class T>
void fill(Array<T>& array, const std::vector<std::uint64_t>& keys, std::uint64_t column) {
    std::vector<T> values(keys.size());
    for (std::size_t p = 0; p < keys.size(); ++p) {
        auto* bytes = reinterpret_cast<unsigned char*>(&values[p]);
        Rng rng(keys[p], column);
        for (std::size_t k = 0; k < sizeof(T); ++k) bytes[k] = static_cast<unsigned char>(rng.uniform() * 256);
    }
    array.assign(values);
}

template <class T>
std::string bytes_at(const std::vector<T>& values, std::size_t p) {
    return {reinterpret_cast<const char*>(&values[p]), sizeof(T)};
}

/// A list of pairs of a layout as broad makes it, by slots.
struct Pairs {
    std::vector<Slot> a;
    std::vector<std::int32_t> b;
};

/// Rows by slot, those of two bodies by the lower one.
std::vector<RowStart> starts(const Pairs& pairs, bool two_bodies, std::size_t slots) {
    std::vector<RowStart> start(slots + 1, 0);
    for (std::size_t p = 0; p < pairs.a.size(); ++p)
        ++start[static_cast<std::size_t>(two_bodies ? std::min(pairs.a[p], pairs.b[p]) : pairs.a[p]) + 1];
    for (std::size_t k = 0; k < slots; ++k) start[k + 1] += start[k];
    return start;
}

}  // namespace

TEST_CASE("every column of a contact is declared, and every list has a layout of its own") {
    ContactColumns columns;
    std::size_t declared = 0;
    std::set<std::string> names;
    each_column(
        [&](const Column& column, auto& array) {
            static_assert(sizeof(array) == array_size);
            ++declared;
            names.insert(std::string(column.name) + column.part);
        },
        columns);
    CHECK(declared * array_size == sizeof(ContactColumns));
    CHECK(names.size() == declared);
    std::set<std::string> lists;
    int at = 0;
    for (const ListLayout& layout : list_layouts) {
        CHECK(lists.insert(layout.name).second);
        CHECK(layout.two_bodies() == (at++ < kBodyPairLists));
    }
}

TEST_CASE("a list has the columns of its groups, and nothing is known in them at first") {
    for (const ListLayout& layout : list_layouts) {
        const std::uint32_t groups = groups_of(layout, {true, true});
        ContactColumns columns;
        resize_columns({1, false}, columns, 7, groups);
        double bytes = 0;
        each_column(
            [&](const Column& column, auto& array) {
                using T = typename std::remove_reference_t<decltype(array)>::Value;
                const bool has = (groups & column.group) != 0;
                REQUIRE(array.size() == (has ? 7 : 0));
                if (!has) return;
                bytes += sizeof(T);
                if constexpr (std::is_arithmetic_v<T>) {
                    const double unset = column.unset == Unset::Zero ? 0 : (column.unset == Unset::MinusOne ? -1 : no_contact);
                    for (const T value : array.host()) CHECK(static_cast<double>(value) == unset);
                }
            },
            columns);
        CHECK(column_row_bytes(groups) == bytes);
    }
}

TEST_CASE("what a contact keeps goes to the pair of the same ids") {
    constexpr std::size_t bodies = 40, surfaces = 9;
    Rng rng(5, 1);
    for (const ListLayout& layout : list_layouts) {
        CAPTURE(layout.name);
        const bool two = layout.two_bodies();
        // Old slots are ids; new slots are ids shifted, and the last id was not there before.
        std::vector<std::uint32_t> id(bodies);
        std::vector<Slot> old_slot(bodies);
        for (std::size_t s = 0; s < bodies; ++s) {
            id[s] = static_cast<std::uint32_t>((s * 7 + 3) % bodies);
            old_slot[s] = s + 1 == bodies ? -1 : static_cast<Slot>(s);
        }
        ContactList list;
        OldContacts old;
        const std::uint32_t groups = groups_of(layout, {true, true});
        // Old pairs, those of slots 0 to 19 and 20 to 39 apart: pairs between the two come last.
        Pairs was;
        std::vector<std::pair<Slot, std::int32_t>> inner, crossing;
        for (Slot s = 0; s + 1 < static_cast<Slot>(bodies); ++s) {
            const std::int32_t last = two ? static_cast<std::int32_t>(bodies) - 1 : static_cast<std::int32_t>(surfaces);
            for (std::int32_t t = two ? s + 1 : 0; t < last; ++t) {
                if (rng.uniform() < 0.5) (two && s < 20 && t >= 20 ? crossing : inner).emplace_back(s, t);
            }
        }
        std::vector<std::uint64_t> keys;
        std::map<std::pair<Slot, std::int32_t>, std::size_t> at;
        for (const auto* part : {&inner, &crossing}) {
            for (const auto& pair : *part) {
                at[pair] = was.a.size();
                keys.push_back(was.a.size() + 1);
                was.a.push_back(pair.first);
                was.b.push_back(pair.second);
            }
        }
        list.a.assign(was.a);
        list.b.assign(was.b);
        list.inner = static_cast<Index>(inner.size());
        Pairs within{{was.a.begin(), was.a.begin() + list.inner}, {was.b.begin(), was.b.begin() + list.inner}};
        (two ? list.first : list.row_start).assign(starts(within, two, bodies));
        std::uint64_t number = 0;
        std::map<std::string, std::vector<std::string>> kept;
        resize_columns({1, false}, list, list.size(), groups);
        each_column(
            [&](const Column& column, auto& array) {
                if (array.size() == 0) return;
                fill(array, keys, ++number);
                auto& values = kept[std::string(column.name) + column.part];
                const auto host = array.host();
                for (std::size_t p = 0; p < host.size(); ++p) values.push_back(bytes_at(host, p));
            },
            static_cast<ContactColumns&>(list));
        set_aside({1, false}, layout, list, old, images_of(Images{}), true);

        // New pairs: all that can be, in new slots.
        Pairs now;
        for (Slot s = 0; s < static_cast<Slot>(bodies); ++s) {
            for (std::int32_t t = two ? s + 1 : 0; t < static_cast<std::int32_t>(two ? bodies : surfaces); ++t) {
                const bool turned = two && id[static_cast<std::size_t>(s)] > id[static_cast<std::size_t>(t)];
                now.a.push_back(turned ? t : s);
                now.b.push_back(turned ? s : t);
            }
        }
        list.a.assign(now.a);
        list.b.assign(now.b);
        resize_columns({1, false}, list, list.size(), groups);
        carry_contacts({1, false}, layout, list, old, Array<std::uint32_t>(id).data(), Array<Slot>(old_slot).data());
        std::size_t carried = 0;
        each_column(
            [&](const Column& column, auto& array) {
                if (array.size() == 0) return;
                const auto host = array.host();
                const auto& values = kept[std::string(column.name) + column.part];
                for (std::size_t p = 0; p < host.size(); ++p) {
                    const auto i = static_cast<std::int32_t>(id[static_cast<std::size_t>(now.a[p])]);
                    const auto j = two ? static_cast<std::int32_t>(id[static_cast<std::size_t>(now.b[p])]) : now.b[p];
                    const auto found = at.find({i, j});
                    if (found == at.end()) continue;
                    ++carried;
                    CHECK(bytes_at(host, p) == values[found->second]);
                }
            },
            static_cast<ContactColumns&>(list));
        CHECK(carried == kept.size() * keys.size());
    }
}
