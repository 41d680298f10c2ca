#include "render/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "base/error.hpp"

namespace scree {
namespace {

/// The row whose mass, id, force and contacts a row has: a member's compound, else itself.
std::vector<std::size_t> owner_rows(const Snapshot& s) {
    std::vector<std::size_t> rows(s.id.size());
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = k;
    if (s.owner.empty()) return rows;
    const std::vector<std::int32_t> row = rows_by_id(s);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::int32_t owner = s.owner[k];
        if (owner >= 0 && static_cast<std::size_t>(owner) < row.size() && row[static_cast<std::size_t>(owner)] >= 0)
            rows[k] = static_cast<std::size_t>(row[static_cast<std::size_t>(owner)]);
    }
    return rows;
}

/// Of each row: a sum over its contacts, those of members at their compound.
std::vector<double> contact_sums(const FrameParts& frame, const std::string& field,
                                 const std::function<double(const ContactRecord&)>& what) {
    if (!frame.has_contacts) {
        throw Error(fmt::format("--colour {}: the frames hold no contacts; run the scene with contacts = true in [output]", field));
    }
    const std::vector<std::int32_t> row = rows_by_id(frame.bodies);
    const std::vector<std::size_t> owner = owner_rows(frame.bodies);
    std::vector<double> sums(frame.size());
    const auto add = [&](std::uint32_t id, double value) {
        if (id < row.size() && row[id] >= 0) sums[owner[static_cast<std::size_t>(row[id])]] += value;
    };
    for (const ContactRecord& contact : frame.contacts) {
        const double value = what(contact);
        add(contact.a, value);
        if (contact.wall < 0) add(contact.b, value);
    }
    return sums;
}

using Value = std::function<double(const Snapshot&, std::size_t)>;

/// A field that is a function of a row alone.
struct RowField {
    const char *name, *title, *unit;
    bool from_zero, categories, of_owner;
    Value value;
};

const std::vector<RowField>& row_fields() {
    static const std::vector<RowField> fields{
        {"speed", "speed", "m/s", true, false, false, [](const Snapshot& s, std::size_t k) { return norm(s.velocity[k]); }},
        {"velocity_x", "velocity x", "m/s", false, false, false, [](const Snapshot& s, std::size_t k) { return s.velocity[k].x; }},
        {"velocity_y", "velocity y", "m/s", false, false, false, [](const Snapshot& s, std::size_t k) { return s.velocity[k].y; }},
        {"velocity_z", "velocity z", "m/s", false, false, false, [](const Snapshot& s, std::size_t k) { return s.velocity[k].z; }},
        {"spin", "angular speed", "rad/s", true, false, false,
         [](const Snapshot& s, std::size_t k) { return norm(s.angular_velocity[k]); }},
        {"spin_x", "angular velocity x", "rad/s", false, false, false,
         [](const Snapshot& s, std::size_t k) { return s.angular_velocity[k].x; }},
        {"spin_y", "angular velocity y", "rad/s", false, false, false,
         [](const Snapshot& s, std::size_t k) { return s.angular_velocity[k].y; }},
        {"spin_z", "angular velocity z", "rad/s", false, false, false,
         [](const Snapshot& s, std::size_t k) { return s.angular_velocity[k].z; }},
        {"x", "x", "m", false, false, false, [](const Snapshot& s, std::size_t k) { return s.position[k].x; }},
        {"y", "y", "m", false, false, false, [](const Snapshot& s, std::size_t k) { return s.position[k].y; }},
        {"z", "z", "m", false, false, false, [](const Snapshot& s, std::size_t k) { return s.position[k].z; }},
        {"id", "id", "1", false, false, true, [](const Snapshot& s, std::size_t k) { return static_cast<double>(s.id[k]); }},
        {"radius", "radius", "m", false, false, false, [](const Snapshot& s, std::size_t k) { return s.radius[k]; }},
        {"mass", "mass", "kg", false, false, true, [](const Snapshot& s, std::size_t k) { return s.mass[k]; }},
        {"kinetic", "kinetic energy", "J", true, false, true,
         [](const Snapshot& s, std::size_t k) { return 0.5 * s.mass[k] * norm2(s.velocity[k]); }},
        {"material", "material", "1", false, true, false,
         [](const Snapshot& s, std::size_t k) { return static_cast<double>(s.material[k]); }},
        {"shape", "shape", "1", false, true, true,
         [](const Snapshot& s, std::size_t k) { return s.shape.empty() ? -1.0 : static_cast<double>(s.shape[k]); }},
    };
    return fields;
}

/// Other words for fields.
const std::map<std::string, std::string> kOtherNames{{"velocity", "speed"},
                                                     {"angular_velocity", "spin"},
                                                     {"height", "z"},
                                                     {"size", "radius"},
                                                     {"kinetic_energy", "kinetic"},
                                                     {"angular_velocity_x", "spin_x"},
                                                     {"angular_velocity_y", "spin_y"},
                                                     {"angular_velocity_z", "spin_z"}};

/// What the frame lacks for a field; empty: nothing.
std::string missing(const RowField& field, const FrameParts& frame) {
    const std::string_view unit = field.unit;
    if (unit == "rad/s") return frame.has_angular_velocity ? "" : "angular velocities";
    return (unit == "m/s" || unit == "J") && !frame.has_velocity ? "velocities" : "";
}

[[noreturn]] void no_such_field(const std::string& field, const FrameParts& frame) {
    std::string there = field_names();
    for (const SnapshotColumn& column : frame.bodies.columns) {
        for (std::size_t c = 0; c < column.components; ++c) there += ", " + column.component_name(c);
    }
    throw Error(fmt::format("--colour {}: there is no such field; there are {}", field, there));
}

}  // namespace

FrameParts read_parts(const FrameReader& reader, std::size_t frame) {
    FrameParts parts;
    parts.bodies = reader.read(frame);
    parts.contacts = reader.contacts(frame);
    parts.bonds = reader.bonds(frame);
    parts.has_contacts = reader.frames()[frame].contacts;
    parts.has_bonds = reader.frames()[frame].bonds;
    parts.has_velocity = reader.frames()[frame].velocity;
    parts.has_angular_velocity = reader.frames()[frame].angular_velocity;
    parts.shapes = &reader.shapes();
    parts.walls = &reader.walls(frame);
    return parts;
}

std::string default_field(bool has_velocity) {
    return has_velocity ? "speed" : "none";
}

std::vector<std::string> fields_of(const FrameParts& frame) {
    std::vector<std::string> names;
    for (const RowField& field : row_fields()) {
        if (missing(field, frame).empty()) names.emplace_back(field.name);
    }
    if (frame.has_contacts) names.insert(names.end(), {"force", "coordination"});
    names.emplace_back("none");
    for (const SnapshotColumn& column : frame.bodies.columns) {
        for (std::size_t c = 0; c < column.components; ++c) names.push_back(column.component_name(c));
    }
    return names;
}

std::string lacking(const std::string& field, const FrameParts& frame) {
    for (const RowField& row : row_fields()) {
        if (field == row.name) return missing(row, frame);
    }
    if (field == "none") return "";
    if (field == "force" || field == "coordination") return frame.has_contacts ? "" : "contacts";
    const std::vector<std::string> there = fields_of(frame);
    return std::find(there.begin(), there.end(), field) == there.end() ? field : "";
}

std::string field_names() {
    std::string names;
    for (const RowField& field : row_fields()) names += fmt::format("{}{}", names.empty() ? "" : ", ", field.name);
    return names + ", force, coordination, none";
}

FieldValues field_values(const std::string& given, const FrameParts& frame) {
    const auto other = kOtherNames.find(given);
    const std::string field = other == kOtherNames.end() ? given : other->second;
    FieldValues found;
    const Snapshot& s = frame.bodies;
    const std::size_t n = frame.size();
    const auto by_owner = [&](const std::vector<double>& values) {
        const std::vector<std::size_t> owner = owner_rows(s);
        found.values.resize(n);
        for (std::size_t k = 0; k < n; ++k) found.values[k] = values[owner[k]];
    };
    for (const RowField& row : row_fields()) {
        if (field != row.name) continue;
        if (const std::string lacks = missing(row, frame); !lacks.empty())
            throw Error(
                fmt::format("--colour {}: the frames hold no {}, which leave_out in [output] names; choose another field", given, lacks));
        found = {row.title, row.unit, row.categories, row.from_zero, std::vector<double>(n)};
        for (std::size_t k = 0; k < n; ++k) found.values[k] = row.value(s, k);
        if (row.of_owner && !s.owner.empty()) by_owner(std::vector<double>(found.values));
        return found;
    }
    if (field == "none") return {"none", "1", true, false, std::vector<double>(n)};
    if (field == "force") {
        found = {"sum of contact forces", "N", false, true, {}};
        by_owner(contact_sums(frame, field, [](const ContactRecord& c) { return norm(c.force); }));
        return found;
    }
    if (field == "coordination") {
        found = {"contacts", "1", false, true, {}};
        by_owner(contact_sums(frame, field, [](const ContactRecord&) { return 1.0; }));
        return found;
    }
    for (const SnapshotColumn& column : s.columns) {
        for (std::size_t c = 0; c < column.components; ++c) {
            if (field != column.component_name(c) || column.values.size() != n * column.components) continue;
            found = {column.name, column.unit, column.name == "fragment", column.name != "periods", std::vector<double>(n)};
            for (std::size_t k = 0; k < n; ++k) found.values[k] = column.values[k * column.components + c];
            return found;
        }
    }
    no_such_field(given, frame);
}

std::vector<std::int32_t> rows_by_id(const Snapshot& bodies) {
    std::vector<std::int32_t> rows;
    if (bodies.id.empty()) return rows;
    rows.assign(static_cast<std::size_t>(*std::max_element(bodies.id.begin(), bodies.id.end())) + 1, -1);
    for (std::size_t k = 0; k < bodies.id.size(); ++k) rows[bodies.id[k]] = static_cast<std::int32_t>(k);
    return rows;
}

bool is_flat(const FrameParts& frame) {
    const Snapshot& s = frame.bodies;
    if (s.id.empty()) return false;
    for (std::size_t k = 0; k < s.id.size(); ++k) {
        if (s.position[k].z != 0 || s.velocity[k].z != 0 || s.angular_velocity[k].x != 0 || s.angular_velocity[k].y != 0) return false;
    }
    for (const WallSurface& wall : *frame.walls) {
        for (const Vec3& n : wall.plane_normal) {
            if (n.z != 0) return false;
        }
    }
    return true;
}

}  // namespace scree
