#include "output/frame_reader.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/error.hpp"
#include "output/geometry_file.hpp"
#include "output/run_directory.hpp"

namespace scree {
namespace {

/// Names and numbers of components, as write_frame lists them.
std::vector<ColumnEntry> columns_of(const std::string& text) {
    std::vector<ColumnEntry> columns;
    std::istringstream in(text);
    for (ColumnEntry one; in >> one.name >> one.components;) columns.push_back(one);
    return columns;
}

}  // namespace

bool frames_may_grow(const std::string& directory) {
    constexpr std::chrono::minutes quiet{10};
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::file_time_type frames = fs::last_write_time(run_file(directory, RunFiles::frames), failed);
    if (failed) return false;
    const fs::file_time_type summary = fs::last_write_time(run_file(directory, RunFiles::summary), failed);
    return (failed || summary < frames) && fs::file_time_type::clock::now() - frames < quiet;
}

FrameReader::FrameReader(const std::string& path, std::vector<FrameEntry>&& known, bool growing) : file_(path, Hdf5File::Mode::Read) {
    if (!file_.exists("/frames")) throw Error(path + ": an HDF5 file, but not one with frames of Scree");
    shapes_ = read_shapes(file_);
    wall_sets_ = read_wall_sets(file_);
    const bool go_on = !known.empty() && holds(known.back());
    std::unordered_set<std::string_view> had;
    if (go_on) {
        for (const FrameEntry& entry : known) had.insert(entry.group);
    }
    const std::vector<std::string> names = file_.children("/frames");
    std::vector<FrameEntry> added;
    for (std::size_t k = 0; k < names.size() && damage_.empty(); ++k) {
        if (had.contains("/frames/" + names[k])) continue;
        try {
            added.push_back(read_entry(names[k]));
        } catch (const Error& problem) {
            if (!growing) throw;
            damage_ = std::string(problem.what()) + "; left out are this frame and those after it, " + std::to_string(names.size() - k) +
                      " of " + std::to_string(names.size());
        }
    }
    if (go_on) frames_ = std::move(known);
    frames_.insert(frames_.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
    // Past a million frames, names are no longer in the order of steps.
    const auto earlier = [](const FrameEntry& a, const FrameEntry& b) { return a.step < b.step; };
    if (!std::is_sorted(frames_.begin(), frames_.end(), earlier)) std::stable_sort(frames_.begin(), frames_.end(), earlier);
}

FrameEntry FrameReader::read_entry(const std::string& name) const {
    FrameEntry entry;
    entry.group = "/frames/" + name;
    entry.step = file_.read_int(entry.group, "step");
    entry.time = file_.read_double(entry.group, "time");
    entry.bodies = static_cast<std::size_t>(file_.read_int(entry.group, "bodies"));
    for (const char* array : {"/id", "/position", "/radius", "/mass", "/material"}) {
        if (!file_.exists(entry.group + array))
            throw Error(file_.path() + ": " + entry.group + " has no " + (array + 1) + "; the file is damaged");
    }
    read_parts(entry.group, entry);
    return entry;
}

bool FrameReader::holds(const FrameEntry& entry) const {
    return file_.exists(entry.group) && file_.read_int(entry.group, "step") == entry.step &&
           file_.read_double(entry.group, "time") == entry.time;
}

void FrameReader::read_parts(const std::string& group, FrameEntry& entry) const {
    entry.orientation = file_.exists(group + "/orientation");
    entry.single = file_.is_single(group + "/position");
    entry.velocity = file_.exists(group + "/velocity");
    entry.angular_velocity = file_.exists(group + "/angular_velocity");
    entry.shape = file_.exists(group + "/shape");
    entry.owner = file_.exists(group + "/owner");
    if (file_.has_attribute(group, "columns")) {
        entry.columns = columns_of(file_.read_string(group, "columns"));
    } else if (file_.exists(group + "/density")) {  // before frames listed them
        entry.columns = {{"density", 1}, {"pressure", 1}};
    }
    if (entry.owner) entry.members = static_cast<std::size_t>(file_.read_int(group, "members"));
    entry.contacts = file_.exists(group + "/contacts");
    entry.bonds = file_.exists(group + "/bonds");
    entry.walls_moved = file_.exists(group + "/wall_turn");
    if (file_.exists(group + "/surface")) {
        entry.surface.points = static_cast<std::size_t>(file_.read_int(group + "/surface", "points"));
        entry.surface.triangles = static_cast<std::size_t>(file_.read_int(group + "/surface", "triangles"));
    }
    if (file_.has_attribute(group, "walls")) entry.walls = file_.read_string(group, "walls");
    if (!entry.walls.empty() && !wall_sets_.contains(entry.walls)) {
        throw Error(file_.path() + ": the walls of " + group + " are missing; the file is damaged");
    }
}

const std::vector<WallSurface>& FrameReader::walls(std::size_t i) const {
    static const std::vector<WallSurface> none;
    const auto set = wall_sets_.find(frames_.at(i).walls);
    return set == wall_sets_.end() ? none : set->second;
}

Snapshot FrameReader::read(std::size_t i) const {
    const FrameEntry& frame = frames_.at(i);
    Snapshot snapshot;
    snapshot.step = frame.step;
    snapshot.time = frame.time;
    snapshot.id = file_.read<std::uint32_t>(frame.group + "/id");
    snapshot.position = file_.read<Vec3>(frame.group + "/position");
    snapshot.velocity = frame.velocity ? file_.read<Vec3>(frame.group + "/velocity") : std::vector<Vec3>(frame.bodies);
    snapshot.angular_velocity =
        frame.angular_velocity ? file_.read<Vec3>(frame.group + "/angular_velocity") : std::vector<Vec3>(frame.bodies);
    snapshot.radius = file_.read<double>(frame.group + "/radius");
    snapshot.mass = file_.read<double>(frame.group + "/mass");
    snapshot.material = file_.read<std::int32_t>(frame.group + "/material");
    if (frame.orientation) snapshot.orientation = file_.read<Quat>(frame.group + "/orientation");
    if (frame.shape) snapshot.shape = file_.read<std::int32_t>(frame.group + "/shape");
    if (frame.owner) snapshot.owner = file_.read<std::int32_t>(frame.group + "/owner");
    for (const ColumnEntry& column : frame.columns) {
        const Hdf5Array array = file_.read_wide(frame.group + "/" + column.name);
        if (array.type != ElementType::Float64 || array.rows != frame.bodies || array.columns != column.components)
            throw Error(file_.path() + ": column " + column.name + " of " + frame.group + " does not fit its bodies; the file is damaged");
        SnapshotColumn& read = snapshot.columns.emplace_back(SnapshotColumn{column.name, {}, column.components, {}});
        if (file_.has_attribute(frame.group + "/" + column.name, "unit"))
            read.unit = file_.read_string(frame.group + "/" + column.name, "unit");
        read.values.resize(array.rows * array.columns);
        if (!read.values.empty()) std::memcpy(read.values.data(), array.bytes.data(), array.bytes.size());
    }
    const std::size_t n = frame.bodies;
    const bool fits = snapshot.id.size() == n && snapshot.position.size() == n && snapshot.velocity.size() == n &&
                      snapshot.angular_velocity.size() == n && snapshot.radius.size() == n && snapshot.mass.size() == n &&
                      snapshot.material.size() == n && (!frame.orientation || snapshot.orientation.size() == n) &&
                      (!frame.shape || snapshot.shape.size() == n) && (!frame.owner || snapshot.owner.size() == n);
    if (!fits) throw Error(file_.path() + ": the arrays of " + frame.group + " have different lengths; the file is damaged");
    if (file_.exists(frame.group + "/cell")) {
        const auto vectors = file_.read<Vec3>(frame.group + "/cell");
        if (vectors.size() != 4)
            throw Error(file_.path() + ": the cell of " + frame.group + " is no corner and three edges; the file is damaged");
        snapshot.cell = cell_with({vectors[0], vectors[1], vectors[2], vectors[3]});
    }
    if (!frame.walls_moved) return snapshot;
    const auto turn = file_.read<Quat>(frame.group + "/wall_turn");
    const auto shift = file_.read<Vec3>(frame.group + "/wall_shift");
    if (turn.size() != walls(i).size() || shift.size() != turn.size()) {
        throw Error(file_.path() + ": the walls of " + frame.group + " are not as many as their places; the file is damaged");
    }
    for (std::size_t w = 0; w < turn.size(); ++w) snapshot.walls.push_back({turn[w], shift[w]});
    return snapshot;
}

std::vector<HeldBond> FrameReader::bonds(std::size_t i) const {
    const FrameEntry& frame = frames_.at(i);
    if (!frame.bonds) return {};
    const std::string group = frame.group + "/bonds";
    const auto a = file_.read<std::uint32_t>(group + "/a"), b = file_.read<std::uint32_t>(group + "/b");
    const auto wall = file_.read<std::int32_t>(group + "/wall"), kind = file_.read<std::int32_t>(group + "/kind");
    const auto arm = file_.read<Vec3>(group + "/arm"), force = file_.read<Vec3>(group + "/force");
    const auto strain = file_.read<double>(group + "/strain"), damage = file_.read<double>(group + "/damage");
    const std::size_t n = a.size();
    for (const std::size_t size : {b.size(), wall.size(), kind.size(), arm.size(), force.size(), strain.size(), damage.size()})
        if (size != n) throw Error(file_.path() + ": the arrays of " + group + " have different lengths; the file is damaged");
    std::vector<HeldBond> bonds(n);
    for (std::size_t k = 0; k < n; ++k) bonds[k] = {a[k], b[k], wall[k], kind[k], arm[k], force[k], strain[k], damage[k]};
    return bonds;
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
    const bool polyhedra = file_.exists(group + "/kind");
    const auto kind = polyhedra ? file_.read<std::uint8_t>(group + "/kind") : std::vector<std::uint8_t>(n);
    const auto torque = file_.exists(group + "/torque") ? file_.read<Vec3>(group + "/torque") : std::vector<Vec3>(n);
    const auto area = polyhedra ? file_.read<double>(group + "/area") : std::vector<double>(n);
    const auto volume = polyhedra ? file_.read<double>(group + "/volume") : std::vector<double>(n);
    if (kind.size() != n || torque.size() != n || area.size() != n || volume.size() != n ||
        std::any_of(kind.begin(), kind.end(), [](std::uint8_t k) { return k >= contact_kinds; })) {
        throw Error(file_.path() + ": the patches of " + group + " do not fit its contacts; the file is damaged");
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
        records[k].torque = torque[k];
        records[k].kind = static_cast<ContactKind>(kind[k]);
        records[k].area = area[k];
        records[k].volume = volume[k];
    }
    return records;
}

}  // namespace scree
