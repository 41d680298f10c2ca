#include "model/made_bonds.hpp"

#include <algorithm>
#include <cmath>

#include "model/compounds.hpp"

namespace scree {

bool is_made_later(const BondKind& kind) {
    return kind.on_touch || kind.from > 0;
}

bool may_be_bonded(const Model& model, const BondKind& kind, std::size_t id) {
    if (is_compound(model, id)) return false;
    return kind.materials.empty() ||
           std::find(kind.materials.begin(), kind.materials.end(), model.bodies.material[id]) != kind.materials.end();
}

double most_neighbours(double own, double other, double gap, int dimensions) {
    const double share = other / (own + other), layers = 1 + 0.5 * gap / other;
    if (dimensions == 2) return std::max(3.0, layers * 3.14159265358979324 / std::asin(share));
    const double of_equal = 1 - std::sqrt(0.75);  // of half a sphere, to either side of 30 degrees
    return std::max(4.0, 12 * layers * of_equal / (1 - std::sqrt(1 - share * share)));
}

double bonds_to_come(const Model& model) {
    constexpr double of_each = 3;
    double sum = 0;
    for (const BondKind& kind : model.bond_kinds) {
        if (!is_made_later(kind)) continue;
        for (std::size_t i = 0; i < model.bodies.size(); ++i)
            if (may_be_bonded(model, kind, i)) sum += of_each;
    }
    return sum;
}

}  // namespace scree
