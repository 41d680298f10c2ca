#include "setup/cohesion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "laws/cohesion.hpp"
#include "model/compounds.hpp"
#include "model/contact_parameters.hpp"
#include "model/pulls.hpp"

namespace scree {

namespace {

[[noreturn]] void refuse(const Scene& scene, const std::string& why) {
    throw Error(scene.method.cohesion_place, fmt::format("[method] cohesion: \"{}\" {}", scene.method.cohesion, why));
}

}  // namespace

int build_cohesion(const SceneMethod& method) {
    if (method.kind != "penalty") return 0;
    const int number = CohesionLaws::number(method.cohesion);
    if (number == 0 && method.cohesion != "none")
        throw Error(method.cohesion_place, fmt::format("[method] cohesion: unknown law \"{}\"", method.cohesion));
    return number;
}

void check_pulls(const Scene& scene, const Model& model) {
    if (model.penalty.cohesion == 0 || model.bodies.size() == 0) return;  // of a scene without bodies that is told already
    const LawPart* part = CohesionLaws::parts[model.penalty.cohesion - 1];
    const Law law = loading_law(model.penalty);
    if (law != Law::Hertz && (part->needs_modulus || law != Law::Linear))
        refuse(scene, fmt::format("needs a law that loads as law = \"hertz\"{}, not \"{}\"", part->needs_modulus ? "" : " or \"linear\"",
                                  scene.method.law));
    if (model.dimensions == 2) refuse(scene, "is of spheres: scenes of two dimensions have none. Leave it out");
    const std::vector<std::int32_t>& shapes = model.bodies.shape;
    if (std::any_of(shapes.begin(), shapes.end(), [&](std::int32_t s) { return s >= 0 && !is_compound_shape(model, s); }))
        refuse(scene, "is of spheres, but the scene has bodies with faces: leave it out, or give them round shapes");
    const std::size_t count = model.materials.size();
    const std::vector<char> meet = materials_that_meet(model);
    const RadiusRange radius = radius_range(model);
    const std::vector<LawParameters> laws = law_table(model);
    bool pulls = false;
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            const LawValues q = cohesion_values(model, a, b);
            if (meet[a * count + b] == 0 || !(q.value[0] > 0)) continue;
            pulls = true;
            const std::string pair = fmt::format("of \"{}\" on \"{}\"", model.materials[a].name, model.materials[b].name);
            if (model.penalty.cohesion == CohesionLaws::number<VanDerWaals>() && !(q.value[2] > q.value[1]))
                refuse(scene,
                       fmt::format("{} has a vdw_cutoff of {} m, which must be above vdw_separation, {} m", pair, q.value[2], q.value[1]));
            for (const double r : {radius.least, radius.most}) {
                for (const double R : {0.5 * r, r}) {
                    const double delta = model.penalty.overlap_limit * r, k = laws[a * count + b].k_n;
                    const double holds = law == Law::Linear ? k * delta : k * std::sqrt(R * delta) * delta;
                    double draws = 0;
                    CohesionLaws::with(model.penalty.cohesion, [&](auto pull) { draws = decltype(pull)::pull(q, R, -delta); });
                    if (!(draws < holds))
                        refuse(
                            scene,
                            fmt::format("{} draws spheres of radius {} m into each other: at overlap_limit it pulls with {:.3g} N, and the "
                                        "normal force is {:.3g} N. Weaken it, or stiffen the material",
                                        pair, r, draws, holds));
                }
            }
        }
    }
    if (!pulls) refuse(scene, fmt::format("has nothing to go by: {} of all that meets is zero", part->parameters[0]->name));
    const double reach = cohesion_reach(model);
    if (reach > radius.least)
        refuse(scene, fmt::format("reaches {:.3g} m beyond touch, more than the smallest radius, {:.3g} m, where its formula does not hold",
                                  reach, radius.least));
}

}  // namespace scree
