// One file run.gsd for HOOMD, OVITO and freud, with all frames.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "exports/export.hpp"
#include "exports/tilted_cell.hpp"
#include "exports/gsd_writer.hpp"
#include "output/json.hpp"
#include "output/polyhedra_surface.hpp"
#include "output/run_directory.hpp"
#include "render/fields.hpp"

namespace scree {
namespace {

constexpr std::size_t kMostSizes = 256;  // of one shape, before they are put into classes

/// Principal moments of inertia of a body of mass 1 and bounding radius 1, of uniform density, about its principal axes.
Vec3 moments_of(const ShapeFaces* shape, bool flat) {
    if (shape == nullptr) return flat ? Vec3{0, 0, 0.5} : Vec3{0.4, 0.4, 0.4};
    const Vec3 a = shape->smooth_axes;
    if (shape->ellipsoid()) return 0.2 * Vec3{a.y * a.y + a.z * a.z, a.x * a.x + a.z * a.z, a.x * a.x + a.y * a.y};
    // Of the tetrahedra between the centre and the faces: the integral of x_i^2 is 6 V (sum over a <= b of x_a x_b) / 60, the apex at 0.
    double volume = 0;
    double square[3] = {0, 0, 0};
    for (std::size_t f = 0; f < shape->faces(); ++f) {
        const auto begin = static_cast<std::size_t>(shape->face_start[f]), end = static_cast<std::size_t>(shape->face_start[f + 1]);
        const auto corner = [&](std::size_t k) { return shape->vertex[static_cast<std::size_t>(shape->face_vertex[k])]; };
        for (std::size_t k = begin + 2; k < end; ++k) {
            Vec3 p = corner(begin), q = corner(k - 1), r = corner(k);
            const double v = dot(p, cross(q, r)) / 6;
            volume += v;
            for (int i = 0; i < 3; ++i) {
                const double x = along(p, i), y = along(q, i), z = along(r, i);
                square[i] += v / 10 * (x * x + y * y + z * z + x * y + y * z + z * x);
            }
        }
    }
    for (double& s : square) s /= volume;
    if (flat) return {0, 0, square[0] + square[1]};
    return {square[1] + square[2], square[0] + square[2], square[0] + square[1]};
}

/// A kind of bodies: what they look like.
struct BodyType {
    std::int32_t shape{-1}, material{0};
    double radius{0};  // of bodies with a shape; 0: each has its own
    auto operator<=>(const BodyType&) const = default;
};

std::string shape_json(const BodyType& type, const std::vector<ShapeFaces>& shapes, bool flat) {
    if (type.shape < 0) return type.radius > 0 ? fmt::format(R"({{"type": "Sphere", "diameter": {:.9g}}})", 2 * type.radius) : "{}";
    const ShapeFaces& shape = shapes[static_cast<std::size_t>(type.shape)];
    const double r = type.radius;
    if (shape.ellipsoid()) {
        const Vec3 a = r * shape.smooth_axes;
        return fmt::format(R"({{"type": "Ellipsoid", "a": {:.9g}, "b": {:.9g}, "c": {:.9g}}})", a.x, a.y, a.z);
    }
    std::string vertices;
    const auto add = [&](const Vec3& v) {
        vertices += vertices.empty() ? "" : ", ";
        vertices +=
            flat ? fmt::format("[{:.9g}, {:.9g}]", r * v.x, r * v.y) : fmt::format("[{:.9g}, {:.9g}, {:.9g}]", r * v.x, r * v.y, r * v.z);
    };
    if (shape.smooth() && shape.smooth_stick > 0) {  // a segment that a ball goes along
        const double h = shape.smooth_stick;
        add({0, 0, -h});
        add({0, 0, h});
        return fmt::format(R"({{"type": "ConvexPolyhedron", "rounding_radius": {:.9g}, "vertices": [{}]}})", r * shape.smooth_axes.x,
                           vertices);
    }
    if (!flat) {
        for (const Vec3& v : shape.vertex) add(v);
        return fmt::format(R"({{"type": "ConvexPolyhedron", "rounding_radius": 0, "vertices": [{}]}})", vertices);
    }
    // Of a prism the corners of the face that looks up.
    for (std::size_t f = 0; f < shape.faces(); ++f) {
        const auto begin = static_cast<std::size_t>(shape.face_start[f]), end = static_cast<std::size_t>(shape.face_start[f + 1]);
        const auto corner = [&](std::size_t k) { return shape.vertex[static_cast<std::size_t>(shape.face_vertex[k])]; };
        const Vec3 n = cross(corner(begin + 1) - corner(begin), corner(begin + 2) - corner(begin));
        if (!(n.z > 0.99 * norm(n))) continue;
        for (std::size_t k = begin; k < end; ++k) add(corner(k));
        break;
    }
    return fmt::format(R"({{"type": "Polygon", "rounding_radius": 0, "vertices": [{}]}})", vertices);
}

/// Sizes as types tell them apart: as they are, or in classes of equal ratios where there are too many.
class Sizes {
public:
    explicit Sizes(const FrameReader& reader) {
        std::map<std::int32_t, std::vector<double>> radii;
        for (const std::size_t k : {std::size_t{0}, reader.frames().size() - 1}) {
            const Snapshot s = reader.read(k);
            for (std::size_t i = 0; i < s.id.size(); ++i) {
                if (s.radius[i] > 0) radii[s.shape.empty() ? -1 : s.shape[i]].push_back(s.radius[i]);
            }
        }
        for (auto& [shape, list] : radii) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
            if (list.size() > kMostSizes || (shape < 0 && list.size() > 1)) range_[shape] = {list.front(), list.back()};
        }
    }
    double of(std::int32_t shape, double radius) const {
        const auto found = range_.find(shape);
        if (found == range_.end()) return radius;
        if (shape < 0) return 0;  // spheres have their diameters beside
        const auto [low, high] = found->second;
        const double step = std::log(high / low) / (kMostSizes - 1);
        return low * std::exp(step * std::round(std::log(radius / low) / step));
    }

private:
    std::map<std::int32_t, std::array<double, 2>> range_;
};

/// Half-open box about the origin, and where its middle is in the world.
struct Box {
    std::array<float, 6> size{};  // Lx, Ly, Lz, xy, xz, yz
    Vec3 origin;
};

Box box_of(const Snapshot& s, const std::vector<std::size_t>& rows, bool flat) {
    Vec3 half{1e-30, 1e-30, 1e-30};
    for (const std::size_t k : rows) {
        for (int a = 0; a < 3; ++a) along(half, a) = std::max(along(half, a), std::fabs(along(s.position[k], a)) + s.radius[k]);
    }
    Box box;
    Vec3 length = 2.0 * half;
    const Cell& cell = s.cell;
    for (int a = 0; a < 3; ++a) {
        if (!cell.periodic[a]) continue;
        along(length, a) = cell.length[a];
        along(box.origin, a) = cell.low[a] + 0.5 * cell.length[a];
    }
    double tilt[3] = {0, 0, 0};
    if (is_tilted(cell)) {
        const double offset = least_offset(cell);
        tilt[cell.along + cell.across - 1] = offset / cell.length[cell.across];
        along(box.origin, cell.along) += 0.5 * offset;
    }
    box.size = {static_cast<float>(length.x), static_cast<float>(length.y), static_cast<float>(flat ? 1.0 : length.z),
                static_cast<float>(tilt[0]),  static_cast<float>(tilt[1]),  static_cast<float>(tilt[2])};
    return box;
}

/// Arrays of a frame, left out where they are as in the first frame, which readers then take them from.
class Constant {
public:
    explicit Constant(GsdWriter& to) : to_(to) {}
    template <class T>
    void chunk(const std::string& name, const std::vector<T>& values, std::uint32_t columns = 1) {
        std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        if (is_as_first(name, std::move(bytes))) return;
        to_.chunk(name, values, columns);
    }
    void texts(const std::string& name, const std::vector<std::string>& values) {
        std::string all;
        for (const std::string& text : values) all += text + '\0';
        if (!is_as_first(name, std::move(all))) to_.texts(name, values);
    }
    /// Readers take from the first frame only what has as many particles.
    void start(std::size_t particles) {
        if (frame_++ == 0) particles_ = particles;
        as_many_ = particles == particles_;
    }

private:
    bool is_as_first(const std::string& name, std::string bytes) {
        if (frame_ == 1) return first_[name] = std::move(bytes), false;
        return as_many_ && first_[name] == bytes;
    }
    GsdWriter& to_;
    std::map<std::string, std::string> first_;
    std::size_t frame_{0}, particles_{0};
    bool as_many_{true};
};

class GsdExport {
public:
    GsdExport(const FrameReader& reader, GsdWriter& to) : reader_(reader), to_(to), constant_(to), sizes_(reader) {}

    void add(std::size_t number) {
        const FrameParts parts = read_parts(reader_, number);
        const FrameEntry& entry = reader_.frames()[number];
        const Snapshot& s = parts.bodies;
        const bool flat = is_flat(parts);
        std::vector<std::size_t> rows;
        for (std::size_t k = 0; k < s.id.size(); ++k) {
            if (!is_compound(reader_.shapes(), s, k)) rows.push_back(k);
        }
        const Box box = box_of(s, rows, flat);
        constant_.start(rows.size());
        to_.chunk("configuration/step", std::vector<std::uint64_t>{static_cast<std::uint64_t>(s.step)});
        constant_.chunk("configuration/dimensions", std::vector<std::uint8_t>{static_cast<std::uint8_t>(flat ? 2 : 3)});
        to_.chunk("configuration/box", std::vector<float>(box.size.begin(), box.size.end()));
        to_.chunk("particles/N", std::vector<std::uint32_t>{static_cast<std::uint32_t>(rows.size())});
        to_.chunk("log/time", std::vector<double>{s.time});
        to_.chunk("log/origin", std::vector<double>{box.origin.x, box.origin.y, box.origin.z}, 3);
        write_types(s, rows, flat);
        write_particles(s, entry, rows, box.origin, flat);
        if (entry.bonds) write_bonds(parts, rows);
        to_.end_frame();
    }

private:
    const ShapeFaces* shape_of(const Snapshot& s, std::size_t k) const {
        return is_polyhedron(s, k) ? &reader_.shapes().at(static_cast<std::size_t>(s.shape[k])) : nullptr;
    }

    void write_types(const Snapshot& s, const std::vector<std::size_t>& rows, bool flat) {
        std::vector<std::uint32_t> of_row;
        of_row.reserve(rows.size());
        for (const std::size_t k : rows) {
            const std::int32_t shape = is_polyhedron(s, k) ? s.shape[k] : -1;
            const BodyType type{shape, s.material[k], sizes_.of(shape, s.radius[k])};
            const auto [known, fresh] = number_of_.emplace(type, static_cast<std::uint32_t>(types_.size()));
            if (fresh) {
                types_.push_back(
                    fmt::format("{}_m{}{}", shape < 0 ? (flat ? "disk" : "sphere") : reader_.shapes()[static_cast<std::size_t>(shape)].name,
                                type.material, type.radius > 0 ? fmt::format("_r{:.6g}", type.radius) : ""));
                shapes_.push_back(shape_json(type, reader_.shapes(), flat));
            }
            of_row.push_back(known->second);
        }
        constant_.texts("particles/types", types_);
        constant_.texts("particles/type_shapes", shapes_);
        constant_.chunk("particles/typeid", of_row);
    }

    void write_particles(const Snapshot& s, const FrameEntry& entry, const std::vector<std::size_t>& rows, const Vec3& origin, bool flat) {
        std::vector<float> mass, diameter, position, velocity, orientation, angmom, inertia;
        std::vector<std::int32_t> id, owner;
        const auto vector = [](std::vector<float>& to, const Vec3& v) {
            for (const double x : {v.x, v.y, v.z}) to.push_back(static_cast<float>(x));
        };
        const auto quaternion = [](std::vector<float>& to, const Quat& q) {
            for (const double x : {q.w, q.x, q.y, q.z}) to.push_back(static_cast<float>(x));
        };
        for (const std::size_t k : rows) {
            const ShapeFaces* shape = shape_of(s, k);
            if (!moments_.contains(shape)) moments_[shape] = moments_of(shape, flat);
            const Vec3 moments = (s.mass[k] * s.radius[k] * s.radius[k]) * moments_[shape];
            const Quat q = s.orientation.empty() ? Quat{1, 0, 0, 0} : s.orientation[k];
            id.push_back(static_cast<std::int32_t>(s.id[k]));
            mass.push_back(static_cast<float>(s.mass[k]));
            diameter.push_back(static_cast<float>(2 * s.radius[k]));
            vector(position, s.position[k] - origin);
            if (entry.velocity) vector(velocity, s.velocity[k]);
            vector(inertia, moments);
            if (!s.orientation.empty()) quaternion(orientation, q);
            if (entry.angular_velocity) {
                // The schema's conjugate quaternion: 2 q (0, L), L in the body's frame.
                const Vec3 w = rotate(conjugate(q), s.angular_velocity[k]), L{moments.x * w.x, moments.y * w.y, moments.z * w.z};
                quaternion(angmom, {2 * (-q.x * L.x - q.y * L.y - q.z * L.z), 2 * (q.w * L.x + q.y * L.z - q.z * L.y),
                                    2 * (q.w * L.y + q.z * L.x - q.x * L.z), 2 * (q.w * L.z + q.x * L.y - q.y * L.x)});
            }
            if (!s.owner.empty()) owner.push_back(s.owner[k]);
        }
        constant_.chunk("particles/mass", mass);
        constant_.chunk("particles/diameter", diameter);
        constant_.chunk("particles/moment_inertia", inertia, 3);
        to_.chunk("particles/position", position, 3);
        to_.chunk("particles/velocity", velocity, 3);
        to_.chunk("particles/orientation", orientation, 4);
        to_.chunk("particles/angmom", angmom, 4);
        constant_.chunk("log/particles/id", id);
        constant_.chunk("log/particles/owner", owner);
        for (const SnapshotColumn& column : s.columns) {
            if (column.name == "periods") {
                std::vector<std::int32_t> image;
                for (const std::size_t k : rows) {
                    for (std::size_t c = 0; c < 3; ++c) image.push_back(static_cast<std::int32_t>(column.values[3 * k + c]));
                }
                to_.chunk("particles/image", image, 3);
                continue;
            }
            std::vector<float> values;
            for (const std::size_t k : rows) {
                for (std::size_t c = 0; c < column.components; ++c)
                    values.push_back(static_cast<float>(column.values[k * column.components + c]));
            }
            to_.chunk("log/particles/" + column.name, values, static_cast<std::uint32_t>(column.components));
        }
    }

    /// Bonds between bodies; those to walls have no second particle.
    void write_bonds(const FrameParts& parts, const std::vector<std::size_t>& rows) {
        std::vector<std::int32_t> place(parts.size(), -1);
        for (std::size_t k = 0; k < rows.size(); ++k) place[rows[k]] = static_cast<std::int32_t>(k);
        const std::vector<std::int32_t> row = rows_by_id(parts.bodies);
        const auto particle = [&](std::uint32_t id) {
            return id < row.size() && row[id] >= 0 ? place[static_cast<std::size_t>(row[id])] : -1;
        };
        std::vector<std::uint32_t> group, kinds;
        std::size_t most = 0;
        for (const HeldBond& bond : parts.bonds) {
            const std::int32_t a = particle(bond.a), b = bond.wall < 0 ? particle(bond.b) : -1;
            if (a < 0 || b < 0) continue;
            group.push_back(static_cast<std::uint32_t>(a));
            group.push_back(static_cast<std::uint32_t>(b));
            kinds.push_back(static_cast<std::uint32_t>(bond.kind));
            most = std::max(most, static_cast<std::size_t>(bond.kind) + 1);
        }
        to_.chunk("bonds/N", std::vector<std::uint32_t>{static_cast<std::uint32_t>(kinds.size())});
        std::vector<std::string> names;
        for (std::size_t k = 0; k < most; ++k) names.push_back(fmt::format("bond_{}", k));
        to_.texts("bonds/types", names);
        to_.chunk("bonds/typeid", kinds);
        to_.chunk("bonds/group", group, 2);
    }

    const FrameReader& reader_;
    GsdWriter& to_;
    Constant constant_;
    Sizes sizes_;
    std::map<BodyType, std::uint32_t> number_of_;
    std::vector<std::string> types_, shapes_;
    std::map<const ShapeFaces*, Vec3> moments_;
};

}  // namespace

Exported export_gsd(const FrameReader& reader, const std::string& directory) {
    const std::string path = run_file(directory, "run.gsd");
    GsdWriter writer(path);
    GsdExport run(reader, writer);
    for (std::size_t i = 0; i < reader.frames().size(); ++i) run.add(i);
    writer.finish();
    return {{path}, reader.frames().size()};
}

}  // namespace scree
