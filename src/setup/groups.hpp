// [[bodies]] of a scene -> bodies of the model: spheres, polyhedra, and compounds with their members.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "model/model.hpp"
#include "scene/scene.hpp"
#include "setup/agglomerates.hpp"
#include "setup/compounds.hpp"

namespace scree {

/// Where messages about the placement of a group point.
const SourcePlace& place_of(const SceneBodies& group);

/// What the bodies of a group are copies of.
struct Template {
    std::int32_t index{BodyTable::sphere_shape};  // in the model
    std::vector<Member> members;                  // of a compound, or an agglomerate
    std::optional<ConvexShape> loose;             // of an agglomerate: what a compound of its spheres would be
};

/// Uniform over all rotations, in the plane over all angles; of any length but 0.
Quat random_turn(Rng& rng, bool planar);

/// Adds one group. Templates are made once per shape and kept in `made`. Random places keep clear of `obstacles`, the bodies that are
/// there. `agglomerates` learns which bodies are of one; null where none may be, as each has to stay one body. Throws scree::Error at the
/// group.
void add_group(const Scene& scene, const SceneBodies& group, const BodyTable& obstacles, Model& model,
               std::map<std::string, Template>& made, Agglomerates* agglomerates = nullptr);

}  // namespace scree
