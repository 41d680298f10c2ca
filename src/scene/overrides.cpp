#include "scene/overrides.hpp"

#include <fmt/format.h>

#include <charconv>

#include "scene/nesting.hpp"
#include "scene/schema.hpp"
#include "scene/suggest.hpp"

namespace scree {
namespace {

/// One override on its way down the document.
struct Step {
    const SourcePlace& place;
    const std::vector<std::string>& path;
    std::size_t at{0};  // index in path of the key to find next

    bool is_last() const { return at + 1 == path.size(); }
    const std::string& key() const { return path[at]; }
    Step next(std::size_t by = 1) const { return {place, path, at + by}; }
    [[noreturn]] void fail(const std::string& message) const { throw Error(place, message); }
};

std::vector<std::string> split_path(const std::string& text) {
    std::vector<std::string> parts{""};
    for (const char c : text) {
        if (c == '.') {
            parts.emplace_back();
        } else if (c != ' ') {
            parts.back() += c;
        }
    }
    return parts;
}

/// The value as a document { v = … } whose source is the override.
toml::table parse_override_value(const std::string& value, const SourcePlace& place) {
    if (value.find_first_of("\n\r") != std::string::npos) throw Error(place, "the value must be on one line");
    const std::size_t first = value.find_first_not_of(' ');
    if (first == std::string::npos) throw Error(place, "needs a value after \"=\"");
    require_shallow(value, place.file);
    try {
        return toml::parse(std::string_view("v = " + value), std::string(place.file));
    } catch (const toml::parse_error& fault) {
        const char c = value[first];
        if (c == '[' || c == '{' || c == '"' || c == '\'')
            throw Error(place, fmt::format("the value is not TOML: {}", fault.description()));
    }
    std::string quoted;
    for (const char c : value.substr(first)) quoted += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
    try {
        return toml::parse(std::string_view("v = \"" + quoted + "\""), std::string(place.file));
    } catch (const toml::parse_error& fault) {
        throw Error(place, fmt::format("the value is not text: {}", fault.description()));
    }
}

void set_value(toml::table& table, const std::string& key, toml::table&& value) {
    // Moved, not copied: a copy would lose its source.
    std::move(*value.get("v")).visit([&](auto&& node) { table.insert_or_assign(key, std::forward<decltype(node)>(node)); });
}

/// The table of a list that `step` names by index or by name.
toml::table& listed_table(toml::node* list, const Step& step, const std::string& list_name) {
    toml::array* array = list ? list->as_array() : nullptr;
    if (!array || array->empty()) step.fail(fmt::format("the scene has no [[{}]] table", list_name));
    std::size_t index = 0;
    const std::string& wanted = step.key();
    const auto [end, fault] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
    std::vector<std::string> names;
    const bool is_index = fault == std::errc() && end == wanted.data() + wanted.size();
    if (is_index && index < array->size() && (*array)[index].is_table()) return *(*array)[index].as_table();
    for (toml::node& item : *array) {
        toml::table* table = item.as_table();
        const std::optional<std::string> name = table ? (*table)["name"].value<std::string>() : std::nullopt;
        if (name && *name == wanted) return *table;
        if (name) names.push_back(*name);
    }
    if (is_index) step.fail(fmt::format("there is no {} {}; the scene has {}, counted from 0", list_name, wanted, array->size()));
    step.fail(
        fmt::format("there is no {} \"{}\" (a number, counted from 0, names one too){}", list_name, wanted, suggestion(wanted, names)));
}

toml::table& named_table(toml::node* group, const Step& step, const std::string& group_name) {
    toml::table* tables = group ? group->as_table() : nullptr;
    if (tables)
        if (toml::node* found = tables->get(step.key()); found && found->is_table()) return *found->as_table();
    std::vector<std::string> names;
    if (tables)
        for (auto&& [name, item] : *tables) names.emplace_back(name.str());
    step.fail(fmt::format("there is no {} \"{}\"{}", group_name, step.key(), suggestion(step.key(), names)));
}

toml::table& ensured_table(toml::table& above, const Step& step) {
    if (!above.contains(step.key())) above.insert(step.key(), toml::table{});
    toml::table* table = above.get(step.key())->as_table();
    if (!table) step.fail(fmt::format("\"{}\" is not a table in the scene", step.key()));
    return *table;
}

void walk(const Table& schema, toml::table& table, const Step& step, toml::table&& value) {
    const Key* key = schema.find(step.key());
    if (!key) step.fail(fmt::format("unknown key \"{}\"{}", step.key(), suggestion(step.key(), schema.key_names())));
    const bool through_item = key->type == Type::Tables || key->type == Type::NamedTables;
    if (!key->table || (step.is_last() && !through_item)) {
        if (!step.is_last()) step.fail(fmt::format("\"{}\" is a value and has no keys of its own", step.key()));
        set_value(table, step.key(), std::move(value));
        return;
    }
    if (key->type == Type::Table || key->type == Type::Function)
        return walk(*key->table, ensured_table(table, step), step.next(), std::move(value));
    const bool is_root = key->table->header.starts_with('[');
    if (!is_root && step.is_last()) return set_value(table, step.key(), std::move(value));
    if (step.path.size() < step.at + 3)
        step.fail(fmt::format("name a table and a key, such as {}.{}.{}", step.key(), key->type == Type::Tables ? "0" : "NAME",
                              key->table->keys.front().name));
    toml::node* group = table.get(step.key());
    toml::table& item =
        key->type == Type::Tables ? listed_table(group, step.next(), step.key()) : named_table(group, step.next(), step.key());
    walk(*key->table, item, step.next(2), std::move(value));
}

}  // namespace

void apply_override(toml::table& document, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw Error(SourcePlace{"--set " + text, 0, 0}, "needs a value: write key.path=value");
    const std::vector<std::string> path = split_path(text.substr(0, equals));
    const SourcePlace place{"--set " + text.substr(0, equals), 0, 0};
    walk(scene_schema(), document, {place, path, 0}, parse_override_value(text.substr(equals + 1), place));
}

}  // namespace scree
