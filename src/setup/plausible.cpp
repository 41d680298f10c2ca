#include "setup/plausible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "model/compounds.hpp"
#include "model/contact_parameters.hpp"
#include "model/thickness.hpp"
#include "model/weight.hpp"

namespace scree {

namespace {

/// Bodies that start so fast that they could pass a wall without thickness between two steps (model/thickness.hpp).
void check_speeds(const Model& model, const std::vector<Origin>& origins, std::vector<std::string>& warnings) {
    if (model.method != Method::Penalty) return;
    std::size_t count = 0, worst = 0;
    double most = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const std::int32_t shape = model.bodies.shape[i];
        const double flat = shape < 0 ? 1.0 : thickness_share(model.shapes[static_cast<std::size_t>(shape)].inradius);
        const double moves = norm(model.bodies.velocity[i]) * model.dt / (flat * model.bodies.radius[i]);
        if (!(moves > most_thicknesses(shape < 0)) || (shape >= 0 && model.shapes[static_cast<std::size_t>(shape)].compound())) continue;
        ++count;
        if (moves > most) worst = i;
        most = std::max(most, moves);
    }
    if (count == 0) return;
    warnings.push_back(
        fmt::format("{} bodies start so fast that they pass walls and others unseen; worst: body {} ({}) moves {:.3g} times its thickness "
                    "(of a sphere: its radius) in "
                    "a step of {:.3g} s, and the run stops past 0.5 (a polyhedron: 0.25). Make time.step smaller, or check the velocity",
                    count, worst, origin_of(origins, worst).label, most, model.dt));
}

/// A threshold that takes more than a step of gravity asks for takes rebounds with it.
void check_threshold(const Scene& scene, const Model& model, std::vector<std::string>& warnings) {
    const auto rebounds = [](const auto& given) { return given.restitution > 0; };
    const bool any = std::any_of(scene.materials.begin(), scene.materials.end(), rebounds);
    const double asked =
        2 * std::max(norm(strongest_gravity(model)) * model.dt, tolerance_of(model.cone, strongest_gravity(model), model.dt));
    if (model.method != Method::Cone || !any || !(model.cone.restitution_threshold > 2 * asked)) return;
    warnings.push_back(
        fmt::format("[method] restitution_threshold = {:.6g} m/s: what meets at less than that loses all of its speed, whatever its "
                    "restitution; steps of {:.3g} s ask for "
                    "no more than {:.3g} m/s, which \"auto\" gives",
                    model.cone.restitution_threshold, model.dt, asked));
}

std::string at_key(const SceneMaterial& m, const char* key, const std::string& text) {
    const auto given = m.given.find(key);
    return Error(given == m.given.end() ? m.place : given->second, fmt::format("[material.{}] {}", m.name, text)).what();
}

/// Numbers without a unit are in SI, and often meant otherwise.
void check_densities(const Scene& scene, std::vector<std::string>& warnings) {
    constexpr double lightest = 20, heaviest = 25000;  // of foams, and past osmium [kg/m3]
    for (const SceneMaterial& m : scene.materials) {
        if (m.density < lightest) {
            warnings.push_back(at_key(m, "density",
                                      fmt::format("density: {:.6g} kg/m3 is less than that of foam; a number alone is in kg/m3, "
                                                  "\"{:.6g} g/cm3\" is {:.6g} of them",
                                                  m.density, m.density, 1000 * m.density)));
        } else if (m.density > heaviest) {
            warnings.push_back(at_key(
                m, "density", fmt::format("density: {:.6g} kg/m3 is more than that of any metal; a number alone is in kg/m3", m.density)));
        }
    }
}

/// Materials so soft that their heaviest body, on a plane of the same, sinks in by its own weight past the limit of overlaps: by Hertz
/// delta = (3 m g (1 - nu^2) / (2 E sqrt(r)))^(2/3).
void check_softness(const Scene& scene, const Model& model, std::vector<std::string>& warnings) {
    const double g = norm(model.gravity);
    if (model.method != Method::Penalty || model.penalty.by_pair || loading_law(model.penalty) != Law::Hertz || !(g > 0)) return;
    std::vector<double> deepest(model.materials.size());
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (is_compound(model, i)) continue;
        const auto k = static_cast<std::size_t>(model.bodies.material[i]);
        const Material& m = model.materials[k];
        const double r = model.bodies.radius[i], weight = model.bodies.mass[i] * g;
        const double delta = std::pow(1.5 * weight * (1 - m.poisson * m.poisson) / (m.young * std::sqrt(r)), 2.0 / 3);
        deepest[k] = std::max(deepest[k], delta / r);
    }
    for (std::size_t k = 0; k < deepest.size(); ++k) {
        if (!(deepest[k] > model.penalty.overlap_limit)) continue;
        const double young = model.materials[k].young;
        warnings.push_back(at_key(scene.materials[k], "young",
                                  fmt::format("young: at {:.6g} Pa a body sinks into a plane by {:.3g} of its radius under its own weight, "
                                              "past overlap_limit = {}; a number alone is in Pa, \"{:.6g} MPa\" is a million times stiffer",
                                              young, deepest[k], model.penalty.overlap_limit, young)));
    }
}

/// Gravity, and nothing that could hold a body against it.
void check_floor(const Scene& scene, const Model& model, std::vector<std::string>& warnings) {
    const auto grounded = [](const Joint& j) { return j.a < 0 || j.b < 0; };
    const bool held = !model.walls.empty() || std::any_of(model.joints.begin(), model.joints.end(), grounded);
    if (held || model.bodies.size() < 2 || !(norm(model.gravity) > 0) || !(model.method == Method::Penalty || model.method == Method::Cone))
        return;
    warnings.push_back(Error(scene.domain.place,
                             "gravity acts and nothing holds the bodies: all of them fall together. Add a [[wall]], "
                             "or set domain.gravity to zero")
                           .what());
}

/// Series and frames that would be written at the start and at the end alone.
void check_periods(const Scene& scene, std::vector<std::string>& warnings) {
    const auto check = [&](const SourcePlace& place, const std::string& who, double every) {
        if (every > scene.time.end && scene.time.end > 0)
            warnings.push_back(
                Error(place, fmt::format("{} every = {:.6g} s is longer than the run, time.end = {:.6g} s: only its start and "
                                         "its end are written",
                                         who, every, scene.time.end))
                    .what());
    };
    for (const SceneMeasure& m : scene.measures) check(m.place, fmt::format("[[measure]] of kind \"{}\":", m.kind), m.every);
    check(scene.output.place, "[output]", scene.output.every);
}

}  // namespace

std::vector<std::string> doubts(const Scene& scene, const Model& model, const std::vector<Origin>& origins) {
    std::vector<std::string> warnings;
    check_densities(scene, warnings);
    check_softness(scene, model, warnings);
    check_floor(scene, model, warnings);
    check_periods(scene, warnings);
    check_threshold(scene, model, warnings);
    check_speeds(model, origins, warnings);
    return warnings;
}

}  // namespace scree
