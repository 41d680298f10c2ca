// Builds a Table of the schema for a struct S: keys bound to members, access erased to void* behind functions made here.
#pragma once

#include <type_traits>

#include "scene/schema.hpp"

namespace scree {

/// A value to write.
template <class T>
std::optional<Value> written(T value) {
    return std::optional<Value>(std::in_place, std::move(value));
}

namespace detail {

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

template <class T>
constexpr bool is_vector = false;
template <class T>
constexpr bool is_vector<std::vector<T>> = true;

template <class M>
void assign(M& member, const Value& value) {
    if constexpr (is_optional<M>) {
        member.reset();
        if (std::holds_alternative<std::monostate>(value)) return;
        typename M::value_type inner{};
        assign(inner, value);
        member = inner;
    } else if constexpr (std::is_same_v<M, std::uint64_t>) {
        member = static_cast<std::uint64_t>(std::get<std::int64_t>(value));
    } else {
        member = std::get<M>(value);
    }
}

template <class M>
std::optional<Value> fetch(const M& member) {
    if constexpr (is_optional<M>) {
        if (!member) return std::nullopt;
        return fetch(*member);
    } else if constexpr (std::is_same_v<M, std::uint64_t>) {
        return written(static_cast<std::int64_t>(member));
    } else {
        if constexpr (is_vector<M> || std::is_same_v<M, std::string>)
            if (member.empty()) return std::nullopt;
        return written(member);
    }
}

}  // namespace detail

/// Builds the table of struct S; members are bound by pointer, or by a pair of functions where one value fills several members.
template <class S>
class TableOf {
public:
    TableOf(std::string header, std::string doc) : table_(std::make_shared<Table>()) {
        table_->header = std::move(header);
        table_->doc = std::move(doc);
        table_->make = [] { return std::static_pointer_cast<void>(std::make_shared<S>()); };
    }

    template <class M>
    Key& key(std::string name, Type type, M S::*member, std::string doc) {
        return key(
            std::move(name), type, [member](S& s, const Value& value) { detail::assign(s.*member, value); },
            [member](const S& s) { return detail::fetch(s.*member); }, std::move(doc));
    }
    Key& key(std::string name, Type type, std::function<void(S&, const Value&)> set, std::function<std::optional<Value>(const S&)> get,
             std::string doc) {
        Key& key = add(std::move(name), type, std::move(doc));
        key.set = [set = std::move(set)](void* object, const Value& value) { set(*static_cast<S*>(object), value); };
        key.get = [get = std::move(get)](const void* object) { return get(*static_cast<const S*>(object)); };
        return key;
    }
    template <class M>
    Key& number(std::string name, M S::*member, Dimension dimension, std::string doc) {
        return with(key(std::move(name), Type::Number, member, std::move(doc)), dimension);
    }
    template <class M>
    Key& vector(std::string name, M S::*member, Dimension dimension, std::string doc) {
        return with(key(std::move(name), Type::Vector, member, std::move(doc)), dimension);
    }
    Key& word(std::string name, std::string S::*member, std::vector<std::string> words, std::string doc) {
        Key& entry = key(std::move(name), Type::Word, member, std::move(doc));
        entry.words = std::move(words);
        return entry;
    }
    /// [min, max] in one value, held where `region` is "box".
    Key& box(std::string name, std::string S::*region, Vec3 S::*min, Vec3 S::*max, std::string doc) {
        Key& entry = key(
            std::move(name), Type::Points,
            [=](S& s, const Value& value) {
                const auto& points = std::get<std::vector<Vec3>>(value);
                s.*min = points[0];
                s.*max = points[1];
                s.*region = "box";
            },
            [=](const S& s) -> std::optional<Value> {
                if (s.*region != "box") return std::nullopt;
                return written(std::vector<Vec3>{s.*min, s.*max});
            },
            std::move(doc));
        return with(entry.from(2).to(2), Dimension::Length);
    }

    /// A table held in a member.
    template <class Inner>
    Key& table(std::string name, Inner S::*member, TablePtr inner, std::string doc) {
        Key& key = add(std::move(name), Type::Table, std::move(doc), std::move(inner));
        key.edit = [member](void* object, const std::string&, const auto& read) { read(&(static_cast<S*>(object)->*member)); };
        key.visit = [member](const void* object, const auto& write) { write(&(static_cast<const S*>(object)->*member), ""); };
        return key;
    }
    /// A table held in a member that is empty where the table is not given.
    template <class Inner>
    Key& optional_table(std::string name, std::optional<Inner> S::*member, TablePtr inner, std::string doc) {
        Key& key = add(std::move(name), Type::Table, std::move(doc), std::move(inner));
        key.edit = [member](void* object, const std::string&, const auto& read) { read(&(static_cast<S*>(object)->*member).emplace()); };
        key.visit = [member](const void* object, const auto& write) {
            const std::optional<Inner>& held = static_cast<const S*>(object)->*member;
            if (held) write(&*held, "");
        };
        return key;
    }
    /// A number of a dimension, or a table of a function of time; `number` is the number's place in the table's struct, `plain` says
    /// whether nothing else is given.
    template <class Inner>
    Key& function(std::string name, Inner S::*member, double Inner::*number, bool (*plain)(const Inner&), TablePtr inner,
                  Dimension dimension, std::string doc) {
        Key& key = table(std::move(name), member, std::move(inner), std::move(doc));
        key.type = Type::Function;
        key.set = [member, number](void* object, const Value& value) {
            (static_cast<S*>(object)->*member).*number = std::get<double>(value);
        };
        key.get = [member, number, plain](const void* object) -> std::optional<Value> {
            const Inner& held = static_cast<const S*>(object)->*member;
            if (!plain(held)) return std::nullopt;
            return written(held.*number);
        };
        return with(key, dimension);
    }
    /// A table held in a member; written only where `present`.
    template <class Inner>
    Key& table_if(std::string name, std::function<bool(const S&)> present, Inner S::*member, TablePtr inner, std::string doc) {
        Key& key = table(std::move(name), member, std::move(inner), std::move(doc));
        key.visit = [present = std::move(present), member](const void* object, const auto& write) {
            if (present(*static_cast<const S*>(object))) write(&(static_cast<const S*>(object)->*member), "");
        };
        return key;
    }
    /// A table whose values live in S itself; written only where `present`.
    Key& same(std::string name, std::function<bool(const S&)> present, TablePtr inner, std::string doc) {
        Key& key = add(std::move(name), Type::Table, std::move(doc), std::move(inner));
        key.edit = [](void* object, const std::string&, const auto& read) { read(object); };
        key.visit = [present = std::move(present)](const void* object, const auto& write) {
            if (present(*static_cast<const S*>(object))) write(object, "");
        };
        return key;
    }
    /// A list of tables in a vector; with `named`, [header.NAME], and Item has a `name`.
    template <class Item>
    Key& tables(std::string name, std::vector<Item> S::*member, TablePtr inner, std::string doc) {
        Key& key = add(std::move(name), Type::Tables, std::move(doc), std::move(inner));
        key.edit = [member](void* object, const std::string&, const auto& read) {
            Item item;
            read(&item);
            (static_cast<S*>(object)->*member).push_back(std::move(item));
        };
        key.visit = [member](const void* object, const auto& write) {
            for (const Item& item : static_cast<const S*>(object)->*member) write(&item, "");
        };
        return key;
    }
    template <class Item>
    Key& named_tables(std::string name, std::vector<Item> S::*member, TablePtr inner, std::string doc) {
        Key& key = add(std::move(name), Type::NamedTables, std::move(doc), std::move(inner));
        key.edit = [member](void* object, const std::string& item_name, const auto& read) {
            Item item;
            item.name = item_name;
            read(&item);
            (static_cast<S*>(object)->*member).push_back(std::move(item));
        };
        key.visit = [member](const void* object, const auto& write) {
            for (const Item& item : static_cast<const S*>(object)->*member) write(&item, item.name);
        };
        return key;
    }
    /// A list of tables kept otherwise, e.g. as parallel vectors: `append` stores one, `all` gives them back.
    template <class Item>
    Key& list(std::string name, void (*append)(S&, const Item&), std::vector<Item> (*all)(const S&), TablePtr inner, std::string doc) {
        Key& key = add(std::move(name), Type::Tables, std::move(doc), std::move(inner));
        key.edit = [append](void* object, const std::string&, const auto& read) {
            Item item;
            read(&item);
            append(*static_cast<S*>(object), item);
        };
        key.visit = [all](const void* object, const auto& write) {
            for (const Item& item : all(*static_cast<const S*>(object))) write(&item, "");
        };
        return key;
    }

    void place(SourcePlace S::*member) {
        table_->locate = [member](void* object, const SourcePlace& place) { static_cast<S*>(object)->*member = place; };
    }
    /// The word of `key`, which `of` gives back, decides which other keys apply.
    void select_by(std::string key, std::function<std::string(const S&)> of) {
        table_->selector = std::move(key);
        variant(std::move(of));
    }
    /// Exactly one of these keys is given: `choose` stores which, `of` gives it back; it decides which other keys apply.
    void one_of(std::vector<std::string> names, std::function<void(S&, const std::string&)> choose,
                std::function<std::string(const S&)> of) {
        variant(std::move(of));
        for (Key& key : table_->keys)
            for (const std::string& name : names)
                if (key.name == name) key.variants = {name};
        table_->alternatives = std::move(names);
        table_->choose = [choose = std::move(choose)](void* object, const std::string& name) { choose(*static_cast<S*>(object), name); };
    }
    void check(std::function<void(S&, const TableReading&)> check) {
        table_->check = [check = std::move(check)](void* object, const TableReading& reading) { check(*static_cast<S*>(object), reading); };
    }
    TablePtr build() { return table_; }

private:
    void variant(std::function<std::string(const S&)> of) {
        table_->variant = [of = std::move(of)](const void* object) { return of(*static_cast<const S*>(object)); };
    }
    Key& add(std::string name, Type type, std::string doc, TablePtr inner = nullptr) {
        Key key;
        key.name = std::move(name);
        key.type = type;
        key.doc = std::move(doc);
        key.table = std::move(inner);
        return table_->keys.emplace_back(std::move(key));
    }
    static Key& with(Key& key, Dimension dimension) { return key.dimension = dimension, key; }

    std::shared_ptr<Table> table_;
};

}  // namespace scree
