// The order of the parts of a mixture: shares hold all the while, whatever the sizes, and the order is random but reproducible.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "setup/sizes.hpp"
#include "setup/streams/mixture.hpp"

using namespace scree;

TEST_CASE("mixtures keep their shares of mass to ten bodies of the heaviest part, at all times") {
    const std::vector<double> share{5, 3, 2}, mass{1, 8, 0.01};  // 100 bodies of the lightest weigh one of the first
    MixtureOrder mixture(share, Rng(4, 1)), again(share, Rng(4, 1)), other(share, Rng(5, 1));
    std::vector<double> come(3, 0.0);
    double all = 0;
    int equal = 0;
    constexpr int bodies = 20000;
    for (int k = 0; k < bodies; ++k) {
        const std::size_t part = mixture.next(mass);
        CHECK(again.next(mass) == part);
        equal += other.next(mass) == part ? 1 : 0;
        come[part] += mass[part];
        all += mass[part];
        for (std::size_t p = 0; p < 3; ++p) CHECK(std::fabs(come[p] - share[p] / 10 * all) < 12 * 8.0);
    }
    CHECK(equal < bodies);
    for (std::size_t p = 0; p < 3; ++p) CHECK(std::fabs(come[p] / all - share[p] / 10) < 12 * 8.0 / all);
}

TEST_CASE("mixtures by number: neither in turns nor in blocks") {
    MixtureOrder mixture({1, 1}, Rng(7, 1));
    const std::vector<double> ones{1, 1};
    int turns = 0, longest = 0, run = 0;
    std::size_t last = 2;
    for (int k = 0; k < 10000; ++k) {
        const std::size_t part = mixture.next(ones);
        turns += part != last ? 1 : 0;
        run = part == last ? run + 1 : 1;
        longest = std::max(longest, run);
        last = part;
    }
    CHECK(turns > 4500);  // 5,000 of independent draws, more where shares are held
    CHECK(turns < 7000);
    CHECK(longest > 4);
    CHECK(longest < 20);
}
