#include "api/inside.hpp"
#include "output/json.hpp"
#include "scene/schema.hpp"

namespace scree_v0 {
namespace {

using ::scree::json_string;
using ::scree::Key;
using ::scree::Table;
using ::scree::Type;

const char* word_of(Type type) {
    switch (type) {
        case Type::Flag:
            return "flag";
        case Type::Integer:
            return "integer";
        case Type::Number:
            return "number";
        case Type::Word:
            return "word";
        case Type::Text:
            return "text";
        case Type::Path:
            return "path";
        case Type::Name:
            return "name";
        case Type::NamePair:
            return "two names";
        case Type::Names:
            return "names";
        case Type::Vector:
            return "vector";
        case Type::Points:
            return "points";
        case Type::Quaternion:
            return "quaternion";
        case Type::Counts:
            return "counts";
        case Type::Interval:
            return "interval";
        case Type::Limits:
            return "limits";
        case Type::Numbers:
            return "numbers";
        case Type::Spheres:
            return "spheres";
        case Type::Function:
            return "number or table";
        case Type::Table:
            return "table";
        case Type::Tables:
            return "tables";
        case Type::NamedTables:
            return "named tables";
    }
    return "";
}

bool has_unit(const Key& key) {
    return key.dimension != ::scree::Dimension::Number && !key.table;
}

std::string keys_of(const Table& table) {
    std::string text = "{";
    for (const Key& key : table.keys) {
        if (text.size() > 1) text += ", ";
        text += json_string(key.name) + R"(: {"type": ")" + word_of(key.type) + R"(", "doc": )" +
                json_string(key.doc.empty() && key.table ? key.table->doc : key.doc);
        if (has_unit(key)) text += R"(, "unit": )" + json_string(::scree::words_of(key.dimension).unit);
        if (key.is_required) text += R"(, "required": true)";
        std::string words;
        for (const std::string& word : key.words) words += (words.empty() ? "" : ", ") + json_string(word);
        if (!words.empty()) text += R"(, "words": [)" + words + "]";
        if (key.table) text += R"(, "keys": )" + keys_of(*key.table);
        text += "}";
    }
    return text + "}";
}

}  // namespace

std::string scene_keys() {
    return keys_of(::scree::scene_schema());
}

}  // namespace scree_v0
