#include "setup/cell_stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "model/cell.hpp"
#include "model/compounds.hpp"
#include "setup/functions.hpp"

namespace scree {

namespace {

template <class Given>
CellComponent component_of(const Given& given, const std::string& folder) {
    CellComponent c;
    c.by = given.by == "rate" ? CellDrive::Rate : CellDrive::Stress;
    c.value = function_of(given.value, folder);
    c.gain = given.gain;
    c.integral_time = given.integral_time;
    return c;
}

/// Axes of a shear, the same of all.
void set_shear(const Scene& scene, const SceneShear& shear, Model& model) {
    if (model.method == Method::Hard) throw Error(shear.place, "shear is of kind = \"penalty\" and \"cone\"");
    const int along_axis = shear.along[0] - 'x', across_axis = shear.across[0] - 'x';
    if (along_axis == across_axis) throw Error(shear.place, "shear: along and across are two different directions");
    Domain& domain = model.domain;
    if (!domain.periodic[along_axis] || !domain.periodic[across_axis])
        throw Error(shear.place, fmt::format("shear along {} and across {} needs both in domain.periodic, which is \"{}\"", shear.along,
                                             shear.across, scene.domain.periodic));
    if (along(model.gravity, along_axis) != 0 || along(model.gravity, across_axis) != 0)
        throw Error(shear.place, fmt::format("shear along {} and across {} takes no gravity along either: set these components of "
                                             "domain.gravity to 0",
                                             shear.along, shear.across));
    if (domain.shear.on && (domain.shear.along != along_axis || domain.shear.across != across_axis))
        throw Error(shear.place, fmt::format("a stage shears along {} across {}, but an earlier one along {} across {}: all shear the same "
                                             "way",
                                             shear.along, shear.across, "xyz"[domain.shear.along], "xyz"[domain.shear.across]));
    domain.shear.on = true;
    domain.shear.along = along_axis;
    domain.shear.across = across_axis;
}

bool periodic_everywhere(const Model& model) {
    const bool* periodic = model.domain.periodic;
    return std::all_of(periodic, periodic + model.dimensions, [](bool one) { return one; });
}

void check_stress(const SourcePlace& place, const CellComponent& c, const Scene& scene, const Model& model) {
    if (c.by != CellDrive::Stress) return;
    if (!periodic_everywhere(model))
        throw Error(place,
                    fmt::format("a stress is that of the volume of a domain, which has one where it is periodic along every axis, but "
                                "domain.periodic is \"{}\": give a rate, or let a wall with a servo press along the other axes",
                                scene.domain.periodic));
    if (model.method != Method::Penalty)
        throw Error(place,
                    "a stress is held through forces that grow as bodies near each other, which only kind = \"penalty\" has: use it, or "
                    "give a rate in place of the stress");
    const bool known = model.penalty.law == Law::Hertz || model.penalty.law == Law::Linear;
    if (!known && !(c.gain > 0 && c.integral_time > 0))
        throw Error(place, "under this law a stress does not know its contacts' stiffness: give gain and integral_time");
}

/// What any stage needs; along axes without periods planes may stand, and gravity pull onto them.
void check_driven(const SourcePlace& place, const Model& model) {
    if (model.method == Method::Hard) throw Error(place, "stages of a domain are of kind = \"penalty\" and \"cone\"");
    for (int a = 0; a < model.dimensions; ++a) {
        const char axis = "xyz"[a];
        if (model.domain.periodic[a] && along(model.gravity, a) != 0)
            throw Error(place,
                        fmt::format("a driven domain has no gravity along {0}, where it repeats itself and no face of it would bear the "
                                    "weight: set domain.gravity to 0 along {0}",
                                    axis));
    }
}

CellStage stage_of(const SceneStage& given, const Scene& scene, Model& model) {
    check_driven(given.place, model);
    CellStage stage;
    stage.to = given.to;
    stage.max_rate = given.max_rate;
    const std::optional<SceneDrive>* axes[3] = {&given.x, &given.y, &given.z};
    for (int a = 0; a < 3; ++a) {
        if (!*axes[a]) continue;
        if (a >= model.dimensions) throw Error((*axes[a])->place, "there is no z in two dimensions");
        if (!model.domain.periodic[a])
            throw Error((*axes[a])->place, fmt::format("the domain has no length along {0}, where it does not repeat itself: drive another "
                                                       "axis, add {0} to domain.periodic, or let walls move",
                                                       "xyz"[a]));
        stage.of[a] = component_of(**axes[a], scene.folder);
        check_stress((*axes[a])->place, stage.of[a], scene, model);
    }
    if (given.shear) {
        set_shear(scene, *given.shear, model);
        stage.of[kCellShear] = component_of(*given.shear, scene.folder);
        check_stress(given.shear->place, stage.of[kCellShear], scene, model);
    }
    if (stage.by_stress() && !(stage.max_rate > 0) && !(stage.largest_stress() > 0))
        throw Error(given.place, "with all stresses 0 nothing says how fast the domain may go: give max_rate");
    return stage;
}

}  // namespace

void build_stages(const Scene& scene, Model& model) {
    const SceneDomain& given = scene.domain;
    Domain& domain = model.domain;
    if (given.shear) {
        if (!given.stages.empty()) throw Error(given.shear->place, "domain.shear is of a domain without stages: give the shear in these");
        set_shear(scene, *given.shear, model);
        CellStage stage;
        stage.of[kCellShear] = component_of(*given.shear, scene.folder);
        const bool steady = stage.of[kCellShear].by == CellDrive::Rate && stage.of[kCellShear].steady();
        if (!steady) check_driven(given.shear->place, model);
        check_stress(given.shear->place, stage.of[kCellShear], scene, model);
        if (stage.by_stress())
            throw Error(given.shear->place,
                        "a shear by stress is part of a stage: give it in [[domain.stage]], with "
                        "a stress along each axis that may yield");
        domain.shear.at_once = true;
        if (steady && stage.of[kCellShear].value.constant == 0) {
            domain.shear = {};
            return;
        }
        domain.stages.push_back(stage);
    }
    const bool by_event =
        std::any_of(scene.events.begin(), scene.events.end(), [](const SceneEvent& e) { return e.action == "next_stage"; });
    double from = 0;
    for (const SceneStage& stage : given.stages) {
        if (by_event && std::isinf(from) && std::isfinite(stage.to))
            throw Error(
                stage.place,
                "the stage before ends by an event, so that this one's `to` may be past already: leave it out, and end it by an event");
        if (!(stage.to > from) && !(by_event && std::isinf(from)))
            throw Error(stage.place,
                        std::isfinite(from)
                            ? fmt::format("stages follow each other in time: its `to`, {:.6g} s, is not after {:.6g} s", stage.to, from)
                            : "the stage before has no `to`, so that this one never comes: give it one, or an [[event]] with next_stage");
        from = stage.to;
        domain.stages.push_back(stage_of(stage, scene, model));
    }
}

namespace {

/// Largest inertial number, rate d sqrt(density / stress), at which a cell goes by itself: that of slow flows.
constexpr double quasi_static = 0.005;

/// Of components that stresses drive, where none is given [1/s].
double slow_rate(const CellStage& stage, const Model& model) {
    double mass = 0, diameter = 0, bodies = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (model.bodies.owner_of(i) >= 0) continue;
        mass += model.bodies.mass[i];
        diameter += 2 * model.bodies.radius[i];
        ++bodies;
    }
    if (bodies == 0) return 0;
    return quasi_static * std::sqrt(stage.largest_stress() * (model.dimensions == 2 ? 1.0 : diameter / bodies) / (mass / bodies));
}

}  // namespace

void settle_stages(const Scene& scene, Model& model) {
    for (std::size_t s = 0; s < model.domain.stages.size(); ++s) {
        CellStage& stage = model.domain.stages[s];
        if (stage.by_stress() && !(stage.max_rate > 0)) stage.max_rate = slow_rate(stage, model);
    }
    const Cell cell = cell_of(model);
    if (!cell.moves || model.bodies.size() == 0) return;
    double smallest = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
        if (!is_compound(model, i)) smallest = std::min(smallest, model.bodies.radius[i]);
    // The cone method looks for what meets within a step.
    const bool cone = model.method == Method::Cone;
    double speed = 0;
    std::size_t of = 0;
    for (std::size_t s = 0; s < model.domain.stages.size(); ++s) {
        double fast = 0;
        for (int c = 0; c < kCellComponents; ++c) {
            const CellComponent& one = model.domain.stages[s].of[c];
            const double rate =
                one.by == CellDrive::Rate ? largest_of(one.value) : (one.by == CellDrive::Stress ? model.domain.stages[s].max_rate : 0.0);
            fast += rate * cell.length[c == kCellShear ? cell.across : c];
        }
        if (fast <= speed) continue;
        speed = fast;
        of = s;
    }
    const double way = speed * model.dt, most = (cone ? 1.0 : 0.2) * smallest;
    if (way > most)
        throw Error(scene.domain.shear ? scene.domain.shear->place : scene.domain.stages[of].place,
                    fmt::format("images move by {:.3g} m in a step, more than {:.3g} m, {}the smallest radius: lower the rate, or make "
                                "time.step shorter than {:.3g} s",
                                way, most, cone ? "" : "a fifth of ", model.dt * most / way));
}

}  // namespace scree
