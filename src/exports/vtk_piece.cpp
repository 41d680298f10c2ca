#include "exports/vtk_piece.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "output/polyhedra_surface.hpp"
#include "output/triangle_loads.hpp"
#include "render/fields.hpp"
#include "render/wall_meshes.hpp"

namespace scree {
namespace {

using Rows = std::vector<std::size_t>;  // rows of the snapshot

template <class T>
std::vector<T> spread(const std::vector<T>& values, const Rows& rows) {
    std::vector<T> result;
    result.reserve(rows.size());
    for (const std::size_t k : rows) result.push_back(values[k]);
    return result;
}

std::vector<double> lengths(const std::vector<Vec3>& vectors) {
    std::vector<double> result;
    result.reserve(vectors.size());
    for (const Vec3& v : vectors) result.push_back(norm(v));
    return result;
}

std::vector<std::int64_t> counted(std::size_t n) {
    std::vector<std::int64_t> numbers(n);
    for (std::size_t k = 0; k < n; ++k) numbers[k] = static_cast<std::int64_t>(k);
    return numbers;
}

/// The values of bodies, a row for each of `rows`.
void add_body_values(VtkArrays& to, const VtkFrame& frame, const Rows& rows) {
    const Snapshot& s = frame.bodies;
    to.add("id", "", spread(s.id, rows));
    to.add("radius", "m", spread(s.radius, rows));
    to.add("mass", "kg", spread(s.mass, rows));
    to.add("material", "", spread(s.material, rows));
    if (frame.entry.velocity) to.add("velocity", "m/s", spread(s.velocity, rows));
    if (frame.entry.angular_velocity) to.add("angular_velocity", "rad/s", spread(s.angular_velocity, rows));
    for (const SnapshotColumn& column : s.columns) {
        std::vector<double> values;
        values.reserve(rows.size() * column.components);
        for (const std::size_t k : rows) {
            for (std::size_t c = 0; c < column.components; ++c) values.push_back(column.values[k * column.components + c]);
        }
        to.add(column.name, column.unit == "1" ? "" : column.unit, ElementType::Float64, column.components, rows.size(), values.data());
    }
    if (!s.orientation.empty()) to.add("orientation", "", spread(s.orientation, rows));
    if (!s.shape.empty()) to.add("shape", "", spread(s.shape, rows));
    if (!s.owner.empty()) to.add("owner", "", spread(s.owner, rows));
}

/// The values of bodies for their faces.
void add_face_values(VtkArrays& to, const VtkFrame& frame, const Rows& rows) {
    const Snapshot& s = frame.bodies;
    to.add("id", "", spread(s.id, rows));
    to.add("material", "", spread(s.material, rows));
    to.add("shape", "", spread(s.shape, rows));
    if (!s.owner.empty()) to.add("owner", "", spread(s.owner, rows));
    to.add("radius", "m", spread(s.radius, rows));
    if (frame.entry.velocity) to.add("speed", "m/s", spread(lengths(s.velocity), rows));
    if (frame.entry.angular_velocity) to.add("angular_speed", "rad/s", spread(lengths(s.angular_velocity), rows));
}

void add_faces(VtkPiece& piece, const PolyhedraSurface& surface, Rows& point_rows, Rows& cell_rows) {
    const auto first = static_cast<std::int64_t>(piece.points.size());
    piece.points.insert(piece.points.end(), surface.point.begin(), surface.point.end());
    point_rows.insert(point_rows.end(), surface.point_body.begin(), surface.point_body.end());
    for (const std::int32_t p : surface.face_point) piece.polygon_point.push_back(first + p);
    piece.polygon_end.assign(surface.face_start.begin() + 1, surface.face_start.end());
    cell_rows.insert(cell_rows.end(), surface.face_body.begin(), surface.face_body.end());
}

/// Spheres with a vertex cell each, so that ParaView shows them without a filter; then the corners of polyhedra and their faces. Points
/// carry the values of their body.
VtkPiece frame_piece(const VtkFrame& frame) {
    const Snapshot& s = frame.bodies;
    VtkPiece piece;
    Rows row;
    for (std::size_t k = 0; k < s.id.size(); ++k) {
        if (is_polyhedron(s, k)) continue;
        piece.points.push_back(s.position[k]);
        row.push_back(k);
    }
    piece.vertex = counted(row.size());
    Rows cells = row;
    add_faces(piece, polyhedra_surface(frame.reader.shapes(), s, Faces::Whole), row, cells);
    add_body_values(piece.point_data, frame, row);
    if (!s.shape.empty()) add_face_values(piece.cell_data, frame, cells);
    piece.scalars_of_points = "radius";
    piece.vectors_of_points = "velocity";
    piece.scalars_of_cells = "speed";
    return piece;
}

/// Every row of the frame as a point at its centre, members of compounds and compounds too.
VtkPiece bodies_piece(const VtkFrame& frame) {
    VtkPiece piece;
    piece.points = frame.bodies.position;
    piece.vertex = counted(piece.points.size());
    Rows rows(piece.points.size());
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = k;
    add_body_values(piece.point_data, frame, rows);
    piece.scalars_of_points = "radius";
    piece.vectors_of_points = "velocity";
    return piece;
}

/// Bodies with faces, with all values of their body by corner, and those of faces by face.
VtkPiece surfaces_piece(const VtkFrame& frame) {
    VtkPiece piece;
    Rows points, cells;
    add_faces(piece, polyhedra_surface(frame.reader.shapes(), frame.bodies, Faces::Whole), points, cells);
    add_body_values(piece.point_data, frame, points);
    add_face_values(piece.cell_data, frame, cells);
    piece.scalars_of_cells = "speed";
    return piece;
}

/// Is it a frame of two dimensions? Its forces are per metre of a thickness that walls are not drawn with.
bool is_planar(const Snapshot& s, const std::vector<ContactRecord>& contacts) {
    return std::all_of(s.position.begin(), s.position.end(), [](const Vec3& x) { return x.z == 0; }) &&
           std::all_of(contacts.begin(), contacts.end(), [](const ContactRecord& c) { return c.normal.z == 0; });
}

/// The triangles of all walls that are there, where they are; cells name the wall by its number and its material. With the frame's contacts
/// they tell what they bear: force [N], and pressure and shear [Pa], its size across the triangle and along it over the area.
VtkPiece walls_piece(const VtkFrame& frame) {
    const Snapshot& s = frame.bodies;
    const std::vector<WallSurface>& walls = frame.reader.walls(frame.number);
    const bool loads = frame.entry.contacts && !is_planar(s, frame.contacts);
    VtkPiece piece;
    std::vector<Vec3> force;
    std::vector<double> pressure, shear;
    std::vector<std::int32_t> number, material;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (!walls[w].active(s.time)) continue;
        const auto first = static_cast<std::int64_t>(piece.points.size());
        const std::vector<Vec3> now = moved(walls[w].vertex, wall_pose(s, w));
        const std::size_t before = force.size();
        piece.points.insert(piece.points.end(), now.begin(), now.end());
        for (const auto& triangle : walls[w].triangle) {
            for (const std::int32_t p : triangle) piece.polygon_point.push_back(first + p);
            piece.polygon_end.push_back(static_cast<std::int64_t>(piece.polygon_point.size()));
            number.push_back(static_cast<std::int32_t>(w));
            material.push_back(walls[w].material);
        }
        if (!loads) continue;
        for (const Vec3& f : triangle_forces(frame.contacts, w, now, walls[w].triangle)) {
            const Vec3 twice = area_vector2(now, walls[w].triangle[force.size() - before]);
            const double area = 0.5 * norm(twice), across = area > 0 ? std::fabs(dot(f, twice)) / (2 * area) : 0.0;
            force.push_back(f);
            pressure.push_back(area > 0 ? across / area : 0.0);
            shear.push_back(area > 0 ? std::sqrt(std::max(0.0, norm2(f) - across * across)) / area : 0.0);
        }
    }
    piece.cell_data.add("wall", "", number);
    piece.cell_data.add("material", "", material);
    if (loads) {
        piece.cell_data.add("force", "N", force);
        piece.cell_data.add("pressure", "Pa", pressure);
        piece.cell_data.add("shear", "Pa", shear);
    }
    piece.scalars_of_cells = "wall";
    return piece;
}

/// Planes as far as the run's region reaches, bounded by each other.
VtkPiece planes_piece(const VtkFrame& frame) {
    FrameParts parts;
    parts.bodies = frame.bodies;
    parts.shapes = &frame.reader.shapes();
    std::vector<WallSurface> planes = frame.reader.walls(frame.number);
    for (WallSurface& wall : planes) wall.vertex.clear(), wall.triangle.clear();
    parts.walls = &planes;
    VtkPiece piece;
    std::vector<std::int32_t> number, material;
    for (const WallMesh& wall : wall_meshes(parts, {}, frame.region)) {
        const auto first = static_cast<std::int64_t>(piece.points.size());
        std::size_t w = 0;
        while (planes[w].name != wall.name) ++w;
        piece.points.insert(piece.points.end(), wall.mesh.vertex.begin(), wall.mesh.vertex.end());
        for (const auto& triangle : wall.mesh.triangle) {
            for (const std::int32_t p : triangle) piece.polygon_point.push_back(first + p);
            piece.polygon_end.push_back(static_cast<std::int64_t>(piece.polygon_point.size()));
            number.push_back(static_cast<std::int32_t>(w));
            material.push_back(planes[w].material);
        }
    }
    piece.cell_data.add("wall", "", number);
    piece.cell_data.add("material", "", material);
    piece.scalars_of_cells = "wall";
    return piece;
}

/// What points and lines of contacts have in common. A wall stands in `wall` by its number, with b = -1; between two bodies wall is -1. The
/// force is that on A, and normal_force its part that pushes A away from B.
void add_contact_values(VtkArrays& to, const std::vector<ContactRecord>& contacts) {
    std::vector<Vec3> normal, force, torque;
    std::vector<std::int64_t> a, b;
    std::vector<std::int32_t> wall, kind;
    std::vector<double> overlap, push, area, volume;
    for (const ContactRecord& c : contacts) {
        normal.push_back(c.normal);
        force.push_back(c.force);
        torque.push_back(c.torque);
        a.push_back(c.a);
        b.push_back(c.wall >= 0 ? -1 : std::int64_t{c.b});
        wall.push_back(c.wall);
        kind.push_back(static_cast<std::int32_t>(c.kind));
        overlap.push_back(c.overlap);
        push.push_back(-dot(c.force, c.normal));
        area.push_back(c.area);
        volume.push_back(c.volume);
    }
    to.add("a", "", a);
    to.add("b", "", b);
    to.add("wall", "", wall);
    to.add("normal", "", normal);
    to.add("overlap", "m", overlap);
    to.add("force", "N", force);
    to.add("normal_force", "N", push);
    to.add("torque", "N m", torque);
    to.add("kind", "", kind);
    to.add("area", "m^2", area);
    to.add("volume", "m^3", volume);
}

/// Contacts as points with a vertex cell each.
VtkPiece contacts_piece(const VtkFrame& frame) {
    VtkPiece piece;
    for (const ContactRecord& c : frame.contacts) piece.points.push_back(c.point);
    piece.vertex = counted(piece.points.size());
    add_contact_values(piece.point_data, frame.contacts);
    piece.scalars_of_points = "normal_force";
    piece.vectors_of_points = "force";
    return piece;
}

/// Where a row of a snapshot is, by id.
Vec3 place_of(const Snapshot& s, const std::vector<std::int32_t>& row, std::uint32_t id) {
    const std::int32_t k = id < row.size() ? row[id] : -1;
    if (k < 0) throw Error("a contact or bond names body " + std::to_string(id) + ", which its frame does not hold; the file is damaged");
    return s.position[static_cast<std::size_t>(k)];
}

/// Contacts as lines from the centre of A to that of B, or to the point on the wall; of a periodic cell with the images that touch.
VtkPiece chains_piece(const VtkFrame& frame) {
    const Snapshot& s = frame.bodies;
    const std::vector<std::int32_t> row = rows_by_id(s);
    const auto nearest = [&](const Vec3& d) { return s.cell.any() ? s.cell.nearest(d) : d; };
    VtkPiece piece;
    for (const ContactRecord& c : frame.contacts) {
        const Vec3 from = place_of(s, row, c.a);
        const Vec3 to = from + (c.wall >= 0 ? nearest(c.point - from) : nearest(place_of(s, row, c.b) - from));
        piece.points.push_back(from);
        piece.points.push_back(to);
    }
    piece.line = counted(piece.points.size());
    add_contact_values(piece.cell_data, frame.contacts);
    piece.scalars_of_cells = "normal_force";
    return piece;
}

/// Bonds as lines from the centre of A to that of B, or to the point on the wall, with b = -1; of a periodic cell to the nearest image.
VtkPiece bonds_piece(const VtkFrame& frame) {
    const std::vector<std::int32_t> row = rows_by_id(frame.bodies);
    VtkPiece piece;
    std::vector<Vec3> force;
    std::vector<std::int64_t> a, b;
    std::vector<std::int32_t> wall, kind;
    std::vector<double> pull, strain, damage;
    for (const HeldBond& bond : frame.bonds) {
        const Vec3 from = place_of(frame.bodies, row, bond.a);
        piece.points.push_back(from);
        piece.points.push_back(from + bond.arm);
        a.push_back(bond.a);
        b.push_back(bond.wall >= 0 ? -1 : std::int64_t{bond.b});
        wall.push_back(bond.wall);
        kind.push_back(bond.kind);
        force.push_back(bond.force);
        pull.push_back(dot(bond.force, bond.arm) / norm(bond.arm));
        strain.push_back(bond.strain);
        damage.push_back(bond.damage);
    }
    piece.line = counted(piece.points.size());
    VtkArrays& to = piece.cell_data;
    to.add("a", "", a);
    to.add("b", "", b);
    to.add("wall", "", wall);
    to.add("kind", "", kind);
    to.add("force", "N", force);
    to.add("pull", "N", pull);
    to.add("strain", "", strain);
    to.add("damage", "", damage);
    piece.scalars_of_cells = "strain";
    return piece;
}

template <class Test>
bool any_frame(const FrameReader& reader, Test test) {
    return std::any_of(reader.frames().begin(), reader.frames().end(), test);
}

template <class Test>
bool any_wall(const FrameReader& reader, Test test) {
    const WallSets& sets = reader.wall_sets();
    return std::any_of(sets.begin(), sets.end(), [&](const auto& set) { return std::any_of(set.second.begin(), set.second.end(), test); });
}

bool has_shapes(const FrameReader& reader) {
    return any_frame(reader, [](const FrameEntry& f) { return f.shape; });
}
bool has_contacts(const FrameReader& reader) {
    return any_frame(reader, [](const FrameEntry& f) { return f.contacts; });
}
bool always(const FrameEntry&) {
    return true;
}
bool with_contacts(const FrameEntry& f) {
    return f.contacts;
}

}  // namespace

void VtkArrays::add(const std::string& name, const std::string& unit, ElementType type, std::size_t components, std::size_t rows,
                    const void* values) {
    VtkArray& array = list.emplace_back(VtkArray{name, unit, type, components, rows, {}});
    array.bytes.resize(rows * components * element_bytes(type));
    if (!array.bytes.empty()) std::memcpy(array.bytes.data(), values, array.bytes.size());
}

std::vector<std::int64_t> ends_of_cells(std::size_t count, std::int64_t each) {
    std::vector<std::int64_t> ends(count);
    for (std::size_t k = 0; k < count; ++k) ends[k] = each * static_cast<std::int64_t>(k + 1);
    return ends;
}

VtkFrame read_vtk_frame(const FrameReader& reader, std::size_t number, const Aabb& region) {
    return {reader, number, reader.frames().at(number), reader.read(number), reader.contacts(number), reader.bonds(number), region};
}

Aabb region_of_run(const FrameReader& reader) {
    const std::size_t last = reader.frames().size() - 1;
    Aabb region;
    for (const std::size_t k : {std::size_t{0}, last / 2, last}) {
        const Aabb box = region_of(read_parts(reader, k), {});
        region.include(box.min);
        region.include(box.max);
    }
    return region;
}

const std::vector<VtkKind>& vtk_kinds() {
    static const std::vector<VtkKind> kinds = {
        {"frame", "frames", frame_piece, [](const FrameReader&) { return true; }, always, true, false},
        {"bodies", "bodies", bodies_piece, has_shapes, always, true, false},
        {"bodies", "bodies", bodies_piece, [](const FrameReader&) { return true; }, always, false, true},
        {"surfaces", "surfaces", surfaces_piece, has_shapes, always, false, true},
        {"walls", "walls", walls_piece,
         [](const FrameReader& r) { return any_wall(r, [](const WallSurface& w) { return !w.triangle.empty(); }); }, always, true, true},
        {"planes", "planes", planes_piece,
         [](const FrameReader& r) { return any_wall(r, [](const WallSurface& w) { return !w.plane_point.empty(); }); }, always, true, true},
        {"contacts", "contacts", contacts_piece, has_contacts, with_contacts, true, true},
        {"chains", "chains", chains_piece, has_contacts, with_contacts, true, true},
        {"bonds", "bonds", bonds_piece, [](const FrameReader& r) { return any_frame(r, [](const FrameEntry& f) { return f.bonds; }); },
         [](const FrameEntry& f) { return f.bonds; }, true, true},
    };
    return kinds;
}

}  // namespace scree
