#include "sim/describe_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/aabb.hpp"
#include "base/error.hpp"
#include "model/surfaces/mesh_topology.hpp"
#include "output/atomic_file.hpp"
#include "output/checkpoint.hpp"
#include "output/cone_totals.hpp"
#include "output/frame_reader.hpp"
#include "output/run_directory.hpp"
#include "setup/walls.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr double kUnitSphere = 4.18879020478639098;  // 4/3 pi

/// "1200 box, 30 spheres": bodies of each shape in a frame.
std::string bodies_per_shape(const FrameReader& reader, std::size_t frame) {
    std::vector<std::size_t> count(reader.shapes().size() + 1);
    for (const std::int32_t shape : reader.read(frame).shape) {
        const auto k = static_cast<std::size_t>(shape) + 1;  // spheres, -1, are number 0
        if (k < count.size()) ++count[k];
    }
    std::string text;
    for (std::size_t k = 1; k < count.size(); ++k) text += fmt::format("{}{} {}", k > 1 ? ", " : "", count[k], reader.shapes()[k - 1].name);
    return text + (count[0] > 0 ? fmt::format(", {} spheres", count[0]) : "");
}

/// "drum (1200 triangles, moves), floor (1 plane)".
std::string walls_in_words(const std::vector<WallSurface>& walls) {
    std::string text;
    for (const WallSurface& wall : walls) {
        text += (text.empty() ? "" : ", ") + wall.name + " (";
        if (!wall.triangle.empty()) text += fmt::format("{} triangles", wall.triangle.size());
        if (!wall.triangle.empty() && !wall.plane_point.empty()) text += ", ";
        if (!wall.plane_point.empty()) text += fmt::format("{} plane{}", wall.plane_point.size(), wall.plane_point.size() == 1 ? "" : "s");
        text += wall.moves ? ", moves)" : ")";
    }
    return text;
}

std::string describe_frames(const std::string& path) {
    const FrameReader reader(path);
    const auto& frames = reader.frames();
    std::string text = fmt::format("{}: {} frames\n", path, frames.size());
    if (frames.empty()) return text;
    const FrameEntry &first = frames.front(), &last = frames.back();
    text += fmt::format("  time     {:.9g} s to {:.9g} s\n  steps    {} to {}\n", first.time, last.time, first.step, last.step);
    text += fmt::format("  bodies   {} at first, {} at last\n", first.bodies - first.members, last.bodies - last.members);
    if (last.owner) text += fmt::format("  members  {} colliders that compounds carry, at last\n", last.members);
    text += fmt::format("  with     {}{}\n", last.orientation ? "orientations, " : "", last.contacts ? "contacts" : "no contacts");
    if (!reader.shapes().empty()) {
        text += fmt::format("  shapes   {}\n", bodies_per_shape(reader, frames.size() - 1));
        for (const ShapeFaces& shape : reader.shapes()) {
            if (shape.compound()) continue;
            text += fmt::format("           {}: {} vertices, {} faces, fills {:.3g} of its bounding sphere\n", shape.name,
                                shape.vertex.size(), shape.faces(), shape.volume / kUnitSphere);
        }
    }
    const std::vector<WallSurface>& walls = reader.walls(frames.size() - 1);
    if (!walls.empty()) text += fmt::format("  walls    {}\n", walls_in_words(walls));
    return text;
}

std::string describe_checkpoint(const std::string& path) {
    const Checkpoint c = read_checkpoint(path);
    std::size_t bytes = 0;
    for (const StateField& field : c.engine.fields) bytes += field.bytes.size();
    std::string text = fmt::format("{}: checkpoint of scree {}\n", path, c.version);
    text += fmt::format("  time     {:.9g} s (step {}), dt = {:.9g} s\n  bodies   {}\n", c.time, c.step, c.dt, c.bodies);
    text += fmt::format("  made on  {}, {} precision\n  state    {} fields, {}\n", c.device, c.precision, c.engine.fields.size(),
                        format_bytes(static_cast<double>(bytes)));
    return text;
}

std::string describe_hdf5(const std::string& path) {
    std::string format;
    {
        const Hdf5File file(path, Hdf5File::Mode::Read);
        format = file_format(file);
    }
    if (format == "scree frames") return describe_frames(path);
    if (format == "scree checkpoint") return describe_checkpoint(path);
    const std::string message = Hdf5File(path, Hdf5File::Mode::Read).read_text("/message");
    return describe_checkpoint(path) + "  fault    " + message + "\n" + describe_frames(path);
}

std::string describe_series(const std::string& path) {
    const std::string text = read_file(path);
    const auto rows = std::count(text.begin(), text.end(), '\n') - 1;
    return fmt::format("{}: {} rows\n  columns  {}\n", path, rows, text.substr(0, text.find('\n')));
}

/// Of solver.csv; line by line, since there is one for every step.
std::string describe_solver(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string line;
    ConeTotals totals;
    while (std::getline(in, line)) {
        ConeReport step;
        int converged = 0;
        if (std::sscanf(line.c_str(), "%*d,%*f,%" SCNd64 ",%" SCNd64 ",%lf,%d", &step.contacts, &step.iterations, &step.residual,
                        &converged) != 4)
            continue;  // the header, or a line cut short
        step.converged = converged != 0;
        totals.add(step);
    }
    return fmt::format(
        "{}: {} steps\n  contacts {} at last\n  solver   {:.3g} iterations a step, {} at most; largest residual {:.3g} m/s\n"
        "           {} steps did not converge\n",
        path, totals.steps, totals.contacts, totals.mean_iterations(), totals.most_iterations, totals.residual, totals.not_converged);
}

std::string describe_directory(const std::string& path) {
    std::string text;
    const auto add = [&](const char* name, std::string (*describe)(const std::string&)) {
        const std::string file = run_file(path, name);
        if (fs::exists(file)) text += describe(file);
    };
    add(RunFiles::frames, describe_frames);
    add(RunFiles::series, describe_series);
    add(RunFiles::solver, describe_solver);
    add(RunFiles::checkpoint, describe_checkpoint);
    add(RunFiles::fault, describe_hdf5);
    add(RunFiles::summary, [](const std::string& file) { return file + ":\n" + read_file(file); });
    if (text.empty()) throw Error(path + ": a folder, but not a run directory (it holds none of Scree's files)");
    return text;
}

std::string describe_mesh(const std::string& path) {
    const TriangleMesh mesh = read_mesh(path, 1, {0, 0, 0}, {path, 0, 0});
    const MeshTopology topology = mesh_topology(mesh);
    Aabb box;
    for (const Vec3& v : topology.vertex) box.include(v);
    const auto boundary = [&] {
        std::size_t open = 0;
        for (std::size_t e = 0; e < topology.edge.size(); ++e) open += topology.edge_start[e + 1] - topology.edge_start[e] == 1;
        return open;
    }();
    std::string text = fmt::format("{}: mesh\n", path);
    auto out = std::back_inserter(text);
    fmt::format_to(out, "  triangles  {} ({} without area left out)\n", topology.triangle.size(), topology.dropped);
    fmt::format_to(out, "  vertices   {} after welding, {} edges, {} of them open\n", topology.vertex.size(), topology.edge.size(),
                   boundary);
    fmt::format_to(out, "  patches    {} flat ones\n", topology.patches());
    fmt::format_to(out, "  box        x {:.6g} to {:.6g}, y {:.6g} to {:.6g}, z {:.6g} to {:.6g}, in the file's unit\n", box.min.x,
                   box.max.x, box.min.y, box.max.y, box.min.z, box.max.z);
    return text;
}

/// The eight bytes every HDF5 file starts with.
bool looks_like_hdf5(const std::string& path) {
    char start[8] = {};
    std::ifstream in(path, std::ios::binary);
    in.read(start, sizeof start);
    return std::string(start, sizeof start) == std::string("\x89HDF\r\n\x1a\n", 8);
}

}  // namespace

std::string describe_file(const std::string& path) {
    std::error_code error;
    if (!fs::exists(path, error)) throw Error(path + ": no such file or directory");
    if (fs::is_directory(path, error)) return describe_directory(path);
    std::string extension = fs::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    // A file that is named HDF5 but is none gets the message that says so.
    if (looks_like_hdf5(path) || extension == ".h5") return describe_hdf5(path);
    return describe_mesh(path);
}

}  // namespace scree
