// The reference page, generated from the schema.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scene/checks.hpp"
#include "scene/parse.hpp"
#include "scene/schema.hpp"
#include "scene/write.hpp"

namespace scree {
namespace {

std::string type_text(const Key& key) {
    const std::string number = words_of(key.dimension).name;
    const bool plain = key.dimension == Dimension::Number;
    switch (key.type) {
        case Type::Flag:
            return "true or false";
        case Type::Integer:
            return "integer";
        case Type::Number:
            return plain ? "number" : number;
        case Type::Word:
            return fmt::format("`{}`", fmt::join(key.words, "`, `"));
        case Type::Text:
            return "text";
        case Type::Path:
            return "file, relative to the scene file";
        case Type::Name:
            return key.refers_to.empty() ? "name" : fmt::format("name of a {}", words_of_scope(key.refers_to).word);
        case Type::NamePair:
            return fmt::format("two {} names", words_of_scope(key.refers_to).word);
        case Type::Names:
            if (!key.words.empty()) return fmt::format("list of `{}`", fmt::join(key.words, "`, `"));
            return fmt::format("name of a {}, or list of them", words_of_scope(key.refers_to).word);
        case Type::Vector: {
            const std::string parts = key.dimensions == 2 ? "[x, y]" : "[x, y, z]";
            return plain ? parts : parts + ", each " + number;
        }
        case Type::Points:
            return key.low == key.high ? fmt::format("{} points", key.low) : "points";
        case Type::Quaternion:
            return "[w, x, y, z]";
        case Type::Counts:
            return "three integers";
        case Type::Interval:
            return "[from, to], each " + number;
        case Type::Limits:
            return fmt::format("[low, high], each {} or `\"none\"`", number);
        case Type::Numbers:
            return fmt::format("{} to {} numbers, each {}", key.low, key.high, number);
        case Type::Spheres:
            return "list of [x, y, z, r], each " + number;
        case Type::Function:
            return number + ", or table";
        case Type::Table:
            return "table";
        case Type::Tables:
            return "list of tables";
        case Type::NamedTables:
            return "tables";
    }
    return "";
}

std::string bounds_text(const Key& key) {
    if (key.type != Type::Number && key.type != Type::Integer) return "";
    std::string text;
    if (key.low == key.high) return fmt::format("{} only", key.low);
    if (key.low > -kInfinity) text = fmt::format("{} {}", key.low_open ? ">" : "≥", key.low);
    if (key.high < kInfinity) text += fmt::format("{}≤ {}", text.empty() ? "" : ", ", key.high);
    return text;
}

std::string default_text(const Key& key, const void* fresh) {
    if (key.is_required) return "required";
    if (key.is_required_when) return "required " + key.required_note;
    if (!key.default_note.empty()) return key.default_note;
    if (key.table) return "—";
    const std::optional<Value> value = key.get(fresh);
    if (value) return fmt::format("`{}`", toml_text(*value));
    return key.empty_word.empty() ? "—" : fmt::format("`\"{}\"`", key.empty_word);
}

std::string key_line(const Table& table, const Key& key, const void* fresh) {
    bool is_alternative = false;
    for (const std::string& name : table.alternatives) is_alternative |= name == key.name;
    std::string what = type_text(key);
    if (!key.empty_word.empty()) what += fmt::format(" or `\"{}\"`", key.empty_word);
    const std::string bounds = bounds_text(key);
    if (!bounds.empty()) what += ", " + bounds;
    std::string doc = key.doc;
    const std::string which = fmt::format("`{}`", fmt::join(key.variants, "`, `"));
    if (!key.variants.empty() && !is_alternative)
        doc += table.selector.empty() ? fmt::format(" Only with {}.", which) : fmt::format(" Only with `{}` = {}.", table.selector, which);
    if (key.dimensions != 0) doc += fmt::format(" Only in {} dimensions.", key.dimensions == 2 ? "two" : "three");
    if (!key.reason.empty()) doc += fmt::format(" Bounds: {}.", key.reason);
    const bool has_unit = key.dimension != Dimension::Number;
    return fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, what, has_unit ? words_of(key.dimension).unit : "",
                       is_alternative ? "one of these" : default_text(key, fresh), doc);
}

void add_table(const Table& table, const std::string& title, std::string& text) {
    const std::shared_ptr<void> fresh = table.make();
    text += fmt::format("\n## {}\n\n{}\n", title, table.doc);
    if (!table.alternatives.empty()) text += fmt::format("\nExactly one of `{}` is given.\n", fmt::join(table.alternatives, "`, `"));
    text += "\n| key | value | SI unit | default | meaning |\n|---|---|---|---|---|\n";
    const bool is_root = title == "Top";
    for (const Key& key : table.keys)
        if (!is_root || !key.table) text += key_line(table, key, fresh.get());
    bool has_function = false;  // the tables of the next ones look alike
    for (const Key& key : table.keys) {
        if (!key.table || (key.type == Type::Function && has_function)) continue;
        has_function |= key.type == Type::Function;
        add_table(*key.table, is_root ? "`" + key.table->header + "`" : fmt::format("{} of {}", "`" + key.name + "`", title), text);
    }
}

}  // namespace

std::string scene_reference() {
    std::string text = R"(# The scene file

Generated from the schema in `src/scene/`; a test compares this page with it.

A scene is a TOML file. A number is in SI units; text carries a unit: `"0.25 cm"`, `"30 rpm"`, `"45 deg"`, `"20 ms"`, `"2500 kg/m^3"`,
`"10 min"`. Angles are radians. A vector is a list of three, each a number or text with a unit. Unknown keys are errors.

With `dimensions = 2` a vector is a list of two, [x, y], a list of counts has two, and an angular velocity is one number, counterclockwise.

`--set key.path=value` on the command line changes a value before the scene is checked: `--set time.end=2`,
`--set material.glass.friction=0.3`, `--set bodies.0.seed=3` (lists by number, counted from 0), `--set wall.lid.active=[0,1]` (or by name).
)";
    add_table(scene_schema(), "Top", text);
    return text;
}

}  // namespace scree
