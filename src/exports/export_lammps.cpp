#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <vector>

#include "base/aabb.hpp"
#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "exports/export.hpp"
#include "exports/tilted_cell.hpp"
#include "output/polyhedra_surface.hpp"
#include "output/run_directory.hpp"

namespace scree {
namespace {

/// Rows of what is seen: all but compounds.
std::vector<std::size_t> seen(const Snapshot& s, const std::vector<ShapeFaces>& shapes) {
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < s.id.size(); ++k) {
        if (!is_compound(shapes, s, k)) rows.push_back(k);
    }
    return rows;
}

/// The smallest box around all spheres, for what does not repeat itself.
Aabb bounds(const Snapshot& s, const std::vector<std::size_t>& rows) {
    if (rows.empty()) return {{0, 0, 0}, {0, 0, 0}};
    Aabb box;
    for (const std::size_t k : rows) {
        const Vec3 r{s.radius[k], s.radius[k], s.radius[k]};
        box.include(s.position[k] - r);
        box.include(s.position[k] + r);
    }
    return box;
}

/// Bounds of the box; of a sheared cell with its tilt, by whole periods as small as may be, where the format has it: z over y over x.
std::string box_text(const Cell& cell, Aabb box) {
    std::string flags;
    double tilt[3] = {0, 0, 0};  // xy, xz, yz
    const bool tilts = is_tilted(cell);
    for (int a = 0; a < 3; ++a) {
        const bool repeats = cell.periodic[a] && !(cell.sheared && !tilts && (a == cell.along || a == cell.across));
        flags += repeats ? " pp" : " ff";
        if (!repeats) continue;
        along(box.min, a) = cell.low[a];
        along(box.max, a) = cell.low[a] + cell.length[a];
    }
    if (tilts) tilt[cell.along + cell.across - 1] = least_offset(cell);
    const double low_x = std::min({0.0, tilt[0], tilt[1], tilt[0] + tilt[1]}),
                 high_x = std::max({0.0, tilt[0], tilt[1], tilt[0] + tilt[1]});
    const double low[3] = {low_x, std::min(0.0, tilt[2]), 0.0}, high[3] = {high_x, std::max(0.0, tilt[2]), 0.0};
    std::string text = fmt::format("ITEM: BOX BOUNDS{}{}\n", tilts ? " xy xz yz" : "", flags);
    for (int a = 0; a < 3; ++a) {
        text += fmt::format("{:.17g} {:.17g}", along(box.min, a) + low[a], along(box.max, a) + high[a]);
        text += tilts ? fmt::format(" {:.17g}\n", tilt[a]) : "\n";
    }
    return text;
}

std::string dump_text(const Snapshot& s, const std::vector<ShapeFaces>& shapes, const FrameEntry& entry) {
    const bool ellipsoids =
        !s.shape.empty() && std::any_of(shapes.begin(), shapes.end(), [](const ShapeFaces& shape) { return shape.ellipsoid(); });
    const std::vector<std::size_t> rows = seen(s, shapes);
    std::string text = fmt::format("ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\n", s.step, rows.size());
    text += box_text(s.cell, bounds(s, rows));
    auto out = std::back_inserter(text);
    text += "ITEM: ATOMS id type x y z";
    if (entry.velocity) text += " vx vy vz";
    if (entry.angular_velocity) text += " omegax omegay omegaz";
    text += " radius mass";
    if (!s.orientation.empty()) text += " quatw quati quatj quatk";
    if (ellipsoids) text += " shapex shapey shapez";
    for (const SnapshotColumn& column : s.columns)
        for (std::size_t c = 0; c < column.components; ++c) text += fmt::format(" {}", column.component_name(c));
    text += s.owner.empty() ? "\n" : " mol\n";
    for (const std::size_t k : rows) {
        const Vec3 p = s.position[k], v = s.velocity[k], w = s.angular_velocity[k];
        // Ids from 1, as LAMMPS counts.
        fmt::format_to(out, "{} {} {:.17g} {:.17g} {:.17g}", std::int64_t{s.id[k]} + 1, s.material[k] + 1, p.x, p.y, p.z);
        if (entry.velocity) fmt::format_to(out, " {:.17g} {:.17g} {:.17g}", v.x, v.y, v.z);
        if (entry.angular_velocity) fmt::format_to(out, " {:.17g} {:.17g} {:.17g}", w.x, w.y, w.z);
        fmt::format_to(out, " {:.17g} {:.17g}", s.radius[k], s.mass[k]);
        if (!s.orientation.empty()) {
            const Quat q = s.orientation[k];
            fmt::format_to(out, " {:.17g} {:.17g} {:.17g} {:.17g}", q.w, q.x, q.y, q.z);
        }
        if (ellipsoids) {
            const bool is_one = s.shape[k] >= 0 && shapes[static_cast<std::size_t>(s.shape[k])].ellipsoid();
            const Vec3 axes = is_one ? shapes[static_cast<std::size_t>(s.shape[k])].smooth_axes : Vec3{1, 1, 1};
            fmt::format_to(out, " {:.17g} {:.17g} {:.17g}", 2 * s.radius[k] * axes.x, 2 * s.radius[k] * axes.y, 2 * s.radius[k] * axes.z);
        }
        for (const SnapshotColumn& column : s.columns)
            for (std::size_t c = 0; c < column.components; ++c) fmt::format_to(out, " {:.17g}", column.values[k * column.components + c]);
        if (!s.owner.empty()) fmt::format_to(out, " {}", std::int64_t{s.owner[k]} + 1);
        text += '\n';
    }
    return text;
}

}  // namespace

Exported export_lammps(const FrameReader& reader, const std::string& directory) {
    const std::string path = run_file(directory, "bodies.dump");
    const std::string temporary = temporary_name(path);
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file(std::fopen(temporary.c_str(), "w"));
    const auto failed = [&path] { throw RunError("cannot write " + path + ": " + std::strerror(errno)); };
    if (!file) failed();
    // Frame by frame: a long run does not fit into memory.
    for (std::size_t i = 0; i < reader.frames().size(); ++i) {
        const std::string text = dump_text(reader.read(i), reader.shapes(), reader.frames()[i]);
        if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) failed();
    }
    if (std::fflush(file.get()) != 0) failed();
    file.reset();
    publish_file(temporary, path);
    return {{path}, reader.frames().size()};
}

}  // namespace scree
