#include "scene/files_of.hpp"

#include <filesystem>

#include "scene/vtk/parts.hpp"

namespace scree {

std::string resolved_path(const std::string& folder, const std::string& path) {
    return (std::filesystem::path(folder) / path).lexically_normal().string();
}

std::vector<InputFile> files_of(const Scene& scene) {
    std::vector<InputFile> files{{scene.file, {}, false}};
    const auto add = [&](const std::string& file, const SourcePlace& place, bool stays) {
        if (!file.empty()) files.push_back({resolved_path(scene.folder, file), place, stays});
    };
    for (const SceneShape& shape : scene.shapes) {
        add(shape.file, shape.file_place, true);
        add(shape.size.file, shape.size.file_place, true);
    }
    for (const SceneBodies& bodies : scene.bodies) {
        const ScenePlacement& placement = bodies.placement;
        add(placement.file, placement.file_place, true);
        if (placement.file.empty()) continue;
        for (const std::string& part : all_parts_of(resolved_path(scene.folder, placement.file)))
            files.push_back({part, placement.file_place, true});
    }
    for (const SceneWall& wall : scene.walls) {
        add(wall.file, wall.file_place, false);
        if (wall.motion) add(wall.motion->table, wall.motion->table_place, false);
    }
    const auto add_function = [&](const auto& drive) {
        if (drive) add(drive->value.table, drive->value.table_place, true);
    };
    add_function(scene.domain.shear);
    for (const SceneStage& stage : scene.domain.stages) {
        for (const std::optional<SceneDrive>* drive : {&stage.x, &stage.y, &stage.z}) add_function(*drive);
        add_function(stage.shear);
    }
    for (const SceneJoint& joint : scene.joints) {
        add_function(joint.motor);
    }
    for (const SceneBond& bond : scene.bonds) add(bond.file, bond.file_place, true);
    return files;
}

}  // namespace scree
