#include "setup/streams/mixture.hpp"

#include <algorithm>
#include <numeric>

namespace scree {

namespace {

/// Bodies of the largest kind within which shares are kept: few keep them closely, many leave the order freer.
constexpr double kAhead = 10;

}  // namespace

MixtureOrder::MixtureOrder(std::vector<double> share, Rng rng) : share_(std::move(share)), come_(share_.size(), 0.0), rng_(rng) {
    const double sum = std::accumulate(share_.begin(), share_.end(), 0.0);
    for (double& s : share_) s /= sum;
}

std::size_t MixtureOrder::next(const std::vector<double>& counts) {
    const double ahead = all_ + kAhead * *std::max_element(counts.begin(), counts.end());
    std::vector<double> likely(counts.size());
    for (std::size_t p = 0; p < counts.size(); ++p) likely[p] = std::max(0.0, share_[p] * ahead - come_[p]) / counts[p];
    double u = rng_.uniform() * std::accumulate(likely.begin(), likely.end(), 0.0);
    std::size_t part = 0;
    while (part + 1 < likely.size() && u >= likely[part]) u -= likely[part++];
    while (part > 0 && likely[part] == 0) --part;  // past the end by rounding
    come_[part] += counts[part];
    all_ += counts[part];
    return part;
}

}  // namespace scree
