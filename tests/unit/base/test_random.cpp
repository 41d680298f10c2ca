// Random numbers: uniformity, moments and independence of streams. Draws are fixed by seeds; bounds are five standard errors.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/rng.hpp"

using namespace scree;

TEST_CASE("uniform numbers fill [0, 1) evenly") {
    constexpr int n = 1000000, bins = 100;
    std::array<int, bins> count{};
    Rng rng(7, 3);
    double sum = 0.0, square = 0.0, lag = 0.0, last = 0.5;
    for (int i = 0; i < n; ++i) {
        const double u = rng.uniform();
        REQUIRE(u >= 0.0);
        REQUIRE(u < 1.0);
        ++count[static_cast<std::size_t>(u * bins)];
        sum += u;
        square += (u - 0.5) * (u - 0.5);
        lag += (u - 0.5) * (last - 0.5);
        last = u;
    }
    double chi2 = 0.0;
    for (const int c : count) chi2 += (c - n / bins) * static_cast<double>(c - n / bins) / (n / bins);
    CHECK(std::fabs(chi2 - (bins - 1)) < 5 * std::sqrt(2.0 * (bins - 1)));
    CHECK(std::fabs(sum / n - 0.5) < 5 * std::sqrt(1.0 / 12 / n));
    CHECK(std::fabs(square / n - 1.0 / 12) < 5 * std::sqrt(1.0 / 180 / n));
    CHECK(std::fabs(lag / n) < 5 * (1.0 / 12) / std::sqrt(static_cast<double>(n)));
    CHECK(rng.counter() == n);
}

TEST_CASE("first draws of consecutive streams and seeds are uniform and uncorrelated") {
    // setup takes one stream per body: the first draw over streams must be as good as one stream.
    constexpr int n = 200000;
    for (const bool over_seeds : {false, true}) {
        std::array<int, 64> count{};
        double lag = 0.0, last = 0.5;
        for (int i = 0; i < n; ++i) {
            const std::uint64_t k = static_cast<std::uint64_t>(i);
            const double u = Rng(over_seeds ? k : 1, over_seeds ? 1 : k).uniform();
            ++count[static_cast<std::size_t>(u * 64)];
            lag += (u - 0.5) * (last - 0.5);
            last = u;
        }
        double chi2 = 0.0;
        for (const int c : count) chi2 += (c - n / 64.0) * (c - n / 64.0) / (n / 64.0);
        CHECK(std::fabs(chi2 - 63) < 5 * std::sqrt(2.0 * 63));
        CHECK(std::fabs(lag / n) < 5 * (1.0 / 12) / std::sqrt(static_cast<double>(n)));
    }
}

TEST_CASE("normal numbers have moments 0, 1, 0, 3") {
    constexpr int n = 400000;
    Rng rng(11, 0);
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
    for (int i = 0; i < n; ++i) {
        const double x = rng.normal();
        m1 += x;
        m2 += x * x;
        m3 += x * x * x;
        m4 += x * x * x * x;
    }
    const double e = 5 / std::sqrt(static_cast<double>(n));
    CHECK(std::fabs(m1 / n) < e);
    CHECK(std::fabs(m2 / n - 1) < e * std::sqrt(2.0));
    CHECK(std::fabs(m3 / n) < e * std::sqrt(15.0));
    CHECK(std::fabs(m4 / n - 3) < e * std::sqrt(96.0));
}

TEST_CASE("a stream is a function of seed, stream and counter; a copy goes on alike") {
    Rng a(5, 6);
    a.bits();
    Rng b = a;
    CHECK(a.bits() == b.bits());
    CHECK(Rng(5, 6).bits() != Rng(6, 5).bits());
    CHECK(Rng(5, 6).bits() == Rng(5, 6).bits());
}

TEST_CASE("hashes: no collisions in a small range, order matters, zeros are one") {
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < 20000; ++i) seen.insert(mix64(i));
    CHECK(seen.size() == 20000);
    CHECK(hash_combine(1, 2) != hash_combine(2, 1));
    CHECK(bits_of(0.0) == bits_of(-0.0));
    CHECK(bits_of(1.0) != bits_of(1.0 + 1e-15));
}

TEST_CASE("an error names file, line and column, as far as known") {
    CHECK(std::string(Error(SourcePlace{"a.toml", 3, 7}, "bad").what()) == "a.toml:3:7: bad");
    CHECK(std::string(Error(SourcePlace{"a.toml", 3, 0}, "bad").what()) == "a.toml:3: bad");
    CHECK(std::string(Error(SourcePlace{"a.toml", 0, 0}, "bad").what()) == "a.toml: bad");
    CHECK(std::string(Error(SourcePlace{}, "bad").what()) == "bad");
}
