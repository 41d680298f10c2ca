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
#include "setup/law_values.hpp"

namespace scree {

void check_pulls(const Scene& scene, const Model& model) {
    if (model.penalty.cohesion == 0 || model.bodies.size() == 0) return;  // of a scene without bodies that is told already
    const LawsOfPairs words(scene);
    const std::vector<std::int32_t>& shapes = model.bodies.shape;
    const bool faces = std::any_of(shapes.begin(), shapes.end(), [&](std::int32_t s) { return s >= 0 && !is_compound_shape(model, s); });
    const std::size_t count = model.materials.size();
    const std::vector<char> meet = materials_that_meet(model);
    const RadiusRange radius = radius_range(model);
    const std::vector<LawParameters> laws = law_table(model);
    const LawPart* idle = nullptr;  // a law that has nothing to go by, and where it was met
    std::pair<std::size_t, std::size_t> idle_pair;
    bool pulls = false;
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            const int number = laws_of(model, a, b).cohesion;
            if (number == 0) continue;
            const LawPart* part = CohesionLaws::parts[number - 1];
            const auto refuse = [&](const std::string& why) { words(a, b).refuse("cohesion", why); };
            const Law law = loading_law(laws_of(model, a, b));
            if (law != Law::Hertz && (part->needs_modulus || law != Law::Linear))
                refuse(fmt::format("needs a law that loads as law = \"hertz\"{}, not \"{}\"", part->needs_modulus ? "" : " or \"linear\"",
                                   words(a, b).word("law")));
            if (faces) refuse("is of round bodies, but the scene has bodies with faces: leave it out, or give them round shapes");
            const LawValues& q = laws[a * count + b].cohesion;
            idle = part;
            idle_pair = {a, b};
            const bool dry = number == CohesionLaws::number<SharedCapillary>() && !(q.value[1] > 0);
            if (meet[a * count + b] == 0 || !(q.value[0] > 0) || dry) continue;
            pulls = true;
            const std::string pair = fmt::format("of \"{}\" on \"{}\"", model.materials[a].name, model.materials[b].name);
            if (number == CohesionLaws::number<VanDerWaals>() && !(q.value[2] > q.value[1]))
                refuse(fmt::format("{} has a vdw_cutoff of {} m, which must be above vdw_separation, {} m", pair, q.value[2], q.value[1]));
            for (const double r : {radius.least, radius.most}) {
                for (const double R : {0.5 * r, r}) {
                    const double delta = model.penalty.overlap_limit * r, k = laws[a * count + b].k_n;
                    const double holds = law == Law::Linear ? k * delta : k * std::sqrt(R * delta) * delta;
                    double draws = 0, reach = 0;
                    with_cohesion(number, [&](auto pull) {
                        draws = decltype(pull)::pull(q, R, -delta);
                        reach = decltype(pull)::reach(q, R);
                    });
                    if (!(draws < holds))
                        refuse(
                            fmt::format("{} draws spheres of radius {} m into each other: at overlap_limit it pulls with {:.3g} N, and the "
                                        "normal force is {:.3g} N. Weaken it, or stiffen the material",
                                        pair, r, draws, holds));
                    if (reach > radius.least)
                        refuse(
                            fmt::format("reaches {:.3g} m beyond touch, more than the smallest radius, {:.3g} m, where its formula does "
                                        "not hold: give it less to reach with",
                                        reach, radius.least));
                }
            }
        }
    }
    if (!pulls && idle != nullptr)
        words(idle_pair.first, idle_pair.second)
            .refuse("cohesion", fmt::format("has nothing to go by: {}{} of all that meets is zero", idle->parameters[0]->name,
                                            idle == &SharedCapillary::part ? " or liquid_content" : ""));
}

}  // namespace scree
