// Scene -> which declared laws the penalty method has, and their values of every two materials.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// What a scene asks of contacts of two materials: words of the pair where it has its own, else of the method.
class LawWords {
public:
    explicit LawWords(const SceneMethod& method, const SceneMaterialPair* pair = nullptr) : method_(method), pair_(pair) {}

    /// The word for a kind of law (laws/kinds.hpp), and the declaration that it names; null where none does.
    const std::string& word(std::string_view key) const;
    const LawPart* part(std::string_view key) const;
    /// Throws Error: that word, where it stands, and why not.
    [[noreturn]] void refuse(std::string_view key, const std::string& why) const;
    const SceneMaterialPair* pair() const { return pair_; }
    /// Words of its own?
    bool differs() const { return pair_ != nullptr && !pair_->laws.empty(); }

private:
    const SceneMethod& method_;
    const SceneMaterialPair* pair_;
};

/// Of every two materials, by their places in the scene. Refers to it.
class LawsOfPairs {
public:
    /// Throws Error where a pair is given twice.
    explicit LawsOfPairs(const Scene& scene);
    LawWords operator()(std::size_t a, std::size_t b) const { return LawWords(scene_.method, pairs_[a * scene_.materials.size() + b]); }
    /// A word that any two materials have and that is not "none"; `none` where all have that.
    std::string any(std::string_view key) const;

private:
    const Scene& scene_;
    std::vector<const SceneMaterialPair*> pairs_;
};

/// What these words choose. Throws Error where a word is unknown or two do not go together.
ContactLaws build_laws(const SceneMethod& method, const LawWords& words);
/// Laws of pairs of materials that have their own, and what the method says of them (PenaltySettings).
void build_pair_laws(const Scene& scene, Model& model);
/// Fills what laws read of pairs of materials. Throws Error at the place of a value that is missing, that nothing reads, or that its law
/// can not use.
void build_law_values(const Scene& scene, Model& model);
/// Throws Error where these laws have no meaning for the bodies of the model.
void check_laws(const Scene& scene, const Model& model);

}  // namespace scree
