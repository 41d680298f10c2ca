#include "sim/measures.hpp"

#include <algorithm>

namespace scree {
namespace {

/// Column names of a kind, after "NAME."; wall_load repeats them for each wall.
std::vector<std::string> parts_of(const std::string& kind) {
    if (kind == "energy") {
        return {"kinetic_translation", "kinetic_rotation",    "potential", "elastic_normal", "elastic_tangential",
                "dissipated_damping",  "dissipated_friction", "removed",   "total",          "work_of_walls"};
    }
    if (kind == "momentum") return {"px", "py", "pz", "Lx", "Ly", "Lz"};
    if (kind == "mass_in") return {"mass", "count"};
    if (kind == "count") return {"bodies", "mass", "removed"};
    if (kind == "coordination") return {"mean", "contacts", "wall_contacts"};
    if (kind == "max_overlap") return {"ratio"};
    if (kind == "contact_kinds") return {"vertex_face", "edge_edge", "edge_face", "face_face"};
    if (kind == "wall_load") return {"fx", "fy", "fz", "tx", "ty", "tz", "power"};
    return {};
}

std::vector<double> values_of(const Energy& e) {
    return {e.kinetic_translation, e.kinetic_rotation,    e.potential, e.elastic_normal, e.elastic_tangential,
            e.dissipated_damping,  e.dissipated_friction, e.removed,   e.total(),        e.work_of_walls};
}

void append(std::vector<double>& values, const Vec3& v) {
    values.insert(values.end(), {v.x, v.y, v.z});
}

Region region_of(const SceneMeasure& measure) {
    Region region;
    region.kind = measure.region == "cylinder" ? Region::Kind::Cylinder : Region::Kind::Box;
    region.box = {measure.box_min, measure.box_max};
    region.point = measure.point;
    region.axis = measure.axis;
    region.radius = measure.radius;
    region.length = measure.length;
    return region;
}

}  // namespace

Measures::Measures(const Scene& scene, const Model& model) {
    for (const SceneMeasure& measure : scene.measures) {
        One one;
        one.kind = measure.kind;
        one.every = measure.every;
        one.first = columns_.size();
        if (measure.kind == "mass_in") one.region = region_of(measure);
        add_columns(measure, model, one);
        measures_.push_back(one);
    }
    std::vector<std::string> sorted = columns_;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) throw Error("two measures give the column \"" + *twice + "\": give one of them another name");
}

void Measures::add_columns(const SceneMeasure& measure, const Model& model, One& one) {
    const std::string name = measure.name.empty() ? measure.kind : measure.name;
    const std::vector<std::string> parts = parts_of(measure.kind);
    if (parts.empty()) throw Error(measure.place, "unknown kind of measure \"" + measure.kind + "\"");
    if (measure.kind != "wall_load") {
        for (const std::string& part : parts) columns_.push_back(name + "." + part);
        return;
    }
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        if (!measure.wall.empty() && model.walls[w].name != measure.wall) continue;
        one.walls.push_back(w);
        for (const std::string& part : parts) columns_.push_back(name + "." + model.walls[w].name + "." + part);
    }
    if (!measure.wall.empty() && one.walls.empty()) throw Error(measure.place, "no wall is named \"" + measure.wall + "\"");
}

std::vector<std::optional<double>> Measures::sample(Engine& engine, const std::vector<bool>& due) const {
    std::vector<std::optional<double>> row(columns_.size());
    std::optional<Measurement> sums;
    for (std::size_t m = 0; m < measures_.size(); ++m) {
        if (!due[m]) continue;
        const One& one = measures_[m];
        // All sums come from one pass; a region has its own.
        if (one.kind != "mass_in" && !sums) sums = engine.measure();
        std::vector<double> values;
        if (one.kind == "mass_in") {
            const RegionSum sum = engine.sum_in(one.region);
            values = {sum.mass, static_cast<double>(sum.count)};
        } else if (one.kind == "energy") {
            values = values_of(sums->energy);
        } else if (one.kind == "momentum") {
            append(values, sums->momentum);
            append(values, sums->angular_momentum);
        } else if (one.kind == "count") {
            values = {static_cast<double>(sums->bodies), sums->mass, static_cast<double>(engine.counters().removed)};
        } else if (one.kind == "coordination") {
            values = {sums->coordination, static_cast<double>(sums->contacts), static_cast<double>(sums->wall_contacts)};
        } else if (one.kind == "max_overlap") {
            values = {sums->max_overlap};
        } else if (one.kind == "contact_kinds") {
            for (int k = 1; k < contact_kinds; ++k) values.push_back(static_cast<double>(sums->kinds[k]));  // all but None
        } else if (one.kind == "wall_load") {
            for (const std::size_t w : one.walls) {
                append(values, sums->walls.at(w).force);
                append(values, sums->walls.at(w).torque);
                values.push_back(sums->wall_power.at(w));
            }
        }
        std::copy(values.begin(), values.end(), row.begin() + static_cast<std::ptrdiff_t>(one.first));
    }
    return row;
}

bool Measures::need_energy(const Scene& scene) {
    return std::any_of(scene.measures.begin(), scene.measures.end(), [](const SceneMeasure& m) { return m.kind == "energy"; });
}

}  // namespace scree
