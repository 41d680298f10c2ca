#include "model/size_levels.hpp"

#include <algorithm>
#include <cmath>

#include "model/compounds.hpp"

namespace scree {

namespace {

/// Bodies of a level in one of its cells, if they lay as close as in a bed; those of one octave are 1.1 to 9. Others between them and walls
/// thin them out to some half, so that a row of three cells is tested as one vector of 16.
constexpr double most_in_cell = 8;

std::vector<double> searched_diameters(const Model& model) {
    std::vector<double> all;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (is_compound(model, i)) continue;
        all.push_back(2 * model.bodies.radius[i]);
    }
    return all;
}

/// Bodies, and the room that they take in a bed [m3], in a plane [m2].
struct Share {
    double bodies{0}, space{0};
    Share operator+(const Share& other) const { return {bodies + other.bodies, space + other.space}; }
};

std::vector<Share> shares(const std::vector<double>& octaves, const std::vector<double>& diameters, bool planar) {
    std::vector<Share> all(octaves.size());
    for (const double d : diameters) {
        const auto at = std::lower_bound(octaves.begin(), octaves.end(), d);
        Share& share = all[std::min(static_cast<std::size_t>(at - octaves.begin()), octaves.size() - 1)];
        share = share + Share{1, planar ? 0.785 * d * d / 0.8 : 0.524 * d * d * d / 0.6};
    }
    return all;
}

std::vector<double> joined(const std::vector<double>& octaves, const std::vector<double>& diameters, bool planar) {
    const std::vector<Share> share = shares(octaves, diameters, planar);
    std::vector<double> levels;
    Share here;
    for (std::size_t k = 0; k + 1 < octaves.size(); ++k) {
        here = here + share[k];
        const Share with_next = here + share[k + 1];
        const double cell = std::pow(octaves[k + 1], planar ? 2 : 3);
        if (here.bodies == 0 || with_next.bodies * cell <= most_in_cell * with_next.space) continue;
        levels.push_back(octaves[k]);
        here = {};
    }
    levels.push_back(octaves.back());
    return levels;
}

}  // namespace

std::vector<double> size_levels(const Model& model) {
    const std::vector<double> diameters = searched_diameters(model);
    if (diameters.empty()) return {1.0};
    const auto [smallest, largest] = std::minmax_element(diameters.begin(), diameters.end());
    std::vector<double> octaves{*largest};
    const Search search = model.penalty.search;
    if (search == Search::Grid || (search == Search::Auto && *largest <= 1.5 * *smallest)) return octaves;
    while (octaves.size() < kMaxSizeLevels && octaves.back() > 2 * *smallest) octaves.push_back(octaves.back() / 2);
    std::reverse(octaves.begin(), octaves.end());
    return search == Search::Auto ? joined(octaves, diameters, model.dimensions == 2) : octaves;
}

}  // namespace scree
