// How many threads steps are done with: the choice finds what a machine does fastest, and follows it.
#include "engine/exec/thread_choice.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "base/rng.hpp"

using namespace scree;

namespace {

/// Time of a step [s] on so many threads.
using Cost = std::function<double(int)>;

/// Seconds of `steps` steps, each off by up to a share `noise` of its time.
double spend(ThreadChoice& choice, const Cost& cost, int steps, double noise = 0) {
    Rng rng(7, 3);
    double all = 0;
    for (int k = 0; k < steps; ++k) {
        const double step = cost(choice.threads()) * (1 + rng.uniform(0, noise));
        choice.took(step, 1);
        all += step;
    }
    return all;
}

/// Work that is shared, and what threads cost by themselves.
Cost shared(double work, double each) {
    return [=](int threads) { return work / threads + each * (threads - 1); };
}

}  // namespace

TEST_CASE("few bodies stay on one thread, many get them all") {
    for (const int first : {1, 16}) {
        ThreadChoice few(16, first), many(16, first), some(16, first);
        spend(few, shared(3e-6, 2e-6), 200000);
        CHECK(few.threads() == 1);
        spend(many, shared(1e-2, 1e-6), 20000);
        CHECK(many.threads() == 16);
        spend(some, shared(1e-3, 6e-5), 20000);  // 4: 250 + 180 us; 2: 560, 8: 545
        CHECK(some.threads() == 4);
    }
}

TEST_CASE("trials cost little, and a step's time may vary") {
    // The dearest of wrong numbers: eight threads on two processors.
    const Cost dear = [](int threads) { return threads <= 2 ? 1e-5 / threads : 4e-4; };
    ThreadChoice choice(8, 1);
    spend(choice, dear, 20000);  // finds its way
    CHECK(spend(choice, dear, 400000) < 1.1 * 400000 * dear(2));
    CHECK(choice.threads() == 2);
    ThreadChoice noisy(8, 8);
    spend(noisy, shared(2e-3, 5e-5), 20000, 0.5);
    CHECK(noisy.threads() >= 4);
}

TEST_CASE("the choice follows a machine that changes") {
    ThreadChoice choice(4, 4);
    spend(choice, shared(1e-3, 1e-6), 20000);
    CHECK(choice.threads() == 4);
    const Cost busy = [](int threads) { return threads == 1 ? 1e-3 : 5e-3 * threads; };
    spend(choice, busy, 20000);
    CHECK(choice.threads() == 1);
    spend(choice, shared(1e-3, 1e-6), 80000);
    CHECK(choice.threads() == 4);
}

TEST_CASE("without a choice there is one number, and lists are not compared") {
    ThreadChoice fixed(3);
    spend(fixed, shared(1e-6, 1), 1000);
    CHECK(fixed.threads() == 3);
    ThreadChoice choice(2, 2);
    for (int k = 0; k < 1000; ++k) choice.took(1.0, 0);
    CHECK(choice.threads() == 2);
}
