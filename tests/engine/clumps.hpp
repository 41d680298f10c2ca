// Compound bodies for tests: rigid sets of spheres or cubes whose mass properties follow from formulas.
#pragma once

#include "systems.hpp"

namespace scree::test {

/// A solid ball or cube of a compound, in the compound's principal frame.
struct Part {
    Vec3 at;
    double radius;  // of the sphere; of the sphere that bounds a polyhedron
    std::int32_t shape{BodyTable::sphere_shape};
    Quat turn{};
};

/// Makes room for members in a table that has none yet.
inline void fill_owners(BodyTable& t) {
    t.owner.resize(t.size(), BodyTable::no_owner);
    t.offset.resize(t.size());
    t.offset_turn.resize(t.size());
}

/// A shape without surface of these principal moments [kg m2].
inline std::int32_t add_compound_shape(Model& m, double mass, double reach, Vec3 moments) {
    ConvexShape s;
    s.name = "compound";
    s.inertia = moments / (mass * reach * reach);
    m.shapes.push_back(s);
    return static_cast<std::int32_t>(m.shapes.size()) - 1;
}

/// Appends a compound entry alone and returns its id.
inline std::int32_t add_compound_entry(Model& m, Vec3 at, Quat q, double mass, Vec3 moments, double reach, Vec3 v = {}, Vec3 w = {}) {
    BodyTable& t = m.bodies;
    const std::int32_t shape = add_compound_shape(m, mass, reach, moments);
    t.position.push_back(at);
    t.velocity.push_back(v);
    t.angular_velocity.push_back(w);
    t.radius.push_back(reach);
    t.mass.push_back(mass);
    t.material.push_back(0);
    t.shape.push_back(shape);
    t.orientation.push_back(q);
    fill_owners(t);
    return static_cast<std::int32_t>(t.size()) - 1;
}

/// Makes entry i a member of `owner` at this place of its frame.
inline void carry(Model& m, std::size_t i, std::int32_t owner, Vec3 offset, Quat turn = {}) {
    BodyTable& t = m.bodies;
    fill_owners(t);
    const auto o = static_cast<std::size_t>(owner);
    t.owner[i] = owner;
    t.offset[i] = offset;
    t.offset_turn[i] = turn;
    t.position[i] = t.position[o] + rotate(t.orientation[o], offset);
    t.orientation[i] = t.orientation[o] * turn;
    t.velocity[i] = t.velocity[o] + cross(t.angular_velocity[o], t.position[i] - t.position[o]);
    t.angular_velocity[i] = t.angular_velocity[o];
}

/// Mass, and the diagonal of the inertia tensor about the origin of the parts' frame: their centre of mass, if they are placed evenly.
inline double mass_of(const std::vector<Part>& parts) {
    double mass = 0;
    for (const Part& p : parts) mass += density * 4.0 / 3.0 * pi * p.radius * p.radius * p.radius;
    return mass;
}
inline Vec3 moments_of(const std::vector<Part>& parts) {
    Vec3 sum;
    for (const Part& p : parts) {
        const double mass = mass_of({p}), own = 0.4 * mass * p.radius * p.radius;
        const Vec3 a = p.at;
        sum += Vec3{own + mass * (a.y * a.y + a.z * a.z), own + mass * (a.x * a.x + a.z * a.z), own + mass * (a.x * a.x + a.y * a.y)};
    }
    return sum;
}

/// Appends a compound of balls whose principal frame is that of the parts; the parts follow it in the table.
inline std::int32_t add_clump(Model& m, const std::vector<Part>& parts, Vec3 at, Quat q = {}, Vec3 v = {}, Vec3 w = {}) {
    double reach = 0;
    for (const Part& p : parts) reach = std::max(reach, norm(p.at) + p.radius);
    const std::int32_t id = add_compound_entry(m, at, q, mass_of(parts), moments_of(parts), reach, v, w);
    for (const Part& p : parts) {
        if (p.shape < 0) {
            add_sphere(m, at, p.radius);
        } else {
            m.bodies.add_convex(at, q, p.shape, m.shapes[static_cast<std::size_t>(p.shape)], p.radius, 0, density);
        }
        carry(m, m.bodies.size() - 1, id, p.at, p.turn);
    }
    return id;
}

inline std::vector<Part> dumbbell(double half_length, double radius) {
    return {{{half_length, 0, 0}, radius}, {{-half_length, 0, 0}, radius}};
}
/// Four balls in a cross with arms of different length: three different moments.
inline std::vector<Part> cross_of(double a, double b, double radius) {
    return {{{a, 0, 0}, radius}, {{-a, 0, 0}, radius}, {{0, b, 0}, radius}, {{0, -b, 0}, radius}};
}

}  // namespace scree::test
