#include "setup/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scene/files_of.hpp"
#include "setup/functions.hpp"
#include "setup/placement/region.hpp"
#include "setup/timed_table.hpp"

namespace scree {

namespace {

/// Adds a table to that of f, which may have none.
void add_table(TimeFunction& f, const std::vector<double>& time, const std::vector<double>& value) {
    const TimeFunction own{0, 0, 0, 0, f.time, f.value}, other{0, 0, 0, 0, time, value};
    f.time.insert(f.time.end(), time.begin(), time.end());
    std::sort(f.time.begin(), f.time.end());
    f.time.erase(std::unique(f.time.begin(), f.time.end()), f.time.end());
    f.value.clear();
    for (const double t : f.time) f.value.push_back(value_at(own, t) + value_at(other, t));
}

void read_gravity(const SceneDomain& given, const std::string& folder, Model& model) {
    TimedTable table = read_timed_table(resolved_path(folder, given.gravity_table), given.gravity_table_place, {"x", "y", "z"});
    const auto is_zero = [](double v) { return v == 0; };
    if (model.dimensions == 2 && !std::all_of(table.column[2].begin(), table.column[2].end(), is_zero))
        throw Error(given.gravity_table_place,
                    fmt::format("\"{}\" has gravity along z, but the scene two dimensions", given.gravity_table));
    model.gravity = {table.column[0].front(), table.column[1].front(), table.column[2].front()};
    for (std::size_t a = 0; a < 3; ++a) {
        std::vector<double>& beside = table.column[a];
        for (const double first = beside.front(); double& g : beside) g -= first;
        if (!std::all_of(beside.begin(), beside.end(), is_zero)) add_table(model.fields.acceleration[a], table.time, beside);
    }
}

void take_over(const SceneAlongAxes& given, const std::string& folder, TimeFunction (&to)[3]) {
    const SceneFunction* of[3] = {&given.x, &given.y, &given.z};
    for (int a = 0; a < 3; ++a) to[a] = function_of(*of[a], folder);
}

Drag drag_of(const SceneDrag& given, const Scene& scene, std::size_t number) {
    Drag drag;
    drag.name = given.name.empty() ? fmt::format("drag{}", number) : given.name;
    drag.law = given.law == "stokes"             ? DragLaw::Stokes
               : given.law == "schiller_naumann" ? DragLaw::SchillerNaumann
               : given.law == "quadratic"        ? DragLaw::Quadratic
                                                 : DragLaw::Damping;
    if (scene.dimensions == 2 && (drag.law != DragLaw::Damping || given.buoyancy))
        throw Error(given.place, "the laws of spheres and buoyancy have no meaning in two dimensions: use law = \"damping\"");
    drag.rate = given.rate;
    drag.spin_rate = drag.law == DragLaw::Damping ? given.spin_rate.value_or(given.rate) : 0.0;
    drag.viscosity = given.viscosity;
    drag.density = given.density.value_or(0.0);
    drag.coefficient = given.coefficient;
    drag.buoyancy = given.buoyancy;
    if (given.velocity) take_over(*given.velocity, scene.folder, drag.velocity);
    drag.everywhere = !given.region;
    if (given.region) drag.region = looked_at(*given.region, scene.dimensions == 2);
    drag.from = given.from;
    drag.to = given.to;
    return drag;
}

}  // namespace

void build_fields(const Scene& scene, Model& model) {
    const SceneDomain& domain = scene.domain;
    Fields& fields = model.fields;
    const bool any = domain.acceleration || !domain.gravity_table.empty() || !scene.drags.empty();
    if (!any) return;
    const SourcePlace& place = domain.acceleration             ? domain.acceleration->place
                               : !domain.gravity_table.empty() ? domain.gravity_table_place
                                                               : scene.drags.front().place;
    if (model.method == Method::Hard || model.method == Method::Fluid)
        throw Error(
            place,
            fmt::format("{} acts under kind = \"penalty\" and \"cone\": under \"{}\" nothing changes gravity or slows bodies down",
                        scene.drags.empty() || domain.acceleration || !domain.gravity_table.empty() ? "what changes gravity" : "[[drag]]",
                        scene.method.kind));
    if (domain.shear || !domain.stages.empty())
        throw Error(place, "a sheared or driven domain moves with its bodies: leave acceleration, gravity_table and [[drag]] out");
    if (domain.acceleration) take_over(*domain.acceleration, scene.folder, fields.acceleration);
    if (!domain.gravity_table.empty()) read_gravity(domain, scene.folder, model);
    for (const TimeFunction& f : fields.acceleration) fields.accelerates = fields.accelerates || largest_of(f) > 0;
    std::set<std::string> names;
    for (const SceneDrag& given : scene.drags) {
        fields.drags.push_back(drag_of(given, scene, fields.drags.size() + 1));
        if (!names.insert(fields.drags.back().name).second)
            throw Error(given.place,
                        fmt::format("two [[drag]] tables are called \"{}\"; give each its own name", fields.drags.back().name));
    }
}

}  // namespace scree
