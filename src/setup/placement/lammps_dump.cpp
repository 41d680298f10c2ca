// Text dumps of LAMMPS and LIGGGHTS (`dump custom`, `dump atom`): of many frames the last.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "setup/placement/body_columns.hpp"

namespace scree {

namespace {

using Row = std::vector<std::string_view>;

constexpr std::array<ColumnName, 15> kNames{{{"id", Column::Id},
                                             {"type", Column::Type},
                                             {"radius", Column::Radius},
                                             {"diameter", Column::Diameter},
                                             {"density", Column::Density},
                                             {"vx", Column::Vx},
                                             {"vy", Column::Vy},
                                             {"vz", Column::Vz},
                                             {"omegax", Column::Wx},
                                             {"omegay", Column::Wy},
                                             {"omegaz", Column::Wz},
                                             {"quatw", Column::Qw},
                                             {"quati", Column::Qx},
                                             {"quatj", Column::Qy},
                                             {"quatk", Column::Qz}}};

/// Names of positions, the best first: those in the box, those that went on across its borders, shares of the box.
struct Positions {
    std::array<std::string_view, 3> name;
    bool scaled;
};
constexpr std::array<Positions, 4> kPositions{
    {{{"x", "y", "z"}, false}, {{"xu", "yu", "zu"}, false}, {{"xs", "ys", "zs"}, true}, {{"xsu", "ysu", "zsu"}, true}}};

/// The parallelepiped that scaled positions are shares of.
struct Box {
    double low[3], length[3];
    double xy{0}, xz{0}, yz{0};  // tilt
};

/// A field of each row that is read.
struct Field {
    Column column;
    std::size_t at;
};

/// Offset of the last line that begins a frame. Throws scree::Error where there is none.
std::size_t last_frame(const std::string& text, const SourcePlace& place) {
    constexpr std::string_view kBegin = "ITEM: TIMESTEP";
    std::size_t at = text.rfind(kBegin);
    while (at != std::string::npos && at > 0 && text[at - 1] != '\n') at = text.rfind(kBegin, at - 1);
    if (at == std::string::npos) throw Error(place, "a dump has a line \"ITEM: TIMESTEP\" at the begin of each frame, but here is none");
    return at;
}

/// Three rows of bounds; of a tilted box they are those of the box around it (LAMMPS, Howto triclinic). None of a box along three general
/// vectors ("abc").
std::optional<Box> read_box(TextRows& rows, const Row& item) {
    const auto says = [&](std::string_view word) { return std::find(item.begin(), item.end(), word) != item.end(); };
    const bool tilted = says("xy"), general = says("abc");
    Box box;
    double tilt[3] = {0, 0, 0};
    Row row;
    for (int a = 0; a < 3; ++a) {
        if (!rows.next(row)) throw Error(rows.here(), "the bounds of the box end early: the file seems to be cut off");
        const std::size_t needed = general ? 4 : tilted ? 3 : 2;
        if (row.size() != needed) throw Error(rows.here(), fmt::format("{} numbers where bounds of the box have {}", row.size(), needed));
        for (const std::string_view field : row) (void)number_or_throw(field, rows.here(field));
        box.low[a] = *parse_number(row[0]);
        box.length[a] = *parse_number(row[1]);
        if (tilted) tilt[a] = *parse_number(row[2]);
    }
    if (general) return std::nullopt;
    box.xy = tilt[0], box.xz = tilt[1], box.yz = tilt[2];
    const double low[3] = {std::min({0.0, box.xy, box.xz, box.xy + box.xz}), std::min(0.0, box.yz), 0.0};
    const double high[3] = {std::max({0.0, box.xy, box.xz, box.xy + box.xz}), std::max(0.0, box.yz), 0.0};
    for (int a = 0; a < 3; ++a) {
        box.length[a] -= high[a] + box.low[a] - low[a];
        box.low[a] -= low[a];
    }
    return box;
}

/// Shares of the box to positions.
void unscale(BodyColumns& bodies, const Box& box) {
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        double &x = bodies.of(Column::X)[k], &y = bodies.of(Column::Y)[k];
        const double z = bodies.number(Column::Z, k, 0.0);
        x = box.low[0] + box.length[0] * x + box.xy * y + box.xz * z;
        y = box.low[1] + box.length[1] * y + box.yz * z;
        if (bodies.has(Column::Z)) bodies.of(Column::Z)[k] = box.low[2] + box.length[2] * z;
    }
}

/// The fields of the rows by the names in the item's line. A name may stand twice, as LIGGGHTS has it: the first counts.
std::vector<Field> fields_of(const Row& names, const Positions*& positions, bool planar, const SourcePlace& here) {
    const auto at = [&](std::string_view name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    std::vector<Field> fields;
    const auto add = [&](std::string_view name, Column column) {
        if (at(name) < names.size()) fields.push_back({column, at(name)});
    };
    for (const auto& [name, column] : kNames) add(name, column);
    const auto of_turn = [](const Field& field) { return field.column >= Column::Qw && field.column <= Column::Qz; };
    const auto turns = std::count_if(fields.begin(), fields.end(), of_turn);
    if (turns != 0 && turns != 4) throw Error(here, "an orientation needs all of quatw, quati, quatj and quatk");
    const std::size_t axes = planar ? 2 : 3;
    const auto complete = [&](const Positions& one) {
        return std::all_of(one.name.begin(), one.name.begin() + static_cast<std::ptrdiff_t>(axes),
                           [&](std::string_view name) { return at(name) < names.size(); });
    };
    positions = std::find_if(kPositions.begin(), kPositions.end(), complete);
    if (positions == kPositions.end())
        throw Error(here, fmt::format("positions are needed: columns {}, {} or {}; named are {}", planar ? "x y" : "x y z",
                                      planar ? "xu yu" : "xu yu zu", planar ? "xs ys" : "xs ys zs", fmt::join(names, ", ")));
    const Column columns[3] = {Column::X, Column::Y, Column::Z};
    for (std::size_t a = 0; a < 3; ++a) add(positions->name[a], columns[a]);
    return fields;
}

void read_bodies(TextRows& rows, const std::vector<Field>& fields, std::size_t names, std::int64_t count, BodyColumns& bodies) {
    Row row;
    for (std::int64_t k = 0; k < count; ++k) {
        if (!rows.next(row) || row[0] == "ITEM:")
            throw Error(rows.here(), fmt::format("{} of {} bodies of the last frame are there: the file seems to be cut off", k, count));
        if (row.size() != names) throw Error(rows.here(), fmt::format("{} fields where {} are named", row.size(), names));
        for (const Field& field : fields) bodies.of(field.column).push_back(number_or_throw(row[field.at], rows.here(row[field.at])));
        bodies.row.push_back(rows.here().line);
    }
    if (rows.next(row) && row[0] != "ITEM:")
        throw Error(rows.here(), fmt::format("there are more rows than the {} bodies of ITEM: NUMBER OF ATOMS", count));
}

}  // namespace

BodyColumns read_lammps_dump(TextRows& rows, bool planar) {
    const SourcePlace file{rows.here().file, 0, 0};
    rows.skip_to(last_frame(rows.text(), file));
    std::optional<std::int64_t> count;
    std::optional<Box> box;
    Row row;
    while (rows.next(row)) {  // what other items hold is passed over
        const std::string_view item = row.size() > 1 ? row[1] : "";
        if (row[0] == "ITEM:" && item == "NUMBER") {
            if (!rows.next(row)) throw Error(rows.here(), "the number of bodies is missing: the file seems to be cut off");
            count = count_or_throw(row[0], "bodies", rows.here(row[0]));
        } else if (row[0] == "ITEM:" && item == "BOX") {
            box = read_box(rows, row);
        } else if (row[0] == "ITEM:" && item == "ATOMS") {
            if (!count) throw Error(rows.here(), "ITEM: NUMBER OF ATOMS is missing above");
            BodyColumns bodies{.head = rows.here()};
            const Row names(row.begin() + 2, row.end());
            const Positions* positions = nullptr;
            const std::vector<Field> fields = fields_of(names, positions, planar, bodies.head);
            if (positions->scaled && !box)
                throw Error(bodies.head, "scaled positions need ITEM: BOX BOUNDS above, of a box along x, y and z or with a tilt xy xz yz");
            read_bodies(rows, fields, names.size(), *count, bodies);
            if (positions->scaled) unscale(bodies, *box);
            return bodies;
        }
    }
    throw Error(file, "the last frame has no ITEM: ATOMS: it is no dump of atoms, or the file is cut off");
}

}  // namespace scree
