#include "render/colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"

namespace scree {
namespace {

using Table = std::array<std::uint32_t, 17>;

struct Map {
    const char* name;
    Table table;
};

constexpr Map kMaps[] = {
    {"viridis",
     {0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d, 0x2c728e, 0x26828e, 0x21918c, 0x1f9f88, 0x27ad81, 0x3dbc74, 0x5cc863,
      0x81d34d, 0xaadc32, 0xd5e21a, 0xfde725}},
    {"cividis",
     {0x00224e, 0x002e6a, 0x1a386f, 0x32436d, 0x434e6c, 0x535a6d, 0x61656f, 0x6f7073, 0x7d7c78, 0x8b8778, 0x9a9376, 0xaaa073, 0xbbad6d,
      0xccba64, 0xddc858, 0xefd748, 0xfee838}},
    {"inferno",
     {0x000004, 0x0b0724, 0x210c4a, 0x3d0965, 0x57106e, 0x71196e, 0x8a226a, 0xa32c61, 0xbc3754, 0xd04545, 0xe35933, 0xf1711f, 0xf98c0a,
      0xfcaa0f, 0xf9c932, 0xf2e865, 0xfcffa4}},
    {"embers",
     {0xffffcc, 0xfff6b6, 0xffeda0, 0xfee38b, 0xfed976, 0xfec561, 0xfeb24c, 0xfd9f44, 0xfd8c3c, 0xfd6e33, 0xfc4f2a, 0xf03523, 0xe31a1c,
      0xd00d21, 0xbd0026, 0x9f0026, 0x800026}},
    {"coolwarm",
     {0x3b4cc0, 0x4e68d8, 0x6282ea, 0x779af7, 0x8db0fe, 0xa3c2fe, 0xb9d0f9, 0xccd9ed, 0xdddcdc, 0xebd3c6, 0xf4c5ad, 0xf7b194, 0xf49a7b,
      0xec7f63, 0xde614d, 0xcb3e38, 0xb40426}},
};

constexpr std::uint32_t kCategories[] = {0x4e79a7, 0xf28e2b, 0xe15759, 0x76b7b2, 0x59a14f,
                                         0xedc948, 0xb07aa1, 0xff9da7, 0x9c755f, 0x8d99a6};
constexpr std::uint32_t kNoNumber = 0x9aa0a6;

float channel(std::uint32_t rrggbb, int shift) {
    return static_cast<float>((rrggbb >> shift) & 0xff) / 255.0f;
}

float to_linear(float s) {
    return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
}

Rgb linear_of(Rgb screen) {
    return {to_linear(screen.r), to_linear(screen.g), to_linear(screen.b)};
}

Rgb screen_of(std::uint32_t rrggbb) {
    return {channel(rrggbb, 16), channel(rrggbb, 8), channel(rrggbb, 0)};
}

}  // namespace

Rgb from_screen(std::uint32_t rrggbb) {
    return linear_of(screen_of(rrggbb));
}

std::uint8_t to_screen(float linear) {
    const float c = std::clamp(linear, 0.0f, 1.0f);
    const float s = c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
    return static_cast<std::uint8_t>(std::lround(255.0f * s));
}

const std::vector<std::string>& map_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Map& map : kMaps) list.emplace_back(map.name);
        return list;
    }();
    return names;
}

Rgb map_colour(const std::string& map, double t) {
    const Map* found = std::find_if(std::begin(kMaps), std::end(kMaps), [&](const Map& m) { return map == m.name; });
    if (found == std::end(kMaps)) throw Error("there is no colour map \"" + map + "\"");
    if (!std::isfinite(t)) return from_screen(kNoNumber);
    const double place = std::clamp(t, 0.0, 1.0) * 16;
    const auto k = std::min<std::size_t>(15, static_cast<std::size_t>(place));
    const auto share = static_cast<float>(place - static_cast<double>(k));
    // Between colours as screens name them: the maps are even there, not in linear light.
    return linear_of((1 - share) * screen_of(found->table[k]) + share * screen_of(found->table[k + 1]));
}

Rgb category_colour(std::size_t k) {
    if (k < std::size(kCategories)) return from_screen(kCategories[k]);
    // Hues a golden section apart, at a lightness and saturation that alternate.
    const double hue = std::fmod(0.61803398874989485 * static_cast<double>(k), 1.0) * 6;
    const double value = k % 2 == 0 ? 0.82 : 0.62, low = value * (k % 3 == 0 ? 0.35 : 0.55);
    const auto ramp = [&](double shift) {
        const double h = std::fmod(hue + shift, 6.0);
        return static_cast<float>(low + (value - low) * std::clamp(std::min(h, 4 - h), 0.0, 1.0));
    };
    return linear_of({ramp(2), ramp(0), ramp(4)});
}

}  // namespace scree
