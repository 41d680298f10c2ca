// Damaged scenes: whatever the bytes, the parser returns a scene or throws scree::Error, and what it returns can be written and read again.
#include <doctest/doctest.h>

#include <random>

#include "unit/scene/mechanism.hpp"

using namespace scree;
using namespace scree_test;

namespace {

/// Changes 1 to 4 places: a byte replaced, removed, doubled, or a piece of the text copied elsewhere.
std::string damaged(std::string text, std::mt19937& random) {
    static const std::string kSpice = "[]{}=\",.'#\n\\-+0123456789eE inf nan\x00\x7f\xff\xc3";
    const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    for (std::size_t change = 1 + pick(4); change > 0 && !text.empty(); --change) {
        const std::size_t at = pick(text.size());
        switch (pick(4)) {
            case 0:
                text[at] = kSpice[pick(kSpice.size())];
                break;
            case 1:
                text.erase(at, 1 + pick(4));
                break;
            case 2:
                text.insert(at, 1, kSpice[pick(kSpice.size())]);
                break;
            default:
                text.insert(at, text.substr(pick(text.size()), pick(40)));
                break;
        }
    }
    return text;
}

/// Changes one digit, which often leaves the scene valid.
std::string renumbered(std::string text, std::mt19937& random) {
    std::size_t at = random() % text.size();
    while (text[at] < '0' || text[at] > '9') at = (at + 1) % text.size();
    text[at] = static_cast<char>('0' + random() % 10);
    return text;
}

}  // namespace

TEST_CASE("fuzz: 2,000 damaged scenes parse or throw scree::Error") {
    std::mt19937 random(20240);  // fixed: the same scenes on every machine
    int parsed_count = 0, refused = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::string& whole = i % 4 < 2 ? kFull : i % 8 < 6 ? kJoints : kClumps;
        const std::string text = i % 2 ? damaged(whole, random) : renumbered(whole, random);
        try {
            const Scene scene = parsed(text);
            CHECK(parsed(scene.resolved).resolved == scene.resolved);
            ++parsed_count;
        } catch (const Error& error) {
            CHECK(std::string(error.what()).starts_with("scene.toml:"));
            ++refused;
        }
    }
    CHECK(parsed_count + refused == 2000);
    CHECK(parsed_count > 100);
    CHECK(refused > 100);
}

TEST_CASE("fuzz: 500 damaged overrides change the scene or throw scree::Error") {
    std::mt19937 random(7);
    const std::string seeds[]{"domain.gravity=[0, 0, \"-1.6 m/s2\"]", "wall.hopper.active=[0.5, 1]", "bodies.1.place.spacing=5 mm",
                              "shape.gravel.classes=[{ radius = 1, share = 2 }]"};
    for (int i = 0; i < 500; ++i) {
        const std::string text = damaged(seeds[i % 4], random);
        try {
            parsed(kFull, {text});
        } catch (const Error&) {
        }
    }
}
