// Size distributions: each radius is a pure function of (seed, body number).
#include "setup/sizes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree {

namespace {

constexpr int kMostRedraws = 10000;

void require(bool condition, const SourcePlace& place, const std::string& message) {
    if (!condition) throw Error(place, message);
}

bool positive(double x) {
    return std::isfinite(x) && x > 0.0;
}

/// Cumulative shares by number, last entry 1. A share by mass becomes one by number on division by the volume of a body.
std::vector<double> cumulative_shares(const SizeDistribution& d, int dimensions, const SourcePlace& place) {
    require(!d.class_radius.empty() && d.class_radius.size() == d.class_share.size(), place,
            fmt::format("{} class radii and {} shares: give one share for each radius", d.class_radius.size(), d.class_share.size()));
    std::vector<double> cumulative;
    double sum = 0.0;
    for (std::size_t i = 0; i < d.class_radius.size(); ++i) {
        const double r = d.class_radius[i], share = d.class_share[i];
        require(positive(r), place, fmt::format("class radius {} must be positive", r));
        require(std::isfinite(share) && share >= 0.0, place, fmt::format("class share {} must not be negative", share));
        sum += d.share_by_mass ? share / (dimensions == 2 ? r * r : r * r * r) : share;
        cumulative.push_back(sum);
    }
    require(sum > 0.0, place, "all class shares are zero");
    for (double& c : cumulative) c /= sum;
    cumulative.back() = 1.0;
    return cumulative;
}

}  // namespace

Sizes::Sizes(const SizeDistribution& distribution, std::uint64_t seed, const SourcePlace& place, int dimensions)
    : distribution_(distribution), seed_(seed), place_(place) {
    const SizeDistribution& d = distribution_;
    using Kind = SizeDistribution::Kind;
    switch (d.kind) {
        case Kind::Single:
            require(positive(d.radius), place, fmt::format("radius {} must be positive", d.radius));
            break;
        case Kind::Classes:
            cumulative_ = cumulative_shares(d, dimensions, place);
            break;
        case Kind::Uniform:
            require(positive(d.min) && std::isfinite(d.max) && d.min <= d.max, place,
                    fmt::format("uniform radii need 0 < min <= max, not {} and {}", d.min, d.max));
            break;
        case Kind::Normal:
        case Kind::LogNormal: {
            require(positive(d.mean), place, fmt::format("mean radius {} must be positive", d.mean));
            require(std::isfinite(d.deviation) && d.deviation >= 0.0, place,
                    fmt::format("standard deviation {} must not be negative", d.deviation));
            require(d.min >= 0.0 && d.min < d.max, place, fmt::format("the bounds {} and {} leave no radii", d.min, d.max));
            // Mean and deviation are those of r itself: s^2 = ln(1 + deviation^2 / mean^2), E[ln r] = ln(mean) - s^2 / 2.
            const double ratio = d.deviation / d.mean;
            log_sigma_ = std::sqrt(std::log1p(ratio * ratio));
            log_mean_ = std::log(d.mean) - 0.5 * log_sigma_ * log_sigma_;
            break;
        }
    }
}

double Sizes::draw(Rng& rng) const {
    const SizeDistribution& d = distribution_;
    switch (d.kind) {
        case SizeDistribution::Kind::Single:
            return d.radius;
        case SizeDistribution::Kind::Classes: {
            const double u = rng.uniform();
            std::size_t i = 0;
            while (u >= cumulative_[i]) ++i;
            return d.class_radius[i];
        }
        case SizeDistribution::Kind::Uniform:
            return rng.uniform(d.min, d.max);
        case SizeDistribution::Kind::Normal:
            return d.mean + d.deviation * rng.normal();
        case SizeDistribution::Kind::LogNormal:
            return std::exp(log_mean_ + log_sigma_ * rng.normal());
    }
    return 0.0;
}

double Sizes::radius(std::uint64_t k) const {
    Rng rng = draw_stream(seed_, Draw::Radius, k);
    const bool bounded = distribution_.kind == SizeDistribution::Kind::Normal || distribution_.kind == SizeDistribution::Kind::LogNormal;
    for (int i = 0; i < kMostRedraws; ++i) {
        const double r = draw(rng);
        if (!bounded || (r > 0.0 && r >= distribution_.min && r <= distribution_.max)) return r;
    }
    throw Error(place_, fmt::format("the bounds {} to {} leave almost nothing of the size distribution: widen them", distribution_.min,
                                    distribution_.max));
}

}  // namespace scree
