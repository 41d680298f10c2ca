// A queue of one event per body: a complete binary tree whose nodes hold the earlier of their two children. Changing an event costs
// log2(bodies) comparisons at most, reading the first one none.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace scree {

class EventQueue {
public:
    void resize(std::size_t bodies) {
        leaves_ = 1;
        while (leaves_ < bodies) leaves_ *= 2;
        time_.assign(leaves_, std::numeric_limits<double>::infinity());
        rank_.assign(leaves_, std::numeric_limits<std::int32_t>::max());
        winner_.resize(2 * leaves_);
        for (std::size_t k = 0; k < leaves_; ++k) winner_[leaves_ + k] = static_cast<std::int32_t>(k);
        for (std::size_t node = leaves_; node-- > 1;) winner_[node] = winner_[2 * node];
    }
    /// Sets the event of a body. Of events at one time the lower rank comes first, then the lower body.
    void set(std::int32_t body, double time, std::int32_t rank) {
        const auto k = static_cast<std::size_t>(body);
        time_[k] = time;
        rank_[k] = rank;
        for (std::size_t node = (leaves_ + k) / 2; node >= 1; node /= 2) {
            const std::int32_t a = winner_[2 * node], b = winner_[2 * node + 1], before = winner_[node];
            winner_[node] = earlier(b, a) ? b : a;
            if (winner_[node] == before && before != body) return;  // nothing changes further up
        }
    }
    std::int32_t first() const { return winner_[1]; }
    double time(std::int32_t body) const { return time_[static_cast<std::size_t>(body)]; }
    static std::size_t bytes_for(std::size_t bodies) { return std::bit_ceil(bodies + 1) * (12 + 2 * 4); }
    std::size_t bytes() const { return time_.capacity() * 12 + winner_.capacity() * 4; }

private:
    bool earlier(std::int32_t x, std::int32_t y) const {
        const auto a = static_cast<std::size_t>(x), b = static_cast<std::size_t>(y);
        return time_[a] < time_[b] || (time_[a] == time_[b] && rank_[a] < rank_[b]);
    }

    std::size_t leaves_{0};
    std::vector<double> time_;          // [s]
    std::vector<std::int32_t> rank_;    // of equal times
    std::vector<std::int32_t> winner_;  // node -> body; root 1, leaves from leaves_ on
};

}  // namespace scree
