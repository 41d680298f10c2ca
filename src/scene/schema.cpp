#include "scene/schema.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree {

void TableReading::fail(const std::string& key, const std::string& message) const {
    throw Error(at(key), fmt::format("{} {}: {}", label, key, message));
}

bool Key::has_variant(const std::string& variant) const {
    return variants.empty() || std::find(variants.begin(), variants.end(), variant) != variants.end();
}

const Key* Table::find(const std::string& name) const {
    for (const Key& key : keys)
        if (key.name == name) return &key;
    return nullptr;
}

std::vector<std::string> Table::key_names() const {
    std::vector<std::string> names;
    names.reserve(keys.size());
    for (const Key& key : keys) names.push_back(key.name);
    return names;
}

}  // namespace scree
