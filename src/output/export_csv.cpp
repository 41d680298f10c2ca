#include <fmt/format.h>

#include <iterator>

#include "output/atomic_file.hpp"
#include "output/export.hpp"
#include "output/run_directory.hpp"

namespace scree {

Exported export_csv(const FrameReader& reader, const std::string& directory) {
    Exported done;
    std::string list = "frame,step,time,bodies\n";
    for (std::size_t i = 0; i < reader.frames().size(); ++i) {
        const Snapshot s = reader.read(i);
        std::string text = "id,x,y,z,vx,vy,vz,wx,wy,wz,radius,mass,material";
        text += s.orientation.empty() ? "\n" : ",qw,qx,qy,qz\n";
        auto out = std::back_inserter(text);
        for (std::size_t k = 0; k < s.id.size(); ++k) {
            const Vec3 p = s.position[k], v = s.velocity[k], w = s.angular_velocity[k];
            fmt::format_to(out, "{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},", s.id[k], p.x, p.y, p.z, v.x, v.y, v.z);
            fmt::format_to(out, "{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{}", w.x, w.y, w.z, s.radius[k], s.mass[k], s.material[k]);
            if (!s.orientation.empty()) {
                const Quat q = s.orientation[k];
                fmt::format_to(out, ",{:.17g},{:.17g},{:.17g},{:.17g}", q.w, q.x, q.y, q.z);
            }
            text += '\n';
        }
        const std::string path = run_file(directory, fmt::format("frame_{:06d}.csv", i).c_str());
        write_file_atomically(path, text);
        done.files.push_back(path);
        list += fmt::format("{},{},{:.17g},{}\n", i, s.step, s.time, s.id.size());
    }
    const std::string path = run_file(directory, "frames.csv");
    write_file_atomically(path, list);
    done.files.push_back(path);
    done.frames = reader.frames().size();
    return done;
}

}  // namespace scree
