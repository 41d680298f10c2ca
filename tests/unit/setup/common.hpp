// What the tests of setup/ share: a file that goes away, brute-force overlaps, and a scene to start from.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "scene/scene.hpp"

namespace scree {

/// A file with this content in the temporary folder, removed at the end.
class TemporaryFile {
public:
    TemporaryFile(const std::string& name, const std::string& content)
        : path_((std::filesystem::temp_directory_path() / ("scree_" + std::to_string(getpid()) + "_" + name)).string()) {
        std::ofstream(path_, std::ios::binary) << content;
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// The smallest gap of all pairs, by trying each [m].
inline double smallest_gap(const std::vector<Vec3>& position, const std::vector<double>& radius) {
    double smallest = 1e300;
    for (std::size_t i = 0; i < position.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) smallest = std::min(smallest, norm(position[i] - position[j]) - radius[i] - radius[j]);
    return smallest;
}

inline SizeDistribution equal_size(double radius) {
    SizeDistribution d;
    d.radius = radius;
    return d;
}

/// One material "glass", one shape "grain" of radius 1 mm.
inline Scene plain_scene() {
    Scene scene;
    scene.file = "scene.toml";
    scene.time.end = 1.0;
    scene.materials.push_back({"glass", 2500, 1e7, 0.25, 0.5, 0.4, {"scene.toml", 5, 1}});
    SceneShape& grain = scene.shapes.emplace_back();
    grain.name = "grain";
    grain.size = equal_size(1e-3);
    grain.place = {"scene.toml", 10, 1};
    return scene;
}

/// A group of the plain scene's grains.
inline SceneBodies plain_group() {
    SceneBodies group;
    group.shape = "grain";
    group.material = "glass";
    group.place = {"scene.toml", 20, 1};
    group.placement.place = {"scene.toml", 21, 3};
    return group;
}

/// The message of the scree::Error that `action` throws, or "" where it throws none.
template <class F>
std::string error_of(F&& action) {
    try {
        action();
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace scree
