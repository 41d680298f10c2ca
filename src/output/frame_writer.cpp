#include "output/frame_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "model/body_fields.hpp"
#include "output/frame_reader.hpp"
#include "output/geometry_file.hpp"
#include "output/run_directory.hpp"

namespace scree {
namespace {

constexpr const char* kFormat = "scree frames";
constexpr std::int64_t kFormatVersion = 1;
constexpr const char* kUnfinished = "/unfinished";

/// Writes numbers of a frame: in single precision where that is chosen, and deflated where that pays or is chosen.
class Numbers {
public:
    Numbers(Hdf5File& file, const FrameChoice& choice) : file_(file), choice_(choice) {}

    void write(const std::string& path, const double* values, std::size_t rows, std::size_t columns, bool compress = false) const {
        compress = compress || choice_.compress;
        if (!choice_.single) return file_.write(path, ElementType::Float64, values, rows, columns, compress);
        const std::vector<float> single(values, values + rows * columns);
        file_.write(path, ElementType::Float32, single.data(), rows, columns, compress);
    }
    /// Vec3, Quat and double are so many doubles one after the other.
    template <class T>
    void write(const std::string& path, const std::vector<T>& values, bool compress = false) const {
        static_assert(ElementOf<T>::type == ElementType::Float64 && sizeof(T) == ElementOf<T>::columns * sizeof(double));
        write(path, reinterpret_cast<const double*>(values.data()), values.size(), ElementOf<T>::columns, compress);
    }

private:
    Hdf5File& file_;
    const FrameChoice& choice_;
};

void write_contacts(Hdf5File& file, const std::string& group, const std::vector<ContactRecord>& contacts, bool couples, bool polyhedra,
                    const Numbers& numbers) {
    const std::size_t n = contacts.size();
    std::vector<std::uint32_t> a(n), b(n);
    std::vector<std::int32_t> wall(n);
    std::vector<std::uint8_t> kind(n);
    std::vector<Vec3> point(n), normal(n), force(n), torque(n);
    std::vector<double> overlap(n), area(n), volume(n);
    for (std::size_t i = 0; i < n; ++i) {
        const ContactRecord& contact = contacts[i];
        a[i] = contact.a;
        b[i] = contact.b;
        wall[i] = contact.wall;
        point[i] = contact.point;
        normal[i] = contact.normal;
        overlap[i] = contact.overlap;
        force[i] = contact.force;
        torque[i] = contact.torque;
        kind[i] = static_cast<std::uint8_t>(contact.kind);
        area[i] = contact.area;
        volume[i] = contact.volume;
    }
    file.write(group + "/a", a, true);
    file.write(group + "/b", b, true);
    file.write(group + "/wall", wall, true);
    numbers.write(group + "/point", point);
    numbers.write(group + "/normal", normal);
    numbers.write(group + "/overlap", overlap);
    numbers.write(group + "/force", force);
    if (couples) numbers.write(group + "/torque", torque);
    if (!polyhedra) return;
    file.write(group + "/kind", kind, true);
    numbers.write(group + "/area", area, true);
    numbers.write(group + "/volume", volume, true);
}

void write_bonds(Hdf5File& file, const std::string& group, const std::vector<HeldBond>& bonds, const Numbers& numbers) {
    const auto write = [&](const char* name, auto value, bool compressed) {
        using T = std::decay_t<decltype(value(bonds.front()))>;
        std::vector<T> values;
        values.reserve(bonds.size());
        for (const HeldBond& bond : bonds) values.push_back(value(bond));
        if constexpr (ElementOf<T>::type == ElementType::Float64) {
            numbers.write(group + name, values, compressed);
        } else {
            file.write(group + name, values, compressed);
        }
    };
    write(
        "/a", [](const HeldBond& b) { return b.a; }, true);
    write(
        "/b", [](const HeldBond& b) { return b.b; }, true);
    write(
        "/wall", [](const HeldBond& b) { return b.wall; }, true);
    write(
        "/kind", [](const HeldBond& b) { return b.kind; }, true);
    write(
        "/arm", [](const HeldBond& b) { return b.arm; }, false);
    write(
        "/force", [](const HeldBond& b) { return b.force; }, false);
    write(
        "/strain", [](const HeldBond& b) { return b.strain; }, false);
    write(
        "/damage", [](const HeldBond& b) { return b.damage; }, true);
}

/// In single precision: these points are for looking at.
std::vector<Vec3T<float>> single(const std::vector<Vec3>& points) {
    std::vector<Vec3T<float>> result;
    result.reserve(points.size());
    for (const Vec3& p : points) result.push_back(cast<float>(p));
    return result;
}

SurfaceSize write_surface(Hdf5File& file, const std::string& group, const Snapshot& s, const std::vector<ShapeFaces>& shapes,
                          const EarlierFrame& earlier, bool compress) {
    const PolyhedraSurface surface = polyhedra_surface(shapes, s, Faces::Triangles);
    const SurfaceSize size{surface.point.size(), surface.faces()};
    if (size.triangles == 0) return size;
    std::vector<float> speed;
    speed.reserve(size.triangles);
    for (const std::uint32_t row : surface.face_body) speed.push_back(static_cast<float>(norm(s.velocity[row])));
    file.write(group + "/points", single(surface.point), compress);
    file.write(group + "/speed", speed, true);
    file.write_attribute(group, "points", static_cast<std::int64_t>(size.points));
    file.write_attribute(group, "triangles", static_cast<std::int64_t>(size.triangles));
    if (earlier.same_triangles(s)) {
        for (const char* name : {"/topology", "/body", "/material"}) file.link(earlier.group + "/surface" + name, group + name);
        return size;
    }
    std::vector<std::uint32_t> body;
    std::vector<std::int32_t> material;
    body.reserve(size.triangles);
    material.reserve(size.triangles);
    for (const std::uint32_t row : surface.face_body) {
        body.push_back(s.id[row]);
        material.push_back(s.material[row]);
    }
    file.write(group + "/topology", ElementType::Int32, surface.face_point.data(), size.triangles, 3, true);
    file.write(group + "/body", body, true);
    file.write(group + "/material", material, true);
    return size;
}

/// Radii to draw spheres of: 0 for compounds.
std::vector<double> drawn_radii(const Snapshot& s, const std::vector<ShapeFaces>& shapes) {
    std::vector<double> radius = s.radius;
    for (std::size_t i = 0; i < radius.size(); ++i) {
        if (is_compound(shapes, s, i)) radius[i] = 0;
    }
    return radius;
}

/// Writes a column that seldom changes, or shares that of the frame before.
template <class T>
void write_or_share(Hdf5File& file, const std::string& group, const char* name, const std::vector<T>& values, const EarlierFrame& earlier,
                    const std::vector<T>& before) {
    if (!earlier.group.empty() && !values.empty() && values == before) return file.link(earlier.group + name, group + name);
    file.write(group + name, values, true);
}

bool any_moves(const std::vector<WallSurface>& walls) {
    return std::any_of(walls.begin(), walls.end(), [](const WallSurface& wall) { return wall.moves; });
}

/// Where the walls are, and the vertices of those that move. Returns whether there was anything to write.
bool write_wall_poses(Hdf5File& file, const std::string& group, const Snapshot& snapshot, const std::vector<WallSurface>& walls) {
    if (!any_moves(walls) || snapshot.walls.size() != walls.size()) return false;
    std::vector<Quat> turn;
    std::vector<Vec3> shift;
    for (const Pose& pose : snapshot.walls) {
        turn.push_back(pose.turn);
        shift.push_back(pose.shift);
    }
    file.write(group + "/wall_turn", turn);
    file.write(group + "/wall_shift", shift);
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (!walls[w].moves || walls[w].triangle.empty()) continue;
        file.write(moved_wall_path(group, wall_key(walls, w)), single(moved(walls[w].vertex, snapshot.walls[w])));
    }
    return true;
}

/// A frame of this model in a long run, when `bodies` are left.
FrameSize size_in_long_run(const Model& model, std::size_t bodies, std::size_t contacts, const FrameChoice& choice) {
    const FrameGeometry geometry = frame_geometry(model);
    FrameSize size;
    size.choice = choice;
    size.bodies = bodies;
    size.contacts = contacts;
    size.shapes = !model.shapes.empty();
    size.couples = has_couples(model);
    size.owner = !model.bodies.owner.empty();
    size.shown = shown_numbers(body_parts(model, false)) + (model.bond_kinds.empty() ? 0 : 2);
    size.orientation = model.track_orientation || size.shapes;
    size.shared_triangles = true;
    if (size.shapes && choice.surface && model.bodies.size() > 0) {
        const SurfaceSize first = surface_size(geometry.shapes, model.bodies.shape);
        const double left = static_cast<double>(bodies) / static_cast<double>(model.bodies.size());
        size.surface.points = static_cast<std::size_t>(left * static_cast<double>(first.points));
        size.surface.triangles = static_cast<std::size_t>(left * static_cast<double>(first.triangles));
    }
    for (const WallSurface& wall : geometry.walls) size.moved_points += wall.moves ? wall.vertex.size() : 0;
    return size;
}

}  // namespace

FrameEntry write_frame(Hdf5File& file, const std::string& group, const Snapshot& snapshot, const std::vector<ContactRecord>* contacts,
                       const FrameGeometry& geometry, const std::string& walls, const EarlierFrame& earlier,
                       const std::vector<HeldBond>* bonds, const FrameChoice& choice) {
    const Numbers numbers(file, choice);
    FrameEntry entry;
    entry.single = choice.single;
    entry.velocity = choice.velocity;
    entry.angular_velocity = choice.angular_velocity;
    entry.group = group;
    entry.step = snapshot.step;
    entry.time = snapshot.time;
    entry.bodies = snapshot.id.size();
    entry.orientation = !snapshot.orientation.empty();
    entry.shape = !snapshot.shape.empty();
    entry.owner = !snapshot.owner.empty();
    entry.members =
        static_cast<std::size_t>(std::count_if(snapshot.owner.begin(), snapshot.owner.end(), [](std::int32_t id) { return id >= 0; }));
    entry.contacts = contacts != nullptr;
    entry.walls = walls;
    file.make_group(group);
    file.write_attribute(group, "step", snapshot.step);
    file.write_attribute(group, "time", snapshot.time);
    file.write_attribute(group, "bodies", static_cast<std::int64_t>(snapshot.id.size()));
    if (!walls.empty()) file.write_attribute(group, "walls", walls);
    write_or_share(file, group, "/id", snapshot.id, earlier, earlier.id);
    numbers.write(group + "/position", snapshot.position);
    if (choice.velocity) numbers.write(group + "/velocity", snapshot.velocity);
    if (choice.angular_velocity) numbers.write(group + "/angular_velocity", snapshot.angular_velocity);
    write_or_share(file, group, "/radius", drawn_radii(snapshot, geometry.shapes), earlier, earlier.radius);
    write_or_share(file, group, "/mass", snapshot.mass, earlier, earlier.mass);
    write_or_share(file, group, "/material", snapshot.material, earlier, earlier.material);
    if (snapshot.cell.any()) {
        const std::array<Vec3, 4> vectors = vectors_of(snapshot.cell);
        file.write(group + "/cell", std::vector<Vec3>(vectors.begin(), vectors.end()));
    }
    std::string list;
    for (const SnapshotColumn& column : snapshot.columns) {
        numbers.write(group + "/" + column.name, column.values.data(), snapshot.id.size(), column.components, true);
        if (!column.unit.empty()) file.write_attribute(group + "/" + column.name, "unit", column.unit);
        entry.columns.push_back({column.name, column.components});
        list += fmt::format("{}{} {}", list.empty() ? "" : " ", column.name, column.components);
    }
    if (!list.empty()) file.write_attribute(group, "columns", list);
    if (entry.orientation) numbers.write(group + "/orientation", snapshot.orientation);
    if (entry.shape) write_or_share(file, group, "/shape", snapshot.shape, earlier, earlier.shape);
    if (entry.owner) {
        write_or_share(file, group, "/owner", snapshot.owner, earlier, earlier.owner);
        file.write_attribute(group, "members", static_cast<std::int64_t>(entry.members));
    }
    if (contacts)
        write_contacts(file, group + "/contacts", *contacts, geometry.couples || !geometry.shapes.empty(), !geometry.shapes.empty(),
                       numbers);
    entry.bonds = bonds != nullptr;
    if (bonds) write_bonds(file, group + "/bonds", *bonds, numbers);
    if (!geometry.shapes.empty() && choice.surface)
        entry.surface = write_surface(file, group + "/surface", snapshot, geometry.shapes, earlier, choice.compress);
    entry.walls_moved = write_wall_poses(file, group, snapshot, geometry.walls);
    return entry;
}

double frame_bytes(const FrameSize& size) {
    const double number = size.choice.single ? 4 : 8;
    const double per_contact = 3 * 4 + (3 * 3 + 1) * number;  // a, b, wall; point, normal, force; overlap
    const double per_patch = 1 + 2 * number;                  // kind; area, volume
    const double per_bond = 4 * 4 + (2 * 3 + 2) * number;     // a, b, wall, kind; arm, force; strain, damage
    const int numbers = 3 + (size.choice.velocity ? 3 : 0) + (size.choice.angular_velocity ? 3 : 0) + (size.orientation ? 4 : 0);
    const double body = 4 + 8 + 8 + 4 + (size.shapes ? 4 : 0) + (size.owner ? 4 : 0) +  // id, radius, mass, material
                        number * (numbers + static_cast<double>(size.shown));
    const double contact = per_contact + (size.couples ? 3 * number : 0) + (size.shapes ? per_patch : 0);
    const double triangle = 4 + (size.shared_triangles ? 0 : 3 * 4 + 4 + 4);  // speed; corners, body, material
    return static_cast<double>(size.bodies) * body + static_cast<double>(size.contacts) * contact +
           static_cast<double>(size.bonds) * per_bond + 12.0 * static_cast<double>(size.surface.points + size.moved_points) +
           static_cast<double>(size.surface.triangles) * triangle;
}

double frame_bytes(const Model& model, std::size_t bodies, std::size_t contacts, const FrameChoice& choice) {
    return frame_bytes(size_in_long_run(model, bodies, contacts, choice));
}

double frame_header_bytes(const Model& model, std::size_t bodies, std::size_t contacts) {
    const FrameSize size = size_in_long_run(model, bodies, contacts, {});
    // Measured with HDF5 1.10, rounded up: 5.4 kB for a group of seven small arrays; a compressed one adds its index of chunks.
    constexpr double group = 1500, array = 600, chunks = 2700, compressed_from = 1024;
    const auto arrays = [&](int count, std::size_t rows) {
        return count * (array + (static_cast<double>(rows) > compressed_from ? chunks : 0));
    };
    // Measured: 1.65 kB of XDMF for a grid of six columns.
    constexpr double grid = 700, column = 200;
    const int columns = 6 + (size.orientation ? 1 : 0) + (size.shapes ? 1 : 0) + (size.owner ? 1 : 0) + static_cast<int>(size.shown);
    double bytes = group + arrays(1 + columns, bodies) + grid + columns * column;
    if (contacts > 0) bytes += group + arrays(size.shapes ? 11 : size.couples ? 8 : 7, contacts);
    if (size.surface.triangles > 0) bytes += 2 * group + arrays(2, size.surface.points) + grid + 3 * column;
    for (const WallSurface& wall : frame_geometry(model).walls) bytes += (wall.triangle.empty() ? 0 : grid) + (wall.moves ? array : 0);
    return bytes + (size.moved_points > 0 ? group + arrays(2, 0) : 0);
}

FrameWriter::FrameWriter(const std::string& directory, FrameGeometry geometry, const FrameChoice& choice)
    : directory_(directory), geometry_(std::move(geometry)), choice_(choice), xdmf_(run_file(directory, RunFiles::xdmf), RunFiles::frames) {
    Hdf5File file(run_file(directory_, RunFiles::frames), Hdf5File::Mode::Create);
    file.write_attribute("/", "format", std::string(kFormat));
    file.write_attribute("/", "format_version", kFormatVersion);
    file.make_group("/frames");
    write_shapes(file, geometry_.shapes);
    if (!geometry_.walls.empty()) add_walls(file);
    file.close();
    xdmf_.write(frames_, wall_sets_);
}

FrameWriter::FrameWriter(const std::string& directory, std::int64_t step, FrameGeometry geometry, const FrameChoice& choice)
    : directory_(directory), geometry_(std::move(geometry)), choice_(choice), xdmf_(run_file(directory, RunFiles::xdmf), RunFiles::frames) {
    const std::string path = run_file(directory_, RunFiles::frames);
    std::vector<FrameEntry> later;
    bool shapes_missing = false;
    {
        const FrameReader reader(path);  // closed again before the file is opened for writing
        for (const FrameEntry& frame : reader.frames()) (frame.step <= step ? frames_ : later).push_back(frame);
        wall_sets_ = reader.wall_sets();
        shapes_missing = reader.shapes().empty() && !geometry_.shapes.empty();
    }
    const bool walls_missing = !find_walls();
    if (!later.empty() || shapes_missing || walls_missing) {
        Hdf5File file(path, Hdf5File::Mode::Append);
        for (const FrameEntry& frame : later) file.remove(frame.group);
        if (shapes_missing) write_shapes(file, geometry_.shapes);
        if (walls_missing) add_walls(file);
        file.close();
    }
    xdmf_.write(frames_, wall_sets_);
}

bool FrameWriter::find_walls() {
    if (!walls_.empty()) return true;
    for (const auto& [group, walls] : wall_sets_) {
        if (walls == geometry_.walls) walls_ = group;
    }
    return geometry_.walls.empty() || !walls_.empty();
}

void FrameWriter::add_walls(Hdf5File& file) {
    walls_ = wall_sets_.empty() ? "/walls" : fmt::format("/walls_{}", wall_sets_.size());
    write_walls(file, walls_, geometry_.walls);
    wall_sets_[walls_] = geometry_.walls;
}

void FrameWriter::change_walls(std::vector<WallSurface> walls) {
    if (walls == geometry_.walls) return;
    geometry_.walls = std::move(walls);
    walls_.clear();
}

void FrameWriter::write(const Snapshot& snapshot, const std::vector<ContactRecord>* contacts, const std::vector<HeldBond>* bonds) {
    const std::string path = run_file(directory_, RunFiles::frames);
    const std::size_t n = snapshot.id.size();
    FrameSize size;
    size.choice = choice_;
    size.bodies = n;
    size.contacts = contacts ? contacts->size() : 0;
    size.bonds = bonds ? bonds->size() : 0;
    size.orientation = !snapshot.orientation.empty();
    size.shapes = !geometry_.shapes.empty();
    size.couples = geometry_.couples || size.shapes;
    size.owner = !snapshot.owner.empty();
    for (const SnapshotColumn& column : snapshot.columns) size.shown += column.components;
    if (choice_.surface) size.surface = surface_size(geometry_.shapes, snapshot.shape);
    size.shared_triangles = last_.same_triangles(snapshot);
    for (const WallSurface& wall : geometry_.walls) size.moved_points += wall.moves ? wall.vertex.size() : 0;
    // A tenth, 4 bytes per body and a megabyte: for headers and the list of points.
    reserve_space(path, static_cast<std::uint64_t>(1.1 * frame_bytes(size) + 4.0 * static_cast<double>(n) + 1e6));

    Hdf5File file(path, Hdf5File::Mode::Append);
    if (!find_walls()) add_walls(file);
    const std::string points = points_path(n);
    if (!file.exists(points)) {
        std::vector<std::int32_t> numbers(n);
        std::iota(numbers.begin(), numbers.end(), 0);
        file.write(points, numbers, true);
    }
    // The frame shows up under /frames once it is on file, so that a killed run leaves none in halves. What such a run left is never
    // touched: its own storage may be incomplete.
    std::string unfinished = kUnfinished;
    while (file.exists(unfinished)) unfinished += "_";
    FrameEntry entry = write_frame(file, unfinished, snapshot, contacts, geometry_, walls_, last_, bonds, choice_);
    file.flush();
    entry.group = fmt::format("/frames/{:06d}", frames_.size());
    file.move(unfinished, entry.group);
    file.close();
    last_ = {entry.group,   entry.surface.triangles > 0, snapshot.id,    drawn_radii(snapshot, geometry_.shapes),
             snapshot.mass, snapshot.material,           snapshot.shape, snapshot.owner};
    frames_.push_back(entry);
    xdmf_.add_last(frames_, wall_sets_);
}

}  // namespace scree
