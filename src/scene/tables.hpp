// The tables of the scene file, one function each; schema_*.cpp define them.
#pragma once

#include "scene/table_of.hpp"

namespace scree {

TablePtr time_table();
TablePtr domain_table();
TablePtr shear_table();
TablePtr stage_table();
TablePtr method_table();
TablePtr output_table();
TablePtr material_table();
TablePtr material_pair_table();
TablePtr shape_table();
TablePtr bodies_table();
TablePtr insert_table();
TablePtr remove_table();
TablePtr placement_table();
TablePtr wall_table();
TablePtr motion_table();
TablePtr body_table();
TablePtr joint_table();
TablePtr measure_table();
TablePtr event_table();
TablePtr drag_table();
TablePtr bond_table();
TablePtr break_table();
/// A vector over time, component by component.
TablePtr along_axes_table(const char* name, const char* doc, Dimension dimension);
/// A value over time, given as a number where it is steady.
TablePtr function_table(Dimension dimension);
bool is_plain(const SceneFunction& f);

/// [method] of the scene, read before any table that asks, has one of these laws.
bool law_is(const Scene& scene, std::initializer_list<const char*> laws);
/// Normal laws whose loading spring is `stiffness`: linear, and those of laws/normal.hpp that need no modulus.
std::vector<std::string> laws_with_springs();
/// What the stiffness of the scene's law is measured in: N/m, or N/m^1.5, for which there is no unit to write.
Dimension stiffness_dimension(const Scene& scene);

/// Ids are 32-bit and never reused.
constexpr double kMostBodies = 2147483647;

/// Fails where min is not below max in every component.
void check_box(const Vec3& min, const Vec3& max, const TableReading& reading, const std::string& key);
/// Fails where a direction is too short to normalise.
void check_direction(const Vec3& direction, const TableReading& reading, const std::string& key);

/// The quaternion of an `orientation`, or of the `rotation` given in its place; fails where both are given or neither is a rotation.
Quat settled_orientation(Quat orientation, Vec3 axis, double angle, const TableReading& reading);

/// A part of space that bodies fill, or with `half_spaces`, one that is looked at.
TablePtr region_table(bool half_spaces = false);
/// The keys of how bodies of a group are turned, and their check; `round`: all are spheres or disks.
void add_orientation_keys(TableOf<SceneBodies>& t);
void settle_turn(SceneBodies& bodies, const TableReading& reading, bool round);
/// Is it a shape of spheres or disks?
bool is_round(const Scene& scene, const std::string& shape);

/// A turn by axis and angle, which becomes an orientation.
template <class S>
TablePtr rotation_table(Vec3 S::*axis, double S::*angle) {
    TableOf<S> t("rotation", "A turn about an axis.");
    t.vector("axis", axis, Dimension::Number, "Axis; only its direction counts.").required();
    t.number("angle", angle, Dimension::Angle, "Angle, right-handed about the axis.").required();
    t.check([axis](S& s, const TableReading& reading) { check_direction(s.*axis, reading, "axis"); });
    return t.build();
}

/// The keys `orientation` and `rotation` of what cannot be random.
template <class S>
void add_turn_keys(TableOf<S>& t, Quat S::*orientation, Vec3 S::*axis, double S::*angle, std::string doc) {
    t.key(
        "orientation", Type::Quaternion,
        [orientation](S& s, const Value& value) {
            const auto& q = std::get<std::vector<double>>(value);
            s.*orientation = {q[0], q[1], q[2], q[3]};
        },
        [orientation](const S& s) -> std::optional<Value> {
            const Quat& q = s.*orientation;
            return written(std::vector<double>{q.w, q.x, q.y, q.z});
        },
        std::move(doc));
    t.same(
        "rotation", [](const S&) { return false; }, rotation_table(axis, angle), "The orientation by an axis and an angle.");
}

/// A cylinder region: centre of one end, axis, radius, length.
template <class S>
TablePtr cylinder_table(Vec3 S::*base, Vec3 S::*axis, double S::*radius, double S::*length) {
    TableOf<S> t("cylinder", "A cylinder with flat ends.");
    t.vector("base", base, Dimension::Length, "Centre of one end.").required();
    t.vector("axis", axis, Dimension::Number, "Direction from the base to the other end; only its direction counts.");
    t.number("radius", radius, Dimension::Length, "Radius.").required().above(0);
    t.number("length", length, Dimension::Length, "Distance between the ends.").required().above(0);
    t.check([axis](S& s, const TableReading& reading) { check_direction(s.*axis, reading, "axis"); });
    return t.build();
}

}  // namespace scree
