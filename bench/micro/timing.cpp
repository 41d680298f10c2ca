#include <algorithm>

#include "common/clock.hpp"
#include "engine/exec/array.hpp"
#include "micro/micro.hpp"

namespace scree::SCREE_FLAVOR::micro {

namespace {

/// Waits for the kernels started before: one byte is read back, which comes after them.
class Waiter {
public:
    void wait() const { (void)byte_.at(0); }

private:
    Array<std::uint8_t> byte_{std::vector<std::uint8_t>{0}};
};

bench::Elapsed time_sample(const Waiter& waiter, std::int64_t calls, const std::function<void()>& call) {
    return bench::time_of([&] {
        for (std::int64_t k = 0; k < calls; ++k) call();
        waiter.wait();
    });
}

}  // namespace

Entry time_calls(const Settings& settings, Entry entry, const std::function<void()>& call, const std::function<void()>& prepare) {
    constexpr double shortest = 1e-3;  // [s]: a thousand times the clocks' resolution
    const Waiter waiter;
    const auto restore = [&] {
        if (prepare) prepare();
        waiter.wait();
    };
    std::int64_t calls = 1;
    restore();
    time_sample(waiter, calls, call);  // touches the memory, makes room
    while (!prepare && time_sample(waiter, calls, call).wall < shortest) calls *= 2;
    std::vector<double> wall, cpu;
    double spent = 0;
    while (wall.size() < 5 || spent < settings.seconds) {
        restore();
        const bench::Elapsed took = time_sample(waiter, calls, call);
        spent += took.wall;
        wall.push_back(took.wall / static_cast<double>(calls));
        cpu.push_back(took.cpu / static_cast<double>(calls));
    }
    entry.samples = static_cast<std::int64_t>(wall.size());
    entry.wall_min = bench::least(wall);
    entry.wall_median = bench::median(wall);
    entry.cpu_min = bench::least(cpu);
    return entry;
}

}  // namespace scree::SCREE_FLAVOR::micro
