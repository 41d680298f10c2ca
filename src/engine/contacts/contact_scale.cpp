#include "engine/contacts/contact_scale.hpp"

#include <algorithm>
#include <cmath>

#include "model/contact_parameters.hpp"

namespace scree::SCREE_FLAVOR {

ContactScale contact_scale(const Model& model) {
    ContactScale contact;
    double bodies = 0, radius = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (model.bodies.owner_of(i) >= 0) continue;
        contact.mass += model.bodies.mass[i];
        radius += model.bodies.radius[i];
        ++bodies;
    }
    if (bodies == 0) return contact;
    contact.mass /= bodies;
    radius /= bodies;
    contact.diameter = 2 * radius;
    contact.hertz = model.penalty.law != Law::Linear;
    const double heaviest = *std::max_element(model.bodies.mass.begin(), model.bodies.mass.end());
    for (const LawParameters& p : law_table(model)) {
        contact.stiffness = std::max(contact.stiffness, p.k_n);
        contact.damping = std::max(contact.damping, 2 * p.zeta * std::sqrt(heaviest));
    }
    if (contact.hertz) contact.stiffness *= std::sqrt(radius);
    return contact;
}

}  // namespace scree::SCREE_FLAVOR
