// The declarative description of the scene file: tables of keys, each with its name, type, unit, bounds, words, one sentence and the
// place in a Scene struct it fills. Reading (read.cpp), writing (write.cpp), overrides and the reference page all walk this and nothing
// else. Defaults are not repeated here: they are the values of a freshly made struct of scene.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scene/scene.hpp"
#include "scene/units.hpp"

namespace scree {

/// What may stand after the equals sign.
enum class Type {
    Flag,         // true, false
    Integer,      //
    Number,       // of a dimension
    Word,         // one of a list
    Text,         // any text
    Path,         // a file; made absolute on reading
    Name,         // names what is defined here, or refers to something defined elsewhere
    NamePair,     // two references
    Names,        // a reference, or a list of them
    Vector,       // three numbers of a dimension; two in two dimensions
    Points,       // a list of vectors
    Quaternion,   // four plain numbers
    Counts,       // three integers; two in two dimensions
    Interval,     // [from, to]
    Limits,       // [low, high], either may be "none"
    Numbers,      // a list of numbers of a dimension, as many as `low` to `high`
    Spheres,      // a list of [x, y, z, r]
    Function,     // a number of a dimension, or a table
    Table,        // [header] or { … }
    Tables,       // [[header]], repeated
    NamedTables,  // [header.NAME], repeated
};

/// A value between TOML and a struct; monostate is the key's `empty_word` ("auto").
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, Vec3, std::vector<Vec3>, std::vector<double>,
                           std::vector<std::int64_t>, std::vector<std::string>, std::vector<std::array<double, 4>>>;

/// What was read of one table: handed to its check, which speaks about keys by their place.
struct TableReading {
    const Scene& scene;                        // as far as it is read; tables come in schema order
    std::string label;                         // e.g. "[[wall]]", for messages
    SourcePlace place;                         // of the table
    std::map<std::string, SourcePlace> given;  // values by key
    bool has(const std::string& key) const { return given.contains(key); }
    const SourcePlace& at(const std::string& key) const { return has(key) ? given.at(key) : place; }
    /// Throws Error "label key: message" at the key.
    [[noreturn]] void fail(const std::string& key, const std::string& message) const;
};

struct Table;
using TablePtr = std::shared_ptr<const Table>;

/// One key. The chained functions make a schema entry read as a sentence.
struct Key {
    std::string name;
    Type type{Type::Text};
    std::string doc;
    Dimension dimension{Dimension::Number};

    bool is_required{false};
    std::function<bool(const Scene&)> is_required_when;  // may be empty
    std::string required_note;                           // "with law = \"hertz\"", for the reference page and the message
    double low{-kInfinity}, high{kInfinity};             // of each number; of the number of entries for Points, Numbers
    bool low_open{false};                                // low itself is not allowed
    std::string reason;                                  // appended to messages about bounds
    bool may_be_infinite{false};
    std::string empty_word;             // a word that stands for "no value": "auto", "fill"
    std::vector<std::string> words;     // Word: allowed
    std::vector<std::string> planned;   // Word: known, not in this version
    std::vector<std::string> variants;  // the variants of its table (a wall's kinds …) that have this key; empty: all
    std::string refers_to;              // Name: a scope of checks.hpp; empty: a new name
    // The dimension where it hangs on what was read before (the law's stiffness); may be empty.
    std::function<Dimension(const Scene&)> dimension_when;
    std::map<std::string, Dimension> dimension_by;  // the same by the variant of its table
    int dimensions{0};                              // of the scenes that have this key: 2, 3, or 0 for both
    double third{0};                                // Vector: its z where a scene of two dimensions gives x and y
    bool about_z{false};                            // Vector: in two dimensions a number, its z
    std::string default_note;                       // reference page: what holds where the struct's default says nothing

    // Access, erased to the struct the table fills.
    std::function<void(void* object, const Value& value)> set;
    std::function<std::optional<Value>(const void* object)> get;  // empty: nothing to write
    TablePtr table;                                               // of the three table types, and Function
    /// Calls `read` on the object of a sub-table (a new one for lists) and stores it.
    std::function<void(void* object, const std::string& name, const std::function<void(void*)>& read)> edit;
    /// Calls `write` on each object of a sub-table.
    std::function<void(const void* object, const std::function<void(const void*, const std::string& name)>& write)> visit;

    Key& required() { return is_required = true, *this; }
    Key& required_if(std::function<bool(const Scene&)> when, std::string note) {
        is_required_when = std::move(when);
        required_note = std::move(note);
        return *this;
    }
    Key& above(double bound) { return low = bound, low_open = true, *this; }
    Key& from(double bound) { return low = bound, *this; }
    Key& to(double bound) { return high = bound, *this; }
    Key& because(std::string text) { return reason = std::move(text), *this; }
    Key& infinite() { return may_be_infinite = true, *this; }
    Key& empty_as(std::string word) { return empty_word = std::move(word), *this; }
    Key& planning(std::vector<std::string> later) { return planned = std::move(later), *this; }
    Key& only_for(std::vector<std::string> which) { return variants = std::move(which), *this; }
    Key& measured_in(std::map<std::string, Dimension> by_variant) { return dimension_by = std::move(by_variant), *this; }
    Key& reference(std::string scope) { return refers_to = std::move(scope), *this; }
    Key& only_in(int space) { return dimensions = space, *this; }
    Key& completed_by(double z) { return third = z, *this; }
    Key& turning() { return about_z = true, *this; }
    Key& otherwise(std::string note) { return default_note = std::move(note), *this; }

    bool has_variant(const std::string& variant) const;
    bool is_in(std::int64_t space) const { return dimensions == 0 || dimensions == space; }
};

/// One table of keys and the struct it fills.
struct Table {
    std::string header;  // "[time]", "[[wall]]", "[material.NAME]", "place"
    std::string doc;
    std::vector<Key> keys;
    std::string selector;                                                // the key that chooses the variant ("kind"), or empty
    std::vector<std::string> alternatives;                               // keys of which exactly one is given and chooses the variant
    std::function<void(void* object, const std::string& key)> choose;    // stores which alternative was given
    std::function<std::string(const void* object)> variant;              // may be empty
    std::function<void(void* object, const SourcePlace& place)> locate;  // may be empty
    std::function<void(void* object, const TableReading&)> check;        // may be empty
    std::function<std::shared_ptr<void>()> make;                         // a struct with its defaults

    const Key* find(const std::string& name) const;
    std::vector<std::string> key_names() const;
};

/// The whole scene file: the table that fills a Scene.
const Table& scene_schema();

}  // namespace scree
