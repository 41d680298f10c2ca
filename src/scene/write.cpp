#include "scene/write.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scree {
namespace {

std::string text_of(std::monostate) {
    return "\"\"";
}
std::string text_of(bool value) {
    return value ? "true" : "false";
}
std::string text_of(std::int64_t value) {
    return fmt::format("{}", value);
}
std::string text_of(double value) {
    return fmt::format("{}", value);
}  // "inf" is TOML too
std::string text_of(const Vec3& v) {
    return fmt::format("[{}, {}, {}]", v.x, v.y, v.z);
}

std::string text_of(const std::string& value) {
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') {
            text += '\\';
            text += c;
        } else if (static_cast<unsigned char>(c) < 32 || c == 127) {
            text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            text += c;
        }
    }
    return text + "\"";
}

template <class T>
std::string text_of(const std::vector<T>& values) {
    std::string text = "[";
    for (const T& value : values) {
        if (text.size() > 1) text += ", ";
        text += text_of(value);
    }
    return text + "]";
}

std::string text_of(const std::vector<std::array<double, 4>>& spheres) {
    std::string text = "[";
    for (const auto& s : spheres) text += fmt::format("{}[{}, {}, {}, {}]", text.size() > 1 ? ", " : "", s[0], s[1], s[2], s[3]);
    return text + "]";
}

std::string inline_table(const Table& table, const void* object);

/// What stands after "key = "; empty where the key is not written.
std::string right_side(const Key& key, const void* object) {
    if (!key.table || key.type == Type::Function) {
        const std::optional<Value> value = key.get(object);
        if (value) return toml_text(*value);
    }
    if (!key.table) {
        return key.empty_word.empty() ? "" : text_of(key.empty_word);
    }
    std::string text;
    key.visit(object, [&](const void* inner, const std::string&) {
        if (!text.empty()) text += ", ";
        text += inline_table(*key.table, inner);
    });
    return key.type == Type::Tables && !text.empty() ? "[" + text + "]" : text;
}

template <class Write>
void for_each_entry(const Table& table, const void* object, const Write& write) {
    const std::string variant = table.variant ? table.variant(object) : "";
    for (const Key& key : table.keys) {
        if (!key.has_variant(variant)) continue;
        const std::string text = right_side(key, object);
        if (!text.empty()) write(key.name, text);
    }
}

std::string inline_table(const Table& table, const void* object) {
    std::string text;
    for_each_entry(table, object, [&](const std::string& name, const std::string& value) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
    });
    return "{ " + text + " }";
}

std::string section(const Table& table, const void* object) {
    std::string text;
    for_each_entry(table, object,
                   [&](const std::string& name, const std::string& value) { text += fmt::format("{} = {}\n", name, value); });
    return text;
}

}  // namespace

std::string toml_text(const Value& value) {
    return std::visit([](const auto& inner) { return text_of(inner); }, value);
}

std::string resolved_text(const Scene& scene) {
    std::string text;
    for (const Key& key : scene_schema().keys) {
        if (!key.table) {
            const std::string value = right_side(key, &scene);
            if (!value.empty()) text += fmt::format("{} = {}\n", key.name, value);
            continue;
        }
        key.visit(&scene, [&](const void* object, const std::string& name) {
            const char* pattern = key.type == Type::Tables ? "\n[[{}]]\n" : "\n[{}]\n";
            const std::string header = name.empty() ? key.name : key.name + "." + name;
            text += fmt::format(fmt::runtime(pattern), header) + section(*key.table, object);
        });
    }
    return text;
}

}  // namespace scree
