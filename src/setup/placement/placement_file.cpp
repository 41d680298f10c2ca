// Bodies from a text file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scene/files_of.hpp"
#include "setup/materials.hpp"
#include "setup/placement/placement.hpp"
#include "setup/placement/text_rows.hpp"

namespace scree {

namespace {

/// What a column means. Diameter is half read as a radius; Id, Density and Pressure are not read.
enum class Column {
    X,
    Y,
    Z,
    Radius,
    Diameter,
    Vx,
    Vy,
    Vz,
    Wx,
    Wy,
    Wz,
    Material,
    Qw,
    Qx,
    Qy,
    Qz,
    Angle,
    Id,
    Shape,
    ShapeName,
    Mass,
    Owner,
    Density,
    Pressure,
    Liquid,
    Periods,
    Count
};
constexpr std::size_t kColumns = static_cast<std::size_t>(Column::Count);
constexpr const char* kKnown = "x, y, z, radius (r), diameter (d), vx, vy, vz, wx, wy, wz, material, qw, qx, qy, qz, angle, shape, id";

/// A header's word without its unit, in small letters: "PosX[m]" is x.
std::string plain_name(std::string_view word) {
    std::string name;
    for (const char c : word.substr(0, word.find_first_of("[("))) name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    while (!name.empty() && name.back() == ' ') name.pop_back();
    if (name.size() == 4 && name.compare(0, 3, "pos") == 0) name = name.substr(3);
    return name;
}

std::optional<Column> column_of(const std::string& name) {
    static const std::array<std::pair<const char*, Column>, 26> names{{{"x", Column::X},
                                                                       {"y", Column::Y},
                                                                       {"z", Column::Z},
                                                                       {"radius", Column::Radius},
                                                                       {"r", Column::Radius},
                                                                       {"diameter", Column::Diameter},
                                                                       {"d", Column::Diameter},
                                                                       {"vx", Column::Vx},
                                                                       {"vy", Column::Vy},
                                                                       {"vz", Column::Vz},
                                                                       {"wx", Column::Wx},
                                                                       {"wy", Column::Wy},
                                                                       {"wz", Column::Wz},
                                                                       {"material", Column::Material},
                                                                       {"qw", Column::Qw},
                                                                       {"qx", Column::Qx},
                                                                       {"qy", Column::Qy},
                                                                       {"qz", Column::Qz},
                                                                       {"angle", Column::Angle},
                                                                       {"id", Column::Id},
                                                                       {"shape", Column::Shape},
                                                                       {"shape_name", Column::ShapeName},
                                                                       {"mass", Column::Mass},
                                                                       {"owner", Column::Owner},
                                                                       {"density", Column::Density},
                                                                       {"pressure", Column::Pressure}}};
    if (name.starts_with("periods_")) return Column::Periods;
    if (name == "liquid") return Column::Liquid;
    for (const auto& [known, column] : names)
        if (name == known) return column;
    return std::nullopt;
}

/// For each meaning the field that holds it, or -1.
class Header {
public:
    Header() { field_.fill(-1); }
    /// From a line of names.
    Header(const std::vector<std::string_view>& words, bool planar, const SourcePlace& here) : Header() {
        for (const std::string_view word : words) {
            const std::optional<Column> column = column_of(plain_name(word));
            if (!column) throw Error(here, fmt::format("unknown column \"{}\": known are {}", word, kKnown));
            int& field = field_[static_cast<std::size_t>(*column)];
            if (field >= 0) throw Error(here, fmt::format("column \"{}\" stands twice", word));
            field = count_++;
        }
        for (const Column needed : {Column::X, Column::Y, planar ? Column::Y : Column::Z})
            if (!has(needed)) throw Error(here, fmt::format("columns {} are needed", planar ? "x and y" : "x, y and z"));
        for (const Column off : {Column::Z, Column::Vz, Column::Wx, Column::Wy, Column::Qw, Column::Qx, Column::Qy, Column::Qz})
            if (planar && !exported() && has(off))
                throw Error(here,
                            "the columns z, vz, wx, wy and those of orientations do not apply to two dimensions; angles stand in angle");
        if (!planar && has(Column::Angle))
            throw Error(here, "column angle belongs to two dimensions; orientations stand in qw, qx, qy, qz");
        const bool all_four = has(Column::Qx) && has(Column::Qy) && has(Column::Qz);
        if (has(Column::Qw) ? !all_four : has(Column::Qx) || has(Column::Qy) || has(Column::Qz))
            throw Error(here, "an orientation needs all of qw, qx, qy and qz");
        if (has(Column::Radius) && has(Column::Diameter)) throw Error(here, "give radius or diameter, not both");
    }
    /// Four columns without names.
    static Header unnamed() {
        Header header;
        int field = 0;
        for (const Column c : {Column::Radius, Column::X, Column::Y, Column::Z}) header.field_[static_cast<std::size_t>(c)] = field++;
        header.count_ = 4;
        return header;
    }

    /// Is it that of a frame that scree exported?
    bool exported() const { return has(Column::Mass); }
    bool has(Column c) const { return field_[static_cast<std::size_t>(c)] >= 0; }
    std::size_t fields() const { return static_cast<std::size_t>(count_); }
    std::string_view text(const std::vector<std::string_view>& row, Column c) const {
        return row[static_cast<std::size_t>(field_[static_cast<std::size_t>(c)])];
    }
    /// The number in column c, or `otherwise` where the file has no such column.
    double number(const std::vector<std::string_view>& row, Column c, double otherwise, const TextRows& rows) const {
        return has(c) ? number_or_throw(text(row, c), rows.here(text(row, c))) : otherwise;
    }

private:
    std::array<int, kColumns> field_{};
    int count_{0};
};

bool all_numbers(const std::vector<std::string_view>& row) {
    for (const std::string_view field : row)
        if (!parse_number(field)) return false;
    return true;
}

/// The header of a first row, named or not; takes the row as data in the second case.
Header header_of(const std::vector<std::string_view>& first, bool planar, bool& is_data, const TextRows& rows) {
    is_data = all_numbers(first);
    if (!is_data) return Header(first, planar, rows.here());
    if (planar || rows.has_commas()) throw Error(rows.here(), fmt::format("the first line must name the columns: known are {}", kKnown));
    if (first.size() != 4) throw Error(rows.here(), fmt::format("{} columns without names: four are read, radius x y z", first.size()));
    return Header::unnamed();
}

/// By name, in an exported frame by its number.
std::int32_t material_of(const Scene& scene, std::string_view text, bool exported, const SourcePlace& here) {
    const double number = parse_number(text).value_or(-1);
    if (exported && number >= 0 && number < static_cast<double>(scene.materials.size())) return static_cast<std::int32_t>(number);
    return material_index(scene, std::string(text), here);
}

/// Index of a shape among those named so far.
std::int32_t shape_number(std::string_view name, std::vector<std::string>& shapes, const SourcePlace& here) {
    if (parse_number(name))
        throw Error(here,
                    fmt::format("shape {}: shapes are read by their names; export the frame anew, which adds them, or name them", name));
    const std::string wanted = name == "sphere" ? "" : std::string(name);
    const auto found = std::find(shapes.begin(), shapes.end(), wanted);
    if (found != shapes.end()) return static_cast<std::int32_t>(found - shapes.begin());
    shapes.push_back(wanted);
    return static_cast<std::int32_t>(shapes.size()) - 1;
}

}  // namespace

Placed place_file(const Scene& scene, const SceneBodies& group, const std::optional<Sizes>& sizes, bool round) {
    TextRows rows(resolved_path(scene.folder, group.placement.file), group.placement.file_place);
    std::vector<std::string_view> row;
    if (!rows.next(row)) throw Error(group.placement.place, fmt::format("\"{}\" holds no bodies", group.placement.file));
    bool is_data = false;
    const Header header = header_of(row, scene.dimensions == 2, is_data, rows);
    const bool has_size = header.has(Column::Radius) || header.has(Column::Diameter);
    const bool exported = header.exported(), planar = scene.dimensions == 2;
    const Column named = header.has(Column::ShapeName) ? Column::ShapeName : Column::Shape;
    if (!has_size && !sizes && !header.has(named))
        throw Error(rows.here(), "a column radius or diameter is needed, or a shape, here or in [[bodies]], that gives the sizes");
    if (header.has(named) && sizes)
        throw Error(group.place,
                    fmt::format("shapes come from \"{}\" and from shape = \"{}\": leave one out", group.placement.file, group.shape));
    if (has_size && sizes && round)
        throw Error(group.place,
                    fmt::format("radii come from \"{}\" and from shape \"{}\": leave one out", group.placement.file, group.shape));

    Placed placed;
    placed.principal = exported;
    const Vec3 v = group.velocity, w = group.angular_velocity;
    for (bool more = is_data || rows.next(row); more; more = rows.next(row)) {
        const SourcePlace here = rows.here();
        if (row.size() != header.fields()) throw Error(here, fmt::format("{} fields where {} are named", row.size(), header.fields()));
        const auto number = [&](Column c, double otherwise) { return header.number(row, c, otherwise, rows); };
        if (number(Column::Owner, -1) >= 0) continue;
        double r = 0.0;
        if (has_size) {
            r = header.has(Column::Radius) ? number(Column::Radius, 0.0) : 0.5 * number(Column::Diameter, 0.0);
            if (exported && r == 0.0) r = 1.0;  // of a compound: its mass tells
            if (!(r > 0.0)) throw Error(here, fmt::format("radius {} m must be positive", r));
            // Inertia goes by the fifth power.
            if (!std::isnormal(std::pow(r, 5)))
                throw Error(here, fmt::format("radius {} m is past the range that masses can be had of", r));
        } else if (sizes) {
            r = sizes->radius(placed.position.size());
        }
        placed.radius.push_back(r);
        const Vec3 spin{number(Column::Wx, w.x), number(Column::Wy, w.y), number(Column::Wz, w.z)};
        placed.position.push_back({number(Column::X, 0.0), number(Column::Y, 0.0), planar ? 0.0 : number(Column::Z, 0.0)});
        placed.velocity.push_back({number(Column::Vx, v.x), number(Column::Vy, v.y), planar ? v.z : number(Column::Vz, v.z)});
        placed.angular_velocity.push_back(planar ? Vec3{w.x, w.y, spin.z} : spin);
        if (header.has(named)) placed.shape.push_back(shape_number(header.text(row, named), placed.shapes, here));
        if (exported) placed.mass.push_back(number(Column::Mass, 0.0));
        if (header.has(Column::Qw)) {
            const Quat q{number(Column::Qw, 1.0), number(Column::Qx, 0.0), number(Column::Qy, 0.0), number(Column::Qz, 0.0)};
            if (!std::isnormal(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z)) throw Error(here, "the quaternion has no length");
            placed.orientation.push_back(q);
        }
        if (header.has(Column::Angle)) placed.orientation.push_back(rotation_by(Vec3{0, 0, number(Column::Angle, 0.0)}));
        if (header.has(Column::Material)) placed.material.push_back(material_of(scene, header.text(row, Column::Material), exported, here));
    }
    if (placed.position.empty()) throw Error(group.placement.place, fmt::format("\"{}\" holds no bodies", group.placement.file));
    return placed;
}

}  // namespace scree
