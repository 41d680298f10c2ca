#include "api/inside.hpp"

#include <algorithm>
#include <array>

namespace scree_v0 {
namespace {

using ::scree::Quat;
using ::scree::Snapshot;
using ::scree::Vec3;

// Arrays are shown as rows of doubles, as they lie in memory.
static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Quat) == 4 * sizeof(double));

/// Calls visit(name, unit, type, components, vector) for each field that snapshots have in a form of their own.
template <class Visit>
void each_own_field(const Snapshot& s, Visit visit) {
    using enum Field::Type;
    visit("id", "1", UInt32, 1, s.id);
    visit("position", "m", Float64, 3, s.position);
    visit("velocity", "m/s", Float64, 3, s.velocity);
    visit("angular_velocity", "rad/s", Float64, 3, s.angular_velocity);
    visit("orientation", "1", Float64, 4, s.orientation);
    visit("force", "N", Float64, 3, s.force);
    visit("torque", "N m", Float64, 3, s.torque);
    visit("radius", "m", Float64, 1, s.radius);
    visit("mass", "kg", Float64, 1, s.mass);
    visit("material", "1", Int32, 1, s.material);
    visit("shape", "1", Int32, 1, s.shape);
    visit("owner", "1", Int32, 1, s.owner);
}

/// All fields that there are, without their owner.
std::vector<Field> fields_of(const Snapshot& s) {
    std::vector<Field> fields;
    each_own_field(s, [&](const char* name, const char* unit, Field::Type type, std::size_t components, const auto& values) {
        if (values.size() != s.id.size()) return;
        fields.push_back({name, unit, type, s.id.size(), components, values.data(), nullptr});
    });
    for (const ::scree::SnapshotColumn& column : s.columns)
        fields.push_back({column.name, column.unit, Field::Type::Float64, s.id.size(), column.components, column.values.data(), nullptr});
    return fields;
}

}  // namespace

State::State(std::shared_ptr<const Content> content) : content_(std::move(content)) {
}

std::int64_t State::step() const {
    return content_->snapshot.step;
}
double State::time() const {
    return content_->snapshot.time;
}
std::size_t State::size() const {
    return content_->snapshot.id.size();
}

std::vector<std::string> State::names() const {
    std::vector<std::string> names;
    for (const Field& field : fields_of(content_->snapshot)) names.push_back(field.name);
    return names;
}

bool State::has(const std::string& name) const {
    const std::vector<std::string> all = names();
    return std::find(all.begin(), all.end(), name) != all.end();
}

Field State::field(const std::string& name) const {
    std::string known;
    for (Field& field : fields_of(content_->snapshot)) {
        if (field.name == name) {
            field.owner = content_;
            return field;
        }
        known += (known.empty() ? "" : ", ") + field.name;
    }
    throw SceneError("bodies have no field \"" + name + "\" here; there are " + known);
}

State state_of(Snapshot snapshot) {
    auto content = std::make_shared<State::Content>();
    content->snapshot = std::move(snapshot);
    return State(std::move(content));
}

std::vector<Contact> contacts_of(const std::vector<::scree::ContactRecord>& records) {
    std::vector<Contact> contacts(records.size());
    for (std::size_t k = 0; k < records.size(); ++k) {
        const ::scree::ContactRecord& from = records[k];
        Contact& to = contacts[k];
        to.a = from.a;
        to.b = from.b;
        to.wall = from.wall;
        to.kind = static_cast<std::int32_t>(from.kind);
        to.overlap = from.overlap;
        to.area = from.area;
        put(to.point, from.point);
        put(to.normal, from.normal);
        put(to.force, from.force);
        put(to.torque, from.torque);
    }
    return contacts;
}

}  // namespace scree_v0
