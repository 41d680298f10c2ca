#include "output/frame_writer.hpp"

#include <fmt/format.h>

#include <numeric>

#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "output/frame_reader.hpp"
#include "output/run_directory.hpp"

namespace scree {
namespace {

constexpr const char* kFormat = "scree frames";
constexpr std::int64_t kFormatVersion = 1;
constexpr const char* kUnfinished = "/unfinished";

void write_contacts(Hdf5File& file, const std::string& group, const std::vector<ContactRecord>& contacts) {
    const std::size_t n = contacts.size();
    std::vector<std::uint32_t> a(n), b(n);
    std::vector<std::int32_t> wall(n);
    std::vector<Vec3> point(n), normal(n), force(n);
    std::vector<double> overlap(n);
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = contacts[i].a;
        b[i] = contacts[i].b;
        wall[i] = contacts[i].wall;
        point[i] = contacts[i].point;
        normal[i] = contacts[i].normal;
        overlap[i] = contacts[i].overlap;
        force[i] = contacts[i].force;
    }
    file.write(group + "/a", a, true);
    file.write(group + "/b", b, true);
    file.write(group + "/wall", wall, true);
    file.write(group + "/point", point);
    file.write(group + "/normal", normal);
    file.write(group + "/overlap", overlap);
    file.write(group + "/force", force);
}

}  // namespace

void write_frame(Hdf5File& file, const std::string& group, const Snapshot& snapshot, const std::vector<ContactRecord>* contacts) {
    file.make_group(group);
    file.write_attribute(group, "step", snapshot.step);
    file.write_attribute(group, "time", snapshot.time);
    file.write_attribute(group, "bodies", static_cast<std::int64_t>(snapshot.id.size()));
    file.write(group + "/id", snapshot.id, true);
    file.write(group + "/position", snapshot.position);
    file.write(group + "/velocity", snapshot.velocity);
    file.write(group + "/angular_velocity", snapshot.angular_velocity);
    file.write(group + "/radius", snapshot.radius, true);
    file.write(group + "/mass", snapshot.mass, true);
    file.write(group + "/material", snapshot.material, true);
    if (!snapshot.orientation.empty()) file.write(group + "/orientation", snapshot.orientation);
    if (contacts) write_contacts(file, group + "/contacts", *contacts);
}

double frame_bytes(std::size_t bodies, bool orientation, std::size_t contacts) {
    constexpr double per_body = 4 + 3 * 24 + 8 + 8 + 4;  // id, three vectors, radius, mass, material
    constexpr double per_contact = 3 * 4 + 3 * 24 + 8;   // a, b, wall; point, normal, force; overlap
    return static_cast<double>(bodies) * (per_body + (orientation ? 32 : 0)) + static_cast<double>(contacts) * per_contact;
}

FrameWriter::FrameWriter(const std::string& directory) : directory_(directory) {
    Hdf5File file(run_file(directory_, RunFiles::frames), Hdf5File::Mode::Create);
    file.write_attribute("/", "format", std::string(kFormat));
    file.write_attribute("/", "format_version", kFormatVersion);
    file.make_group("/frames");
    file.close();
    write_xdmf();
}

FrameWriter::FrameWriter(const std::string& directory, std::int64_t step) : directory_(directory) {
    const std::string path = run_file(directory_, RunFiles::frames);
    std::vector<FrameEntry> later;
    {
        const FrameReader reader(path);  // closed again before the file is opened for writing
        for (const FrameEntry& frame : reader.frames()) (frame.step <= step ? frames_ : later).push_back(frame);
    }
    if (!later.empty()) {
        Hdf5File file(path, Hdf5File::Mode::Append);
        for (const FrameEntry& frame : later) file.remove(frame.group);
        file.close();
    }
    write_xdmf();
}

void FrameWriter::write(const Snapshot& snapshot, const std::vector<ContactRecord>* contacts) {
    const std::string path = run_file(directory_, RunFiles::frames);
    // A tenth, 4 bytes per body and a megabyte: for headers and the list of points.
    const double needed = 1.1 * frame_bytes(snapshot.id.size(), !snapshot.orientation.empty(), contacts ? contacts->size() : 0) +
                          4.0 * static_cast<double>(snapshot.id.size()) + 1e6;
    reserve_space(path, static_cast<std::uint64_t>(needed));
    FrameEntry entry;
    entry.group = fmt::format("/frames/{:06d}", frames_.size());
    entry.step = snapshot.step;
    entry.time = snapshot.time;
    entry.bodies = snapshot.id.size();
    entry.orientation = !snapshot.orientation.empty();
    entry.contacts = contacts != nullptr;

    Hdf5File file(path, Hdf5File::Mode::Append);
    const std::string points = points_path(entry.bodies);
    if (!file.exists(points)) {
        std::vector<std::int32_t> numbers(entry.bodies);
        std::iota(numbers.begin(), numbers.end(), 0);
        file.write(points, numbers, true);
    }
    // The frame shows up under /frames once it is on file, so that a killed run leaves none in halves. What such a run left is never
    // touched: its own storage may be incomplete.
    std::string unfinished = kUnfinished;
    while (file.exists(unfinished)) unfinished += "_";
    write_frame(file, unfinished, snapshot, contacts);
    file.flush();
    file.move(unfinished, entry.group);
    file.close();
    frames_.push_back(entry);
    write_xdmf();
}

void FrameWriter::write_xdmf() const {
    write_file_atomically(run_file(directory_, RunFiles::xdmf), xdmf_text(frames_, RunFiles::frames));
}

}  // namespace scree
