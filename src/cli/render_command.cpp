#include "cli/render_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/colour_options.hpp"
#include "cli/option_checks.hpp"
#include "render/render_run.hpp"
#include "sim/progress.hpp"
#include "sim/terminal.hpp"

namespace scree {
namespace {

constexpr std::int64_t kLargestPicture = 16384LL * 8192;

struct RenderArguments {
    RenderOptions options;
    std::string size{"1920x1080"}, range, from, at, up;
    double azimuth{0}, elevation{0}, body_size{1};
    std::int64_t follow{0};
    CLI::Option *azimuth_given{nullptr}, *elevation_given{nullptr}, *body_size_given{nullptr}, *follow_given{nullptr},
        *colour_given{nullptr};
    bool quiet{false};
};

std::optional<Vec3> vector_of(const std::string& option, const std::string& text) {
    if (text.empty()) return {};
    const std::vector<double> v = numbers_of(text, ',', 3);
    if (v.empty()) throw Error(fmt::format("{}: must be three numbers as in 0.1,-0.5,0.2, not \"{}\"", option, text));
    return Vec3{v[0], v[1], v[2]};
}

PictureSize size_of(const std::string& text) {
    const std::vector<double> v = numbers_of(text, 'x', 2);
    const auto good = [](double side) { return side == std::floor(side) && side >= kSmallestSide && side <= kLargestSide; };
    if (v.empty() || !good(v[0]) || !good(v[1]) || v[0] * v[1] > static_cast<double>(kLargestPicture))
        throw Error(fmt::format("--size: must be width x height in pixels, each from {} to {}, as in 1920x1080, not \"{}\"", kSmallestSide,
                                kLargestSide, text));
    return {static_cast<int>(v[0]), static_cast<int>(v[1])};
}

/// One line on a terminal, rewritten.
std::function<void(std::size_t, std::size_t)> progress_line_of() {
    const auto start = std::chrono::steady_clock::now();
    return [start](std::size_t done, std::size_t all) {
        if (all < 2) return;
        if (done == all) {
            std::cerr << "\r\x1b[K" << std::flush;
            return;
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        constexpr std::size_t width = 30;
        const std::size_t full = width * done / all;
        std::string line = fmt::format("[{}{}] {} of {} pictures", std::string(full, '='), std::string(width - full, ' '), done, all);
        if (done > 0)
            line += fmt::format(", {} left", format_duration(seconds / static_cast<double>(done) * static_cast<double>(all - done)));
        const auto room = static_cast<std::size_t>(std::max(1, terminal_width(STDERR_FILENO) - 1));
        if (line.size() > room) line = line.substr(std::min(line.size(), width + 3)).substr(0, room);  // without the bar
        std::cerr << '\r' << line << "\x1b[K" << std::flush;
    };
}

void run_render(RenderArguments& a) {
    RenderOptions& o = a.options;
    o.size = size_of(a.size);
    o.from = vector_of("--from", a.from);
    o.at = vector_of("--at", a.at);
    o.up = vector_of("--up", a.up);
    if (o.up && !(norm(*o.up) > 0)) throw Error("--up: must not be 0,0,0");
    o.range = range_of(a.range);
    if (a.azimuth_given->count() > 0) o.azimuth = a.azimuth;
    if (a.elevation_given->count() > 0) o.elevation = a.elevation;
    if (a.body_size_given->count() > 0) o.body_size = a.body_size;
    if (a.follow_given->count() > 0) o.follow = static_cast<std::uint32_t>(a.follow);
    if (a.colour_given->count() == 0 && (o.bonds || o.chains)) o.colour = "none";
    for (const std::string& run : o.runs) o.materials.push_back(materials_of(run));
    if (!a.quiet && can_rewrite(STDERR_FILENO)) o.progress = progress_line_of();
    o.warn = [](const std::string& text) { std::cerr << "warning: " << text << std::endl; };
    const auto start = std::chrono::steady_clock::now();
    const Rendered done = render_runs(o);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!a.quiet)
        std::cout << fmt::format("{} picture{} in {:.3g} s: {}\n", done.pictures, done.pictures == 1 ? "" : "s", seconds, done.path);
}

void add_camera_options(CLI::App& app, RenderArguments& a) {
    RenderOptions& o = a.options;
    const auto number = [] { return number_that<double>([](double v) { return std::isfinite(v); }, "a number"); };
    const char* group = "Camera";
    a.azimuth_given = app.add_option("--azimuth", a.azimuth, "Where the camera stands: degrees from x towards y (default -60)")
                          ->check(number())
                          ->type_name("DEG")
                          ->group(group);
    a.elevation_given =
        app.add_option("--elevation", a.elevation, "Degrees that it looks down from (default 18); of plane scenes it stands straight above")
            ->check(number_that<double>([](double v) { return v >= -90 && v <= 90; }, "a number from -90 to 90"))
            ->type_name("DEG")
            ->group(group);
    CLI::Option* from = app.add_option("--from", a.from, "The camera's place [m], in place of one from which all is seen")
                            ->type_name("X,Y,Z")
                            ->group(group);
    app.add_option("--at", a.at, "What it looks at [m] (default: the middle)")->type_name("X,Y,Z")->group(group);
    app.add_option("--up", a.up, "What is upright in the picture (default: z)")->type_name("X,Y,Z")->group(group);
    from->excludes(a.azimuth_given)->excludes(a.elevation_given);
    a.follow_given = app.add_option("--follow", a.follow, "Keep the body of this id in the middle")
                         ->check(integer_between(0, 0xfffffffe))
                         ->type_name("ID")
                         ->group(group);
    app.add_option("--orbit", o.orbit, "Turns round the middle over all pictures")->check(number())->type_name("TURNS")->group(group);
    app.add_option("--pictures", o.pictures, "Number of pictures of an orbit about one frame (default 120)")
        ->check(integer_between(1, 1000000))
        ->type_name("N")
        ->group(group);
    app.add_flag("--orthographic", o.orthographic, "Without perspective")->group(group);
    app.add_option("--field", o.field, "Angle of view over the height [degrees] (default 28)")
        ->check(number_that<double>([](double v) { return v >= 1 && v <= 150; }, "a number from 1 to 150"))
        ->type_name("DEG")
        ->group(group);
    app.add_option("--zoom", o.zoom, "Nearer by this factor")->check(positive_number())->type_name("F")->group(group);
}

void add_look_options(CLI::App& app, RenderArguments& a) {
    RenderOptions& o = a.options;
    const char* group = "Colours and things";
    a.colour_given =
        add_colour_options(app, o.colour, a.range, o.map, "default speed; none with --bonds or --chains, or without velocities",
                           "from all frames shown", group);
    app.add_flag("--bonds", o.bonds, "Draw bonds that hold as rods (frames with bonds = true in [output])")->group(group);
    app.add_option("--bond-colour,--bond-color", o.bond_colour, "Their colour: damage, strain (stress over strength), force or kind")
        ->check(one_of({"damage", "strain", "force", "kind"}))
        ->type_name("NAME")
        ->group(group);
    app.add_flag("--chains", o.chains,
                 "Draw forces of contacts as rods, as thick as they are strong (frames with contacts = true in [output])")
        ->group(group);
    a.body_size_given =
        app.add_option("--body-size", a.body_size,
                       "Size of bodies over the true one, 0: none (default 1; 0.4 with --bonds, 0 with --chains, but of disks 1)")
            ->check(number_that<double>([](double v) { return v >= 0 && v <= 10; }, "a number from 0 to 10"))
            ->type_name("F")
            ->group(group);
    app.add_option(
           "--cut", o.cuts,
           "Take away bodies whose centres lie there, and walls: an axis, < or >, a place in metres, as in \"y<0\"; may be repeated")
        ->allow_extra_args(false)
        ->type_name("WHERE")
        ->group(group);
    app.add_option("--section", o.sections,
                   "Cut through bodies and walls there, written as for --cut: bodies show flat, filled sections; may be repeated")
        ->allow_extra_args(false)
        ->type_name("WHERE")
        ->group(group);
    app.add_option("--hide", o.hidden, "Leave out a wall; may be repeated")->allow_extra_args(false)->type_name("WALL")->group(group);
    app.add_option("--transparent", o.transparent,
                   "Make a wall glass, of this opacity (default 0.25); may be repeated. What stands before all bodies is glass anyway")
        ->allow_extra_args(false)
        ->type_name("WALL[=OPACITY]")
        ->group(group);
    app.add_option("--solid", o.solid, "Keep a wall from turning to glass; may be repeated")
        ->allow_extra_args(false)
        ->type_name("WALL")
        ->group(group);
    app.add_flag("--plain", o.plain, "Neither colour bar, time nor scale")->group(group);
}

}  // namespace

void add_render_command(CLI::App& program) {
    const auto a = std::make_shared<RenderArguments>();
    RenderOptions& o = a->options;
    CLI::App* app = program.add_subcommand("render", "Draw pictures and films of runs");
    app->add_option("RUN", o.runs, "Run directory, or a file with frames; several stand side by side, seen by one camera")
        ->required()
        ->check(not_empty());
    app->add_option(
           "-o,--output", o.output,
           "A picture (.png), a film (.mp4, .webm; needs ffmpeg), or a folder for pictures (default: RUN/render.png or RUN/render)")
        ->check(not_empty())
        ->type_name("PATH");
    app->add_flag("--overwrite", o.overwrite, "Replace files that are there");
    CLI::Option* frames = app->add_option("--frames", o.frames,
                                          "last, first, all, a number from 0 (-1: the last), A:B or A:B:STEP, both ends included, or "
                                          "several of these, as in 0,8,-1 (default: last; films: all)")
                              ->check(not_empty())
                              ->type_name("WHICH");
    app->add_option("--time", o.time, "The frame nearest to this time [s], or all from T0 to T1")
        ->check(not_empty())
        ->excludes(frames)
        ->type_name("T[:T1]");
    app->add_option("--size", a->size, "Width and height [pixels]")->type_name("WxH")->default_str("1920x1080");
    app->add_option("--samples", o.quality.samples,
                    "Rays to each pixel, and from what they meet to sun and sky (default 4); 16 is smooth, 64 fine")
        ->check(integer_between(1, 4096))
        ->type_name("N");
    app->add_option("--fps", o.pictures_per_second, "Pictures a second of a film (default 25)")
        ->check(number_that<double>([](double v) { return v > 0 && v <= 1000; }, "a number above 0 and up to 1000"))
        ->type_name("N");
    app->add_option("--threads", o.quality.threads, "CPU threads (default: all); pictures do not depend on it")
        ->check(thread_count())
        ->type_name("N");
    app->add_flag("-q,--quiet", a->quiet, "No progress and no closing line");
    add_camera_options(*app, *a);
    add_look_options(*app, *a);
    app->callback([a] { run_render(*a); });
}

}  // namespace scree
