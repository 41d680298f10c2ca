// [[bond]] of a scene -> bonds of the model.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"
#include "setup/agglomerates.hpp"
#include "setup/origins.hpp"

namespace scree {

/// Bonds of all tables, once bodies are where they start. Throws scree::Error at the table.
void build_bonds(const Scene& scene, const std::vector<Origin>& origins, const Agglomerates& agglomerates, Model& model);

}  // namespace scree
