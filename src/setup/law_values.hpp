// Scene -> which declared laws the penalty method has, and their values of every two materials.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// The word that a scene has for a kind of law (laws/kinds.hpp), and where it stands.
const std::string& law_word(const SceneMethod& method, std::string_view key);
SourcePlace law_place(const SceneMethod& method, std::string_view key);

/// Law, dashpot and friction. Throws Error where a word is unknown or two do not go together.
void build_laws(const SceneMethod& method, PenaltySettings& penalty);
/// Fills what laws read of pairs of materials. Throws Error at the place of a value that is missing, that nothing reads, or that its law
/// can not use.
void build_law_values(const Scene& scene, Model& model);
/// Throws Error where these laws have no meaning for the bodies of the model.
void check_laws(const Scene& scene, const Model& model);

}  // namespace scree
