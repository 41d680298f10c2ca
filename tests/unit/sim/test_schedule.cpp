// Events fall where they should, whatever the rounding; batches grow towards a fifth of a second.
#include <doctest/doctest.h>

#include "sim/batch_size.hpp"
#include "sim/schedule.hpp"

using namespace scree;

TEST_CASE("schedule: multiples of the step are hit exactly, in spite of rounding") {
    // 3 * 0.1 / 0.001 is 300.00000000000006 in doubles; a plain ceil gives step 301.
    const Schedule schedule(0.1, 1e-3);
    for (std::int64_t k = 0; k < 100000; ++k) REQUIRE(schedule.step_of(k) == 100 * k);
    const Schedule fine(1e-3, 1e-7);
    for (std::int64_t k = 0; k < 1000000; k += 777) REQUIRE(fine.step_of(k) == 10000 * k);
}

TEST_CASE("schedule: otherwise the first step at or after the time") {
    const Schedule schedule(0.25, 0.1);
    CHECK(schedule.step_of(0) == 0);
    CHECK(schedule.step_of(1) == 3);  // 0.3 is the first multiple of 0.1 from 0.25 on
    CHECK(schedule.step_of(2) == 5);
    CHECK(schedule.step_of(3) == 8);
    CHECK(schedule.next_after(-1) == 0);
    CHECK(schedule.next_after(0) == 3);
    CHECK(schedule.next_after(3) == 5);
    CHECK(schedule.due(5));
    CHECK(!schedule.due(4));
}

TEST_CASE("schedule: every step has the next event of the list of all events") {
    for (const double every : {0.001, 0.0137, 1.0 / 3, 2.5}) {
        const double dt = 0.01;
        const Schedule schedule(every, dt);
        std::int64_t k = 0;
        for (std::int64_t step = 0; step < 2000; ++step) {
            while (schedule.step_of(k) <= step) ++k;
            REQUIRE(schedule.next_after(step) == schedule.step_of(k));
        }
    }
}

TEST_CASE("schedule: shorter than a step is every step, nothing is never") {
    for (const double every : {1e-3, 1e-9, 1e-22, 1e-300, 5e-324}) {
        CHECK(Schedule(every, 1e-3).next_after(-1) == 0);
        CHECK(Schedule(every, 1e-3).next_after(7) == 8);
        CHECK(Schedule(every, 1e-3).next_after(std::int64_t{1} << 60) == (std::int64_t{1} << 60) + 1);
        CHECK(Schedule(every, 1e-3).due(3));
    }
    CHECK(Schedule(0, 1e-3).next_after(7) == Schedule::never);
    CHECK(Schedule(0, 1e-3).next_after(-1) == Schedule::never);
    CHECK(Schedule(1e300, 1e-3).next_after(0) == Schedule::never);
}

TEST_CASE("steps to a time: the last step is at or just past it") {
    CHECK(steps_to(1.0, 1e-3) == 1000);
    CHECK(steps_to(0.0, 1e-3) == 0);
    CHECK(steps_to(1.0005, 1e-3) == 1001);
    CHECK(steps_to(0.7, 0.1) == 7);  // 0.7 / 0.1 is 6.999999999999999
    CHECK(steps_to(0.3, 0.1) == 3);  // 0.3 / 0.1 is 2.9999999999999996
}

TEST_CASE("batches: about a fifth of a second, by steps of four") {
    BatchSize batch;
    CHECK(batch.steps() == 1);
    batch.record(1, 1e-6);
    CHECK(batch.steps() == 4);
    for (int i = 0; i < 20; ++i) batch.record(batch.steps(), 1e-6 * static_cast<double>(batch.steps()));
    CHECK(batch.steps() >= 199999);  // 0.2 s / 1e-6 s, up to rounding
    CHECK(batch.steps() <= 200001);
    batch.record(10, 10);  // a second per step now
    CHECK(batch.steps() == 1);
    batch.record(0, 1);
    CHECK(batch.steps() == 1);
}
