// Checks across tables, made once the whole file is read.
#pragma once

#include <string>
#include <vector>

#include "scene/schema.hpp"

namespace scree {

/// Names the walls and measures that have no name, then checks that names differ and that no pair of materials is listed twice.
void check_scene(Scene& scene, const TableReading& reading);

/// How messages call what a scope holds, and the table that adds to it.
struct ScopeWords {
    const char* word;
    const char* header;
};
/// A scope is "material", "shape", "wall", "bond" (tables), "joint", "body" ([[body]] tables, and walls with a mass of their own),
/// "carrier" ([[body]] tables alone) or "joined" (bodies, and "ground").
ScopeWords words_of_scope(const std::string& scope);

/// Names defined in a scope.
std::vector<std::string> names_in(const Scene& scene, const std::string& scope);

/// Whether joints of this kind have an angle about their axis, a travel along it.
bool turns_about_axis(const std::string& joint_kind);
bool travels_along_axis(const std::string& joint_kind);

/// What is wrong with the entries of an inertia tensor (xx yy zz, or xx yy zz xy xz yz); empty where a rigid body can have it.
std::string problem_of_inertia(const std::vector<double>& entries);

/// What is wrong with a table of sieves; empty where it is one.
std::string problem_of_sieves(const SizeDistribution& size);

}  // namespace scree
