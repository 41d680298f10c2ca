#include "model/pulls.hpp"

#include <algorithm>

#include "laws/cohesion.hpp"
#include "model/compounds.hpp"
#include "model/contact_parameters.hpp"

namespace scree {

LawValues cohesion_values(const Model& model, std::size_t a, std::size_t b) {
    LawValues values{};
    std::copy_n(model.pairs(a, b).cohesion_values.begin(), most_law_parameters, values.value);
    const ContactLaws& laws = laws_of(model, a, b);
    values.law = laws.cohesion;
    if (loading_law(laws) != Law::Hertz) return values;
    const Material &A = model.materials[a], &B = model.materials[b];
    values.modulus = 1.0 / ((1.0 - A.poisson * A.poisson) / A.young + (1.0 - B.poisson * B.poisson) / B.young);
    return values;
}

bool shares_liquid(const Model& model) {
    if (model.method != Method::Penalty) return false;
    if (model.penalty.cohesion != CohesionByPair::number) return model.penalty.cohesion == CohesionLaws::number<SharedCapillary>();
    // Asked for at every list: a content is of materials that some law of theirs reads (setup/law_values.hpp).
    return std::any_of(model.materials.begin(), model.materials.end(), [](const Material& m) { return m.liquid_content > 0; });
}

std::vector<double> films_of(const Model& model) {
    std::vector<double> films(model.bodies.size(), 0.0);
    std::vector<char> wet(model.materials.size(), 0);  // has bridges with anything
    for (std::size_t a = 0; a < wet.size(); ++a)
        for (std::size_t b = 0; b < wet.size(); ++b)
            if (laws_of(model, a, b).cohesion == CohesionLaws::number<SharedCapillary>()) wet[a] = 1;
    for (std::size_t i = 0; i < films.size(); ++i) {
        if (model.bodies.shape[i] >= 0) continue;
        const auto m = static_cast<std::size_t>(model.bodies.material[i]);
        const double r = model.bodies.radius[i];
        if (wet[m] != 0) films[i] = model.materials[m].liquid_content * 4 * law_pi / 3 * r * r * r;
    }
    return films;
}

double bridge_capacity(const Model& model) {
    double most = 0;
    if (shares_liquid(model))
        for (const double film : films_of(model)) most = std::max(most, film);
    return 2 * most;
}

std::vector<LawValues> cohesion_table(const Model& model) {
    const std::size_t count = model.materials.size();
    const double capacity = bridge_capacity(model);
    std::vector<LawValues> table;
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b < count; ++b) {
            LawValues& row = table.emplace_back(cohesion_values(model, a, b));
            if (laws_of(model, a, b).cohesion == CohesionLaws::number<SharedCapillary>()) row.value[1] = capacity;
        }
    }
    return table;
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

std::vector<double> cohesion_reaches(const Model& model) {
    if (model.method != Method::Penalty || model.penalty.cohesion == 0 || model.bodies.size() == 0) return {};
    const RadiusRange radius = radius_range(model);
    const std::vector<char> meet = materials_that_meet(model);
    const std::size_t count = model.materials.size();
    const std::vector<LawValues> table = cohesion_table(model);
    std::vector<double> reach(count * count, 0.0);
    with_cohesion(model.penalty.cohesion, [&](auto law) {
        for (std::size_t k = 0; k < reach.size(); ++k)
            for (const double R : {0.5 * radius.least, radius.most})
                if (meet[k] != 0) reach[k] = std::max(reach[k], decltype(law)::reach(table[k], R));
    });
    return reach;
}

double cohesion_reach(const Model& model) {
    double widest = 0;
    for (const double reach : cohesion_reaches(model)) widest = std::max(widest, reach);
    return widest;
}

}  // namespace scree
