#include "sim/compare_scenes.hpp"

#include <algorithm>
#include <map>

namespace scree {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t from = text.find_first_not_of(" \t\r");
    if (from == std::string::npos) return "";
    return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

/// Sums of hard particles are over the volume between their walls, and cells follow it, and bonds hold bodies to them: those walls stay.
bool may_change(const std::string& key, bool walls_stay) {
    if (key == "title" || key == "time.end") return true;
    for (const char* table : {"measure[", "output."}) {
        if (key.rfind(table, 0) == 0) return true;
    }
    return !walls_stay && (key.rfind("wall[", 0) == 0 || key == "domain.stage");
}

bool bonds_to_walls(const std::map<std::string, std::string>& settings) {
    return std::any_of(settings.begin(), settings.end(),
                       [](const auto& setting) { return setting.first.rfind("bond[", 0) == 0 && setting.first.ends_with("].wall"); });
}

/// Settings of the walls that bodies carry (those with `body` or `mass`), under the wall's name and counted among their like, so that they
/// may be compared whatever other walls come and go.
std::vector<Setting> carried_walls(const std::vector<Setting>& settings) {
    static constexpr const char* kept[] = {"name", "body", "mass", "inertia", "centre"};
    std::map<std::string, std::map<std::string, std::string>> walls;  // by "wall[2]"
    std::vector<std::string> order;
    for (const Setting& setting : settings) {
        if (setting.key.rfind("wall[", 0) != 0) continue;
        const std::size_t dot = setting.key.find("].") + 1;
        const std::string wall = setting.key.substr(0, dot);
        if (walls.find(wall) == walls.end()) order.push_back(wall);
        walls[wall][setting.key.substr(dot + 1)] = setting.value;
    }
    std::vector<Setting> carried;
    int count = 0;
    for (const std::string& wall : order) {
        const auto& keys = walls[wall];
        const auto body = keys.find("body");
        if (keys.find("mass") == keys.end() && (body == keys.end() || body->second == "\"\"")) continue;
        ++count;
        for (const char* key : kept) {
            const auto found = keys.find(key);
            if (found != keys.end()) carried.push_back({"carried wall[" + std::to_string(count) + "]." + key, found->second});
        }
    }
    return carried;
}

/// Paths in a value without their folders: what files hold is compared by their digests (sim/kept_files.hpp), wherever they are.
std::string without_folders(const std::string& value) {
    std::string text;
    std::size_t done = 0;
    for (std::size_t open = value.find('"'); open != std::string::npos;) {
        std::size_t close = open + 1;
        while (close < value.size() && value[close] != '"') close += value[close] == '\\' ? 2 : 1;
        const std::size_t slash = value.substr(open, close - open).rfind('/');
        text += value.substr(done, open + 1 - done);
        done = slash == std::string::npos ? open + 1 : open + slash + 1;
        open = close < value.size() ? value.find('"', close + 1) : std::string::npos;
    }
    return text + value.substr(done);
}

/// Where the " = " between key and value stands: the first one, since keys hold none.
std::size_t equals_sign(const std::string& line) {
    return line.find('=');
}

}  // namespace

std::vector<Setting> settings_of(const std::string& resolved) {
    std::vector<Setting> settings;
    std::map<std::string, int> counts;  // of [[tables]]
    std::string prefix;
    for (std::size_t from = 0; from < resolved.size();) {
        std::size_t end = resolved.find('\n', from);
        if (end == std::string::npos) end = resolved.size();
        const std::string line = trimmed(resolved.substr(from, end - from));
        from = end + 1;
        if (line.empty() || line[0] == '#') continue;
        if (line.rfind("[[", 0) == 0) {
            const std::string name = line.substr(2, line.rfind("]]") - 2);
            prefix = name + "[" + std::to_string(++counts[name]) + "].";
        } else if (line[0] == '[') {
            prefix = line.substr(1, line.rfind(']') - 1) + ".";
        } else if (equals_sign(line) != std::string::npos) {
            const std::size_t at = equals_sign(line);
            settings.push_back({prefix + trimmed(line.substr(0, at)), trimmed(line.substr(at + 1))});
        }
    }
    return settings;
}

std::vector<std::string> changed_settings(const std::string& before, const std::string& now) {
    const std::vector<Setting> old_settings = settings_of(before);
    std::vector<Setting> new_settings = settings_of(now);
    std::map<std::string, std::string> old;
    for (const Setting& setting : old_settings) old[setting.key] = setting.value;
    for (const Setting& setting : carried_walls(old_settings)) old[setting.key] = setting.value;
    const auto kind = old.find("method.kind");
    const bool walls_stay = (kind != old.end() && kind->second == "\"hard\"") || bonds_to_walls(old);
    const std::vector<Setting> carried = carried_walls(new_settings);
    new_settings.insert(new_settings.end(), carried.begin(), carried.end());
    std::vector<std::string> changes;
    for (const Setting& setting : new_settings) {
        const auto found = old.find(setting.key);
        const std::string was = found == old.end() ? "nothing" : found->second;
        if (found != old.end()) old.erase(found);
        if (without_folders(was) != without_folders(setting.value) && !may_change(setting.key, walls_stay)) {
            changes.push_back(setting.key + ": " + was + " in the checkpoint, " + setting.value + " now");
        }
    }
    for (const auto& [key, value] : old) {
        if (!may_change(key, walls_stay)) changes.push_back(key + ": " + value + " in the checkpoint, nothing now");
    }
    return changes;
}

}  // namespace scree
