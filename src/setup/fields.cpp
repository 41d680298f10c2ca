#include "setup/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "scene/files_of.hpp"
#include "setup/functions.hpp"
#include "setup/placement/region.hpp"
#include "setup/placement/text_rows.hpp"

namespace scree {

namespace {

bool acts(const TimeFunction& f) {
    return f.constant != 0 || f.amplitude != 0 || std::any_of(f.value.begin(), f.value.end(), [](double v) { return v != 0; });
}

struct VectorTable {
    std::vector<double> time;
    std::vector<Vec3> value;
};

/// Rows of time and any of x, y, z, under a line of names.
VectorTable read_vectors(const std::string& path, const SourcePlace& place) {
    constexpr std::array<const char*, 4> names{"time", "x", "y", "z"};
    TextRows rows(path, place);
    std::vector<std::string_view> row;
    if (!rows.next(row)) throw Error(place, fmt::format("\"{}\" is empty", path));
    std::vector<std::size_t> column;
    for (const std::string_view word : row) {
        const auto found = std::find(names.begin(), names.end(), word);
        if (found == names.end())
            throw Error(rows.here(word), fmt::format("unknown column \"{}\": the first line names the columns, of time, x, y, z", word));
        column.push_back(static_cast<std::size_t>(found - names.begin()));
        if (std::count(column.begin(), column.end(), column.back()) > 1)
            throw Error(rows.here(word), fmt::format("column \"{}\" stands twice", word));
    }
    if (std::count(column.begin(), column.end(), 0u) == 0) throw Error(rows.here(), "a column time is needed");
    if (column.size() < 2) throw Error(rows.here(), "beside time a column x, y or z is needed");
    VectorTable table;
    while (rows.next(row)) {
        if (row.size() != column.size()) throw Error(rows.here(), fmt::format("expected {} fields, not {}", column.size(), row.size()));
        std::array<double, 4> value{};
        for (std::size_t k = 0; k < row.size(); ++k) value[column[k]] = number_or_throw(row[k], rows.here(row[k]));
        if (!table.time.empty() && !(value[0] > table.time.back()))
            throw Error(rows.here(), fmt::format("times must rise from row to row; {} follows {}", value[0], table.time.back()));
        table.time.push_back(value[0]);
        table.value.push_back({value[1], value[2], value[3]});
    }
    if (table.time.empty()) throw Error(place, fmt::format("\"{}\" has no rows", path));
    return table;
}

/// f and a table together; both may have one.
void add_table(TimeFunction& f, const std::vector<double>& time, const std::vector<double>& value) {
    TimeFunction sum = f, other;
    other.time = time;
    other.value = value;
    sum.time = f.time;
    sum.time.insert(sum.time.end(), time.begin(), time.end());
    std::sort(sum.time.begin(), sum.time.end());
    sum.time.erase(std::unique(sum.time.begin(), sum.time.end()), sum.time.end());
    sum.value.clear();
    TimeFunction own;
    own.time = f.time;
    own.value = f.value;
    for (const double t : sum.time) sum.value.push_back(value_at(own, t) + value_at(other, t));
    f = std::move(sum);
}

void read_gravity(const SceneDomain& given, const std::string& folder, Model& model) {
    const VectorTable table = read_vectors(resolved_path(folder, given.gravity_table), given.gravity_table_place);
    model.gravity = table.value.front();
    for (const Vec3& g : table.value)
        if (model.dimensions == 2 && g.z != 0)
            throw Error(given.gravity_table_place,
                        fmt::format("\"{}\" has gravity along z, but the scene two dimensions", given.gravity_table));
    for (int a = 0; a < 3; ++a) {
        std::vector<double> beside;
        for (const Vec3& g : table.value) {
            const Vec3 change = g - model.gravity;
            beside.push_back(a == 0 ? change.x : a == 1 ? change.y : change.z);
        }
        if (std::any_of(beside.begin(), beside.end(), [](double v) { return v != 0; }))
            add_table(model.fields.acceleration[a], table.time, beside);
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
    for (const TimeFunction& f : fields.acceleration) fields.accelerates = fields.accelerates || acts(f);
    std::set<std::string> names;
    for (const SceneDrag& given : scene.drags) {
        fields.drags.push_back(drag_of(given, scene, fields.drags.size() + 1));
        if (!names.insert(fields.drags.back().name).second)
            throw Error(given.place,
                        fmt::format("two [[drag]] tables are called \"{}\"; give each its own name", fields.drags.back().name));
    }
}

}  // namespace scree
