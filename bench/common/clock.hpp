// Wall and processor time of a piece of work, and what several runs of it say together.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include <sys/resource.h>

namespace scree::bench {

struct Elapsed {
    double wall{0};  // [s]
    double cpu{0};   // user and system time of all threads [s]
};

inline Elapsed now() {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
    return {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
            seconds(use.ru_utime) + seconds(use.ru_stime)};
}

template <class Work>
Elapsed time_of(Work work) {
    const Elapsed start = now();
    work();
    const Elapsed end = now();
    return {end.wall - start.wall, end.cpu - start.cpu};
}

/// Largest memory this process has had in use [bytes].
inline double peak_memory() {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return 1024.0 * static_cast<double>(use.ru_maxrss);
}

inline double least(const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
}
inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

}  // namespace scree::bench
