#include "output/frame_reader.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace scree {

FrameReader::FrameReader(const std::string& path) : file_(path, Hdf5File::Mode::Read) {
    if (!file_.exists("/frames")) throw Error(path + ": an HDF5 file, but not one with frames of Scree");
    for (const std::string& name : file_.children("/frames")) {
        FrameEntry entry;
        entry.group = "/frames/" + name;
        entry.step = file_.read_int(entry.group, "step");
        entry.time = file_.read_double(entry.group, "time");
        entry.bodies = static_cast<std::size_t>(file_.read_int(entry.group, "bodies"));
        entry.orientation = file_.exists(entry.group + "/orientation");
        entry.contacts = file_.exists(entry.group + "/contacts");
        frames_.push_back(entry);
    }
    // Past a million frames, names are no longer in the order of steps.
    std::stable_sort(frames_.begin(), frames_.end(), [](const FrameEntry& a, const FrameEntry& b) { return a.step < b.step; });
}

Snapshot FrameReader::read(std::size_t i) const {
    const FrameEntry& frame = frames_.at(i);
    Snapshot snapshot;
    snapshot.step = frame.step;
    snapshot.time = frame.time;
    snapshot.id = file_.read<std::uint32_t>(frame.group + "/id");
    snapshot.position = file_.read<Vec3>(frame.group + "/position");
    snapshot.velocity = file_.read<Vec3>(frame.group + "/velocity");
    snapshot.angular_velocity = file_.read<Vec3>(frame.group + "/angular_velocity");
    snapshot.radius = file_.read<double>(frame.group + "/radius");
    snapshot.mass = file_.read<double>(frame.group + "/mass");
    snapshot.material = file_.read<std::int32_t>(frame.group + "/material");
    if (frame.orientation) snapshot.orientation = file_.read<Quat>(frame.group + "/orientation");
    const std::size_t n = frame.bodies;
    const bool fits = snapshot.id.size() == n && snapshot.position.size() == n && snapshot.velocity.size() == n &&
                      snapshot.angular_velocity.size() == n && snapshot.radius.size() == n && snapshot.mass.size() == n &&
                      snapshot.material.size() == n && (!frame.orientation || snapshot.orientation.size() == n);
    if (!fits) throw Error(file_.path() + ": the arrays of " + frame.group + " have different lengths; the file is damaged");
    return snapshot;
}

std::vector<ContactRecord> FrameReader::contacts(std::size_t i) const {
    const FrameEntry& frame = frames_.at(i);
    if (!frame.contacts) return {};
    const std::string group = frame.group + "/contacts";
    const auto a = file_.read<std::uint32_t>(group + "/a");
    const auto b = file_.read<std::uint32_t>(group + "/b");
    const auto wall = file_.read<std::int32_t>(group + "/wall");
    const auto point = file_.read<Vec3>(group + "/point");
    const auto normal = file_.read<Vec3>(group + "/normal");
    const auto overlap = file_.read<double>(group + "/overlap");
    const auto force = file_.read<Vec3>(group + "/force");
    const std::size_t n = a.size();
    if (b.size() != n || wall.size() != n || point.size() != n || normal.size() != n || overlap.size() != n || force.size() != n) {
        throw Error(file_.path() + ": the arrays of " + group + " have different lengths; the file is damaged");
    }
    std::vector<ContactRecord> records(n);
    for (std::size_t k = 0; k < n; ++k) {
        records[k].a = a[k];
        records[k].b = b[k];
        records[k].wall = wall[k];
        records[k].point = point[k];
        records[k].normal = normal[k];
        records[k].overlap = overlap[k];
        records[k].force = force[k];
    }
    return records;
}

}  // namespace scree
