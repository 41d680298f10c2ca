#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "output/atomic_file.hpp"
#include "output/export.hpp"
#include "output/polyhedra_surface.hpp"
#include "output/run_directory.hpp"
#include "output/triangle_loads.hpp"

namespace scree {
namespace {

/// The appended part of a VTK XML file: each block is its length as UInt64, then the raw bytes.
class Appended {
public:
    /// Adds a block and returns the DataArray element that points to it.
    template <class T>
    std::string add(const char* name, const char* type, int components, const std::vector<T>& values) {
        const std::uint64_t size = values.size() * sizeof(T);
        const std::string element = fmt::format(R"(<DataArray Name="{}" type="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)",
                                                name, type, components, bytes_.size());
        bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
        if (size > 0) bytes_.append(reinterpret_cast<const char*>(values.data()), size);
        return element + "\n";
    }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

/// What a .vtp file holds besides points: vertices and polygons as VTK lists them, with the row of a body (or number of a wall) for each.
struct Cells {
    std::vector<std::int64_t> vertex;  // one point each
    std::vector<std::int64_t> polygon_point, polygon_end;
    std::vector<std::int64_t> line;  // two points each
    std::vector<std::size_t> row;    // vertices first, then polygons
};

/// One value per point or cell, by the body (or wall) it belongs to.
template <class T>
std::vector<T> spread(const std::vector<T>& values, const std::vector<std::size_t>& row) {
    std::vector<T> result;
    result.reserve(row.size());
    for (const std::size_t k : row) result.push_back(values[k]);
    return result;
}

std::vector<double> spread(const SnapshotColumn& column, const std::vector<std::size_t>& row) {
    std::vector<double> result;
    result.reserve(row.size() * column.components);
    for (const std::size_t k : row) {
        for (std::size_t c = 0; c < column.components; ++c) result.push_back(column.values[k * column.components + c]);
    }
    return result;
}

std::vector<double> lengths(const std::vector<Vec3>& vectors) {
    std::vector<double> result;
    result.reserve(vectors.size());
    for (const Vec3& v : vectors) result.push_back(norm(v));
    return result;
}

std::string vtp_text(const std::string& point_data, const std::string& cell_data, const std::vector<Vec3>& points, const Cells& cells,
                     Appended& data) {
    std::string text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
    text += fmt::format(
        "<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
        points.size(), cells.vertex.size(), cells.line.size() / 2, cells.polygon_end.size());
    text += point_data + cell_data;
    text += "<Points>\n" + data.add("position", "Float64", 3, points) + "</Points>\n";
    std::vector<std::int64_t> vertex_end(cells.vertex.size());
    std::iota(vertex_end.begin(), vertex_end.end(), 1);
    text += "<Verts>\n" + data.add("connectivity", "Int64", 1, cells.vertex) + data.add("offsets", "Int64", 1, vertex_end) + "</Verts>\n";
    if (!cells.line.empty()) {
        std::vector<std::int64_t> line_end(cells.line.size() / 2);
        for (std::size_t k = 0; k < line_end.size(); ++k) line_end[k] = static_cast<std::int64_t>(2 * k + 2);
        text += "<Lines>\n" + data.add("connectivity", "Int64", 1, cells.line) + data.add("offsets", "Int64", 1, line_end) + "</Lines>\n";
    }
    if (!cells.polygon_end.empty()) {
        text += "<Polys>\n" + data.add("connectivity", "Int64", 1, cells.polygon_point);
        text += data.add("offsets", "Int64", 1, cells.polygon_end) + "</Polys>\n";
    }
    text += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_" + data.bytes() + "\n</AppendedData>\n</VTKFile>\n";
    return text;
}

/// Spheres as points with a vertex cell each, so that ParaView shows them without a filter; then the corners of polyhedra and their faces.
/// Points carry the values of their body.
std::string bodies_text(const Snapshot& s, const std::vector<ShapeFaces>& shapes) {
    const PolyhedraSurface surface = polyhedra_surface(shapes, s, Faces::Whole);
    std::vector<Vec3> points;
    std::vector<std::size_t> row;  // of each point
    Cells cells;
    for (std::size_t k = 0; k < s.id.size(); ++k) {
        if (is_polyhedron(s, k)) continue;
        cells.vertex.push_back(static_cast<std::int64_t>(points.size()));
        points.push_back(s.position[k]);
        row.push_back(k);
    }
    cells.row = row;
    const auto first = static_cast<std::int64_t>(points.size());
    points.insert(points.end(), surface.point.begin(), surface.point.end());
    row.insert(row.end(), surface.point_body.begin(), surface.point_body.end());
    for (const std::int32_t p : surface.face_point) cells.polygon_point.push_back(first + p);
    cells.polygon_end.assign(surface.face_start.begin() + 1, surface.face_start.end());
    cells.row.insert(cells.row.end(), surface.face_body.begin(), surface.face_body.end());

    Appended data;
    std::string of_points = "<PointData Scalars=\"radius\" Vectors=\"velocity\">\n";
    of_points += data.add("id", "UInt32", 1, spread(s.id, row));
    of_points += data.add("radius", "Float64", 1, spread(s.radius, row));
    of_points += data.add("mass", "Float64", 1, spread(s.mass, row));
    of_points += data.add("material", "Int32", 1, spread(s.material, row));
    of_points += data.add("velocity", "Float64", 3, spread(s.velocity, row));
    of_points += data.add("angular_velocity", "Float64", 3, spread(s.angular_velocity, row));
    for (const SnapshotColumn& column : s.columns)
        of_points += data.add(column.name.c_str(), "Float64", static_cast<int>(column.components), spread(column, row));
    if (!s.orientation.empty()) of_points += data.add("orientation", "Float64", 4, spread(s.orientation, row));
    if (!s.shape.empty()) of_points += data.add("shape", "Int32", 1, spread(s.shape, row));
    if (!s.owner.empty()) of_points += data.add("owner", "Int32", 1, spread(s.owner, row));
    of_points += "</PointData>\n";
    std::string of_cells;
    if (!s.shape.empty()) {
        of_cells = "<CellData Scalars=\"speed\">\n";
        of_cells += data.add("id", "UInt32", 1, spread(s.id, cells.row));
        of_cells += data.add("material", "Int32", 1, spread(s.material, cells.row));
        of_cells += data.add("shape", "Int32", 1, spread(s.shape, cells.row));
        if (!s.owner.empty()) of_cells += data.add("owner", "Int32", 1, spread(s.owner, cells.row));
        of_cells += data.add("radius", "Float64", 1, spread(s.radius, cells.row));
        of_cells += data.add("speed", "Float64", 1, spread(lengths(s.velocity), cells.row));
        of_cells += data.add("angular_speed", "Float64", 1, spread(lengths(s.angular_velocity), cells.row));
        of_cells += "</CellData>\n";
    }
    return vtp_text(of_points, of_cells, points, cells, data);
}

/// The triangles of all walls that are there, where they are; cells name the wall by its number and its material. With the frame's contacts
/// they tell what they bear: force [N], and pressure and shear [Pa], its size across the triangle and along it over the area.
std::string walls_text(const Snapshot& s, const std::vector<WallSurface>& walls, const std::vector<ContactRecord>* contacts) {
    std::vector<Vec3> points, force;
    std::vector<double> pressure, shear;
    std::vector<std::int32_t> number, material;
    Cells cells;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        number.push_back(static_cast<std::int32_t>(w));
        material.push_back(walls[w].material);
        if (!walls[w].active(s.time)) continue;
        const auto first = static_cast<std::int64_t>(points.size());
        const std::vector<Vec3> now = moved(walls[w].vertex, wall_pose(s, w));
        const std::size_t before = force.size();
        points.insert(points.end(), now.begin(), now.end());
        for (const auto& triangle : walls[w].triangle) {
            for (const std::int32_t p : triangle) cells.polygon_point.push_back(first + p);
            cells.polygon_end.push_back(static_cast<std::int64_t>(cells.polygon_point.size()));
            cells.row.push_back(w);
        }
        if (contacts == nullptr) continue;
        for (const Vec3& f : triangle_forces(*contacts, w, now, walls[w].triangle)) {
            const Vec3 twice = area_vector2(now, walls[w].triangle[force.size() - before]);
            const double area = 0.5 * norm(twice), across = area > 0 ? std::fabs(dot(f, twice)) / (2 * area) : 0.0;
            force.push_back(f);
            pressure.push_back(area > 0 ? across / area : 0.0);
            shear.push_back(area > 0 ? std::sqrt(std::max(0.0, norm2(f) - across * across)) / area : 0.0);
        }
    }
    Appended data;
    std::string of_cells = "<CellData Scalars=\"wall\">\n";
    of_cells += data.add("wall", "Int32", 1, spread(number, cells.row)) + data.add("material", "Int32", 1, spread(material, cells.row));
    if (contacts != nullptr) {
        of_cells += data.add("force", "Float64", 3, force) + data.add("pressure", "Float64", 1, pressure);
        of_cells += data.add("shear", "Float64", 1, shear);
    }
    of_cells += "</CellData>\n";
    return vtp_text("", of_cells, points, cells, data);
}

/// Contacts as points with a vertex cell each. A wall stands in `wall` by its number, with b = -1; between two bodies wall is -1. The force
/// is that on A, and normal_force its part that pushes A away from B.
std::string contacts_text(const std::vector<ContactRecord>& contacts) {
    std::vector<Vec3> point, normal, force, torque;
    std::vector<std::int64_t> a, b;
    std::vector<std::int32_t> wall, kind;
    std::vector<double> overlap, push, area, volume;
    Cells cells;
    for (const ContactRecord& c : contacts) {
        cells.vertex.push_back(static_cast<std::int64_t>(point.size()));
        point.push_back(c.point);
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
    Appended data;
    std::string of_points = "<PointData Scalars=\"normal_force\" Vectors=\"force\">\n";
    of_points += data.add("a", "Int64", 1, a) + data.add("b", "Int64", 1, b) + data.add("wall", "Int32", 1, wall);
    of_points += data.add("normal", "Float64", 3, normal) + data.add("overlap", "Float64", 1, overlap);
    of_points += data.add("force", "Float64", 3, force) + data.add("normal_force", "Float64", 1, push);
    of_points += data.add("torque", "Float64", 3, torque) + data.add("kind", "Int32", 1, kind);
    of_points += data.add("area", "Float64", 1, area) + data.add("volume", "Float64", 1, volume);
    of_points += "</PointData>\n";
    return vtp_text(of_points, "", point, cells, data);
}

/// Bonds as lines from the centre of A to that of B, or to the point on the wall, with b = -1; of a periodic cell to the nearest image.
std::string bonds_text(const std::vector<HeldBond>& bonds, const Snapshot& s) {
    std::vector<std::size_t> row;
    for (std::size_t k = 0; k < s.id.size(); ++k) {
        if (s.id[k] >= row.size()) row.resize(s.id[k] + std::size_t{1});
        row[s.id[k]] = k;
    }
    std::vector<Vec3> point, force;
    std::vector<std::int64_t> a, b;
    std::vector<std::int32_t> wall, kind;
    std::vector<double> pull, strain, damage;
    Cells cells;
    for (const HeldBond& bond : bonds) {
        const Vec3 from = s.position.at(row.at(bond.a));
        for (const Vec3& end : {from, from + bond.arm}) {
            cells.line.push_back(static_cast<std::int64_t>(point.size()));
            point.push_back(end);
        }
        a.push_back(bond.a);
        b.push_back(bond.wall >= 0 ? -1 : std::int64_t{bond.b});
        wall.push_back(bond.wall);
        kind.push_back(bond.kind);
        force.push_back(bond.force);
        pull.push_back(dot(bond.force, bond.arm) / norm(bond.arm));
        strain.push_back(bond.strain);
        damage.push_back(bond.damage);
    }
    Appended data;
    std::string of_lines = "<CellData Scalars=\"strain\">\n";
    of_lines += data.add("a", "Int64", 1, a) + data.add("b", "Int64", 1, b) + data.add("wall", "Int32", 1, wall);
    of_lines += data.add("kind", "Int32", 1, kind) + data.add("force", "Float64", 3, force) + data.add("pull", "Float64", 1, pull);
    of_lines += data.add("strain", "Float64", 1, strain) + data.add("damage", "Float64", 1, damage) + "</CellData>\n";
    return vtp_text("", of_lines, point, cells, data);
}

/// The list of one kind of files with their times.
class Collection {
public:
    void add(double time, const std::string& name) {
        text_ += fmt::format("<DataSet timestep=\"{:.17g}\" group=\"\" part=\"0\" file=\"{}\"/>\n", time, name);
    }
    std::string text() const {
        return "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n" +
               text_ + "</Collection>\n</VTKFile>\n";
    }

private:
    std::string text_;
};

/// Is it a frame of two dimensions? Its forces are per metre of a thickness that walls are not drawn with.
bool is_planar(const Snapshot& s, const std::vector<ContactRecord>& contacts) {
    return std::all_of(s.position.begin(), s.position.end(), [](const Vec3& x) { return x.z == 0; }) &&
           std::all_of(contacts.begin(), contacts.end(), [](const ContactRecord& c) { return c.normal.z == 0; });
}

bool any_triangle(const WallSets& sets) {
    return std::any_of(sets.begin(), sets.end(), [](const auto& set) {
        return std::any_of(set.second.begin(), set.second.end(), [](const WallSurface& wall) { return !wall.triangle.empty(); });
    });
}

}  // namespace

Exported export_vtk(const FrameReader& reader, const std::string& directory) {
    Exported done;
    const auto write = [&](const std::string& name, const std::string& text) {
        done.files.push_back(run_file(directory, name.c_str()));
        write_file_atomically(done.files.back(), text);
    };
    const bool with_walls = any_triangle(reader.wall_sets());
    Collection bodies, walls, contacts, bonds;
    bool any_contacts = false, any_bonds = false;
    for (std::size_t i = 0; i < reader.frames().size(); ++i) {
        const Snapshot snapshot = reader.read(i);
        const std::string name = fmt::format("frame_{:06d}.vtp", i);
        write(name, bodies_text(snapshot, reader.shapes()));
        bodies.add(snapshot.time, name);
        const bool has_contacts = reader.frames()[i].contacts;
        const std::vector<ContactRecord> touching = has_contacts ? reader.contacts(i) : std::vector<ContactRecord>{};
        if (has_contacts) {
            const std::string contact_name = fmt::format("contacts_{:06d}.vtp", i);
            write(contact_name, contacts_text(touching));
            contacts.add(snapshot.time, contact_name);
            any_contacts = true;
        }
        if (reader.frames()[i].bonds) {
            const std::string bond_name = fmt::format("bonds_{:06d}.vtp", i);
            write(bond_name, bonds_text(reader.bonds(i), snapshot));
            bonds.add(snapshot.time, bond_name);
            any_bonds = true;
        }
        if (!with_walls) continue;
        const std::string wall_name = fmt::format("walls_{:06d}.vtp", i);
        write(wall_name, walls_text(snapshot, reader.walls(i), has_contacts && !is_planar(snapshot, touching) ? &touching : nullptr));
        walls.add(snapshot.time, wall_name);
    }
    write("frames.pvd", bodies.text());
    if (any_contacts) write("contacts.pvd", contacts.text());
    if (any_bonds) write("bonds.pvd", bonds.text());
    if (with_walls) write("walls.pvd", walls.text());
    done.frames = reader.frames().size();
    return done;
}

}  // namespace scree
