#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "output/atomic_file.hpp"
#include "exports/export.hpp"
#include "output/run_directory.hpp"

namespace scree {
namespace {

std::string shape_list(const std::vector<ShapeFaces>& shapes) {
    std::string text = "shape,name,vertices,faces,volume_over_radius_cubed\n";
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        text += fmt::format("{},{},{},{},{:.17g}\n", k, shapes[k].name, shapes[k].vertex.size(), shapes[k].faces(), shapes[k].volume);
    }
    return text;
}

/// One row per contact. A wall stands in `wall` by its number, with b = -1; between two bodies wall is -1. The force is that on A.
std::string contact_list(const std::vector<ContactRecord>& contacts, bool couples, bool patches) {
    std::string text = "a,b,wall,x,y,z,nx,ny,nz,overlap,fx,fy,fz";
    text += patches ? ",tx,ty,tz,kind,area,volume\n" : couples ? ",tx,ty,tz\n" : "\n";
    auto out = std::back_inserter(text);
    for (const ContactRecord& c : contacts) {
        const std::int64_t b = c.wall >= 0 ? -1 : std::int64_t{c.b};
        fmt::format_to(out, "{},{},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},", c.a, b, c.wall, c.point.x, c.point.y,
                       c.point.z, c.normal.x, c.normal.y, c.normal.z, c.overlap);
        fmt::format_to(out, "{:.17g},{:.17g},{:.17g}", c.force.x, c.force.y, c.force.z);
        if (couples) fmt::format_to(out, ",{:.17g},{:.17g},{:.17g}", c.torque.x, c.torque.y, c.torque.z);
        if (patches) fmt::format_to(out, ",{},{:.17g},{:.17g}", static_cast<int>(c.kind), c.area, c.volume);
        text += '\n';
    }
    return text;
}

}  // namespace

Exported export_csv(const FrameReader& reader, const std::string& directory) {
    Exported done;
    // Bodies are counted without the members of compounds; these have a column of their own, where there are any.
    const auto with_owners = [](const FrameEntry& frame) { return frame.owner; };
    const bool owners = std::any_of(reader.frames().begin(), reader.frames().end(), with_owners);
    std::string list = owners ? "frame,step,time,bodies,members\n" : "frame,step,time,bodies\n";
    for (std::size_t i = 0; i < reader.frames().size(); ++i) {
        const Snapshot s = reader.read(i);
        const FrameEntry& entry = reader.frames()[i];
        std::string text = "id,x,y,z";
        if (entry.velocity) text += ",vx,vy,vz";
        if (entry.angular_velocity) text += ",wx,wy,wz";
        text += ",radius,mass,material";
        if (!s.orientation.empty()) text += ",qw,qx,qy,qz";
        if (!s.shape.empty()) text += ",shape,shape_name";
        for (const SnapshotColumn& column : s.columns)
            for (std::size_t c = 0; c < column.components; ++c) text += fmt::format(",{}", column.component_name(c));
        text += s.owner.empty() ? "\n" : ",owner\n";
        auto out = std::back_inserter(text);
        for (std::size_t k = 0; k < s.id.size(); ++k) {
            const Vec3 p = s.position[k], v = s.velocity[k], w = s.angular_velocity[k];
            fmt::format_to(out, "{},{:.17g},{:.17g},{:.17g},", s.id[k], p.x, p.y, p.z);
            if (entry.velocity) fmt::format_to(out, "{:.17g},{:.17g},{:.17g},", v.x, v.y, v.z);
            if (entry.angular_velocity) fmt::format_to(out, "{:.17g},{:.17g},{:.17g},", w.x, w.y, w.z);
            fmt::format_to(out, "{:.17g},{:.17g},{}", s.radius[k], s.mass[k], s.material[k]);
            if (!s.orientation.empty()) {
                const Quat q = s.orientation[k];
                fmt::format_to(out, ",{:.17g},{:.17g},{:.17g},{:.17g}", q.w, q.x, q.y, q.z);
            }
            if (!s.shape.empty())
                fmt::format_to(out, ",{},{}", s.shape[k],
                               s.shape[k] < 0 ? "sphere" : reader.shapes()[static_cast<std::size_t>(s.shape[k])].name);
            for (const SnapshotColumn& column : s.columns)
                for (std::size_t c = 0; c < column.components; ++c)
                    fmt::format_to(out, ",{:.17g}", column.values[k * column.components + c]);
            if (!s.owner.empty()) fmt::format_to(out, ",{}", s.owner[k]);
            text += '\n';
        }
        const std::string path = run_file(directory, fmt::format("frame_{:06d}.csv", i).c_str());
        write_file_atomically(path, text);
        done.files.push_back(path);
        if (reader.frames()[i].contacts) {
            done.files.push_back(run_file(directory, fmt::format("contacts_{:06d}.csv", i).c_str()));
            write_file_atomically(done.files.back(), contact_list(reader.contacts(i), reader.couples(i), !reader.shapes().empty()));
        }
        const std::size_t members = reader.frames()[i].members;
        list += fmt::format("{},{},{:.17g},{}{}\n", i, s.step, s.time, s.id.size() - members, owners ? fmt::format(",{}", members) : "");
    }
    const auto write = [&](const char* name, const std::string& text) {
        done.files.push_back(run_file(directory, name));
        write_file_atomically(done.files.back(), text);
    };
    write("frames.csv", list);
    if (!reader.shapes().empty()) write("shapes.csv", shape_list(reader.shapes()));
    done.frames = reader.frames().size();
    return done;
}

}  // namespace scree
