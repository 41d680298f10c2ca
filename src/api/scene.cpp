#include "api/inside.hpp"

#include <charconv>
#include <filesystem>

#include "scene/parse.hpp"
#include "setup/build_model.hpp"
#include "sim/check_report.hpp"

namespace scree_v0 {
namespace {

/// The number at the start of a text, and its digits' count; none where it does not begin with one.
std::pair<int, std::size_t> number_at(const std::string& text, std::size_t at) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error != std::errc() || value < 0) return {0, 0};
    return {value, static_cast<std::size_t>(end - text.data()) - at};
}

}  // namespace

const char* version() {
    return SCREE_VERSION;
}

SceneError::SceneError(const std::string& message) : std::runtime_error(message) {
    // "file:line:column: text" or "file:line: text" (base/error.hpp).
    for (std::size_t colon = message.find(':'); colon != std::string::npos && colon < message.find('\n');
         colon = message.find(':', colon + 1)) {
        const auto [line, digits] = number_at(message, colon + 1);
        const std::size_t after = colon + 1 + digits;
        if (digits == 0 || after >= message.size() || message[after] != ':') continue;
        file_ = message.substr(0, colon);
        line_ = line;
        const auto [column, more] = number_at(message, after + 1);
        if (more > 0 && after + 1 + more < message.size() && message[after + 1 + more] == ':') column_ = column;
        return;
    }
}
SceneError::~SceneError() = default;
RunError::RunError(const std::string& message) : std::runtime_error(message) {
}
RunError::~RunError() = default;
InUseError::InUseError(const std::string& message) : RunError(message) {
}
InUseError::~InUseError() = default;

std::mutex& one_at_a_time() {
    static std::mutex mutex;
    return mutex;
}

::scree::EngineOptions options_of(const EngineSettings& settings) {
    ::scree::EngineOptions options;
    options.device = ::scree::parse_device(settings.device);
    if (settings.precision != "double" && settings.precision != "mixed")
        throw ::scree::Error("precision must be \"double\" or \"mixed\", not \"" + settings.precision + "\"");
    options.precision = settings.precision == "mixed" ? ::scree::Precision::Mixed : ::scree::Precision::Double;
    if (settings.threads < 0) throw ::scree::Error("threads must be at least 0, not " + std::to_string(settings.threads));
    options.threads = settings.threads;
    return options;
}

Scene::Scene(std::shared_ptr<const Content> content) : content_(std::move(content)) {
}

Scene Scene::from_file(const std::string& path, const std::vector<std::string>& overrides) {
    return translated([&] {
        const std::lock_guard lock(one_at_a_time());
        auto content = std::make_shared<Content>();
        content->is_file = true;
        content->source = path;
        content->overrides = overrides;
        content->scene = ::scree::parse_scene(path, overrides);
        return Scene(content);
    });
}

Scene Scene::from_text(const std::string& text, const std::string& name, const std::string& folder,
                       const std::vector<std::string>& overrides) {
    return translated([&] {
        const std::lock_guard lock(one_at_a_time());
        auto content = std::make_shared<Content>();
        content->source = text;
        content->name = name;
        content->folder = folder;
        content->overrides = overrides;
        content->scene = ::scree::parse_scene_text(text, name, folder, overrides);
        return Scene(content);
    });
}

Scene Scene::with(const std::vector<std::string>& overrides) const {
    std::vector<std::string> all = content_->overrides;
    all.insert(all.end(), overrides.begin(), overrides.end());
    return content_->is_file ? from_file(content_->source, all) : from_text(content_->source, content_->name, content_->folder, all);
}

std::string Scene::check(const EngineSettings& engine) const {
    return translated([&] {
        const ::scree::EngineOptions options = options_of(engine);
        const std::lock_guard lock(one_at_a_time());
        return ::scree::check_report(content_->scene, ::scree::build_model(content_->scene), options);
    });
}

std::string Scene::title() const {
    return content_->scene.title;
}
std::string Scene::name() const {
    return content_->is_file ? content_->source : content_->name;
}
double Scene::end() const {
    return content_->scene.time.end;
}
std::string Scene::resolved() const {
    return content_->scene.resolved;
}

std::string scene_reference() {
    return ::scree::scene_reference();
}

}  // namespace scree_v0
