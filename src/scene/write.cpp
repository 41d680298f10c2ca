#include "scene/write.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "scene/files_of.hpp"

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
    return fmt::format("{}", value + 0.0);
}  // "inf" is TOML too; zeros without a sign, as they are read
std::string text_of(const Vec3& v) {
    return fmt::format("[{}, {}, {}]", v.x + 0.0, v.y + 0.0, v.z + 0.0);
}

/// The value of a scene of two dimensions: vectors and counts without what is along z, of turns that alone.
Value planar_value(const Key& key, const Value& value) {
    if (const Vec3* v = std::get_if<Vec3>(&value)) {
        if (key.about_z) return v->z;
        return std::vector<double>{v->x, v->y};
    }
    if (const auto* counts = std::get_if<std::vector<std::int64_t>>(&value); counts && key.type == Type::Counts)
        return std::vector<std::int64_t>{(*counts)[0], (*counts)[1]};
    return value;
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

std::string inline_table(const Table& table, const void* object, std::int64_t dimensions);

std::string planar_points(const std::vector<Vec3>& points) {
    std::string text = "[";
    for (const Vec3& p : points) text += fmt::format("{}[{}, {}]", text.size() > 1 ? ", " : "", p.x, p.y);
    return text + "]";
}

std::string value_text(const Key& key, const Value& value, std::int64_t dimensions) {
    if (dimensions == 3) return toml_text(value);
    if (const auto* points = std::get_if<std::vector<Vec3>>(&value)) return planar_points(*points);
    return toml_text(planar_value(key, value));
}

/// What stands after "key = "; empty where the key is not written.
std::string right_side(const Key& key, const void* object, std::int64_t dimensions) {
    if (!key.table || key.type == Type::Function) {
        const std::optional<Value> value = key.get(object);
        if (value) return value_text(key, *value, dimensions);
    }
    if (!key.table) {
        return key.empty_word.empty() ? "" : text_of(key.empty_word);
    }
    std::string text;
    key.visit(object, [&](const void* inner, const std::string&) {
        if (!text.empty()) text += ", ";
        text += inline_table(*key.table, inner, dimensions);
    });
    return key.type == Type::Tables && !text.empty() ? "[" + text + "]" : text;
}

template <class Write>
void for_each_entry(const Table& table, const void* object, std::int64_t dimensions, const Write& write) {
    const std::string variant = table.variant ? table.variant(object) : "";
    for (const Key& key : table.keys) {
        if (!key.has_variant(variant) || !key.is_in(dimensions)) continue;
        const std::string text = right_side(key, object, dimensions);
        if (!text.empty()) write(key.name, text);
    }
}

std::string inline_table(const Table& table, const void* object, std::int64_t dimensions) {
    std::string text;
    for_each_entry(table, object, dimensions, [&](const std::string& name, const std::string& value) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
    });
    return "{ " + text + " }";
}

std::string section(const Table& table, const void* object, std::int64_t dimensions) {
    std::string text;
    for_each_entry(table, object, dimensions,
                   [&](const std::string& name, const std::string& value) { text += fmt::format("{} = {}\n", name, value); });
    return text;
}

}  // namespace

std::string resolved_text_from(const Scene& scene, const std::string& folder) {
    namespace fs = std::filesystem;
    const fs::path from = fs::path(folder).lexically_normal();
    std::string text = scene.resolved;
    for (const InputFile& file : files_of(scene)) {
        const fs::path to(file.path);
        const auto shared = std::mismatch(to.begin(), to.end(), from.begin(), from.end()).first;
        if (!to.is_absolute() || std::distance(to.begin(), shared) < 2) continue;
        const std::string was = text_of(file.path), now = text_of(to.lexically_relative(from).string());
        for (std::size_t at = text.find(was); at != std::string::npos; at = text.find(was, at + now.size()))
            text.replace(at, was.size(), now);
    }
    return text;
}

std::string toml_text(const Value& value) {
    return std::visit([](const auto& inner) { return text_of(inner); }, value);
}

std::string resolved_text(const Scene& scene) {
    std::string text;
    for (const Key& key : scene_schema().keys) {
        if (!key.table) {
            const std::string value = right_side(key, &scene, scene.dimensions);
            if (!value.empty()) text += fmt::format("{} = {}\n", key.name, value);
            continue;
        }
        key.visit(&scene, [&](const void* object, const std::string& name) {
            const char* pattern = key.type == Type::Tables ? "\n[[{}]]\n" : "\n[{}]\n";
            const std::string header = name.empty() ? key.name : key.name + "." + name;
            text += fmt::format(fmt::runtime(pattern), header) + section(*key.table, object, scene.dimensions);
        });
    }
    return text;
}

}  // namespace scree
