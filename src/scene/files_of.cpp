#include "scene/files_of.hpp"

namespace scree {

std::vector<std::string> files_of(const Scene& scene) {
    std::vector<std::string> files;
    const auto add = [&files](const std::string& file) {
        if (!file.empty()) files.push_back(file);
    };
    add(scene.file);
    for (const SceneShape& shape : scene.shapes) add(shape.file);
    for (const SceneBodies& bodies : scene.bodies) add(bodies.placement.file);
    for (const SceneWall& wall : scene.walls) {
        add(wall.file);
        if (wall.motion) add(wall.motion->table);
    }
    for (const SceneJoint& joint : scene.joints) {
        if (joint.motor) add(joint.motor->value.table);
    }
    return files;
}

}  // namespace scree
