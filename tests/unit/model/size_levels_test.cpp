// Size levels against counts of bodies in cells that a pencil gives.
#include <doctest/doctest.h>

#include <cmath>

#include "model/size_levels.hpp"

using namespace scree;

namespace {

Model spheres(const std::vector<double>& diameters, Search search = Search::Auto) {
    Model m;
    m.penalty.search = search;
    for (const double d : diameters) m.bodies.add_sphere({0, 0, 0}, 0.5 * d, 0, 1000);
    return m;
}

/// n diameters from 1 to `ratio` and one of that, the same volume in every octave.
std::vector<double> octaves_of_one_volume(int n, double ratio) {
    std::vector<double> all;
    const double far = std::pow(ratio, -3);
    for (int k = 0; k < n; ++k) all.push_back(1 / std::cbrt(far + (k + 0.5) / n * (1 - far)));
    all.push_back(ratio);
    return all;
}

}  // namespace

TEST_CASE("size levels: none, one, and one for nearly equal spheres") {
    CHECK(size_levels(spheres({})) == std::vector<double>{1});
    CHECK(size_levels(spheres({3})) == std::vector<double>{3});
    CHECK(size_levels(spheres({2, 2.9, 3})) == std::vector<double>{3});
}

TEST_CASE("size levels: a grid has one, levels are octaves") {
    CHECK(size_levels(spheres({1, 3, 16}, Search::Grid)) == std::vector<double>{16});
    CHECK(size_levels(spheres({1, 3, 16}, Search::Levels)) == std::vector<double>{2, 4, 8, 16});
}

TEST_CASE("size levels: sizes between which there are no bodies get none") {
    std::vector<double> grains(1000, 1.0);
    grains.push_back(96);
    CHECK(size_levels(spheres(grains)) == std::vector<double>{1.5, 96});
}

TEST_CASE("size levels: octaves are joined while a cell holds few bodies") {
    // Even from 1 to 2: a cell of edge 2 holds 8 / (0.873 <d^3>) = 2.4, where <d^3> = 15 / 4.
    std::vector<double> even;
    for (int k = 0; k <= 100; ++k) even.push_back(1 + 0.01 * k);
    CHECK(size_levels(spheres(even)) == std::vector<double>{2});
    // Up to 2.5, 94 of 100 bodies with ln 2.5 / ln 20 of the volume: 5 a cell of edge 2.5, and 29 would be in one of edge 5.
    CHECK(size_levels(spheres(octaves_of_one_volume(10000, 20))) == std::vector<double>({20.0 / 8, 20.0 / 4, 20.0 / 2, 20.0}));
    // In a plane 3 a cell of edge 2.5, and 11 would be in one of edge 5: d^2 up to these sums to 1.8 and 2.4 a body, and a bed is four
    // fifths full.
    Model disks = spheres(octaves_of_one_volume(10000, 20));
    disks.dimensions = 2;
    CHECK(size_levels(disks).front() == 20.0 / 8);
}
