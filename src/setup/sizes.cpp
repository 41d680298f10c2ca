// Size distributions: each radius is a pure function of (seed, body number). One by mass is drawn by number: its density over the mass of a
// body, of n dimensions f(r) / r^n.
#include "setup/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "scene/checks.hpp"
#include "setup/placement/text_rows.hpp"

namespace scree {

namespace {

constexpr int kMostRedraws = 10000;
constexpr int kSteps = 4096;  // of a curve by mass: of a normal one 1/200 of the deviation

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

void read_sieves(const std::string& path, SizeDistribution& sizes) {
    TextRows rows(path, sizes.file_place);
    std::vector<std::string_view> row;
    const auto column = [&row](std::string_view name) {
        return static_cast<std::size_t>(std::find(row.begin(), row.end(), name) - row.begin());
    };
    if (!rows.next(row)) throw Error(sizes.file_place, fmt::format("\"{}\" is empty", path));
    const std::size_t fields = row.size(), aperture = column("aperture"), passing = column("passing");
    if (fields != 2 || aperture == fields || passing == fields)
        throw Error(rows.here(), "the first line names the columns: aperture (in m) and passing (a share from 0 to 1)");
    sizes.sieve_radius.clear();
    sizes.passing.clear();
    while (rows.next(row)) {
        if (row.size() != fields) throw Error(rows.here(), fmt::format("expected {} fields, not {}", fields, row.size()));
        sizes.sieve_radius.push_back(0.5 * number_or_throw(row[aperture], rows.here(row[aperture])));
        sizes.passing.push_back(number_or_throw(row[passing], rows.here(row[passing])));
    }
    if (const std::string fault = problem_of_sieves(sizes); !fault.empty())
        throw Error(sizes.file_place, fmt::format("\"{}\": {}", path, fault));
}

Sizes::Sizes(const SizeDistribution& distribution, std::uint64_t seed, const SourcePlace& place, int dimensions)
    : distribution_(distribution), seed_(seed), place_(place), dimensions_(dimensions) {
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
            if (d.share_by_mass) set_steps({d.min, d.max}, {0, 1});
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
            if (!d.share_by_mass) break;
            // Over r^n a log-normal density is one again, of mean n s^2 lower (Hatch & Choate 1929, J. Franklin Inst. 207:369).
            log_mean_ -= dimensions * log_sigma_ * log_sigma_;
            if (d.kind == Kind::LogNormal) break;
            require(d.min > 0.0 && d.deviation > 0.0, place, "normal radii by mass need min and deviation above 0");
            const auto below = [&](double r) { return 0.5 * std::erfc((d.mean - r) / (d.deviation * std::numbers::sqrt2)); };
            set_curve(below, std::max(d.min, d.mean - 9 * d.deviation), std::min(d.max, d.mean + 9 * d.deviation));
            break;
        }
        case Kind::RosinRammler: {
            require(positive(d.scale) && positive(d.exponent), place,
                    fmt::format("scale {} and exponent {} must be positive", d.scale, d.exponent));
            require(d.min >= 0.0 && d.min < d.max, place, fmt::format("the bounds {} and {} leave no radii", d.min, d.max));
            if (!d.share_by_mass) break;
            require(d.min > 0.0, place, "Rosin-Rammler radii by mass need min above 0");
            const auto below = [&](double r) { return -std::expm1(-std::pow(r / d.scale, d.exponent)); };
            // Above the end 1e-12 of the mass are left.
            set_curve(below, d.min, std::min(d.max, d.scale * std::pow(std::log(1e12), 1 / d.exponent)));
            break;
        }
        case Kind::Sieve:
            if (const std::string fault = problem_of_sieves(d); !fault.empty()) throw Error(place, fault);
            set_steps(d.sieve_radius, d.passing);
            break;
    }
}

void Sizes::fail_empty() const {
    throw Error(place_, fmt::format("the bounds {} to {} leave almost nothing of the size distribution: widen them", distribution_.min,
                                    distribution_.max));
}

void Sizes::set_steps(const std::vector<double>& node, const std::vector<double>& below) {
    node_ = node;
    const int n = dimensions_;
    double sum = 0;
    for (std::size_t i = 1; i < node.size(); ++i) {
        const double a = node[i - 1], b = node[i], share = below[i] - below[i - 1];
        // The mean of 1 / r^n from a to b, in lengths of the largest.
        const double u = a / node.back(), v = b / node.back();
        const double over_mass = u < v ? (std::pow(u, 1 - n) - std::pow(v, 1 - n)) / ((n - 1) * (v - u)) : std::pow(u, -n);
        sum += distribution_.share_by_mass ? share * over_mass : share;
        cumulative_.push_back(sum);
    }
    for (double& c : cumulative_) c /= sum;
    cumulative_.back() = 1.0;
}

template <class Below>
void Sizes::set_curve(Below below, double low, double high) {
    if (!(low < high) || !(below(high) - below(low) > 1.0 / kMostRedraws)) fail_empty();
    std::vector<double> node, share;
    for (int i = 0; i <= kSteps; ++i) {
        node.push_back(i == kSteps ? high : low * std::pow(high / low, static_cast<double>(i) / kSteps));
        share.push_back(below(node.back()));
    }
    set_steps(node, share);
}

double Sizes::draw(Rng& rng) const {
    const SizeDistribution& d = distribution_;
    if (!node_.empty()) {
        const double u = rng.uniform();
        const auto i = static_cast<std::size_t>(std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, u) - cumulative_.begin());
        const double before = i > 0 ? cumulative_[i - 1] : 0.0, step = cumulative_[i] - before;
        const double a = node_[i], b = node_[i + 1], part = step > 0 ? (u - before) / step : 0.0;
        if (!d.share_by_mass) return a + part * (b - a);
        const int n = dimensions_;
        const double q = std::pow(b / a, 1 - n);  // the density is as 1 / r^n
        return std::min(b, a * std::pow(1 - part * (1 - q), 1.0 / (1 - n)));
    }
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
        case SizeDistribution::Kind::RosinRammler:
            return d.scale * std::pow(-std::log1p(-rng.uniform()), 1 / d.exponent);
        case SizeDistribution::Kind::Sieve:
            break;
    }
    return 0.0;
}

double Sizes::radius(std::uint64_t k) const {
    using Kind = SizeDistribution::Kind;
    Rng rng = draw_stream(seed_, Draw::Radius, k);
    const Kind kind = distribution_.kind;
    const bool bounded = node_.empty() && (kind == Kind::Normal || kind == Kind::LogNormal || kind == Kind::RosinRammler);
    for (int i = 0; i < kMostRedraws; ++i) {
        const double r = draw(rng);
        if (!bounded || (r > 0.0 && r >= distribution_.min && r <= distribution_.max)) return r;
    }
    fail_empty();
}

}  // namespace scree
