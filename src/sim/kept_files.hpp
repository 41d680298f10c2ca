// Files that a restart needs as they were when the run began: meshes and lists of its shapes, lists of bodies, tables of its joints.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace scree {

/// A digest of the content of each, in the scene's order: 16 hexadecimal digits, or nothing where it cannot be read.
std::vector<std::string> digests_of_kept_files(const Scene& scene);

/// Throws Error with the place of the first file whose digest now is not that of the checkpoint. A checkpoint without digests, made before
/// they were kept, fits all.
void require_kept_files(const Scene& scene, const std::vector<std::string>& now, const std::vector<std::string>& before,
                        const std::string& checkpoint);

}  // namespace scree
