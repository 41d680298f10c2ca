// Size distributions against their moments. Draws are fixed by the seed; bounds are five standard errors.
#include <cmath>

#include "setup/sizes.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

struct Moments {
    double mean{0}, deviation{0}, least{1e300}, most{0};
};

constexpr int kDraws = 200000;

Moments moments(const SizeDistribution& d, std::uint64_t seed = 1) {
    const Sizes sizes(d, seed, {});
    Moments m;
    double square = 0.0;
    for (int k = 0; k < kDraws; ++k) {
        const double r = sizes.radius(static_cast<std::uint64_t>(k));
        m.mean += r / kDraws;
        square += r * r / kDraws;
        m.least = std::min(m.least, r);
        m.most = std::max(m.most, r);
    }
    m.deviation = std::sqrt(square - m.mean * m.mean);
    return m;
}

SizeDistribution of_kind(SizeDistribution::Kind kind, double mean, double deviation) {
    SizeDistribution d;
    d.kind = kind;
    d.mean = mean;
    d.deviation = deviation;
    return d;
}

const double kError = 5 / std::sqrt(static_cast<double>(kDraws));

}  // namespace

TEST_CASE("uniform radii: mean (a + b) / 2, deviation (b - a) / sqrt 12") {
    SizeDistribution d;
    d.kind = SizeDistribution::Kind::Uniform;
    d.min = 1e-3;
    d.max = 3e-3;
    const Moments m = moments(d);
    const double s = 2e-3 / std::sqrt(12.0);
    CHECK(std::fabs(m.mean - 2e-3) < kError * s);
    CHECK(std::fabs(m.deviation - s) < kError * s);
    CHECK(m.least >= 1e-3);
    CHECK(m.most <= 3e-3);
    CHECK(m.least < 1.001e-3);
    CHECK(m.most > 2.999e-3);
}

TEST_CASE("normal radii, and truncated at one deviation") {
    SizeDistribution d = of_kind(SizeDistribution::Kind::Normal, 2e-3, 0.2e-3);
    Moments m = moments(d);
    CHECK(std::fabs(m.mean - 2e-3) < kError * 0.2e-3);
    CHECK(std::fabs(m.deviation - 0.2e-3) < kError * 0.2e-3);
    d.min = 1.8e-3;
    d.max = 2.2e-3;
    m = moments(d);
    // Variance of the normal distribution cut at one sigma on both sides: 1 - 2 phi(1) / (2 Phi(1) - 1) = 0.29112.
    const double s = 0.2e-3 * std::sqrt(0.291125);
    CHECK(std::fabs(m.mean - 2e-3) < kError * s);
    CHECK(std::fabs(m.deviation - s) < kError * s);
    CHECK(m.least >= 1.8e-3);
    CHECK(m.most <= 2.2e-3);
}

TEST_CASE("log-normal radii: mean and deviation are those of r itself") {
    const Moments m = moments(of_kind(SizeDistribution::Kind::LogNormal, 2e-3, 1e-3));
    CHECK(std::fabs(m.mean - 2e-3) < kError * 1e-3);
    CHECK(std::fabs(m.deviation - 1e-3) < 4 * kError * 1e-3);  // the fourth moment is about 4 times the normal one's
    CHECK(m.least > 0.0);
}

TEST_CASE("classes by number and by mass") {
    SizeDistribution d;
    d.kind = SizeDistribution::Kind::Classes;
    d.class_radius = {1e-3, 2e-3, 4e-3};
    d.class_share = {5, 3, 2};  // shares are relative
    for (const bool by_mass : {false, true}) {
        d.share_by_mass = by_mass;
        const Sizes sizes(d, 3, {});
        double count[3] = {0, 0, 0}, volume[3] = {0, 0, 0}, all = 0.0;
        for (int k = 0; k < kDraws; ++k) {
            const double r = sizes.radius(static_cast<std::uint64_t>(k));
            const int c = r == 1e-3 ? 0 : r == 2e-3 ? 1 : 2;
            count[c] += 1.0 / kDraws;
            volume[c] += r * r * r;
            all += r * r * r;
        }
        for (int c = 0; c < 3; ++c) {
            const double share = d.class_share[static_cast<std::size_t>(c)] / 10;
            // By mass the large bodies are few (0.5 %), so their share is known to 5 / sqrt(1000) of itself.
            CHECK(std::fabs((by_mass ? volume[c] / all : count[c]) - share) < (by_mass ? 0.16 * share : kError * 0.5));
        }
    }
}

TEST_CASE("Rosin and Rammler by number: mean scale Gamma(1 + 1/n), and the median; cut, nothing is past the bounds") {
    SizeDistribution d;
    d.kind = SizeDistribution::Kind::RosinRammler;
    d.scale = 2e-3;
    d.exponent = 3;
    Moments m = moments(d);
    const double g1 = std::tgamma(1 + 1.0 / 3), g2 = std::tgamma(1 + 2.0 / 3), s = 2e-3 * std::sqrt(g2 - g1 * g1);
    CHECK(std::fabs(m.mean - 2e-3 * g1) < kError * s);
    CHECK(std::fabs(m.deviation - s) < kError * s);
    d.min = 1.5e-3;
    d.max = 2.5e-3;
    m = moments(d);
    CHECK(m.least >= 1.5e-3);
    CHECK(m.most <= 2.5e-3);
}

namespace {

/// The share of the mass (r^n) that is below a radius, with its statistical error: draws count by their mass.
struct MassBelow {
    double share, error;
    MassBelow(const Sizes& sizes, double radius, int n) {
        double below = 0, all = 0, squares = 0;
        for (int k = 0; k < kDraws; ++k) {
            const double r = sizes.radius(static_cast<std::uint64_t>(k)), m = std::pow(r, n);
            below += r < radius ? m : 0;
            all += m;
            squares += m * m;
        }
        share = below / all;
        error = std::sqrt(squares) / all;
    }
};

}  // namespace

TEST_CASE("distributions by mass: their shares of mass below a radius, as balls and as disks") {
    using Kind = SizeDistribution::Kind;
    const auto check = [](const SizeDistribution& d, double radius, double share) {
        for (const int n : {3, 2}) {
            const MassBelow below(Sizes(d, 5, {}, n), radius, n);
            CAPTURE(n);
            CAPTURE(below.share);
            CAPTURE(share);
            CAPTURE(below.error);
            CHECK(below.error < 0.02);
            CHECK(std::fabs(below.share - share) < 4 * below.error);
        }
    };
    SizeDistribution d;
    d.share_by_mass = true;
    d.kind = Kind::Uniform;
    d.min = 1e-3;
    d.max = 3e-3;
    check(d, 1.5e-3, 0.25);
    check(d, 2.5e-3, 0.75);
    d.kind = Kind::Normal;
    d.mean = 2e-3;
    d.deviation = 0.4e-3;
    d.min = 1e-5;
    d.max = 1;
    check(d, 2e-3, 0.5);
    check(d, 1.6e-3, 0.158655);  // Phi(-1)
    d.min = 1.6e-3;
    d.max = 2.4e-3;
    check(d, 1.8e-3, (0.308538 - 0.158655) / 0.682689);  // Phi(-1/2), cut at one deviation on both sides
    d.kind = Kind::LogNormal;
    d.min = 0;
    d.max = 1;
    const double s2 = std::log1p(0.04);
    check(d, 2e-3 * std::exp(-0.5 * s2), 0.5);  // the median
    d.kind = Kind::RosinRammler;
    d.scale = 2e-3;
    d.exponent = 4;
    d.min = 5e-4;
    d.max = 1;
    const double gone = 1 - std::exp(-std::pow(0.25, 4.0));
    check(d, 2e-3, (1 - std::exp(-1.0) - gone) / (1 - gone));
    check(d, 1e-3, (1 - std::exp(-std::pow(0.5, 4.0)) - gone) / (1 - gone));
}

TEST_CASE("sieves: what passes each, by number and by mass; between two the shares rise evenly") {
    SizeDistribution d;
    d.kind = SizeDistribution::Kind::Sieve;
    d.sieve_radius = {0.5e-3, 1e-3, 2e-3, 2.5e-3};
    d.passing = {0, 0.3, 0.9, 1};
    for (const bool by_mass : {false, true}) {
        d.share_by_mass = by_mass;
        const Sizes sizes(d, 2, {});
        for (const auto& [radius, share] : {std::pair{1e-3, 0.3}, {1.5e-3, 0.6}, {2e-3, 0.9}}) {
            const MassBelow below(sizes, radius, by_mass ? 3 : 0);
            CHECK(std::fabs(below.share - share) < 4 * below.error);
        }
        const Moments m = moments(d);
        CHECK(m.least >= 0.5e-3);
        CHECK(m.most <= 2.5e-3);
    }
}

TEST_CASE("sieves from a file, and what is no table of them") {
    SizeDistribution d;
    d.kind = SizeDistribution::Kind::Sieve;
    d.file_place = {"s.toml", 3, 4};
    const TemporaryFile good("sieves.csv", "# of a sand\npassing, aperture\n0, 1e-3\n0.4, 2e-3\n1, 4e-3\n");
    read_sieves(good.path(), d);
    CHECK(d.sieve_radius == std::vector<double>{0.5e-3, 1e-3, 2e-3});
    CHECK(d.passing == std::vector<double>{0, 0.4, 1});
    const auto message = [&](const std::string& text) {
        const TemporaryFile file("sieves.csv", text);
        return error_of([&] { read_sieves(file.path(), d); });
    };
    CHECK(contains(message(""), "is empty"));
    CHECK(contains(message("1, 2\n3, 4\n"), "the first line names the columns"));
    CHECK(contains(message("aperture, passing\n1e-3\n"), ":2: expected 2 fields, not 1"));
    CHECK(contains(message("aperture, passing\n1e-3, x\n"), ":2:7: \"x\" is not a finite number"));
    CHECK(contains(message("aperture, passing\n1e-3, 0\n1e-3, 1\n"), "s.toml:3:4: "));
    CHECK(contains(message("aperture, passing\n1e-3, 0\n1e-3, 1\n"), "apertures must rise"));
    CHECK(contains(message("aperture, passing\n1e-3, 0\n2e-3, 60\n"), "a share from 0 to 1, not 60"));
    CHECK(contains(message("aperture, passing\n1e-3, 0.1\n2e-3, 1\n"), "begin with a finer one"));
    CHECK(contains(message("aperture, passing\n1e-3, 0\n2e-3, 0.9\n"), "end with one that all passes"));
    CHECK(contains(message("aperture, passing\n1e-3, 0\n2e-3, 0.9\n3e-3, 0.5\n"), "must not fall"));
}

TEST_CASE("the radius of body k depends on seed and k only") {
    const SizeDistribution d = of_kind(SizeDistribution::Kind::Normal, 2e-3, 0.2e-3);
    const Sizes a(d, 9, {}), b(d, 9, {}), c(d, 10, {});
    b.radius(5);
    CHECK(a.radius(17) == b.radius(17));
    CHECK(a.radius(17) != a.radius(18));
    CHECK(a.radius(17) != c.radius(17));
}

TEST_CASE("errors of sizes name their table") {
    const SourcePlace place{"s.toml", 4, 1};
    const auto message = [&](const SizeDistribution& d) { return error_of([&] { Sizes(d, 1, place).radius(0); }); };
    CHECK(contains(message(equal_size(0.0)), "s.toml:4:1: radius 0 must be positive"));
    SizeDistribution d;
    d.kind = SizeDistribution::Kind::Classes;
    CHECK(contains(message(d), "0 class radii"));
    d.class_radius = {1e-3};
    d.class_share = {0};
    CHECK(contains(message(d), "all class shares are zero"));
    d = of_kind(SizeDistribution::Kind::Normal, 2e-3, 1e-5);
    d.min = 5e-3;
    CHECK(contains(message(d), "leave almost nothing"));
    d = SizeDistribution{};
    d.kind = SizeDistribution::Kind::Uniform;
    d.min = 2;
    d.max = 1;
    CHECK(contains(message(d), "min <= max"));
}
