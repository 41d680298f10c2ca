#include "api/set_bodies.hpp"

#include <cmath>
#include <cstring>

#include "api/inside.hpp"

namespace scree_v0 {
namespace {

using ::scree::EngineState;
using ::scree::StateField;

/// Where the numbers of one quantity lie: fields of the state, and how many numbers of a row of each are its own, of how many.
struct Places {
    std::vector<std::string> fields;
    std::size_t own{1}, stride{1};
};

Places places_of(const std::string& name) {
    if (name == "position") return {{"body.position_radius"}, 3, 4};
    if (name == "velocity") return {{"body.velocity_inverse_mass"}, 3, 4};
    if (name == "angular_velocity") return {{"body.angular_velocity_inverse_inertia"}, 3, 4};
    if (name == "orientation") return {{"body.orientation.w", "body.orientation.x", "body.orientation.y", "body.orientation.z"}, 1, 1};
    throw SceneError("\"" + name + "\" of bodies cannot be set; position, velocity, angular_velocity and orientation can");
}

StateField& field_of(EngineState& state, const std::string& name) {
    for (StateField& field : state.fields) {
        if (field.name == name) return field;
    }
    throw SceneError("this scene keeps no " + name + " of bodies that could be set");
}

template <class T>
std::vector<T> values_of(const EngineState& state, const std::string& name) {
    std::vector<T> values;
    if (const StateField* field = state.find(name)) {
        values.resize(field->bytes.size() / sizeof(T));
        if (!values.empty()) std::memcpy(values.data(), field->bytes.data(), field->bytes.size());
    }
    return values;
}

/// In two dimensions bodies stay in the plane z = 0 and turn about z.
void require_plane(const std::string& name, const std::vector<double>& values) {
    const bool turns = name == "angular_velocity";
    if (name == "orientation") {
        for (std::size_t k = 0; k < values.size(); k += 4) {
            if (values[k + 1] != 0 || values[k + 2] != 0) throw SceneError("orientation: in two dimensions x and y of a quaternion are 0");
        }
        return;
    }
    for (std::size_t k = 0; k < values.size(); k += 3) {
        if (turns ? values[k] != 0 || values[k + 1] != 0 : values[k + 2] != 0)
            throw SceneError(name + ": in two dimensions " + (turns ? "x and y are 0" : "z is 0"));
    }
}

/// Quaternions of unit length; those that are already stay as they are, bit for bit. Throws SceneError of one without a direction.
std::vector<double> unit_quaternions(std::vector<double> values, const std::vector<std::uint32_t>& ids) {
    for (std::size_t k = 0; k < ids.size(); ++k) {
        double* q = values.data() + 4 * k;
        const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
        if (!(length > 0) || !std::isfinite(length))
            throw SceneError("orientation of body " + std::to_string(ids[k]) + " has no direction");
        if (std::abs(length - 1) < 1e-12) continue;  // rounding
        for (int c = 0; c < 4; ++c) q[c] /= length;
    }
    return values;
}

}  // namespace

void set_bodies(::scree::Engine& engine, const ::scree::Model& model, const std::string& name, const std::vector<std::uint32_t>& ids,
                const std::vector<double>& given) {
    const Places places = places_of(name);
    const std::size_t components = places.own * places.fields.size();
    if (given.size() != ids.size() * components) {
        throw SceneError(name + " takes " + std::to_string(components) + " numbers for each of " + std::to_string(ids.size()) +
                         " bodies, not " + std::to_string(given.size()));
    }
    for (std::size_t k = 0; k < given.size(); ++k) {
        if (!std::isfinite(given[k])) throw SceneError(name + " of body " + std::to_string(ids[k / components]) + " is not finite");
    }
    if (model.dimensions == 2) require_plane(name, given);
    const std::vector<double> values = name == "orientation" ? unit_quaternions(given, ids) : given;
    if (model.method == ::scree::Method::Hard) throw SceneError("bodies of method.kind = \"hard\" cannot be set while they fly");
    if (ids.empty()) return;

    EngineState state = engine.save();
    const std::vector<std::uint32_t> id_of_slot = values_of<std::uint32_t>(state, "body.id");
    const std::vector<std::int32_t> shape = values_of<std::int32_t>(state, "body.shape"),
                                    owner = values_of<std::int32_t>(state, "body.owner");
    std::vector<std::size_t> slot_of_id(model.bodies.size(), id_of_slot.size());
    for (std::size_t slot = 0; slot < id_of_slot.size(); ++slot) slot_of_id[id_of_slot[slot]] = slot;
    std::vector<std::size_t> slots;
    for (const std::uint32_t id : ids) {
        const std::string body = "body " + std::to_string(id);
        if (id >= slot_of_id.size() || slot_of_id[id] == id_of_slot.size()) throw SceneError("there is no " + body + " now");
        const std::size_t slot = slot_of_id[id];
        const bool compound = model.bodies.owner_of(id) == ::scree::BodyTable::no_owner && shape.size() > slot && shape[slot] >= 0 &&
                              model.shapes[static_cast<std::size_t>(shape[slot])].compound();
        if (owner.size() > slot && owner[slot] >= 0)
            throw SceneError(body + " is a member of a compound: set the compound, body " + std::to_string(owner[slot]));
        if (compound && name != "velocity") throw SceneError(body + " is a compound, of which the velocity alone can be set");
        // Of bodies with a shape the angular momentum is state.
        if (name == "angular_velocity" && shape.size() > slot && shape[slot] >= 0)
            throw SceneError(body + " is no sphere: angular velocities of spheres alone can be set");
        slots.push_back(slot);
    }
    for (std::size_t f = 0; f < places.fields.size(); ++f) {
        StateField& field = field_of(state, places.fields[f]);
        for (std::size_t k = 0; k < slots.size(); ++k) {
            std::memcpy(field.bytes.data() + slots[k] * places.stride * sizeof(double), values.data() + k * components + f * places.own,
                        places.own * sizeof(double));
        }
    }
    engine.load(state);
}

}  // namespace scree_v0
