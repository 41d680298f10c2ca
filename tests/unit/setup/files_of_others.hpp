// What the tests of dumps, data files and VTK files share: a scene with two materials whose bodies come from a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "setup/placement/placement.hpp"
#include "unit/setup/common.hpp"

namespace scree {

/// How a file is read: what the scene says beside it.
struct Reading {
    std::vector<std::string> types{};
    double scale{1};
    int dimensions{3};
    std::optional<double> radius{};  // of the group's shape
    bool round{true};
};

/// The bodies of a file with this content; velocities that it lacks are (7, 8, 9), spins (4, 5, 6). glass has 2500 kg/m^3, steel 7800.
inline Placed placed_from(const std::string& content, const Reading& how = {}) {
    const TemporaryFile file("bodies", content);
    Scene scene = plain_scene();
    scene.dimensions = how.dimensions;
    scene.materials.push_back({"steel", 7800, 1e8, 0.3, 0.7, 0.2, {}});
    SceneBodies group = plain_group();
    group.placement.kind = ScenePlacement::Kind::File;
    group.placement.file = file.path();
    group.placement.types = how.types;
    group.placement.scale = how.scale;
    group.velocity = {7, 8, 9};
    group.angular_velocity = {4, 5, 6};
    std::optional<Sizes> sizes;
    if (how.radius)
        sizes.emplace(equal_size(*how.radius), 1, SourcePlace{}, how.dimensions);
    else
        group.shape = "";
    return place_file(scene, group, sizes, how.round);
}

/// The message that a file of this content is refused with, from "bodies" (the end of the file's name) on; all of it where it does not
/// begin with the file.
inline std::string refusal(const std::string& content, const Reading& how = {}) {
    const std::string message = error_of([&] { placed_from(content, how); });
    const std::size_t name = message.find("_bodies:");
    return name == std::string::npos ? message : message.substr(name + 1);
}

/// The text with its first `was` replaced.
inline std::string with(std::string text, const std::string& was, const std::string& now) {
    REQUIRE(contains(text, was));
    return text.replace(text.find(was), was.size(), now);
}

}  // namespace scree
