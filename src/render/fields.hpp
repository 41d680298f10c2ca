// Numbers of bodies that colours show: what frames hold, and what follows from it. In: one frame of a run; out: one number for each row.
#pragma once

#include <string>
#include <vector>

#include "engine/held_bond.hpp"
#include "engine/snapshot.hpp"
#include "output/frame_reader.hpp"

namespace scree {

/// All that one frame holds.
struct FrameParts {
    Snapshot bodies;
    std::vector<ContactRecord> contacts;
    std::vector<HeldBond> bonds;
    bool has_contacts{false}, has_bonds{false};  // the run wrote such, be there any or not
    bool has_velocity{true}, has_angular_velocity{true};
    const std::vector<ShapeFaces>* shapes{nullptr};
    const std::vector<WallSurface>* walls{nullptr};

    std::size_t size() const { return bodies.id.size(); }
};

FrameParts read_parts(const FrameReader& reader, std::size_t frame);

struct FieldValues {
    std::string title, unit;     // unit "1": a bare number
    bool categories{false};      // the numbers are names
    bool from_zero{false};       // ranges start at 0
    std::vector<double> values;  // one for each row of the frame
};

/// `field` as users name it; a member of a compound has its compound's id, mass, energy, force and number of contacts.
/// Throws Error with the names that there are where there is no such field, or the frame lacks what it takes.
FieldValues field_values(const std::string& field, const FrameParts& frame);

/// The field that is shown where none was asked for: "speed", or "none" where the frames hold no velocities.
std::string default_field(bool has_velocity);

/// Names of the fields that this frame has: of field_names() those that it holds all for, and its columns.
std::vector<std::string> fields_of(const FrameParts& frame);

/// What this frame lacks for a field: "velocities", "contacts", ..., of a column its name; empty: nothing.
std::string lacking(const std::string& field, const FrameParts& frame);

/// Names of the fields that every frame has, and what each is, for help texts.
std::string field_names();

/// Where the row of each body is; -1: not in the frame.
std::vector<std::int32_t> rows_by_id(const Snapshot& bodies);

/// Are all bodies in the plane z = 0 and stay there, and no wall is a plane across z?
bool is_flat(const FrameParts& frame);

}  // namespace scree
