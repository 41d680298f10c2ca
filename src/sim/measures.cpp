#include "sim/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/compounds.hpp"
#include "sim/body_count.hpp"
#include "sim/measured_bonds.hpp"
#include "sim/measured_cell.hpp"

namespace scree {
namespace {

using Values = std::vector<std::optional<double>>;

void append(Values& values, const Vec3& v) {
    values.insert(values.end(), {v.x, v.y, v.z});
}

/// Column names of a kind, after "NAME."; wall_load repeats them for each wall.
std::vector<std::string> parts_of(const std::string& kind, bool rigid, int dimensions) {
    if (kind == "stress") return stress_columns(dimensions);
    if (kind == "energy" && rigid) return {"kinetic_translation", "kinetic_rotation", "potential", "removed", "total"};
    if (kind == "energy") {
        return {"kinetic_translation", "kinetic_rotation", "potential", "elastic_normal", "elastic_tangential", "dissipated_damping",
                "dissipated_friction", "removed",          "total",     "work_of_walls",  "work_of_fields"};
    }
    if (kind == "momentum") return {"px", "py", "pz", "Lx", "Ly", "Lz"};
    if (kind == "mass_in") return {"mass", "count"};
    if (kind == "count") return {"bodies", "mass", "removed"};
    if (kind == "coordination") return {"mean", "contacts", "wall_contacts"};
    if (kind == "max_overlap") return {"ratio"};
    if (kind == "contact_kinds") return {"vertex_face", "edge_edge", "edge_face", "face_face"};
    if (kind == "wall_load") return {"fx", "fy", "fz", "tx", "ty", "tz", "power"};
    if (kind == "bonds") return bond_columns();
    if (kind == "cell") return cell_columns(dimensions);
    if (kind == "wall_place") return {"x", "y", "z", "angle"};
    if (kind == "body") return body_columns();
    if (kind == "joint") {
        return {"force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z", "angle", "travel", "motor", "violation"};
    }
    if (kind == "solver") return {"contacts", "iterations", "residual"};
    if (kind == "density") return {"mean_compression", "max_compression", "max_pressure"};
    if (kind == "extent") return {"min_x", "min_y", "min_z", "max_x", "max_y", "max_z"};
    if (kind == "pressure")  // and an impulse for each wall
        return {"collisions", "wall_collisions", "unfinished", "kinetic", "kinetic_time", "virial", "mean", "mean_on_walls"};
    return {};
}

Values values_of(const Energy& e, bool rigid) {
    if (rigid) return {e.kinetic_translation, e.kinetic_rotation, e.potential, e.removed, e.mechanical() + e.elastic_bonds};
    return {e.kinetic_translation, e.kinetic_rotation, e.potential, e.elastic_normal, e.elastic_tangential, e.dissipated_damping,
            e.dissipated_friction, e.removed,          e.total(),   e.work_of_walls,  e.work_of_fields};
}

constexpr std::size_t joint_parts = 10;

Values values_of(const JointState& joint) {
    Values values;
    append(values, joint.force);
    append(values, joint.torque);
    values.insert(values.end(), {joint.angle, joint.travel, joint.motor, joint.violation});
    return values;
}

/// No values before the first step: there was no problem to solve.
Values values_of(const ConeTotals& solver) {
    if (solver.steps == 0) return Values(3);
    return {static_cast<double>(solver.contacts), static_cast<double>(solver.iterations), solver.residual};
}

bool is(const std::vector<bool>& of_id, std::uint32_t id) {
    return id < of_id.size() && of_id[id];
}

/// Corners of the box that holds the spheres about all bodies but those that touch nothing; no values where there are none.
Values extent_of(const Snapshot& s, const std::vector<bool>& bare) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Vec3 low{infinity, infinity, infinity}, high = -low;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        if (is(bare, s.id[i])) continue;
        const Vec3 x = s.position[i];
        const double r = s.radius[i];
        low = {std::min(low.x, x.x - r), std::min(low.y, x.y - r), std::min(low.z, x.z - r)};
        high = {std::max(high.x, x.x + r), std::max(high.y, x.y + r), std::max(high.z, x.z + r)};
    }
    if (!(low.x <= high.x)) return Values(6);
    Values values;
    append(values, low);
    append(values, high);
    return values;
}

/// Sums of hard particles since the start, and mean pressures by them: the virial's, V P = (2 K + virial / t) / dimensions, and that on the
/// walls across the axes. In two dimensions thickness is 1 m. No value where an axis is open or a plane cuts the box askew, before the
/// start of time, or without walls.
Values values_of(const Measurement& sums, const HardBox& box) {
    const HardReport& hard = sums.hard;
    Values values{static_cast<double>(hard.collisions),
                  static_cast<double>(hard.wall_collisions),
                  static_cast<double>(hard.unfinished),
                  sums.energy.kinetic_translation,
                  hard.kinetic_time,
                  hard.virial};
    const double volume = box.volume(), area = box.wall_area();
    std::optional<double> virial, walls_mean;
    const double on_walls = std::accumulate(hard.impulse.begin(), hard.impulse.end(), 0.0);
    if (volume > 0 && sums.time > 0) virial = (2 * hard.kinetic_time + hard.virial) / (box.dimensions * volume * sums.time);
    if (area > 0 && sums.time > 0) walls_mean = on_walls / (area * sums.time);
    values.insert(values.end(), {virial, walls_mean});
    values.insert(values.end(), hard.impulse.begin(), hard.impulse.end());
    return values;
}

/// The model has all that the scene names.
std::int32_t material_number(const Model& model, const std::string& name) {
    const auto named = [&name](const Material& material) { return material.name == name; };
    return static_cast<std::int32_t>(std::find_if(model.materials.begin(), model.materials.end(), named) - model.materials.begin());
}

Region region_of(const SceneMeasure& measure) {
    Region region;
    region.kind = measure.region == "cylinder" ? Region::Kind::Cylinder : Region::Kind::Box;
    region.box = {measure.box_min, measure.box_max};
    region.point = measure.point;
    region.axis = normalized(measure.axis);
    region.radius = measure.radius;
    region.length = measure.length;
    return region;
}

}  // namespace

/// What a row needs of the engine, each asked for once, where it is needed.
class Measures::Sampled {
public:
    explicit Sampled(Engine& engine) : engine_(engine) {}
    Engine& engine() { return engine_; }
    const Measurement& sums() {
        if (!sums_) sums_ = engine_.measure();
        return *sums_;
    }
    const Snapshot& bodies() {
        if (!bodies_) bodies_ = engine_.snapshot();
        return *bodies_;
    }

private:
    Engine& engine_;
    std::optional<Measurement> sums_;
    std::optional<Snapshot> bodies_;
};

Measures::Measures(const Scene& scene, const Model& model, const Inserter* inserter, const Remover* remover, const Stocks* stocks)
    : model_(model),
      inserter_(inserter),
      remover_(remover),
      stocks_(stocks),
      cone_(model.method == Method::Cone),
      hard_(model.method == Method::Hard),
      fluid_(model.method == Method::Fluid),
      gravity_(model.gravity),
      acceleration_{model.fields.acceleration[0], model.fields.acceleration[1], model.fields.acceleration[2]},
      cell_(cell_of(model)),
      dimensions_(model.dimensions) {
    if (hard_) box_ = hard_box(model);
    if (!model.bodies.owner.empty()) compounds_start_ = bodies_at_start(model.bodies);
    find_named(model);
    for (const SceneMeasure& measure : scene.measures) {
        One one;
        one.kind = measure.kind;
        one.name = measure.name.empty() ? measure.kind : measure.name;
        one.every = measure.every;
        one.first = columns_.size();
        if (measure.kind == "mass_in") {
            one.region = region_of(measure);
            if (!measure.material.empty()) one.region.material = material_number(model, measure.material);
            one.region.smallest = measure.min_radius;
            one.region.largest = measure.max_radius;
        }
        if (measure.kind == "stress")
            one.stress =
                stress_region(model, measure.region == "box" ? std::optional(Aabb{measure.box_min, measure.box_max}) : std::nullopt);
        add_columns(measure, model, one);
        measures_.push_back(one);
    }
    std::vector<std::string> sorted = columns_;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) throw Error("two measures give the column \"" + *twice + "\": give one of them another name");
}

void Measures::find_named(const Model& model) {
    const BodyTable& bodies = model.bodies;
    const auto named = [](const std::string& name) { return !name.empty(); };
    if (std::none_of(bodies.name.begin(), bodies.name.end(), named)) return;
    for (const std::string& name : bodies.name) named_.push_back(!name.empty());
    named_.resize(bodies.size());
    bare_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) bare_[i] = named_[i] && is_compound(model, i);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.owner_of(i) >= 0) bare_[static_cast<std::size_t>(bodies.owner_of(i))] = false;
    }
}

void Measures::add_columns(const SceneMeasure& measure, const Model& model, One& one) {
    if (measure.kind == "streams") {
        for (const auto& [column, value] : stream_values(0)) columns_.push_back(one.name + "." + column);
        if (one.first == columns_.size())
            warnings_.push_back("measure \"" + one.name + "\" has no columns: the scene has no [[insert]] or [[remove]]");
        return;
    }
    const std::vector<std::string> parts = parts_of(measure.kind, cone_ || hard_ || fluid_, model.dimensions);
    if (parts.empty()) throw Error(measure.place, "unknown kind of measure \"" + measure.kind + "\"");
    if (measure.kind == "wall_load" || measure.kind == "wall_place") {
        for (std::size_t w = 0; w < model.walls.size(); ++w) {
            if (!measure.wall.empty() && model.walls[w].name != measure.wall) continue;
            one.walls.push_back(w);
            one.points.push_back(model.walls[w].motion.point);
            one.axes.push_back(model.walls[w].motion.axis);
            for (const std::string& part : parts) columns_.push_back(one.name + "." + model.walls[w].name + "." + part);
        }
        if (!measure.wall.empty() && one.walls.empty()) throw Error(measure.place, "no wall is named \"" + measure.wall + "\"");
        return;
    }
    if (measure.kind == "solver" && !cone_) {
        warnings_.push_back("measure \"" + one.name + "\" has no columns: method.kind = \"" + std::string(hard_ ? "hard" : "penalty") +
                            "\" solves no cone problem");
        return;
    }
    if (measure.kind == "bonds" && model.bond_kinds.empty()) {
        warnings_.push_back("measure \"" + one.name + "\" has no columns: the scene has no [[bond]]");
        return;
    }
    if (measure.kind == "pressure" && !hard_) {
        warnings_.push_back("measure \"" + one.name + "\" has no columns: it counts the collisions of method.kind = \"hard\"");
        return;
    }
    if (measure.kind == "density" && !fluid_) {
        warnings_.push_back("measure \"" + one.name + "\" has no columns: it is of method.kind = \"fluid\"");
        return;
    }
    if (measure.kind == "body") {
        const std::optional<MeasuredBody> body = find_body(model, measure.body);
        if (!body) throw Error(measure.place, "no body is named \"" + measure.body + "\"");
        one.body = *body;
    }
    if (measure.kind == "joint") {
        const auto named = [&measure](const Joint& joint) { return joint.name == measure.joint; };
        const auto found = std::find_if(model.joints.begin(), model.joints.end(), named);
        if (found == model.joints.end()) throw Error(measure.place, "no joint is named \"" + measure.joint + "\"");
        one.joint = static_cast<std::size_t>(found - model.joints.begin());
    }
    for (const std::string& part : parts) columns_.push_back(one.name + "." + part);
    if (measure.kind == "pressure")
        for (const Wall& wall : model.walls) columns_.push_back(one.name + "." + wall.name + ".impulse");
}

std::vector<std::pair<std::string, double>> Measures::stream_values(double time) const {
    std::vector<std::pair<std::string, double>> values;
    const auto add = [&values](const std::string& of, const char* what, auto value) {
        values.emplace_back(of + "." + what, static_cast<double>(value));
    };
    std::vector<InsertedBodies> came = inserter_ ? inserter_->summary(time) : std::vector<InsertedBodies>{};
    if (stocks_) {
        for (InsertedBodies& one : stocks_->summary()) came.push_back(std::move(one));
    }
    for (const InsertedBodies& one : came) {
        add(one.name, "bodies", one.bodies);
        add(one.name, "mass", one.mass);
        for (const InsertedPart& part : one.parts) {
            add(one.name + "." + part.name, "bodies", part.bodies);
            add(one.name + "." + part.name, "mass", part.mass);
        }
    }
    for (const RemovedBodies& one : remover_ ? remover_->summary() : std::vector<RemovedBodies>{}) {
        add(one.name, "bodies", one.bodies);
        add(one.name, "mass", one.mass);
        if (!one.recycles) continue;
        add(one.name, "returned", one.returned);
        add(one.name, "waiting", one.waiting);
    }
    return values;
}

std::vector<std::optional<double>> Measures::values_of_one(const One& one, Sampled& from) const {
    if (one.kind == "mass_in") {
        const RegionSum sum = from.engine().sum_in(one.region);
        return {sum.mass, static_cast<double>(sum.count)};
    }
    if (one.kind == "body") {
        const double t = from.bodies().time;
        const Vec3 beside{value_at(acceleration_[0], t), value_at(acceleration_[1], t), value_at(acceleration_[2], t)};
        return body_values(one.body, from.bodies(), gravity_ + beside);
    }
    if (one.kind == "solver") return cone_ ? values_of(one.solver) : Values{};
    if (one.kind == "stress") return stress_values(one.stress, from.bodies(), from.engine().contacts(), from.engine().bonds());
    if (one.kind == "cell") return cell_values(cell_, dimensions_, from.bodies().cell);
    if (one.kind == "wall_place") {
        Values values;
        for (std::size_t k = 0; k < one.walls.size(); ++k) {
            const Pose& pose = from.bodies().walls.at(one.walls[k]);
            append(values, rotate(pose.turn, one.points[k]) + pose.shift - one.points[k]);
            values.emplace_back(2 * std::atan2(dot(one.axes[k], Vec3{pose.turn.x, pose.turn.y, pose.turn.z}), pose.turn.w));
        }
        return values;
    }
    if (one.kind == "streams") {
        Values values;
        for (const auto& [column, value] : stream_values(from.engine().counters().time)) values.emplace_back(value);
        return values;
    }
    if (one.kind == "extent") return extent_of(from.bodies(), bare_);
    const Measurement& sums = from.sums();
    if (one.kind == "pressure") return hard_ ? values_of(sums, box_) : Values{};
    if (one.kind == "density") {
        if (!fluid_) return {};
        return {sums.fluid.mean_compression, sums.fluid.max_compression, sums.fluid.max_pressure};
    }
    if (one.kind == "bonds") {
        if (model_.bond_kinds.empty()) return {};
        return bond_values(model_, sums.bonds, from.engine().broken_bonds(), from.bodies());
    }
    if (one.kind == "energy") return values_of(sums.energy, cone_ || hard_ || fluid_);
    // No state of joints yet, as before the first step: no values.
    if (one.kind == "joint") return one.joint < sums.joints.size() ? values_of(sums.joints[one.joint]) : Values(joint_parts);
    if (one.kind == "count") {
        // Where members go with their compound, what left is the difference.
        const RunCounters counters = from.engine().counters();
        const std::int64_t removed = compounds_start_ ? *compounds_start_ + counters.inserted - sums.bodies : counters.removed;
        double bodies = static_cast<double>(sums.bodies), mass = sums.mass;
        if (!named_.empty()) {
            const Snapshot& s = from.bodies();
            bodies = mass = 0;
            for (std::size_t i = 0; i < s.id.size(); ++i) {
                if (is(named_, s.id[i]) || (!s.owner.empty() && s.owner[i] >= 0)) continue;
                ++bodies;
                mass += s.mass[i];
            }
        }
        return {bodies, mass, static_cast<double>(removed)};
    }
    if (one.kind == "coordination") {
        // What touches nothing is none of those among which contacts are shared.
        const auto bare = static_cast<double>(std::count(bare_.begin(), bare_.end(), true)), bodies = static_cast<double>(sums.bodies);
        const double mean = bare > 0 && bodies > bare ? sums.coordination * bodies / (bodies - bare) : sums.coordination;
        return {mean, static_cast<double>(sums.contacts), static_cast<double>(sums.wall_contacts)};
    }
    if (one.kind == "max_overlap") return {sums.max_overlap};
    Values values;
    if (one.kind == "momentum") {
        append(values, sums.momentum);
        append(values, sums.angular_momentum);
    } else if (one.kind == "contact_kinds") {
        for (int k = 1; k < contact_kinds; ++k) values.emplace_back(static_cast<double>(sums.kinds[k]));  // all but None
    } else if (one.kind == "wall_load") {
        for (const std::size_t w : one.walls) {
            append(values, sums.walls.at(w).force);
            append(values, sums.walls.at(w).torque);
            values.emplace_back(sums.wall_power.at(w));
        }
    }
    return values;
}

std::vector<std::optional<double>> Measures::sample(Engine& engine, const std::vector<bool>& due) const {
    Values row(columns_.size());
    Sampled from(engine);
    for (std::size_t m = 0; m < measures_.size(); ++m) {
        if (!due[m]) continue;
        const Values values = values_of_one(measures_[m], from);
        std::copy(values.begin(), values.end(), row.begin() + static_cast<std::ptrdiff_t>(measures_[m].first));
    }
    return row;
}

void Measures::note(const std::vector<ConeReport>& steps) {
    for (One& one : measures_) {
        if (one.kind != "solver") continue;
        for (const ConeReport& step : steps) one.solver.add(step);
    }
}

void Measures::start_anew(const std::vector<bool>& due) {
    for (std::size_t m = 0; m < measures_.size(); ++m) {
        if (due[m]) measures_[m].solver = {};
    }
}

std::vector<NamedConeTotals> Measures::sums() const {
    std::vector<NamedConeTotals> sums;
    for (const One& one : measures_) {
        if (one.kind == "solver") sums.push_back({one.name, one.solver});
    }
    return sums;
}

void Measures::restore(const std::vector<NamedConeTotals>& sums) {
    for (One& one : measures_) {
        const auto same_name = [&one](const NamedConeTotals& sum) { return sum.name == one.name; };
        const auto found = std::find_if(sums.begin(), sums.end(), same_name);
        if (one.kind == "solver" && found != sums.end()) one.solver = found->totals;
    }
}

bool Measures::need_energy(const Scene& scene) {
    if (scene.method.kind != "penalty") return false;
    return std::any_of(scene.measures.begin(), scene.measures.end(), [](const SceneMeasure& m) { return m.kind == "energy"; });
}

}  // namespace scree
