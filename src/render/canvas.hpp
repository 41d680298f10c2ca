// The sheet that pictures are put together on: images, text, lines and colour bars, drawn with Cairo, and its PNG file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "render/colours.hpp"
#include "render/ticks.hpp"
#include "render/world.hpp"

namespace scree {

/// What the colours of a picture mean: numbers along a map, or categories with their names.
struct Legend {
    struct Entry {
        Rgb colour;
        std::string name;
    };
    std::string title;
    std::string unit;  // as it is written, empty: none
    std::string map;
    std::vector<Tick> ticks;
    bool beyond_low{false}, beyond_high{false};  // some numbers lie past the ends
    std::vector<Entry> entries;                  // of categories, else empty

    bool bar() const { return entries.empty(); }
};

enum class Align { Left, Middle, Right };

class Canvas {
public:
    explicit Canvas(PictureSize size);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    PictureSize size() const { return size_; }
    /// Height of the letters that text is written in [pixels]: grows with the picture.
    double text_height() const;
    double text_width(const std::string& text) const;

    void paste(const Image& image, int left, int top);
    /// Dark text on a light rim, its base line at y.
    void text(const std::string& text, double x, double y, Align align);
    /// A bar of this length with its name above, its left end at (x, y).
    void length_bar(double x, double y, double length, const std::string& name);
    /// Legends below each other along the right side, on the background there.
    void legends(const std::vector<Legend>& legends);
    /// Pixels that legends take of the right side.
    double legends_width(const std::vector<Legend>& legends) const;

    /// Rows from above of blue, green, red and a byte without meaning each, as ffmpeg calls bgr0.
    const std::uint8_t* bytes();
    std::size_t row_bytes() const;
    /// Replaces `path`. Throws RunError; an old file then stays.
    void write_png(const std::string& path);
    /// What such a file holds.
    std::string png();

private:
    void one_legend(const Legend& legend, double left, double top, double bottom);

    struct Drawing;
    PictureSize size_;
    std::unique_ptr<Drawing> drawing_;
};

}  // namespace scree
