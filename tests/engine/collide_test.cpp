// Collision detection on its own: every method finds the pairs of the definition, on any number of threads and in any order of kernels.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/collide/collider.hpp"
#include "engine/exec/near_lanes.hpp"
#include "sphere_sets.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;
using namespace scree::test;

namespace {

struct Found {
    CollideReport report;
    std::vector<IdPair> pairs;  // as they came
};

Found find(Collider& collider, const SphereSet& set, CollideMethod method) {
    Found found;
    found.report = collider.find(set.view(), method, [&](const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
        for (std::int64_t k = 0; k < count; ++k) found.pairs.emplace_back(a[k], b[k]);
    });
    return found;
}

std::vector<IdPair> sorted(std::vector<IdPair> pairs) {
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

const std::vector<std::pair<const char*, CollideMethod>> methods{{"auto", CollideMethod::Auto},
                                                                 {"brute", CollideMethod::Brute},
                                                                 {"grid", CollideMethod::Grid},
                                                                 {"levels", CollideMethod::Levels},
                                                                 {"bins", CollideMethod::Bins}};

}  // namespace

TEST_CASE("collide: every method finds the same pairs, those of the definition") {
    const auto collider = make_collider(2, false, 0);  // one for all: room of one call serves the next
    for (const SphereSet& set : sphere_sets()) {
        const std::vector<IdPair> wanted = pairs_by_definition(set);
        for (const auto& [name, method] : methods) {
            CAPTURE(set.name);
            const auto& called = name;
            CAPTURE(called);
            const Found found = find(*collider, set, method);
            CHECK(sorted(found.pairs) == wanted);
            CHECK(found.report.contacts == static_cast<std::int64_t>(wanted.size()));
            CHECK(found.report.bodies == static_cast<std::int64_t>(set.x.size()));
            CHECK(found.report.tested >= found.report.contacts);
        }
    }
}

TEST_CASE("collide: spheres of a lattice touch exactly, and are counted as such") {
    // n^3 spheres of diameter 1 on a lattice of spacing 1: 3 n^2 (n - 1) neighbours at distance zero, and no other contact.
    constexpr int n = 12;
    const SphereSet set = lattice("touching", n, 1.0, 0.5);
    for (const auto& [name, method] : methods) {
        const auto& called = name;
        CAPTURE(called);
        const Found found = find(*make_collider(1, false, 0), set, method);
        CHECK(found.report.contacts == 3 * n * n * (n - 1));
        CHECK(found.report.touching == 3 * n * n * (n - 1));
    }
}

TEST_CASE("collide: pairs come in one order for any number of threads and any order of kernels") {
    for (const SphereSet& set : {scattered("uniform", 20000, 1, 0.02, 0.02), scattered("sizes", 20000, 1, 2e-4, 0.05)}) {
        for (const auto method : {CollideMethod::Grid, CollideMethod::Levels, CollideMethod::Bins}) {
            const Found one = find(*make_collider(1, false, 0), set, method);
            REQUIRE(one.pairs.size() > 10000);
            for (const int threads : {2, 3, 4}) CHECK(find(*make_collider(threads, false, 0), set, method).pairs == one.pairs);
            CHECK(find(*make_collider(1, true, 0), set, method).pairs == one.pairs);
            CHECK(find(*make_collider(3, false, 0), set, method).report.tested == one.report.tested);
        }
    }
}

TEST_CASE("collide: cells keep the number of distances within a small multiple of the bodies") {
    // Evenly spread spheres of one size with 6 neighbours each: half of 27 cells with 1.43 bodies each, 19.
    const double d = std::cbrt(6 / (4.0 / 3.0 * 3.141592653589793 * 30000));
    const SphereSet even = scattered("even", 30000, 1, d / 2, d / 2);
    CHECK(find(*make_collider(1, false, 0), even, CollideMethod::Grid).report.tested < 25 * 30000);
    // The same, its two halves 1e7 diameters apart: more cells than can be, and still no crowding, though cells share numbers.
    SphereSet apart = even;
    for (std::size_t i = 0; i < apart.x.size(); i += 2) apart.x[i] += 1e7 * d;
    CHECK(find(*make_collider(1, false, 0), apart, CollideMethod::Grid).report.tested < 25 * 30000);
    // 1 : 1000 in size: levels look at less than a tenth of what one grid does.
    const SphereSet sizes = scattered("sizes", 30000, 1, 1e-4, 0.1);
    const std::int64_t levels = find(*make_collider(1, false, 0), sizes, CollideMethod::Levels).report.tested;
    CHECK(10 * levels < find(*make_collider(1, false, 0), sizes, CollideMethod::Grid).report.tested);
    CHECK(find(*make_collider(1, false, 0), sizes, CollideMethod::Auto).report.method == CollideMethod::Levels);
    CHECK(find(*make_collider(1, false, 0), even, CollideMethod::Auto).report.method == CollideMethod::Grid);
}

TEST_CASE("collide: more pairs than may be found are refused, and the collider serves on") {
    const auto collider = make_collider(2, false, 0);
    const SphereSet set = scattered("uniform", 60000, 1, 0.02, 0.02);
    CHECK_THROWS_AS(collider->find(set.view(), CollideMethod::Grid, {}, 20000), PairsDoNotFit);
    CHECK(find(*collider, set, CollideMethod::Grid).pairs == find(*make_collider(1, false, 0), set, CollideMethod::Grid).pairs);
}

#if !defined(SCREE_ON_CUDA)
TEST_CASE("collide: vectors of lanes answer as single lanes do") {
    constexpr int n = 400;
    Rng rng(3, 3);
    std::vector<std::int32_t> x(n + lanes), y(n + lanes), z(n + lanes);
    std::vector<float> radius(n + lanes);
    for (std::size_t k = 0; k < x.size(); ++k) {
        x[k] = static_cast<std::int32_t>(rng.uniform(0, 4000));
        y[k] = static_cast<std::int32_t>(rng.uniform(0, 4000));
        z[k] = static_cast<std::int32_t>(rng.uniform(0, 4000));
        radius[k] = static_cast<float>(rng.uniform(1, 2000));
    }
    const LatticeView all{x.data(), y.data(), z.data(), radius.data()};
    int hits = 0;
    for (int k = 0; k < n; ++k) {
        const LatticeBody me{x[k], y[k], z[k], radius[k], 1500.0f * 1500.0f, 1400.0f * 1400.0f, 2.0f, 1e-6f};
        for (int from = 0; from + lanes <= n; from += 7) {
            const int count = 1 + k % lanes;
            const std::uint32_t inside = (1u << count) - 1;
            const LaneMask equal = near_lanes<true>(all, from, count, me), equal_plain = detail::near_lanes_plain<true>(all, from, me);
            CHECK(equal.hit == (equal_plain.hit & inside));
            CHECK(equal.sure == (equal_plain.sure & inside));
            const LaneMask sized = near_lanes<false>(all, from, count, me), sized_plain = detail::near_lanes_plain<false>(all, from, me);
            CHECK(sized.hit == (sized_plain.hit & inside));
            CHECK(sized.sure == (sized_plain.sure & inside));
            hits += sized.hit != 0;
        }
    }
    CHECK(hits > 1000);
}
#endif
