// How many threads to use, found by what steps take: few bodies, a busy machine and slow memory each have their own best number. Results
// do not depend on threads, so the choice may change at any step. For the host.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace scree {

/// Tries the next smaller and larger number (powers of two, and the most there are) beside the best so far, turn by turn, and stays with
/// the faster one; tries ever more rarely while the best stays the best.
class ThreadChoice {
public:
    /// Nothing to choose: `threads`, always.
    explicit ThreadChoice(int threads = 1) : numbers_{std::max(1, threads)} {}
    /// From 1 to `most`; begins with `first`.
    ThreadChoice(int most, int first) {
        for (int n = 1; n < most; n *= 2) numbers_.push_back(n);
        numbers_.push_back(std::max(1, most));
        while (best_ + 1 < numbers_.size() && numbers_[best_] < first) ++best_;
    }

    /// To be used for what comes next.
    int threads() const { return numbers_[trial_ && turn_ % 2 == 0 ? other_ : best_]; }

    /// So many steps took so long [s] with threads(). Not to be told of steps that do more than others, such as making a list.
    void took(double seconds, std::int64_t steps) {
        if (numbers_.size() == 1 || steps == 0) return;
        if (!trial_) {
            rest_ -= seconds;
            if (rest_ <= 0) begin_trial();
            return;
        }
        trial_seconds_ += seconds;
        if (warming_) {  // caches move, threads start
            warming_ = false;
            return;
        }
        seconds_ += seconds;
        steps_ += steps;
        if (seconds_ < kTurn) return;
        (turn_ % 2 == 0 ? of_other_ : of_best_).push_back(seconds_ / static_cast<double>(steps_));
        ++turn_;
        begin_turn();
        if (turn_ == 2 * kTurns) decide();
    }

private:
    static constexpr double kTurn = 1e-3;                                   // shortest turn [s]
    static constexpr int kTurns = 3;                                        // of each number in a trial
    static constexpr double kBetter = 0.95, kRest = 10, kLongestRest = 20;  // in seconds of the trial, and in seconds

    void begin_turn() {
        warming_ = true;
        seconds_ = 0;
        steps_ = 0;
    }
    void begin_trial() {
        if (up_ ? best_ + 1 == numbers_.size() : best_ == 0) up_ = !up_;
        other_ = up_ ? best_ + 1 : best_ - 1;
        trial_ = true;
        turn_ = 0;
        trial_seconds_ = 0;
        of_best_.clear();
        of_other_.clear();
        begin_turn();
    }
    static double middle(std::vector<double> of) {
        std::nth_element(of.begin(), of.begin() + kTurns / 2, of.end());
        return of[kTurns / 2];
    }
    void decide() {
        trial_ = false;
        if (middle(of_other_) < kBetter * middle(of_best_)) {
            best_ = other_;
            patience_ = 1;
            rest_ = 0;
            return;
        }
        up_ = !up_;
        rest_ = std::min(kLongestRest, patience_ * kRest * trial_seconds_);
        patience_ = std::min(2 * patience_, 1e6);
    }

    std::vector<int> numbers_;
    std::size_t best_{0}, other_{0};
    bool trial_{false}, up_{false}, warming_{false};
    int turn_{0};
    double rest_{0}, patience_{1}, trial_seconds_{0}, seconds_{0};
    std::int64_t steps_{0};
    std::vector<double> of_best_, of_other_;
};

/// Has `steps()` done with the threads chosen, and tells the choice. It returns how many steps there were; 0: not to be compared.
template <class Exec, class Steps>
void with_chosen_threads(ThreadChoice& choice, Exec& exec, Steps steps) {
    using Clock = std::chrono::steady_clock;
    exec.threads = choice.threads();
    const auto start = Clock::now();
    const std::int64_t done = steps();
    choice.took(std::chrono::duration<double>(Clock::now() - start).count(), done);
}

}  // namespace scree
