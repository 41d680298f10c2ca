#include "model/pulls.hpp"

#include <algorithm>

#include "laws/cohesion.hpp"
#include "model/compounds.hpp"

namespace scree {

LawValues cohesion_values(const Model& model, std::size_t a, std::size_t b) {
    LawValues values{};
    std::copy_n(model.pairs(a, b).cohesion_values.begin(), most_law_parameters, values.value);
    if (model.penalty.law != Law::Hertz) return values;
    const Material &A = model.materials[a], &B = model.materials[b];
    values.modulus = 1.0 / ((1.0 - A.poisson * A.poisson) / A.young + (1.0 - B.poisson * B.poisson) / B.young);
    return values;
}

double cohesion_reach(const Model& model) {
    if (model.method != Method::Penalty || model.penalty.cohesion == Cohesion::None || model.bodies.size() == 0) return 0.0;
    double least = 1e300, most = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (is_compound(model, i)) continue;
        least = std::min(least, model.bodies.radius[i]);
        most = std::max(most, model.bodies.radius[i]);
    }
    double widest = 0;
    with_cohesion(model.penalty.cohesion, [&](auto law) {
        for (std::size_t a = 0; a < model.materials.size(); ++a)
            for (std::size_t b = a; b < model.materials.size(); ++b)
                for (const double R : {0.5 * least, most}) widest = std::max(widest, decltype(law)::reach(cohesion_values(model, a, b), R));
    });
    return widest;
}

}  // namespace scree
