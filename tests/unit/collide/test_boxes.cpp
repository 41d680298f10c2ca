// The two-level split: boxes within a memory limit give the pairs of the whole, each once.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "engine/collide.hpp"
#include "sphere_sets.hpp"

using namespace scree;
using namespace scree::test;

namespace {

struct Result {
    CollideReport report;
    std::vector<IdPair> pairs;  // sorted
};

Result collided(const SphereSet& set, CollideMethod method, std::size_t memory) {
    CollideSettings settings;
    settings.method = method;
    settings.memory = memory;
    settings.threads = 2;
    Result result;
    result.report = collide(set.view(), settings, Device::Cpu, Precision::Double,
                            [&](const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
                                for (std::int64_t k = 0; k < count; ++k) result.pairs.emplace_back(a[k], b[k]);
                            });
    std::sort(result.pairs.begin(), result.pairs.end());
    return result;
}

/// Spheres of a few sizes around a few places, and among them some as large as the boxes will be.
SphereSet uneven(int n) {
    SphereSet set{"uneven", {}, {}, {}, {}};
    Rng rng(8, 2);
    for (int k = 0; k < n; ++k) {
        const Vec3 place = k % 3 == 0 ? Vec3{0, 0, 0} : k % 3 == 1 ? Vec3{5, 0.5, 0} : Vec3{5.5, 0, 0.2};
        const double radius = k % 1000 == 0 ? 0.3 : rng.uniform(0.004, 0.012);
        set.add(place + anywhere(rng, k % 3 == 2 ? 2.0 : 1.0), radius);
    }
    return set;
}

}  // namespace

TEST_CASE("collide: boxes within a memory limit give the pairs of the whole, each once") {
    constexpr std::size_t limit = 4'000'000;
    for (const SphereSet& set : {uneven(60000), scattered("even", 60000, 1, 0.01, 0.01), lattice("touching", 40, 1.0, 0.5)}) {
        CAPTURE(set.name);
        const Result whole = collided(set, CollideMethod::Auto, 0);
        for (const CollideMethod method : {CollideMethod::Auto, CollideMethod::Grid, CollideMethod::Bins}) {
            const Result boxes = collided(set, method, limit);
            CHECK(boxes.pairs == whole.pairs);
            CHECK(boxes.report.contacts == whole.report.contacts);
            CHECK(boxes.report.touching == whole.report.touching);
            CHECK(boxes.report.boxes > 2);
            CHECK(boxes.report.copies > boxes.report.bodies);
            CHECK(boxes.report.bytes <= limit);
        }
    }
}

TEST_CASE("collide: a limit that allows all needs one box; one that cannot be kept is an error") {
    const SphereSet set = scattered("even", 20000, 1, 0.01, 0.01);
    const Result roomy = collided(set, CollideMethod::Grid, 1'000'000'000);
    CHECK(roomy.report.boxes == 1);
    CHECK(roomy.pairs == collided(set, CollideMethod::Grid, 0).pairs);
    CHECK_THROWS_AS(collided(set, CollideMethod::Grid, 100'000), Error);
    // All in one place: n (n - 1) / 2 pairs, which no cut parts.
    SphereSet stack{"stack", {}, {}, {}, {}};
    for (int k = 0; k < 3000; ++k) stack.add({0, 0, 0}, 1);
    CHECK_THROWS_AS(collided(stack, CollideMethod::Grid, 4'000'000), Error);
}

TEST_CASE("collide: both precisions give the same pairs in the same order") {
    const SphereSet set = scattered("sizes", 20000, 1, 1e-3, 0.03, {1e5, 0, 0});
    std::vector<IdPair> first;
    for (const Precision precision : {Precision::Double, Precision::Mixed}) {
        std::vector<IdPair> pairs;
        collide(set.view(), {}, Device::Cpu, precision, [&](const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
            for (std::int64_t k = 0; k < count; ++k) pairs.emplace_back(a[k], b[k]);
        });
        REQUIRE(pairs.size() > 1000);
        if (first.empty()) first = pairs;
        CHECK(pairs == first);
    }
}
