#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "render/colours.hpp"
#include "render/render_run.hpp"
#include "render/ticks.hpp"

using namespace scree;

namespace {

std::vector<std::string> labels(const Scale& scale) {
    std::vector<std::string> texts;
    for (const Tick& tick : scale.ticks) texts.push_back(tick.label);
    return texts;
}

using Texts = std::vector<std::string>;
using Numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("screen colours go to linear light and back") {
    for (int k = 0; k < 256; ++k) {
        const auto grey = static_cast<std::uint32_t>(k);
        CHECK(to_screen(from_screen(grey << 16 | grey << 8 | grey).g) == k);
    }
    // IEC 61966-2-1: half of a screen's range is 0.2140 of its light.
    CHECK(from_screen(0x808080).r == doctest::Approx(0.2158605).epsilon(1e-5));
    CHECK(to_screen(-1) == 0);
    CHECK(to_screen(7) == 255);
}

TEST_CASE("maps go from end to end, and the uniform ones grow lighter all the way") {
    const auto lightness = [](Rgb c) { return 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b; };
    for (const std::string& name : map_names()) {
        CHECK(map_colour(name, -1) == map_colour(name, 0));
        CHECK(map_colour(name, 2) == map_colour(name, 1));
        if (name == "coolwarm" || name == "embers") continue;
        for (int k = 0; k < 100; ++k) CHECK(lightness(map_colour(name, k / 100.0)) < lightness(map_colour(name, (k + 1) / 100.0)));
    }
    CHECK(to_screen(map_colour("viridis", 0.5).r) == 0x21);  // its middle is #21918c
    CHECK(to_screen(map_colour("viridis", 0.5).g) == 0x91);
    CHECK_THROWS_AS(map_colour("rainbow", 0.5), Error);
    CHECK(map_colour("viridis", std::nan("")) == map_colour("inferno", std::nan("")));
}

TEST_CASE("categories have colours of their own") {
    std::set<std::uint32_t> seen;
    for (std::size_t k = 0; k < 100; ++k) {
        const Rgb c = category_colour(k);
        seen.insert(std::uint32_t{to_screen(c.r)} << 16 | std::uint32_t{to_screen(c.g)} << 8 | to_screen(c.b));
    }
    CHECK(seen.size() > 95);
}

TEST_CASE("ticks are round, lie inside, and have units that make them short") {
    CHECK(labels(scale_of(0, 1, "m/s", 6)) == Texts{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
    CHECK(scale_of(0, 1, "m/s", 6).unit == "m/s");
    CHECK(scale_of(0, 1, "m/s", 6).ticks[1].place == doctest::Approx(0.2));
    CHECK(labels(scale_of(0, 0.0032, "m", 6)) == Texts{"0", "1", "2", "3"});
    CHECK(scale_of(0, 0.0032, "m", 6).unit == "mm");
    CHECK(scale_of(0, 4e7, "Pa", 6).unit == "MPa");
    CHECK(labels(scale_of(-2.5, 2.5, "1", 6)) == Texts{"-2", "-1", "0", "1", "2"});
    CHECK(scale_of(-2.5, 2.5, "1", 6).unit.empty());
    CHECK(scale_of(0, 3e-6, "m3", 6).unit == "10⁻⁶ m3");
    CHECK(labels(scale_of(0, 8192, "1", 6)) == Texts{"0", "2000", "4000", "6000", "8000"});
    CHECK(length_text(0.05) == "50 mm");
    CHECK(length_text(2e-6) == "2 µm");
    CHECK(length_text(1) == "1 m");
    CHECK(round_step(1, 5) == doctest::Approx(0.2));
    CHECK(round_step(0.7, 3) == doctest::Approx(0.5));
}

TEST_CASE("frames are chosen by number and by time") {
    const std::vector<double> times{0, 0.1, 0.2, 0.3, 0.4};
    CHECK(chosen_frames("", "", times) == Numbers{4});
    CHECK(chosen_frames("first", "", times) == Numbers{0});
    CHECK(chosen_frames("all", "", times) == Numbers{0, 1, 2, 3, 4});
    CHECK(chosen_frames("-2", "", times) == Numbers{3});
    CHECK(chosen_frames("1:3", "", times) == Numbers{1, 2, 3});
    CHECK(chosen_frames("0,2,-1", "", times) == Numbers{0, 2, 4});
    CHECK(chosen_frames("first,1:2,2,last", "", times) == Numbers{0, 1, 2, 4});
    CHECK(chosen_frames("0:99:2", "", times) == Numbers{0, 2, 4});
    CHECK(chosen_frames(":2", "", times) == Numbers{0, 1, 2});
    CHECK(chosen_frames("", "0.16", times) == Numbers{2});
    CHECK(chosen_frames("", "0.1:0.3", times) == Numbers{1, 2, 3});
    for (const char* wrong : {"5", "-6", "some", "1:2:3:4", "3:1", "0:4:0", ":::", "1.5"})
        CHECK_THROWS_AS(chosen_frames(wrong, "", times), Error);
    for (const char* wrong : {"soon", "1:2", "0:1:2", "nan"}) CHECK_THROWS_AS(chosen_frames("", wrong, times), Error);
}
