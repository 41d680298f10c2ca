// The tables of the scene file, one function each; schema_*.cpp define them.
#pragma once

#include "scene/table_of.hpp"

namespace scree {

TablePtr time_table();
TablePtr domain_table();
TablePtr method_table();
TablePtr output_table();
TablePtr material_table();
TablePtr material_pair_table();
TablePtr shape_table();
TablePtr bodies_table();
TablePtr placement_table();
TablePtr wall_table();
TablePtr measure_table();

/// [method] of the scene, read before any table that asks, has one of these laws.
bool law_is(const Scene& scene, std::initializer_list<const char*> laws);
/// What the stiffness of the scene's law is measured in: N/m, or N/m^1.5, for which there is no unit to write.
Dimension stiffness_dimension(const Scene& scene);

/// Ids are 32-bit and never reused.
constexpr double kMostBodies = 2147483647;

/// Fails where min is not below max in every component.
void check_box(const Vec3& min, const Vec3& max, const TableReading& reading, const std::string& key);
/// Fails where a direction is too short to normalise.
void check_direction(const Vec3& direction, const TableReading& reading, const std::string& key);

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
