// [[joint]] tables -> joints of the model: ids of the bodies and frames in them.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// All joints of a scene. The bodies of the model are there, with their names. Frames of a joint coincide where its angle and travel are 0,
/// which is at the start. x of a frame is the world axis farthest from z, made square to it; of universal joints A turns about y and B
/// about x; of joints without an axis the frame lies along the world's axes. Throws scree::Error at the joint, or in a motor's file.
std::vector<Joint> build_joints(const Scene& scene, const Model& model);

/// A warning, with its place, for each motor that prescribes an angle or travel which is not where the joint starts.
std::vector<std::string> motors_that_jump(const Scene& scene, const std::vector<Joint>& joints);

/// Pairs of bodies (ids, lower first) that joints or bonds keep from touching each other.
std::set<std::pair<std::int32_t, std::int32_t>> pairs_apart(const Model& model);

}  // namespace scree
