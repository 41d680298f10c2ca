#include "setup/bond_pairs.hpp"

#include <algorithm>

#include "setup/placement/sphere_grid.hpp"

namespace scree {

bool are_one(const BodyTable& bodies, std::int32_t a, std::int32_t b) {
    const std::int32_t one = bodies.owner_of(static_cast<std::size_t>(a)), other = bodies.owner_of(static_cast<std::size_t>(b));
    return one >= 0 && one == other;
}

bool is_of_many(const BodyTable& bodies, std::int32_t id) {
    const auto i = static_cast<std::size_t>(id);
    const std::int32_t owner = bodies.owner_of(i);
    return owner >= 0 && ((i > 0 && bodies.owner_of(i - 1) == owner) || (i + 1 < bodies.size() && bodies.owner_of(i + 1) == owner));
}

bool are_apart(std::optional<bool> within, const Agglomerates& agglomerates, std::int32_t a, std::int32_t b) {
    const std::int32_t one = agglomerates.of(a), other = agglomerates.of(b);
    if (within) return *within && (one == Agglomerates::none || one != other);
    return one != Agglomerates::none && other != Agglomerates::none && one != other;
}

std::vector<BodyPair> pairs_within(double gap, const std::vector<std::int32_t>& ids, const std::vector<Vec3>& place, const Model& model,
                                   const Cell& cell, const std::function<bool(std::int32_t, std::int32_t)>& may) {
    std::vector<BodyPair> found;
    if (ids.empty()) return found;
    const auto radius = [&](std::int32_t id) { return model.bodies.radius[static_cast<std::size_t>(id)]; };
    const auto at = [&](std::int32_t id) { return place[static_cast<std::size_t>(id)]; };
    double smallest = radius(ids.front());
    for (const std::int32_t id : ids) smallest = std::min(smallest, radius(id));
    SphereGrid grid(smallest, ids.size());
    for (const std::int32_t id : ids) grid.insert(id, at(id), radius(id));
    for (const std::int32_t id : ids) {
        for (const ImageStep& step : nearest_images(cell, at(id))) {
            const Vec3 x = at(id) + cell.shift(step);
            grid.near(x, radius(id) + gap, [&](std::int32_t other) {
                if (other <= id || are_one(model.bodies, id, other) || !may(id, other)) return true;
                const double reach = radius(id) + radius(other) + gap;
                if (norm2(at(other) - x) <= reach * reach * (1 + 1e-12)) found.emplace_back(id, other);
                return found.size() <= most_bonds;
            });
        }
        if (found.size() > most_bonds) break;
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace scree
