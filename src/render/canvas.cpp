#include "render/canvas.hpp"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "output/removed_on_signal.hpp"

namespace scree {
namespace {

constexpr const char* kFont = "DejaVu Sans";
constexpr double kInk[3] = {0.13, 0.15, 0.18};

double screen(float linear) {
    return to_screen(linear) / 255.0;
}

void set_colour(cairo_t* to, Rgb colour) {
    cairo_set_source_rgb(to, screen(colour.r), screen(colour.g), screen(colour.b));
}

/// Writes to a file that is open; says so where it is full.
cairo_status_t write_bytes(void* file, const unsigned char* bytes, unsigned length) {
    return std::fwrite(bytes, 1, length, static_cast<std::FILE*>(file)) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

cairo_status_t append_bytes(void* text, const unsigned char* bytes, unsigned length) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), length);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

struct Canvas::Drawing {
    cairo_surface_t* surface;
    cairo_t* to;
};

Canvas::Canvas(PictureSize size) : size_(size), drawing_(std::make_unique<Drawing>()) {
    drawing_->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, size.width, size.height);
    drawing_->to = cairo_create(drawing_->surface);
    if (cairo_status(drawing_->to) != CAIRO_STATUS_SUCCESS) throw RunError("out of memory: the picture is too large");
    cairo_select_font_face(drawing_->to, kFont, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    // Without hints of the screen at hand: the same letters everywhere.
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(drawing_->to, options);
    cairo_font_options_destroy(options);
    cairo_set_font_size(drawing_->to, text_height());
}

Canvas::~Canvas() {
    cairo_destroy(drawing_->to);
    cairo_surface_destroy(drawing_->surface);
}

double Canvas::text_height() const {
    return std::clamp(std::min(size_.width / 55.0, size_.height / 32.0), 9.0, 60.0);
}

double Canvas::text_width(const std::string& text) const {
    cairo_text_extents_t extents;
    cairo_text_extents(drawing_->to, text.c_str(), &extents);
    return extents.x_advance;
}

void Canvas::paste(const Image& image, int left, int top) {
    cairo_surface_flush(drawing_->surface);
    unsigned char* rows = cairo_image_surface_get_data(drawing_->surface);
    const int stride = cairo_image_surface_get_stride(drawing_->surface);
    for (int y = 0; y < std::min(image.height, size_.height - top); ++y) {
        for (int x = 0; x < std::min(image.width, size_.width - left); ++x) {
            const std::uint8_t* from =
                &image.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x))];
            const std::uint32_t pixel = 0xff000000u | (std::uint32_t{from[0]} << 16) | (std::uint32_t{from[1]} << 8) | from[2];
            reinterpret_cast<std::uint32_t*>(rows + static_cast<std::ptrdiff_t>(y + top) * stride)[x + left] = pixel;
        }
    }
    cairo_surface_mark_dirty(drawing_->surface);
}

void Canvas::text(const std::string& text, double x, double y, Align align) {
    cairo_t* to = drawing_->to;
    const double left = align == Align::Left ? x : x - text_width(text) * (align == Align::Middle ? 0.5 : 1.0);
    cairo_move_to(to, left, y);
    cairo_text_path(to, text.c_str());
    cairo_set_source_rgba(to, 1, 1, 1, 0.75);
    cairo_set_line_width(to, 0.22 * text_height());
    cairo_set_line_join(to, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke_preserve(to);
    cairo_set_source_rgb(to, kInk[0], kInk[1], kInk[2]);
    cairo_fill(to);
}

void Canvas::length_bar(double x, double y, double length, const std::string& name) {
    cairo_t* to = drawing_->to;
    const double h = text_height(), end = 0.35 * h;
    const auto path = [&] {
        cairo_move_to(to, x, y - end);
        cairo_line_to(to, x, y + end);
        cairo_move_to(to, x, y);
        cairo_line_to(to, x + length, y);
        cairo_move_to(to, x + length, y - end);
        cairo_line_to(to, x + length, y + end);
    };
    path();
    cairo_set_source_rgba(to, 1, 1, 1, 0.75);
    cairo_set_line_width(to, 0.32 * h);
    cairo_stroke(to);
    path();
    cairo_set_source_rgb(to, kInk[0], kInk[1], kInk[2]);
    cairo_set_line_width(to, 0.12 * h);
    cairo_stroke(to);
    text(name, x + 0.5 * length, y - 0.6 * h, Align::Middle);
}

double Canvas::legends_width(const std::vector<Legend>& legends) const {
    const double h = text_height();
    double width = 0;
    for (const Legend& legend : legends) {
        width = std::max({width, text_width(legend.title), text_width(legend.unit)});
        for (const Tick& tick : legend.ticks) width = std::max(width, 1.9 * h + text_width(tick.label));
        for (const Legend::Entry& entry : legend.entries) width = std::max(width, 1.5 * h + text_width(entry.name));
    }
    return legends.empty() ? 0 : width + 2 * h;
}

void Canvas::legends(const std::vector<Legend>& legends) {
    if (legends.empty()) return;
    const double h = text_height(), left = size_.width - legends_width(legends) + h;
    // Whatever of the picture lies there shows through faintly.
    cairo_rectangle(drawing_->to, left - 0.7 * h, 0, size_.width - left + 0.7 * h, size_.height);
    cairo_set_source_rgba(drawing_->to, 0.96, 0.97, 0.98, 0.6);
    cairo_fill(drawing_->to);
    const double whole = size_.height - 2 * h, each = whole / static_cast<double>(legends.size());
    for (std::size_t k = 0; k < legends.size(); ++k) {
        const double top = h + each * static_cast<double>(k);
        one_legend(legends[k], left, top, top + each - (k + 1 < legends.size() ? h : 0));
    }
}

void Canvas::one_legend(const Legend& legend, double left, double top, double bottom) {
    cairo_t* to = drawing_->to;
    const double h = text_height();
    double y = top + h;
    text(legend.title, left, y, Align::Left);
    if (!legend.unit.empty()) text(legend.unit, left, y += 1.3 * h, Align::Left);
    if (!legend.bar()) {
        for (const Legend::Entry& entry : legend.entries) {
            y += 1.5 * h;
            cairo_rectangle(to, left, y - 0.85 * h, h, h);
            set_colour(to, entry.colour);
            cairo_fill(to);
            text(entry.name, left + 1.5 * h, y, Align::Left);
        }
        return;
    }
    // No longer than half of a tall picture.
    const double high = y + 1.6 * h, low = std::min(bottom - h, high + std::max(12 * h, 0.55 * size_.height)), width = 1.1 * h;
    const int rows = std::max(2, static_cast<int>(low - high));
    for (int k = 0; k < rows; ++k) {
        const double share = (k + 0.5) / rows;
        cairo_rectangle(to, left, std::floor(low) - (k + 1), width, 1);
        set_colour(to, map_colour(legend.map, share));
        cairo_fill(to);
    }
    const double upper = std::floor(low) - rows, lower = std::floor(low);
    const auto arrow = [&](double edge, double tip, double share) {
        cairo_move_to(to, left, edge);
        cairo_line_to(to, left + 0.5 * width, tip);
        cairo_line_to(to, left + width, edge);
        cairo_close_path(to);
        set_colour(to, map_colour(legend.map, share));
        cairo_fill(to);
    };
    if (legend.beyond_high) arrow(upper, upper - 0.8 * h, 1);
    if (legend.beyond_low) arrow(lower, lower + 0.8 * h, 0);
    cairo_set_line_width(to, 0.08 * h);
    for (const Tick& tick : legend.ticks) {
        const double at = lower - tick.place * (lower - upper);
        cairo_set_source_rgb(to, kInk[0], kInk[1], kInk[2]);
        cairo_move_to(to, left + width, at);
        cairo_line_to(to, left + width + 0.35 * h, at);
        cairo_stroke(to);
        text(tick.label, left + width + 0.7 * h, at + 0.36 * h, Align::Left);
    }
}

const std::uint8_t* Canvas::bytes() {
    cairo_surface_flush(drawing_->surface);
    return cairo_image_surface_get_data(drawing_->surface);
}

std::size_t Canvas::row_bytes() const {
    return static_cast<std::size_t>(cairo_image_surface_get_stride(drawing_->surface));
}

void Canvas::write_png(const std::string& path) {
    cairo_surface_flush(drawing_->surface);
    const std::string temporary = temporary_name(path);
    const RemovedOnSignal removed({temporary});
    std::FILE* file = std::fopen(temporary.c_str(), "wb");
    if (file == nullptr) throw RunError("cannot write " + path);
    const cairo_status_t status = cairo_surface_write_to_png_stream(drawing_->surface, write_bytes, file);
    const bool closed = std::fclose(file) == 0;
    if (status != CAIRO_STATUS_SUCCESS || !closed) {
        std::remove(temporary.c_str());
        throw RunError("cannot write " + path + ": is the disk full?");
    }
    publish_file(temporary, path);
}

std::string Canvas::png() {
    cairo_surface_flush(drawing_->surface);
    std::string bytes;
    if (cairo_surface_write_to_png_stream(drawing_->surface, append_bytes, &bytes) != CAIRO_STATUS_SUCCESS)
        throw RunError("cannot make a picture: is memory full?");
    return bytes;
}

}  // namespace scree
