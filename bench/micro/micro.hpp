// What the files of the micro benchmark share: one timing loop and one list of results.
// Each entry is one call of one primitive of engine/exec, timed over and over; where kernels run on a device, waiting for it is part of a
// call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/exec/config.hpp"

namespace scree::SCREE_FLAVOR::micro {

/// One primitive at one size.
struct Entry {
    std::string name;
    Index n{0};
    int threads{0};   // of the host; 0 where kernels run on a device
    int key_bits{0};  // of a sort, else 0
    double bytes{0};  // read and written by one call at the least, else 0
    std::int64_t samples{0};
    double wall_min{0}, wall_median{0};  // of one call [s]
    double cpu_min{0};                   // processor time of all threads, of one call [s]
};

struct Settings {
    double seconds{0.3};  // spent on each entry at the least, after five samples
    std::vector<Index> sizes;
    std::vector<int> threads;
};

/// Times `call` in samples of a millisecond or more. `prepare`, if there is one, restores what a call changes: each call then is a
/// sample of its own, and preparing is not timed.
Entry time_calls(const Settings& settings, Entry entry, const std::function<void()>& call, const std::function<void()>& prepare = {});

/// for_each, for_each_simd, flag_each, sum_of, max_of.
void time_loops(const Settings& settings, std::vector<Entry>& entries);
/// scan_counts, sort_pairs, group_by; on the host also the standard library's sorts of the same pairs, on one thread.
void time_sorting(const Settings& settings, std::vector<Entry>& entries);

}  // namespace scree::SCREE_FLAVOR::micro
