// Data files of LAMMPS and LIGGGHTS (`write_data`, `read_data`) of atom_style sphere.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "setup/placement/body_columns.hpp"

namespace scree {

namespace {

using Row = std::vector<std::string_view>;

constexpr std::array<Column, 7> kAtoms{Column::Id, Column::Type, Column::Diameter, Column::Density, Column::X, Column::Y, Column::Z};
constexpr std::array<Column, 7> kVelocities{Column::Id, Column::Vx, Column::Vy, Column::Vz, Column::Wx, Column::Wy, Column::Wz};
constexpr const char* kStyle = "of atom_style sphere are read: id type diameter density x y z";

/// Cuts a row at its comment, and returns that without its mark.
std::string cut_comment(Row& row) {
    std::string comment;
    const auto mark =
        std::find_if(row.begin(), row.end(), [](std::string_view field) { return field.find('#') != std::string_view::npos; });
    if (mark == row.end()) return comment;
    const std::size_t at = mark->find('#');
    comment = mark->substr(at + 1);
    for (auto field = mark + 1; field != row.end(); ++field) comment.append(comment.empty() ? "" : " ").append(*field);
    if (at > 0) *mark = mark->substr(0, at);
    row.erase(at > 0 ? mark + 1 : mark, row.end());
    return comment;
}

/// The next row that is not a comment alone, without its comment, which goes to `comment`; false at the end.
bool next_row(TextRows& rows, Row& row, std::string& comment) {
    while (rows.next(row)) {
        comment = cut_comment(row);
        if (!row.empty()) return true;
    }
    return false;
}

/// Sections are called by a word, all other rows begin with a number.
bool names_section(const Row& row) {
    return !row[0].empty() && std::isalpha(static_cast<unsigned char>(row[0][0])) != 0;
}

/// `count` rows of a section: `columns`, which all rows have, and where `images` three numbers of periods, which are not read.
BodyColumns read_section(TextRows& rows, const char* name, const std::array<Column, 7>& columns, bool images, std::int64_t count) {
    BodyColumns bodies{.head = rows.here()};
    Row row;
    std::string comment;
    for (std::int64_t k = 0; k < count; ++k) {
        if (!next_row(rows, row, comment) || names_section(row))
            throw Error(rows.here(), fmt::format("{} of {} rows of section {} are there: the file seems to be cut off", k, count, name));
        if (row.size() != columns.size() && !(images && row.size() == columns.size() + 3))
            throw Error(rows.here(),
                        images ? fmt::format("{} fields where rows have 7, or 10 with periods ix iy iz: atoms {}", row.size(), kStyle)
                               : fmt::format("{} fields where rows have 7: id vx vy vz wx wy wz", row.size()));
        for (std::size_t c = 0; c < columns.size(); ++c) bodies.of(columns[c]).push_back(number_or_throw(row[c], rows.here(row[c])));
        bodies.row.push_back(rows.here().line);
    }
    return bodies;
}

void require_style(const std::string& style, const SourcePlace& here) {
    // LIGGGHTS calls the same style granular, too.
    if (style.empty() || style == "sphere" || style == "granular") return;
    throw Error(here, fmt::format("the atoms are of style \"{}\": only those {}", style, kStyle));
}

/// Adds velocities to the bodies, both in the order of their ids.
void add_velocities(BodyColumns& bodies, const BodyColumns& velocities) {
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const double id = velocities.of(Column::Id)[k], wanted = bodies.of(Column::Id)[k];
        if (id < wanted) throw velocities.fault(k, fmt::format("section Atoms has no id {}", id));
        if (id > wanted) throw bodies.fault(k, fmt::format("section Velocities has no id {}", wanted));
    }
    for (const Column c : kVelocities)
        if (c != Column::Id) bodies.of(c) = velocities.of(c);
}

}  // namespace

BodyColumns read_lammps_data(TextRows& rows) {
    std::optional<std::int64_t> count;
    std::optional<BodyColumns> bodies, velocities;
    std::string section;  // the one that rows belong to; empty in the header
    Row row;
    std::string comment;
    bool more = next_row(rows, row, comment);
    if (more && rows.here().line == 1) more = next_row(rows, row, comment);  // the title
    for (; more; more = next_row(rows, row, comment)) {
        if (section.empty() && row.size() > 1 && row[1] == "atoms") count = count_or_throw(row[0], "bodies", rows.here(row[0]));
        if (!names_section(row)) {
            if (section == "Atoms" || section == "Velocities")
                throw Error(rows.here(), fmt::format("section {} has more rows than the {} atoms of the header", section, *count));
            continue;
        }
        section = row[0];
        if (section != "Atoms" && section != "Velocities") continue;
        if (!count) throw Error(rows.here(), "the header has no line \"N atoms\" with their number");
        std::optional<BodyColumns>& read = section == "Atoms" ? bodies : velocities;
        if (read) throw Error(rows.here(), fmt::format("section {} stands twice", section));
        if (section == "Atoms") require_style(comment, rows.here());
        read = section == "Atoms" ? read_section(rows, "Atoms", kAtoms, true, *count)
                                  : read_section(rows, "Velocities", kVelocities, false, *count);
        order_by_id(*read);
    }
    if (!bodies) throw Error(SourcePlace{rows.here().file, 0, 0}, "the data file has no section Atoms");
    for (std::size_t k = 0; k < bodies->size(); ++k)
        if (bodies->of(Column::Diameter)[k] == 0.0)
            throw bodies->fault(k, "diameter 0 is that of a point particle: bodies have a diameter above 0");
    if (velocities) add_velocities(*bodies, *velocities);
    return std::move(*bodies);
}

}  // namespace scree
