#include "sim/measured_body.hpp"

#include <algorithm>

#include "model/rotation.hpp"

namespace scree {

std::optional<MeasuredBody> find_body(const Model& model, const std::string& name) {
    const BodyTable& bodies = model.bodies;
    const auto found = std::find(bodies.name.begin(), bodies.name.end(), name);
    if (name.empty() || found == bodies.name.end()) return std::nullopt;
    const auto i = static_cast<std::size_t>(found - bodies.name.begin());
    MeasuredBody body;
    body.id = static_cast<std::uint32_t>(i);
    const double mr2 = bodies.mass[i] * bodies.radius[i] * bodies.radius[i];
    if (bodies.shape[i] == BodyTable::sphere_shape) {
        body.moments = 0.4 * mr2 * Vec3{1, 1, 1};
    } else {
        const ConvexShape& shape = model.shapes.at(static_cast<std::size_t>(bodies.shape[i]));
        body.moments = mr2 * shape.inertia;
        body.from_given = conjugate(shape.to_given);
    }
    return body;
}

const std::vector<std::string>& body_columns() {
    static const std::vector<std::string> names = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",     "vx",     "vy",    "vz",
                                                   "wx", "wy", "wz", "ax", "ay", "az", "alphax", "alphay", "alphaz"};
    return names;
}

std::vector<std::optional<double>> body_values(const MeasuredBody& body, const Snapshot& s, const Vec3& gravity) {
    const auto found = std::lower_bound(s.id.begin(), s.id.end(), body.id);
    if (found == s.id.end() || *found != body.id) return std::vector<std::optional<double>>(body_columns().size());
    const auto i = static_cast<std::size_t>(found - s.id.begin());
    const Quat q = s.orientation.at(i), given = q * body.from_given;
    const Vec3 w = s.angular_velocity[i], L = angular_momentum_of(q, w, body.moments);
    const Vec3 acceleration = s.force[i] / s.mass[i] + gravity;
    // I^-1 of a vector: what angular_velocity_of() does to an angular momentum.
    const Vec3 angular_acceleration = angular_velocity_of(q, s.torque.at(i) - cross(w, L), body.moments);
    std::vector<std::optional<double>> values;
    const auto add = [&values](const Vec3& v) { values.insert(values.end(), {v.x, v.y, v.z}); };
    add(s.position[i]);
    values.insert(values.end(), {given.w, given.x, given.y, given.z});
    for (const Vec3& v : {s.velocity[i], w, acceleration, angular_acceleration}) add(v);
    return values;
}

}  // namespace scree
