// Colours of pictures: light as linear red, green and blue, maps from numbers to colours that look evenly spaced, and colours of
// categories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace scree {

/// Linear light, 0 to 1 each where a screen can show it.
struct Rgb {
    float r{0}, g{0}, b{0};

    Rgb& operator+=(Rgb c) {
        r += c.r;
        g += c.g;
        b += c.b;
        return *this;
    }
    bool operator==(const Rgb&) const = default;
};
inline Rgb operator+(Rgb a, Rgb b) {
    return {a.r + b.r, a.g + b.g, a.b + b.b};
}
inline Rgb operator*(float s, Rgb c) {
    return {s * c.r, s * c.g, s * c.b};
}
inline Rgb operator*(Rgb a, Rgb b) {
    return {a.r * b.r, a.g * b.g, a.b * b.b};
}

/// A colour as screens name it, 0xRRGGBB (sRGB, IEC 61966-2-1), as linear light.
Rgb from_screen(std::uint32_t rrggbb);
/// One channel of linear light as a screen's number, 0 to 255; what is too bright is cut off.
std::uint8_t to_screen(float linear);

/// Names of the maps: "viridis", "cividis", "inferno" (perceptually uniform), "embers" (pale to dark), "coolwarm" (blue, grey, red).
const std::vector<std::string>& map_names();

/// The colour at t, 0 to 1 (outside: the nearest end), of a map: linear between the 17 colours of its table; grey for what is no finite
/// number. Tables: every sixteenth colour of matplotlib's viridis and inferno (van der Walt and Smith 2015), cividis (Nunez et al. 2018,
/// PLoS ONE 13:e0199239), YlOrRd (embers; Harrower and Brewer 2003, Cartogr. J. 40:27), coolwarm (Moreland 2009, LNCS 5876:92).
Rgb map_colour(const std::string& map, double t);

/// The colour of category k: ten that are easily told apart, then others by a fixed walk round the hues.
Rgb category_colour(std::size_t k);

}  // namespace scree
