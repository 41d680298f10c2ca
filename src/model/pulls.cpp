#include "model/pulls.hpp"

#include <algorithm>

#include "laws/cohesion.hpp"
#include "model/compounds.hpp"
#include "model/contact_parameters.hpp"

namespace scree {

LawValues cohesion_values(const Model& model, std::size_t a, std::size_t b) {
    LawValues values{};
    std::copy_n(model.pairs(a, b).cohesion_values.begin(), most_law_parameters, values.value);
    if (loading_law(model.penalty) != Law::Hertz) return values;
    const Material &A = model.materials[a], &B = model.materials[b];
    values.modulus = 1.0 / ((1.0 - A.poisson * A.poisson) / A.young + (1.0 - B.poisson * B.poisson) / B.young);
    return values;
}

std::vector<char> materials_that_meet(const Model& model) {
    const std::size_t count = model.materials.size();
    std::vector<char> of_body(count, 0), of_any(count, 0), meet(count * count, 0);
    for (const std::int32_t m : model.bodies.material) of_body[static_cast<std::size_t>(m)] = of_any[static_cast<std::size_t>(m)] = 1;
    for (const Wall& wall : model.walls) of_any[static_cast<std::size_t>(wall.material)] = 1;
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < count; ++b) meet[a * count + b] = (of_body[a] && of_any[b]) || (of_any[a] && of_body[b]) ? 1 : 0;
    return meet;
}

RadiusRange radius_range(const Model& model) {
    RadiusRange range;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (is_compound(model, i)) continue;
        range.least = std::min(range.least, model.bodies.radius[i]);
        range.most = std::max(range.most, model.bodies.radius[i]);
    }
    return range;
}

double cohesion_reach(const Model& model) {
    if (model.method != Method::Penalty || model.penalty.cohesion == 0 || model.bodies.size() == 0) return 0.0;
    const RadiusRange radius = radius_range(model);
    const std::vector<char> meet = materials_that_meet(model);
    const std::size_t count = model.materials.size();
    double widest = 0;
    CohesionLaws::with(model.penalty.cohesion, [&](auto law) {
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = a; b < count; ++b)
                for (const double R : {0.5 * radius.least, radius.most})
                    if (meet[a * count + b] != 0) widest = std::max(widest, decltype(law)::reach(cohesion_values(model, a, b), R));
    });
    return widest;
}

}  // namespace scree
