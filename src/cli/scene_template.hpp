// The scenes that `scree new` starts from: those of the guide, which run as they stand. Marks behind `#@` say what of a line may change:
//   #@grains 4000 of 5 mm   a line of its own: how many grains of which diameter there are (no number: a rate or a share of space says how
//   many)
//   #@size                  lengths in quotes on this line grow with the diameter
//   #@grains                the number on this line goes with the number of grains
//   #@material              heads the table of the material that grains are made of
//   #@method                the word in quotes is the contact method
// What follows a mark stays as a comment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scree {

/// A kind of scene: its name, the file under share/scree/examples, and other words for it.
struct SceneKind {
    std::string name;
    std::string file;
    std::vector<std::string> also;
};

/// What material grains are made of. `source` says where the numbers come from.
struct MaterialPreset {
    std::string name;
    std::string source;
    std::string density, young, poisson, restitution, friction;  // as they stand in a scene
};

/// What the user wants other than it stands; empty or 0: as it is.
struct SceneChoice {
    double diameter{0};  // of grains [m]
    std::int64_t grains{0};
    std::string material;        // name of a preset
    bool true_stiffness{false};  // with `material`: its own Young's modulus, in place of the scene's softer one
    std::string method;          // penalty or cone
};

/// What a template's marks allow.
struct TemplateMarks {
    std::int64_t grains{0};  // 0: their number cannot be chosen
    double diameter{0};      // [m]
    std::string diameter_text;
    bool material{false}, method{false};
};

const std::vector<SceneKind>& scene_kinds();
const std::vector<MaterialPreset>& material_presets();

/// The kind of that name, or another word for it; "-" and "_" are the same. Throws Error, with the nearest word.
const SceneKind& find_scene_kind(const std::string& word);

/// Throws Error where the template breaks its own rules, or `name` has none.
TemplateMarks read_marks(const std::string& text);

/// The scene's `title`.
std::string title_of(const std::string& text);

/// The template with its marks taken out and what was chosen put in. The machine stays as it is: with a diameter alone the number of
/// grains follows from the space that they take, and the other way round. Throws Error where what is chosen has no mark, or does not fit.
std::string fill_template(const std::string& kind, const std::string& text, const SceneChoice& choice);

/// Files named on lines `… = "data/…"`, in order, each once.
std::vector<std::string> data_files_of(const std::string& text);

}  // namespace scree
