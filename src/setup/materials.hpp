// Materials of a scene and the table of what holds between every two of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/material.hpp"
#include "scene/scene.hpp"

namespace scree {

/// Index of the material of this name. Throws scree::Error at `place`, naming the materials there are.
std::int32_t material_index(const Scene& scene, const std::string& name, const SourcePlace& place);

/// The scene's materials, in its order.
std::vector<Material> build_materials(const Scene& scene);

/// What holds between two materials: a [[material_pair]] entry where there is one, and for every value that it leaves out:
///   restitution, friction, rolling and spinning friction, and cohesion: the geometric mean of the two materials' own values (sqrt(a b),
///   the field's common choice); linear law: stiffness and tangential_ratio of [method]; power law: stiffness, damping and
///   tangential_damping of it. What a law does not read is 0.
/// Throws scree::Error for two entries of one pair, and for a linear or power law without a stiffness.
/// Under the penalty method a restitution below 0.01 is 0.01, and rolling and spinning friction and cohesion are 0.
/// Materials that a model may have: pairs of them are a table.
inline constexpr std::size_t most_materials = 1000;
/// The scene with the materials alone that bodies and walls are of, and pairs of those. Throws scree::Error where there are more than
/// most_materials.
Scene with_used_materials(const Scene& scene);
PairTable build_pairs(const Scene& scene);

/// A warning, with its place, for each value of a material or pair that the scene's method takes otherwise than it stands.
std::vector<std::string> unmet_wishes(const Scene& scene);

}  // namespace scree
