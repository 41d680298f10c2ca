// Any text as a scene: refused with a message, or read into a scene whose written form reads back as the same scene.
#include "fuzz/input_file.hpp"
#include "scene/parse.hpp"

using namespace scree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    fuzz::expect_error_or_success([&] {
        const Scene scene = parse_scene_text(text, "scene.toml", "");
        std::string again;
        try {
            again = parse_scene_text(scene.resolved, "resolved.toml", "").resolved;
        } catch (const Error& error) {
            fuzz::require(false, error.what());
        }
        fuzz::require(again == scene.resolved, "a scene as it was written out reads back as the same scene");
    });
    return 0;
}
