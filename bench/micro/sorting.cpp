// Scans, sorts and grouping, on uniformly random keys: harder than the nearly sorted keys of a running simulation.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "engine/exec/array.hpp"
#include "engine/exec/scan.hpp"
#include "micro/micro.hpp"

namespace scree::SCREE_FLAVOR::micro {

namespace {

using Words = std::vector<std::uint32_t>;

Words random_keys(Index n, int key_bits) {
    Rng rng(1, static_cast<std::uint64_t>(key_bits));
    Words keys(static_cast<std::size_t>(n));
    for (std::uint32_t& k : keys) k = static_cast<std::uint32_t>(rng.bits() >> (64 - key_bits));
    return keys;
}

Words counting(Index n) {
    Words values(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i);
    return values;
}

Entry entry_of(const char* name, Index n, int threads, int key_bits, double bytes) {
    Entry entry;
    entry.name = name;
    entry.n = n;
    entry.threads = on_device ? 0 : threads;
    entry.key_bits = key_bits;
    entry.bytes = bytes;
    return entry;
}

void restore(Array<std::uint32_t>& to, const Array<std::uint32_t>& from) {
    copy_within(to.data(), from.data(), static_cast<std::size_t>(from.size()) * sizeof(std::uint32_t));
}

/// Both ways of the standard library; returns the sorted pairs.
std::vector<std::pair<std::uint32_t, std::uint32_t>> time_standard_sorts(const Settings& settings, const Words& keys, int key_bits,
                                                                         std::vector<Entry>& entries) {
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    const auto n = static_cast<Index>(keys.size());
    std::vector<Pair> start(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) start[i] = {keys[i], static_cast<std::uint32_t>(i)};
    std::vector<Pair> pairs = start;
    const auto prepare = [&] { std::copy(start.begin(), start.end(), pairs.begin()); };
    const auto by_key = [](const Pair& a, const Pair& b) { return a.first < b.first; };
    entries.push_back(time_calls(
        settings, entry_of("std::stable_sort", n, 1, key_bits, 0), [&] { std::stable_sort(pairs.begin(), pairs.end(), by_key); }, prepare));
    entries.push_back(time_calls(
        settings, entry_of("std::sort", n, 1, key_bits, 0), [&] { std::sort(pairs.begin(), pairs.end()); }, prepare));
    return pairs;
}

void time_sorts(const Settings& settings, Index n, int key_bits, std::vector<Entry>& entries) {
    const Words keys = random_keys(n, key_bits);
    const Array<std::uint32_t> first_keys(keys), first_values(counting(n));
    Array<std::uint32_t> sorted(n), order(n);
    SortBuffers buffers;
    for (const int threads : settings.threads) {
        const Exec exec{threads, false};
        entries.push_back(time_calls(
            settings, entry_of("sort_pairs", n, threads, key_bits, 0), [&] { sort_pairs(exec, sorted, order, key_bits, buffers); },
            [&] {
                restore(sorted, first_keys);
                restore(order, first_values);
            }));
    }
    if (on_device) return;
    const auto expected = time_standard_sorts(settings, keys, key_bits, entries);
    const Words found = sorted.host(), found_order = order.host();
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (expected[i].first != found[i] || expected[i].second != found_order[i]) throw RunError("sort_pairs and std::sort differ");
    }
}

void time_scan(const Settings& settings, const Exec& exec, Index n, std::vector<Entry>& entries) {
    const Array<std::int32_t> counts(std::vector<std::int32_t>(static_cast<std::size_t>(n), 3));
    Array<Index> offsets;
    Index total = 0;
    const double bytes = static_cast<double>(n) * (sizeof(std::int32_t) + sizeof(Index));
    entries.push_back(time_calls(settings, entry_of("scan_counts", n, exec.threads, 0, bytes),
                                 [&] { total = scan_counts(exec, counts.data(), n, offsets); }));
    if (total != 3 * n) throw RunError("scan_counts gave a wrong total");
}

/// As many keys as indices: cells of about one body each.
void time_grouping(const Settings& settings, const Exec& exec, Index n, std::vector<Entry>& entries) {
    Rng rng(2, 0);
    Words values(static_cast<std::size_t>(n));
    for (std::uint32_t& k : values) k = static_cast<std::uint32_t>(rng.bits() % static_cast<std::uint64_t>(n));
    const Array<std::uint32_t> keys(values);
    Array<Index> starts;
    Array<std::uint32_t> order;
    SortBuffers buffers;
    entries.push_back(time_calls(settings, entry_of("group_by", n, exec.threads, bits_for(n), 0),
                                 [&] { group_by(exec, keys.data(), n, n, starts, order, buffers); }));
}

}  // namespace

void time_sorting(const Settings& settings, std::vector<Entry>& entries) {
    for (const Index n : settings.sizes) {
        for (const int threads : settings.threads) {
            time_scan(settings, {threads, false}, n, entries);
            time_grouping(settings, {threads, false}, n, entries);
        }
        for (const int key_bits : {17, 20, 24}) time_sorts(settings, n, key_bits, entries);
    }
}

}  // namespace scree::SCREE_FLAVOR::micro
