// Bodies from a text file with a line for each: named columns, or four without names; frames of `scree export --to csv` among them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "setup/materials.hpp"
#include "setup/placement/body_columns.hpp"

namespace scree {

namespace {

using Row = std::vector<std::string_view>;

constexpr const char* kKnown = "x, y, z, radius (r), diameter (d), vx, vy, vz, wx, wy, wz, material, qw, qx, qy, qz, angle, shape, id";

constexpr std::array<ColumnName, 21> kNames{{{"x", Column::X},
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
                                             {"qw", Column::Qw},
                                             {"qx", Column::Qx},
                                             {"qy", Column::Qy},
                                             {"qz", Column::Qz},
                                             {"angle", Column::Angle},
                                             {"material", Column::Material},
                                             {"shape", Column::Shape},
                                             {"mass", Column::Mass}}};

/// Columns of frames and tables that say nothing about how a body starts: bodies are numbered as they come.
bool is_left_out(std::string_view name) {
    return name == "id" || name == "density" || name == "pressure" || name == "liquid" || name == "damage" || name == "fragment" ||
           name.starts_with("periods_");
}

/// A header's word without its unit, in small letters: "PosX[m]" is x.
std::string plain_name(std::string_view word) {
    std::string name;
    for (const char c : word.substr(0, word.find_first_of("[("))) name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    while (!name.empty() && name.back() == ' ') name.pop_back();
    if (name.size() == 4 && name.compare(0, 3, "pos") == 0) name = name.substr(3);
    return name;
}

/// For each meaning the field of a row that holds it, or -1.
class Header {
public:
    Header() { field_.fill(-1); }
    /// From a line of names.
    Header(const Row& words, bool planar, const SourcePlace& here) : Header() {
        for (const std::string_view word : words) take(word, here);
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
        if (shape_name_ >= 0) field_[static_cast<std::size_t>(Column::Shape)] = shape_name_;
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
    std::string_view text(const Row& row, Column c) const { return row[static_cast<std::size_t>(field_[static_cast<std::size_t>(c)])]; }
    /// Is the row that of a member of a compound?
    bool is_member(const Row& row, const TextRows& rows) const {
        if (owner_ < 0) return false;
        const std::string_view owner = row[static_cast<std::size_t>(owner_)];
        return number_or_throw(owner, rows.here(owner)) >= 0;
    }

private:
    void take(std::string_view word, const SourcePlace& here) {
        const std::string name = plain_name(word);
        const int at = count_++;
        if (is_left_out(name)) return;
        const auto* known = std::find_if(kNames.begin(), kNames.end(), [&](const ColumnName& one) { return one.first == name; });
        if (known == kNames.end() && name != "shape_name" && name != "owner")
            throw Error(here, fmt::format("unknown column \"{}\": known are {}", word, kKnown));
        int& field = name == "shape_name" ? shape_name_ : name == "owner" ? owner_ : field_[static_cast<std::size_t>(known->second)];
        if (field >= 0) throw Error(here, fmt::format("column \"{}\" stands twice", word));
        field = at;
    }

    std::array<int, kColumns> field_{};
    int shape_name_{-1}, owner_{-1};
    int count_{0};
};

bool all_numbers(const Row& row) {
    for (const std::string_view field : row)
        if (!parse_number(field)) return false;
    return true;
}

/// The header of a first row, named or not; takes the row as data in the second case.
Header header_of(const Row& first, bool planar, bool& is_data, const TextRows& rows) {
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

BodyColumns read_text_bodies(TextRows& rows, const Scene& scene) {
    BodyColumns bodies;
    Row row;
    if (!rows.next(row)) return bodies;
    bool is_data = false;
    const Header header = header_of(row, scene.dimensions == 2, is_data, rows);
    bodies.head = rows.here();
    bodies.writer = header.exported() ? BodyColumns::Writer::Scree : BodyColumns::Writer::User;
    for (bool more = is_data || rows.next(row); more; more = rows.next(row)) {
        const SourcePlace here = rows.here();
        if (row.size() != header.fields()) throw Error(here, fmt::format("{} fields where {} are named", row.size(), header.fields()));
        if (header.is_member(row, rows)) continue;
        for (std::size_t c = 0; c < kColumns; ++c) {
            const auto column = static_cast<Column>(c);
            if (!header.has(column)) continue;
            const std::string_view text = header.text(row, column);
            const double value = column == Column::Material ? material_of(scene, text, header.exported(), here)
                                 : column == Column::Shape  ? shape_number(text, bodies.shapes, here)
                                                            : number_or_throw(text, rows.here(text));
            bodies.of(column).push_back(value);
        }
        bodies.row.push_back(here.line);
    }
    return bodies;
}

}  // namespace scree
