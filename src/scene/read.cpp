#include "scene/read.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scene/checks.hpp"
#include "scene/read_value.hpp"
#include "scene/schema.hpp"
#include "scene/suggest.hpp"

namespace scree {
namespace {

/// A name that must be defined somewhere in the file.
struct Reference {
    SourcePlace place;
    std::string label;
    std::string scope;
    std::string name;
};

class Reader {
public:
    Reader(const Scene& scene, std::string folder) : scene_(scene), folder_(std::move(folder)) {}

    /// Fills `object` from `node`. `label` is the table's name in messages; empty at the root.
    void read_table(const Table& table, const toml::table& node, void* object, const std::string& label, const SourcePlace& place) {
        reject_unknown_keys(table, node, label, place);
        if (table.locate) table.locate(object, place);
        choose_alternative(table, node, object, label, place);
        TableReading reading{scene_, label, place, {}};
        if (!table.selector.empty()) read_key(table, *table.find(table.selector), node, object, reading);
        for (const Key& key : table.keys)
            if (key.name != table.selector) read_key(table, key, node, object, reading);
        if (table.check) table.check(object, reading);
    }

    void check_references() const {
        for (const Reference& reference : references_) {
            const std::vector<std::string> known = names_in(scene_, reference.scope);
            if (std::find(known.begin(), known.end(), reference.name) != known.end()) continue;
            const ScopeWords words = words_of_scope(reference.scope);
            throw Error(reference.place,
                        fmt::format("{}: there is no {} \"{}\"{}", reference.label, words.word, reference.name,
                                    known.empty() ? fmt::format("; add a {} table", words.header) : suggestion(reference.name, known)));
        }
    }

private:
    static std::string join(const std::string& label, const std::string& key) { return label.empty() ? key : label + " " + key; }

    static void reject_unknown_keys(const Table& table, const toml::table& node, const std::string& label, const SourcePlace& place) {
        for (auto&& [key, value] : node) {
            if (table.find(std::string(key.str()))) continue;
            SourcePlace at = place_of(value, place);
            if (key.source().path && !key.source().path->starts_with("--set "))
                at = {*key.source().path, static_cast<int>(key.source().begin.line), static_cast<int>(key.source().begin.column)};
            throw Error(at, fmt::format("unknown key \"{}\"{}{}", key.str(), label.empty() ? "" : " in " + label,
                                        suggestion(key.str(), table.key_names())));
        }
    }

    static void choose_alternative(const Table& table, const toml::table& node, void* object, const std::string& label,
                                   const SourcePlace& place) {
        if (table.alternatives.empty()) return;
        std::vector<std::string> given;
        for (const std::string& name : table.alternatives)
            if (node.contains(name)) given.push_back(name);
        if (given.empty()) throw Error(place, fmt::format("{} needs one of {}", label, fmt::join(table.alternatives, ", ")));
        if (given.size() > 1)
            throw Error(place_of(*node.get(given[1]), place), fmt::format("{}: give only one of {}, not both {} and {}", label,
                                                                          fmt::join(table.alternatives, ", "), given[0], given[1]));
        table.choose(object, given[0]);
    }

    void read_key(const Table& table, const Key& key, const toml::table& node, void* object, TableReading& reading) {
        const toml::node* value = node.get(key.name);
        const bool is_alternative = std::find(table.alternatives.begin(), table.alternatives.end(), key.name) != table.alternatives.end();
        const std::string variant = table.variant && key.name != table.selector ? table.variant(object) : "";
        const bool applies = is_alternative || key.has_variant(variant);
        if (!value) {
            if (applies && key.is_in(scene_.dimensions)) reject_missing(table, key, variant, reading);
            return;
        }
        const SourcePlace place = place_of(*value, reading.place);
        const std::string label = join(reading.label, key.name);
        reading.given[key.name] = place;
        if (!applies) {
            const std::string selector = table.selector.empty() ? "" : table.selector + " = ";
            throw Error(place, fmt::format("{}: does not apply to {}\"{}\"; it belongs to {}\"{}\"", label, selector, variant, selector,
                                           fmt::join(key.variants, "\", \"")));
        }
        if (!key.is_in(scene_.dimensions))
            throw Error(
                place,
                fmt::format("{}: belongs to scenes of {}, but dimensions = {}", key.type == Type::Tables ? "[[" + label + "]]" : label,
                            key.dimensions == 2 ? "two dimensions (dimensions = 2)" : "three dimensions", scene_.dimensions));
        if (key.table && (key.type != Type::Function || value->is_table())) {
            read_sub_tables(key, *value, object, label, place);
            return;
        }
        Key own;
        const auto by_variant = key.dimension_by.find(variant);
        const bool has_own = key.dimension_when || by_variant != key.dimension_by.end();
        if (has_own) {
            own = key;
            own.dimension = key.dimension_when ? key.dimension_when(scene_) : by_variant->second;
        }
        const Value read = read_value(*value, has_own ? own : key, label, reading.place, folder_, scene_.dimensions);
        key.set(object, read);
        note_references(key, *value, read, label, place);
    }

    void reject_missing(const Table& table, const Key& key, const std::string& variant, const TableReading& reading) const {
        const bool needed = key.is_required || (key.is_required_when && key.is_required_when(scene_));
        if (!needed) return;
        std::string who = reading.label.empty() ? "the scene" : reading.label;
        if (!key.variants.empty()) who += fmt::format(" with {} = \"{}\"", table.selector.empty() ? "kind" : table.selector, variant);
        if (!key.required_note.empty()) who += " " + key.required_note;
        if (!key.variants.empty() && table.selector.empty()) who = fmt::format("{} with {}", reading.label, variant);
        if (reading.label.empty() && key.table) throw Error(reading.place, fmt::format("{} needs a {} table", who, key.table->header));
        throw Error(reading.place, fmt::format("{} needs \"{}\"", who, key.name));
    }

    void read_sub_tables(const Key& key, const toml::node& value, void* object, const std::string& label, const SourcePlace& place) {
        // At the root a table is called by its header, below by its key.
        const bool is_root = key.table->header.starts_with('[');
        if (key.type == Type::Tables) {
            const toml::array* array = value.as_array();
            if (!array)
                throw Error(place, fmt::format("{} is a list of tables; write {}", label,
                                               is_root ? key.table->header : key.name + " = [{ … }, …]"));
            if (static_cast<double>(array->size()) < key.low) throw Error(place, fmt::format("{}: must not be empty", label));
            for (const toml::node& item : *array) read_one(key, item, object, "", is_root ? key.table->header : label, place);
        } else if (key.type == Type::NamedTables) {
            const toml::table* names = value.as_table();
            if (!names) throw Error(place, fmt::format("{} tables have names; write {}", label, key.table->header));
            for (auto&& [name, item] : *names) {
                const std::string text(name.str());
                const SourcePlace at = place_of(item, place);
                if (!item.is_table())
                    throw Error(at, fmt::format("{} tables have names; write {} above \"{}\"", label, key.table->header, text));
                if (!is_identifier(text)) throw Error(at, fmt::format("\"{}\" is not a name: use letters, digits, _ and -", text));
                read_one(key, item, object, text, fmt::format("[{}.{}]", key.name, text), place);
            }
        } else {
            read_one(key, value, object, "", is_root ? key.table->header : label, place);
        }
    }

    void read_one(const Key& key, const toml::node& item, void* object, const std::string& name, const std::string& label,
                  const SourcePlace& above) {
        const SourcePlace place = place_of(item, above);
        const toml::table* table = item.as_table();
        if (!table) {
            const bool header = key.table->header.starts_with('[');
            throw Error(place, fmt::format("{}: expected a table{}", label,
                                           header ? fmt::format("; write {} on a line of its own", key.table->header) : " { … }"));
        }
        key.edit(object, name, [&](void* inner) { read_table(*key.table, *table, inner, label, place); });
    }

    void note_references(const Key& key, const toml::node& node, const Value& value, const std::string& label, const SourcePlace& place) {
        if (key.refers_to.empty()) return;
        if (const auto* name = std::get_if<std::string>(&value)) references_.push_back({place, label, key.refers_to, *name});
        if (const auto* names = std::get_if<std::vector<std::string>>(&value))
            for (std::size_t i = 0; i < names->size(); ++i)
                references_.push_back(
                    {node.is_array() ? place_of(*node.as_array()->get(i), place) : place, label, key.refers_to, (*names)[i]});
    }

    const Scene& scene_;
    std::string folder_;
    std::vector<Reference> references_;
};

}  // namespace

Scene read_scene(const toml::table& document, const std::string& name, const std::string& folder) {
    Scene scene;
    scene.file = name;
    scene.folder = folder;
    Reader reader(scene, folder);
    reader.read_table(scene_schema(), document, &scene, "", place_of(document, {name, 1, 1}));
    reader.check_references();
    return scene;
}

void read_part(const Table& schema, const toml::table& table, void* object, const Scene& scene, const std::string& label,
               const SourcePlace& place) {
    Reader(scene, scene.folder).read_table(schema, table, object, label, place);
}

}  // namespace scree
