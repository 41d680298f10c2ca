#include "view/one_body.hpp"

#include <algorithm>

namespace scree {

std::optional<OneBody> one_body(const FrameParts& frame, std::uint32_t id) {
    const Snapshot& s = frame.bodies;
    const auto at = std::lower_bound(s.id.begin(), s.id.end(), id);
    if (at == s.id.end() || *at != id) return {};
    const auto row = static_cast<std::size_t>(at - s.id.begin());
    std::vector<std::size_t> rows;
    if (s.owner.empty()) {
        rows.push_back(row);
    } else {
        const std::int32_t compound = s.owner[row] >= 0 ? s.owner[row] : static_cast<std::int32_t>(id);
        for (std::size_t k = 0; k < s.id.size(); ++k) {
            if (s.owner[k] == compound || s.id[k] == static_cast<std::uint32_t>(compound)) rows.push_back(k);
        }
    }
    OneBody one;
    one.parts.shapes = frame.shapes;
    one.parts.walls = frame.walls;
    one.parts.has_contacts = frame.has_contacts;
    one.parts.has_velocity = frame.has_velocity;
    one.parts.has_angular_velocity = frame.has_angular_velocity;
    Snapshot& few = one.parts.bodies;
    few.step = s.step;
    few.time = s.time;
    for (const SnapshotColumn& column : s.columns) few.columns.push_back({column.name, column.unit, column.components, {}});
    for (const std::size_t k : rows) {
        if (k == row) one.row = few.id.size();
        few.id.push_back(s.id[k]);
        few.position.push_back(s.position[k]);
        few.velocity.push_back(s.velocity[k]);
        few.angular_velocity.push_back(s.angular_velocity[k]);
        few.radius.push_back(s.radius[k]);
        few.mass.push_back(s.mass[k]);
        few.material.push_back(s.material[k]);
        if (!s.orientation.empty()) few.orientation.push_back(s.orientation[k]);
        if (!s.shape.empty()) few.shape.push_back(s.shape[k]);
        if (!s.owner.empty()) few.owner.push_back(s.owner[k]);
        for (std::size_t c = 0; c < s.columns.size(); ++c) {
            const std::size_t width = s.columns[c].components;
            for (std::size_t j = 0; j < width; ++j) few.columns[c].values.push_back(s.columns[c].values[k * width + j]);
        }
    }
    const auto is_in = [&](std::uint32_t other) { return std::binary_search(few.id.begin(), few.id.end(), other); };
    for (const ContactRecord& contact : frame.contacts) {
        if (is_in(contact.a) || (contact.wall < 0 && is_in(contact.b))) one.parts.contacts.push_back(contact);
    }
    return one;
}

std::vector<double> contact_forces(const FrameParts& frame) {
    std::vector<double> forces;
    forces.reserve(frame.contacts.size());
    for (const ContactRecord& contact : frame.contacts) forces.push_back(norm(contact.force));
    return forces;
}

}  // namespace scree
