#include "engine/state/load_bodies.hpp"

#include "model/body_fields.hpp"
#include "model/compounds.hpp"
#include "model/pulls.hpp"
#include "model/rotation.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Of a body and of walls with a mass, which have no solid: then 0 [m3].
double volume_of(const Model& model, std::size_t i) {
    const BodyTable& table = model.bodies;
    const double r3 = table.radius[i] * table.radius[i] * table.radius[i];
    return r3 * (table.shape[i] < 0 ? 4.0 / 3 * 3.14159265358979324 : model.shapes.at(static_cast<std::size_t>(table.shape[i])).volume);
}

/// A field's values by a function of the body's id.
template <class T, class Of>
void load_field(const std::vector<std::int32_t>& ids, Array<T>& array, Of of) {
    std::vector<T> values;
    values.reserve(ids.size());
    for (const std::int32_t id : ids) values.push_back(static_cast<T>(of(static_cast<std::size_t>(id))));
    array.assign(values);
}

void load_orientations(const std::vector<Quat>& orientation, Bodies& b) {
    std::vector<double> part[4];
    for (const Quat& q : orientation) {
        const double of[4] = {q.w, q.x, q.y, q.z};
        for (int k = 0; k < 4; ++k) part[k].push_back(of[k]);
    }
    Array<double>* const to[4] = {&b.qw, &b.qx, &b.qy, &b.qz};
    for (int k = 0; k < 4; ++k) to[k]->assign(part[k]);
}

template <class T>
std::vector<T> chosen(const std::vector<T>& from, const std::vector<std::int32_t>& rows) {
    std::vector<T> values;
    if (from.empty()) return values;  // orientations, where none are kept
    values.reserve(rows.size());
    for (const std::int32_t row : rows) values.push_back(from[static_cast<std::size_t>(row)]);
    return values;
}

}  // namespace

std::vector<Vec3> angular_momenta(const Model& model, const std::vector<std::int32_t>& ids, const BodyTable& start) {
    const BodyTable& table = model.bodies;
    std::vector<Vec3> momentum(ids.size());
    for (std::size_t k = 0; k < ids.size(); ++k) {
        const auto i = static_cast<std::size_t>(ids[k]);
        if (table.shape[i] < 0 || table.owner_of(i) >= 0) continue;
        const Vec3 moments =
            (table.mass[i] * table.radius[i] * table.radius[i]) * model.shapes.at(static_cast<std::size_t>(table.shape[i])).inertia;
        momentum[k] = angular_momentum_of(start.orientation[k], start.angular_velocity[k], moments);
    }
    return momentum;
}

void load_bodies(const Model& model, std::uint32_t parts, const std::vector<std::int32_t>& ids, const BodyTable& start, Bodies& b) {
    const BodyTable& table = model.bodies;
    b.count = static_cast<Index>(ids.size());
    const double of_inertia = model.dimensions == 2 ? 0.5 : 0.4;  // of a disk, of a ball
    std::vector<double> radius, inverse_mass, inverse_inertia;
    for (const std::int32_t id : ids) {
        const auto i = static_cast<std::size_t>(id);
        const std::int32_t owner = table.owner_of(i);
        const bool round = table.shape[i] < 0 && owner < 0;
        radius.push_back(table.radius[i]);
        inverse_mass.push_back(1.0 / table.mass[owner < 0 ? i : static_cast<std::size_t>(owner)]);
        inverse_inertia.push_back(round ? 1.0 / (of_inertia * table.mass[i] * table.radius[i] * table.radius[i]) : 0.0);
    }
    b.position.assign(start.position, radius);
    b.velocity.assign(start.velocity, inverse_mass);
    b.angular_velocity.assign(start.angular_velocity, inverse_inertia);
    b.reference.assign(start.position);
    load_field(ids, b.id, [](std::size_t i) { return i; });
    load_field(ids, b.material, [&](std::size_t i) { return table.material[i]; });
    if ((parts & kOrientations) != 0) load_orientations(start.orientation, b);
    if ((parts & kShapes) != 0) {
        load_field(ids, b.shape, [&](std::size_t i) { return table.shape[i]; });
        b.angular_momentum.assign(angular_momenta(model, ids, start));
    }
    if ((parts & kOwners) != 0)
        load_field(ids, b.owner, [&](std::size_t i) { return is_compound(model, i) ? compound_entry : table.owner_of(i); });
    if ((parts & kVolumes) != 0) load_field(ids, b.volume, [&](std::size_t i) { return volume_of(model, i); });
    if ((parts & kFilms) != 0) {
        const std::vector<double> films = films_of(model);
        load_field(ids, b.film, [&](std::size_t i) { return films[i]; });
    }
    // What nothing above has filled begins at zero.
    b.each_field([&](const BodyField& field, auto& array) {
        if ((parts & field.part) != 0 && field.part != kForceSums && array.size() == 0) array.resize_zero(b.count);
    });
}

BodyTable start_of(const BodyTable& table, const std::vector<std::int32_t>& rows) {
    BodyTable start;
    start.position = chosen(table.position, rows);
    start.velocity = chosen(table.velocity, rows);
    start.angular_velocity = chosen(table.angular_velocity, rows);
    start.orientation = chosen(table.orientation, rows);
    return start;
}

}  // namespace scree::SCREE_FLAVOR
