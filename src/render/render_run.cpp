#include "render/render_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "output/run_directory.hpp"
#include "render/canvas.hpp"
#include "render/film.hpp"
#include "render/picture_doubts.hpp"
#include "render/survey.hpp"
#include "render/tracer.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr double kAzimuth = -60, kElevation = 18;   // of a camera that is told nothing [degrees]
constexpr double kSunAside = -38, kSunHeight = 52;  // of the sun from the camera, and above the ground [degrees]
constexpr double kDegree = 0.01745329251994329577;
constexpr std::int64_t kPicturesOfTurn = 120;  // of an orbit about one frame

/// One of the runs that stand side by side, or a frame in memory.
struct Source {
    std::string path, file, name;
    std::unique_ptr<FrameReader> reader;  // null: `parts` is all there is
    std::vector<std::size_t> frames;
    std::vector<std::string> materials;
    bool has_velocity{true};  // all frames
    // The frame that was read last.
    std::size_t read_frame{static_cast<std::size_t>(-1)};
    FrameParts parts;

    const FrameParts& at(std::size_t picture) {
        if (!reader) return parts;
        const std::size_t frame = frames[std::min(picture, frames.size() - 1)];
        if (frame != read_frame) parts = read_parts(*reader, frame), read_frame = frame;
        return parts;
    }
    /// Of the first picture.
    const std::vector<WallSurface>& walls() const { return reader ? reader->walls(frames.front()) : *parts.walls; }
};

Source open_source(const RenderOptions& o, std::size_t k, bool film) {
    Source source;
    source.path = o.runs[k];
    std::error_code error;
    if (!fs::exists(source.path, error)) throw Error(source.path + ": no such run directory or file");
    source.file = fs::is_directory(source.path, error) ? run_file(source.path, RunFiles::frames) : source.path;
    source.reader = std::make_unique<FrameReader>(source.file);
    if (source.reader->frames().empty()) throw Error(source.path + ": holds no frames yet");
    std::vector<double> times;
    for (const FrameEntry& frame : source.reader->frames()) times.push_back(frame.time);
    source.frames = chosen_frames(o.frames.empty() && film ? "all" : o.frames, o.time, times);
    source.has_velocity =
        std::all_of(source.frames.begin(), source.frames.end(), [&](std::size_t frame) { return source.reader->frames()[frame].velocity; });
    fs::path name = fs::path(source.path).lexically_normal();
    if (!name.has_filename()) name = name.parent_path();
    source.name = name.filename().string();
    if (k < o.materials.size()) source.materials = o.materials[k];
    return source;
}

void require_walls(const std::vector<Source>& sources, const std::string& option, const std::string& name) {
    std::string there;
    for (const Source& source : sources) {
        for (const WallSurface& wall : source.walls()) {
            if (wall.name == name) return;
            there += (there.empty() ? "" : ", ") + wall.name;
        }
    }
    throw Error(fmt::format("{} {}: there is no such wall; {}", option, name, there.empty() ? "the run has none" : "there are " + there));
}

Look look_of(const RenderOptions& o, const std::vector<Source>& sources, bool flat) {
    Look look;
    const auto moves = [](const Source& source) { return source.has_velocity; };
    look.colour = o.colour.empty() ? default_field(std::all_of(sources.begin(), sources.end(), moves)) : o.colour;
    look.flat = flat;
    look.bonds = o.bonds;
    look.chains = o.chains;
    look.bond_colour = o.bond_colour;
    // Rods lie inside of the bodies.
    look.body_size = o.body_size ? *o.body_size : flat ? 1 : o.chains ? 0 : o.bonds ? 0.4 : 1;
    for (const std::string& text : o.cuts) look.cuts.push_back(parse_cut(text));
    // Disks have no inside: they go whole.
    for (const std::string& text : o.sections) (flat ? look.cuts : look.sections).push_back(parse_cut(text, "--section"));
    for (const std::string& name : o.hidden) {
        require_walls(sources, "--hide", name);
        look.hidden.insert(name);
    }
    for (const std::string& name : o.solid) {
        require_walls(sources, "--solid", name);
        look.solid.insert(name);
    }
    for (const std::string& text : o.transparent) {
        const auto equals = text.rfind('=');
        const std::string name = text.substr(0, equals);
        double opacity = 0.25;
        if (equals != std::string::npos) {
            char* end = nullptr;
            opacity = std::strtod(text.c_str() + equals + 1, &end);
            if (end == text.c_str() + equals + 1 || *end != '\0' || !(opacity > 0 && opacity < 1))
                throw Error(fmt::format("--transparent {}: the opacity must be a number above 0 and below 1", text));
        }
        require_walls(sources, "--transparent", name);
        look.transparent[name] = opacity;
    }
    return look;
}

/// Where pictures go.
struct Target {
    enum class Kind { Picture, Film, Folder };
    Kind kind{Kind::Picture};
    std::string path;
    std::string file(std::size_t frame) const { return kind == Kind::Folder ? fmt::format("{}/frame_{:06d}.png", path, frame) : path; }
};

Target target_of(const RenderOptions& o, std::size_t pictures, const Source& first) {
    Target target{Target::Kind::Folder, o.output};
    if (target.path.empty()) {
        std::error_code error;
        const fs::path folder = fs::is_directory(first.path, error) ? fs::path(first.path) : fs::absolute(first.path).parent_path();
        target.path = (folder / (pictures == 1 ? "render.png" : "render")).string();
    }
    std::string ending = fs::path(target.path).extension().string();
    std::error_code error;
    if (fs::is_directory(target.path, error)) ending.clear();
    if (is_film_name(target.path) && !ending.empty()) target.kind = Target::Kind::Film;
    if (ending == ".png") target.kind = Target::Kind::Picture;
    if (!ending.empty() && target.kind == Target::Kind::Folder)
        throw Error(
            fmt::format("--output: \"{}\": pictures are .png, films .mp4 or .webm; a name without ending is a folder", target.path));
    if (target.kind == Target::Kind::Picture && pictures > 1)
        throw Error(fmt::format("--output: \"{}\" is one picture, but {} were asked for; name a folder or a film (.mp4, .webm)",
                                target.path, pictures));
    return target;
}

void check_target(const RenderOptions& o, const Target& target, const std::vector<Source>& sources,
                  const std::vector<std::size_t>& numbers) {
    if (target.kind == Target::Kind::Film) find_ffmpeg();
    const auto refuse = [&](const std::string& path) {
        if (!o.overwrite && fs::exists(path)) throw Error(fmt::format("--output: \"{}\" exists; give --overwrite to replace it", path));
    };
    if (target.kind != Target::Kind::Folder) {
        for (const Source& source : sources) check_destination("--output", target.path, source.file, "the run", {});
        refuse(target.path);
        return;
    }
    std::error_code error;
    if (fs::exists(target.path, error) && !fs::is_directory(target.path, error))
        throw Error(fmt::format("--output: \"{}\" is a file, where a folder is needed for {} pictures", target.path, numbers.size()));
    for (const std::size_t number : numbers) refuse(target.file(number));
    fs::create_directories(target.path, error);
    if (error) throw Error(fmt::format("--output: \"{}\": cannot make the folder: {}", target.path, error.message()));
}

Camera first_camera(const RenderOptions& o, const Survey& survey, bool flat, PictureSize size, const Frame& frame) {
    Camera camera;
    camera.orthographic = o.orthographic || flat;
    camera.field = o.field * kDegree;
    const bool turned = o.azimuth || o.elevation || !flat;
    const Vec3 to_viewer = turned ? viewer_direction(o.azimuth.value_or(kAzimuth), o.elevation.value_or(kElevation)) : Vec3{0, 0, 1};
    camera.up = o.up ? *o.up : std::fabs(to_viewer.z) > 0.999 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    if (o.from) {
        camera.eye = *o.from;
        camera.at = o.at ? *o.at : 0.5 * (survey.region.min + survey.region.max);
        if (!(norm(camera.eye - camera.at) > 0)) throw Error("--from and --at are one point: the camera looks nowhere");
        if (!o.up && norm(cross(normalized(camera.at - camera.eye), camera.up)) < 1e-6) camera.up = {0, 1, 0};
        camera.height = 2 * camera.distance() * std::tan(0.5 * camera.field);
    } else {
        camera.eye = camera.at + to_viewer;
        fit(camera, size, survey.reaches, frame);
        if (o.at) {
            camera.eye += *o.at - camera.at;
            camera.at = *o.at;
        }
    }
    camera.height /= o.zoom;
    if (!camera.orthographic) camera.eye = camera.at + (1 / o.zoom) * (camera.eye - camera.at);
    return camera;
}

/// The camera of one picture: after the body that it follows, and as far round as its orbit has come.
Camera moved_camera(const RenderOptions& o, Camera camera, const FrameParts& frame, double share) {
    if (o.follow) {
        const std::vector<std::int32_t> row = rows_by_id(frame.bodies);
        if (*o.follow >= row.size() || row[*o.follow] < 0)
            throw Error(fmt::format("--follow {}: the frame at t = {:g} s holds no such body", *o.follow, frame.bodies.time));
        const Vec3 to = frame.bodies.position[static_cast<std::size_t>(row[*o.follow])];
        camera.eye += to - camera.at;
        camera.at = to;
    }
    if (o.orbit != 0)
        camera.eye = camera.at + rotate(rotation_by((360 * kDegree * o.orbit * share) * normalized(camera.up)), camera.eye - camera.at);
    return camera;
}

Vec3 sun_for(const Camera& camera) {
    const Camera::Axes a = camera.axes();
    // Beside and above the camera, in the frame whose upright is `up`.
    const Vec3 up = normalized(camera.up);
    Vec3 back = a.back - dot(a.back, up) * up;
    if (norm(back) < 1e-6) back = -a.up;
    back = normalized(back);
    const Vec3 right = cross(up, back);
    const double s = kSunAside * kDegree, h = kSunHeight * kDegree;
    return std::cos(h) * (std::cos(s) * back + std::sin(s) * right) + std::sin(h) * up;
}

struct Layout {
    PictureSize each;  // picture of one run
    Frame frame;       // of it that the subject fills
    double legends{0};
};

Layout layout_of(const RenderOptions& o, const Canvas& canvas, const std::vector<Legend>& legends, std::size_t runs) {
    Layout layout;
    layout.legends = o.plain ? 0 : canvas.legends_width(legends);
    const double h = o.plain ? 0 : canvas.text_height();
    layout.each =
        runs == 1 ? o.size : PictureSize{static_cast<int>((o.size.width - layout.legends) / static_cast<double>(runs)), o.size.height};
    if (layout.each.width < 16) throw Error("--size: too narrow for the legend and the pictures; make it wider, or give --plain");
    layout.frame = {0.02, runs == 1 ? 0.98 - layout.legends / o.size.width : 0.98, 0.02 + 1.8 * h / o.size.height,
                    0.98 - 2.2 * h / o.size.height};
    return layout;
}

Image strip_of(PictureSize size) {
    Image image{size.width, size.height, {}};
    for (int y = 0; y < size.height; ++y) {
        const Rgb colour = background_colour(y + 0.5, size.height);
        for (int x = 0; x < size.width; ++x) {
            for (const float c : {colour.r, colour.g, colour.b}) image.rgb.push_back(to_screen(c));
        }
    }
    return image;
}

void label(Canvas& canvas, const RenderOptions& o, const Layout& layout, const Camera& camera, std::vector<Source>& sources,
           const std::vector<Legend>& legends, std::size_t picture) {
    if (o.plain) return;
    const double h = canvas.text_height();
    canvas.legends(legends);
    double left = h;
    if (sources.size() == 1) {
        canvas.text(fmt::format("t = {:.4g} s", sources.front().at(picture).bodies.time), h, o.size.height - h, Align::Left);
        left += 1.6 * h + canvas.text_width("t = 0.00000 s");
    }
    for (std::size_t k = 0; k < sources.size() && sources.size() > 1; ++k) {
        const std::string text = fmt::format("{}, t = {:.4g} s", sources[k].name, sources[k].at(picture).bodies.time);
        canvas.text(text, layout.each.width * (static_cast<double>(k) + 0.5), 1.6 * h, Align::Middle);
    }
    const double pixel = camera.pixel(layout.each);
    const double length = round_step(0.22 * layout.each.width * pixel / 2.5, 1);
    canvas.length_bar(left, o.size.height - h, length / pixel, length_text(length));
}

/// What all pictures have in common, and each of them.
class Pictures {
public:
    Pictures(const RenderOptions& options, std::vector<Source>& sources, std::size_t pictures)
        : o_(options), sources_(sources), pictures_(pictures) {
        const bool flat = std::all_of(sources.begin(), sources.end(), [](Source& s) { return is_flat(s.at(0)); });
        look_ = look_of(o_, sources, flat);
        for (Source& source : sources) {
            for (std::size_t k = 0; k < source.frames.size(); ++k) survey_.add(source.at(k), look_);
        }
        look_.bodies.categories = look_.colour == "none";  // of which none has a colour: they are grey
        if (look_.body_size > 0 && look_.colour != "none") {
            const std::vector<std::string> materials = sources.front().materials;
            look_.bodies = survey_.body_rule(o_.map, o_.range ? &*o_.range : nullptr, materials, legends_.emplace_back());
        }
        if (look_.bonds) look_.bond_rule = survey_.bond_rule(o_.bond_colour, legends_.emplace_back());
        if (look_.chains) look_.chain_rule = survey_.chain_rule(legends_.emplace_back());
        layout_ = layout_of(o_, Canvas(o_.size), legends_, sources.size());
        camera_ = first_camera(o_, survey_, flat, layout_.each, layout_.frame);
        to_sun_ = sun_for(camera_);
        if (!o_.from && !o_.follow) doubts_.note_far(sources.front().at(0), look_, camera_, layout_.each);
    }

    void draw(std::size_t k, Canvas& canvas) {
        const double share = static_cast<double>(k) / static_cast<double>(pictures_);
        Camera here = camera_;
        for (std::size_t r = 0; r < sources_.size(); ++r) {
            const FrameParts& frame = sources_[r].at(k);
            here = moved_camera(o_, camera_, frame, share);
            World world = build_world(frame, look_, survey_.region, here);
            world.to_sun = to_sun_;
            world.up = normalized(camera_.up);
            doubts_.note_empty(frame, look_, world, here, layout_.each);
            const Tracer tracer(world, here, layout_.each);
            canvas.paste(tracer.draw(o_.quality), static_cast<int>(r) * layout_.each.width, 0);
        }
        if (const int covered = static_cast<int>(sources_.size()) * layout_.each.width; covered < o_.size.width)
            canvas.paste(strip_of({o_.size.width - covered, o_.size.height}), covered, 0);
        label(canvas, o_, layout_, here, sources_, legends_, k);
    }

    const PictureDoubts& doubts() const { return doubts_; }

private:
    const RenderOptions& o_;
    std::vector<Source>& sources_;
    std::size_t pictures_;
    Look look_;
    Survey survey_;
    std::vector<Legend> legends_;
    Layout layout_;
    Camera camera_;
    Vec3 to_sun_;
    PictureDoubts doubts_;
};

}  // namespace

Rendered render_runs(const RenderOptions& o) {
    const bool film = is_film_name(o.output);
    std::vector<Source> sources;
    for (std::size_t k = 0; k < o.runs.size(); ++k) sources.push_back(open_source(o, k, film));
    std::size_t frames = 0;
    for (const Source& source : sources) frames = std::max(frames, source.frames.size());
    std::size_t pictures = frames;
    const bool turns_about_one = frames == 1 && o.orbit != 0;
    if (turns_about_one) pictures = static_cast<std::size_t>(o.pictures > 0 ? o.pictures : kPicturesOfTurn);
    if (o.pictures > 0 && !turns_about_one)
        throw Error(
            o.orbit == 0
                ? "--pictures counts the pictures of an orbit: give --orbit too, or choose frames with --frames"
                : fmt::format("--pictures counts the pictures of an orbit about one frame, but {} frames are drawn, one picture each: "
                              "leave it out, or choose one frame with --frames or --time",
                              frames));
    const Target target = target_of(o, pictures, sources.front());
    std::vector<std::size_t> numbers;
    for (std::size_t k = 0; k < pictures; ++k)
        numbers.push_back(turns_about_one || k >= sources.front().frames.size() ? k : sources.front().frames[k]);

    Pictures drawn(o, sources, pictures);
    check_target(o, target, sources, numbers);

    std::unique_ptr<Film> sequence;
    for (std::size_t k = 0; k < pictures; ++k) {
        if (o.progress) o.progress(k, pictures);
        Canvas canvas(o.size);
        drawn.draw(k, canvas);
        if (target.kind == Target::Kind::Film) {
            if (!sequence) sequence = std::make_unique<Film>(target.path, o.size, o.pictures_per_second);
            sequence->add(canvas.bytes(), canvas.row_bytes());
        } else {
            canvas.write_png(target.file(numbers[k]));
        }
    }
    if (o.progress) o.progress(pictures, pictures);
    if (sequence) sequence->finish();
    if (o.warn) {
        for (const std::string& text : drawn.doubts().texts(pictures * sources.size())) o.warn(text);
    }
    return {target.path, pictures};
}

std::string render_frame(const FrameParts& frame, const RenderOptions& o) {
    std::vector<Source> sources(1);
    sources.front().parts = frame;
    sources.front().frames = {0};
    if (!o.materials.empty()) sources.front().materials = o.materials.front();
    Canvas canvas(o.size);
    Pictures(o, sources, 1).draw(0, canvas);
    return canvas.png();
}

}  // namespace scree
