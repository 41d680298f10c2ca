// A scene: what a scene file says, checked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <scree/config.hpp>
#include <scree/errors.hpp>

namespace scree_v0 {

/// Where and how precisely steps are made; results do not depend on the number of threads.
struct EngineSettings {
    std::string device{"auto"};       // "auto", "cpu", "cuda", "cuda:1"
    std::string precision{"double"};  // "double", or "mixed": contacts in single precision
    int threads{0};                   // of the CPU; 0: up to all, as many as make steps fast
};

/// Immutable; copies share what they hold.
class SCREE_API Scene {
public:
    /// Reads a scene file. `overrides` as those of `scree run --set`: "time.end=2". Throws SceneError.
    static Scene from_file(const std::string& path, const std::vector<std::string>& overrides = {});
    /// The same from its text. `name` stands for the file in messages, `folder` is where relative paths in it start.
    static Scene from_text(const std::string& text, const std::string& name = "scene", const std::string& folder = ".",
                           const std::vector<std::string>& overrides = {});

    /// The scene with further overrides. Throws SceneError.
    Scene with(const std::vector<std::string>& overrides) const;

    /// What `scree check` says: counts, sizes, the step, memory. Places the bodies. Throws SceneError.
    std::string check(const EngineSettings& engine = {}) const;

    std::string title() const;
    /// The file, or the name of a text.
    std::string name() const;
    /// time.end [s].
    double end() const;
    /// All keys that apply, in SI units, as a scene file.
    std::string resolved() const;

private:
    struct Content;
    explicit Scene(std::shared_ptr<const Content> content);
    std::shared_ptr<const Content> content_;
    friend class Simulation;
};

/// The reference page of all keys of a scene file, as Markdown.
SCREE_API std::string scene_reference();
/// The keys as JSON: {"KEY": {"type": "number" | … | "table" | "tables" | "named tables", "doc": "…", "unit": "m", "words": […],
/// "keys": {…}}, …}, for completions and help.
SCREE_API std::string scene_keys();

}  // namespace scree_v0
