// The files that a scene is read from.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace scree {

/// `path` as it stands, or from `folder`, the scene's, where it is relative.
std::string resolved_path(const std::string& folder, const std::string& path);

struct InputFile {
    std::string path;   // as it can be opened from here
    SourcePlace place;  // where the scene names it
    bool stays{false};  // a restart needs it as it was: of a shape, bodies or a joint, whereas walls may change
};

/// The scene file, then the meshes, tables and lists of bodies that it names, and what these name, in its order; one may come twice.
std::vector<InputFile> files_of(const Scene& scene);

}  // namespace scree
