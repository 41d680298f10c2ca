// Parallel primitives against the standard library and against their definitions.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "base/rng.hpp"
#include "engine/exec/array.hpp"
#include "engine/exec/late.hpp"
#include "engine/exec/look_behind.hpp"
#include "engine/exec/loops.hpp"
#include "engine/exec/reduce.hpp"
#include "engine/exec/scan.hpp"

namespace scree::SCREE_FLAVOR::exec_test {

// Kernels stand in named functions with external linkage, as nvcc asks.

void count_visits(const Exec& exec, std::int32_t* visits, Index n, bool simd, Gate gate) {
    if (simd) {
        for_each_simd(
            exec, "test/visit", n, SCREE_LAMBDA(Index i)->void { visits[i] += 1; }, gate);
    } else {
        for_each(
            exec, "test/visit", n, SCREE_LAMBDA(Index i)->void { visits[i] += 1; }, gate);
    }
}

/// Index 5 raises 1, index n - 1 raises 4, every other nothing; vector loops in flags as wide as doubles.
void raise_flags(const Exec& exec, std::uint32_t* word, Index n, bool simd, Gate gate) {
    if (simd) {
        flag_each_simd(
            exec, "test/flag", n, word,
            SCREE_LAMBDA(Index i)->std::uint64_t { return (i == 5 ? std::uint64_t{1} : 0) | (i == n - 1 ? std::uint64_t{4} : 0); }, gate);
    } else {
        flag_each(
            exec, "test/flag", n, word, SCREE_LAMBDA(Index i)->std::uint32_t { return (i == 5 ? 1u : 0u) | (i == n - 1 ? 4u : 0u); }, gate);
    }
}

/// The same flags; counts how often each index is asked for and visited.
void visit_fetched(const Exec& exec, std::uint32_t* word, std::int32_t* asked, std::int32_t* visits, Index n, Gate gate) {
    flag_each_fetched(
        exec, "test/fetched", n, word, SCREE_LAMBDA(Index i)->void { asked[i] += 1; },
        SCREE_LAMBDA(Index i)->std::uint64_t {
            visits[i] += 1;
            return (i == 5 ? std::uint64_t{1} : 0) | (i == n - 1 ? std::uint64_t{4} : 0);
        },
        gate);
}

/// out[i] += what the second of two packs holds of index i, which was in[n - 1 - i], times 3.
void compute_staged(const Exec& exec, const double* in, double* out, Index n, Gate gate) {
    for_each_staged<2, double>(
        exec, "test/staged", n,
        SCREE_LAMBDA(Index i, const StageSlot<double>& slot)->void {
            slot.pack(0)[0] = static_cast<double>(i);
            slot.pack(1)[3] = in[n - 1 - i];
        },
        SCREE_LAMBDA(Index i, const StageSlot<double>& slot)->void {
            out[i] += 3 * slot.at(1, 3) + (slot.at(0, 0) - static_cast<double>(i));
        },
        gate);
}

double sum_values(const Exec& exec, const double* values, Index n) {
    return sum_of(
        exec, "test/sum", n, SCREE_LAMBDA(Index i)->double { return values[i]; });
}

double max_values(const Exec& exec, const double* values, Index n) {
    return max_of(
        exec, "test/max", n, -5.0, SCREE_LAMBDA(Index i)->double { return values[i]; });
}

/// A sum, a largest value and a count.
struct Folded {
    double sum{0}, largest{0};
    std::int64_t count{0};
};
struct AddFolded {
    SCREE_HD void operator()(Folded& to, const Folded& part) const {
        to.sum += part.sum;
        to.largest = part.largest > to.largest ? part.largest : to.largest;
        to.count += part.count;
    }
};
void fold_values(const Exec& exec, const double* values, Index n, Folded* out, Gate gate) {
    fold_into(
        exec, "test/fold", n, out,
        SCREE_LAMBDA(Index i)->Folded {
            return {values[i], values[i], 1};
        },
        AddFolded{}, gate);
}

/// What one kernel writes and the next one reads.
struct One {
    double value;
};
struct Two {
    One first, second;
};
void write_two(const Exec& exec, Two* to, Two value) {
    for_each(
        exec, "test/write_two", 1, SCREE_LAMBDA(Index)->void { *to = value; });
}
void read_two(const Exec& exec, const Late<Two>& two, const Late<One>& second, double* sum) {
    for_each(
        exec, "test/read_two", 1, SCREE_LAMBDA(Index)->void { *sum = two.now().first.value + second.now().value; });
}
void raise_word(const Exec& exec, std::uint32_t* word) {
    for_each(
        exec, "test/raise", 1, SCREE_LAMBDA(Index)->void { *word = 2; });
}

const std::vector<Index> sizes{0, 1, 2, 1023, 1024, 1025, 5000, 100000};
const std::vector<int> thread_counts{1, 2, 4};

std::vector<std::uint32_t> random_keys(Index n, std::uint32_t below, std::uint64_t seed) {
    Rng rng(seed, 7);
    std::vector<std::uint32_t> keys(static_cast<std::size_t>(n));
    for (std::uint32_t& k : keys) k = static_cast<std::uint32_t>(rng.bits() % below);
    return keys;
}

std::vector<double> random_values(Index n) {
    Rng rng(3, static_cast<std::uint64_t>(n));
    std::vector<double> values(static_cast<std::size_t>(n));
    for (double& v : values) v = rng.uniform(-1, 1);
    return values;
}

}  // namespace scree::SCREE_FLAVOR::exec_test

using namespace scree;
using namespace scree::SCREE_FLAVOR;
using namespace scree::SCREE_FLAVOR::exec_test;

TEST_CASE("an array keeps its content while it grows") {
    Array<std::int32_t> a(std::vector<std::int32_t>{1, 2, 3});
    a.resize(1000);
    CHECK(a.size() == 1000);
    CHECK(a.capacity() >= 1000);
    CHECK(a.at(0) == 1);
    CHECK(a.at(2) == 3);
    a.put(999, 42);
    a.resize(2);
    CHECK(a.host() == std::vector<std::int32_t>{1, 2});
    a.resize(1000);  // within capacity: what lay behind the size is still there
    CHECK(a.at(999) == 42);
    a.resize_zero(1000);
    CHECK(a.host() == std::vector<std::int32_t>(1000, 0));
    Array<std::int32_t> b(std::move(a));
    CHECK(b.size() == 1000);
    CHECK(b.bytes() >= 4000);
}

TEST_CASE("vectors by component come back as they went in") {
    Vec3Array<double> v;
    v.assign({{1, 2, 3}, {4, 5, 6}});
    CHECK(v.size() == 2);
    CHECK(v.y.host() == std::vector<double>{2, 5});
    CHECK(v.host()[1] == Vec3{4, 5, 6});
}

TEST_CASE("for_each visits each index once, whatever the threads and the order") {
    for (const Index n : sizes) {
        for (const int threads : thread_counts) {
            for (const bool shuffle : {false, true}) {
                for (const bool simd : {false, true}) {
                    Array<std::int32_t> visits;
                    visits.resize_zero(n);
                    count_visits({threads, shuffle}, visits.data(), n, simd, {});
                    CHECK(visits.host() == std::vector<std::int32_t>(static_cast<std::size_t>(n), 1));
                }
            }
        }
    }
}

TEST_CASE("for_each_staged computes each index once from what was loaded for it, and stays behind its gate") {
    for (const Index n : {Index{0}, Index{1}, Index{127}, Index{128}, Index{129}, Index{1024}, Index{1025}, Index{5000}}) {
        std::vector<double> in(static_cast<std::size_t>(n)), wanted(in);
        for (std::size_t i = 0; i < in.size(); ++i) {
            in[i] = static_cast<double>(i) + 0.5;
            wanted[in.size() - 1 - i] = 3 * in[i];
        }
        for (const int threads : thread_counts) {
            for (const bool shuffle : {false, true}) {
                Array<double> from(in), out;
                Array<std::uint32_t> word(std::vector<std::uint32_t>{8});
                out.resize_zero(n);
                compute_staged({threads, shuffle}, from.data(), out.data(), n, {word.data(), 8});
                CHECK(out.host() == std::vector<double>(in.size(), 0.0));
                compute_staged({threads, shuffle}, from.data(), out.data(), n, {word.data(), 4});
                CHECK(out.host() == wanted);
            }
        }
    }
}

TEST_CASE("flag_each ors the bits of all indices into the word") {
    for (const Index n : {Index{6}, Index{1024}, Index{5000}}) {
        for (const int threads : thread_counts) {
            for (const bool shuffle : {false, true}) {
                for (const bool simd : {false, true}) {
                    Array<std::uint32_t> word(std::vector<std::uint32_t>{8});
                    raise_flags({threads, shuffle}, word.data(), n, simd, {});
                    CHECK(word.at(0) == (8u | 1u | 4u));
                }
            }
        }
    }
    Array<std::uint32_t> word(std::vector<std::uint32_t>{0});
    raise_flags({1, false}, word.data(), 0, false, {});
    CHECK(word.at(0) == 0);
}

TEST_CASE("flag_each_fetched asks for each index once and visits it once, and goes nowhere else") {
    constexpr Index beyond = 200;
    for (const Index n :
         {Index{0}, Index{6}, Index{63}, Index{64}, Index{65}, Index{128}, Index{1023}, Index{1024}, Index{1025}, Index{5000}}) {
        for (const int threads : thread_counts) {
            for (const bool shuffle : {false, true}) {
                Array<std::uint32_t> word(std::vector<std::uint32_t>{8});
                Array<std::int32_t> asked, visits;
                asked.resize_zero(n + beyond);
                visits.resize_zero(n + beyond);
                std::vector<std::int32_t> each(static_cast<std::size_t>(n + beyond), 0);
                std::vector<std::int32_t> none = each;
                std::fill(each.begin(), each.begin() + static_cast<std::ptrdiff_t>(n), 1);
                visit_fetched({threads, shuffle}, word.data(), asked.data(), visits.data(), n, {word.data(), 8});
                CHECK(visits.host() == none);
                visit_fetched({threads, shuffle}, word.data(), asked.data(), visits.data(), n, {});
                CHECK(word.at(0) == (n > 0 ? 8u | 1u | 4u : 8u));
                CHECK(visits.host() == each);
                CHECK(asked.host() == (on_device || shuffle ? none : each));
            }
        }
    }
}

TEST_CASE("a gate stops a loop while one of its bits is up") {
    Array<std::uint32_t> word(std::vector<std::uint32_t>{6, 0});
    for (const bool simd : {false, true}) {
        Array<std::int32_t> visits;
        visits.resize_zero(100);
        count_visits({1, false}, visits.data(), 100, simd, {word.data(), 2});
        CHECK(visits.at(50) == 0);
        raise_flags({1, false}, word.data() + 1, 100, simd, {word.data(), 4});
        CHECK(word.at(1) == 0);
        count_visits({1, false}, visits.data(), 100, simd, {word.data(), 1});
        CHECK(visits.at(50) == 1);
    }
}

TEST_CASE("scan_counts gives the running sums") {
    for (const Index n : sizes) {
        const std::vector<std::uint32_t> drawn = random_keys(n, 50, 11);
        const std::vector<std::int32_t> counts(drawn.begin(), drawn.end());
        std::vector<Index> expected{0};
        for (const std::int32_t c : counts) expected.push_back(expected.back() + c);
        const Array<std::int32_t> device(counts);
        for (const int threads : thread_counts) {
            Array<Index> offsets;
            CHECK(scan_counts({threads, false}, device.data(), n, offsets) == expected.back());
            CHECK(offsets.host() == expected);
            Array<std::uint32_t> narrow;
            CHECK(scan_counts({threads, false}, device.data(), n, narrow) == expected.back());
            CHECK(narrow.host() == std::vector<std::uint32_t>(expected.begin(), expected.end()));
        }
    }
}

TEST_CASE("scan_counts has the whole total of narrow offsets that pass 32 bits") {
    constexpr Index n = 5000, count = 1000000;
    const Array<std::int32_t> counts(std::vector<std::int32_t>(n, count));
    for (const int threads : thread_counts) {
        Array<std::uint32_t> offsets;
        CHECK(scan_counts({threads, false}, counts.data(), n, offsets) == n * count);
        CHECK(offsets.at(n) == static_cast<std::uint32_t>(n * count));
        CHECK(offsets.at(n - 1) == static_cast<std::uint32_t>((n - 1) * count));
    }
}

TEST_CASE("sort_pairs sorts stably") {
    for (const Index n : sizes) {
        for (const int bits : {1, 3, 10, 11, 12, 22, 23, 31, 32}) {
            std::vector<std::uint32_t> keys = random_keys(n, 0xffffffffu, 5);
            if (bits < 32) {
                for (std::uint32_t& k : keys) k &= (1u << bits) - 1;
            }
            std::vector<std::uint32_t> expected(keys.size());
            std::iota(expected.begin(), expected.end(), 0u);
            const std::vector<std::uint32_t> values = expected;
            std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
            for (const int threads : thread_counts) {
                Array<std::uint32_t> k(keys), v(values);
                SortBuffers buffers;
                sort_pairs({threads, false}, k, v, bits, buffers);
                CHECK(v.host() == expected);
                const std::vector<std::uint32_t> sorted = k.host();
                CHECK(std::is_sorted(sorted.begin(), sorted.end()));
            }
        }
    }
}

TEST_CASE("find_starts and group_by give each key its range") {
    for (const Index n : sizes) {
        for (const Index key_count : {Index{1}, Index{7}, Index{3000}}) {
            const std::vector<std::uint32_t> keys = random_keys(n, static_cast<std::uint32_t>(key_count), 17);
            std::vector<Index> expected_starts(static_cast<std::size_t>(key_count) + 1, 0);
            for (const std::uint32_t k : keys) ++expected_starts[k + 1];
            for (std::size_t k = 1; k < expected_starts.size(); ++k) expected_starts[k] += expected_starts[k - 1];
            std::vector<std::uint32_t> expected(keys.size());
            std::iota(expected.begin(), expected.end(), 0u);
            std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
            std::vector<std::uint32_t> sorted = keys;
            std::sort(sorted.begin(), sorted.end());
            for (const int threads : thread_counts) {
                const Array<std::uint32_t> device(keys), device_sorted(sorted);
                Array<Index> starts;
                find_starts({threads, false}, device_sorted.data(), n, key_count, starts);
                CHECK(starts.host() == expected_starts);
                Array<std::uint32_t> order;
                SortBuffers buffers;
                Array<Index> grouped;
                group_by({threads, false}, device.data(), n, key_count, grouped, order, buffers);
                CHECK(grouped.host() == expected_starts);
                CHECK(order.host() == expected);
            }
        }
    }
}

TEST_CASE("find_starts fills gaps between keys, however wide") {
    const std::vector<Index> widths{1, 2, 63, 64, 65, 127, 128, 129, 130, 131, 191, 192, 193, 1000};
    for (const Index first : {0, 1, 63, 64, 1000}) {
        for (const Index width : widths) {
            for (const Index rest : widths) {
                const auto low = static_cast<std::uint32_t>(first), high = static_cast<std::uint32_t>(first + width);
                const std::vector<std::uint32_t> keys{low, low, high};
                const Index key_count = first + width + rest;
                std::vector<Index> expected;
                for (Index k = 0; k <= key_count; ++k) expected.push_back(k <= first ? 0 : (k <= first + width ? 2 : 3));
                const Array<std::uint32_t> sorted(keys);
                Array<Index> starts;
                find_starts({2, false}, sorted.data(), 3, key_count, starts);
                REQUIRE(starts.host() == expected);
                find_starts({1, true}, sorted.data(), 0, key_count, starts);
                REQUIRE(starts.host() == std::vector<Index>(static_cast<std::size_t>(key_count) + 1, 0));
            }
        }
    }
}

TEST_CASE("bits_for holds every value below the count") {
    CHECK(bits_for(1) == 1);
    CHECK(bits_for(2) == 1);
    CHECK(bits_for(3) == 2);
    CHECK(bits_for(1024) == 10);
    CHECK(bits_for(1025) == 11);
    CHECK(bits_for(Index{1} << 32) == 32);
}

TEST_CASE("sum_of has the same bits on any number of threads and shuffled") {
    for (const Index n : sizes) {
        const std::vector<double> values = random_values(n);
        const Array<double> device(values);
        const double one = sum_values({1, false}, device.data(), n);
        for (const int threads : thread_counts) CHECK(sum_values({threads, false}, device.data(), n) == one);
        CHECK(sum_values({1, true}, device.data(), n) == one);
        // Rounding of n additions of terms below 1, far below this bound for random signs.
        CHECK(one == doctest::Approx(std::accumulate(values.begin(), values.end(), 0.0)).epsilon(1e-12).scale(1000));
    }
}

TEST_CASE("fold_into leaves where kernels find it what sum_of and max_of give, and waits for nothing") {
    for (const Index n : sizes) {
        std::vector<double> values = random_values(n);
        const Array<double> device(values);
        Array<Folded> out(1);
        Scratch scratch;
        Exec exec{1, false, &scratch};
        const double sum = sum_values(exec, device.data(), n);
        for (int round = 0; round < 2; ++round) {
            const Tally before = tally();
            fold_values(exec, device.data(), n, out.data(), {});
            const Tally cost = tally() - before;
            CHECK(cost.waits == 0);
            if (round > 0) CHECK(cost.allocations == 0);
        }
        const Folded one = out.at(0);
        CHECK(one.count == n);
        CHECK(one.largest == std::max(0.0, max_values(exec, device.data(), n)));
        // On a device the order is another than that of sum_of.
        if (on_device) {
            CHECK(one.sum == doctest::Approx(sum).epsilon(1e-12).scale(1000));
        } else {
            CHECK(one.sum == sum);
        }
        for (const Exec& other : {Exec{2, false}, Exec{4, false}, Exec{1, true}}) {
            fold_values(other, device.data(), n, out.data(), {});
            CHECK(out.at(0).sum == one.sum);
        }
        const Array<std::uint32_t> closed(std::vector<std::uint32_t>{1});
        out.put(0, {5, 6, 7});
        fold_values(exec, device.data(), n, out.data(), {closed.data(), 1});
        CHECK(out.at(0).sum == 5);
    }
}

TEST_CASE("a kernel learns late what the kernel before it wrote") {
    const Exec exec;
    Array<Two> two(1);
    Array<double> sum(1);
    write_two(exec, two.data(), {{3}, {4}});
    const Late<Two> late = Late<Two>::at(two.data());
    read_two(exec, late, late.part(&Two::second), sum.data());
    CHECK(sum.at(0) == 7);
    CHECK(late.read().second.value == 4);
    const Late<Two> known(Two{{1}, {2}});
    read_two(exec, known, known.part(&Two::second), sum.data());
    CHECK(sum.at(0) == 3);
}

TEST_CASE("a look behind sees a word once it has come, and nothing of what it was told to forget") {
    using Word = std::uint32_t;
    const Exec exec;
    Array<Word> word(std::vector<Word>{0});
    LookBehind behind;
    const Tally before = tally();
    const auto seen = [&](int at_most) { return behind.seen<Word>([](Word w) { return (w & 2) != 0; }, at_most); };
    const auto look = [&] {
        behind.send(word.data());
        return seen(1);
    };
    CHECK_FALSE(look());
    raise_word(exec, word.data());
    CHECK(look() == 2u);
    behind.forget();
    CHECK_FALSE(seen(1));
    word.put(0, 1);
    for (int k = 0; k < 5; ++k) CHECK_FALSE(look());
    raise_word(exec, word.data());
    std::optional<Word> found;
    for (int k = 0; k < 3 && !found; ++k) {
        behind.send(word.data());
        found = seen(2);
    }
    CHECK(found == 2u);
    const Tally cost = tally() - before;
    CHECK(cost.waits == 7);  // those that let no other copy be on its way
    CHECK(cost.looks >= 8);
}

TEST_CASE("a look behind brings the whole of what it looks at, of any size") {
    const Exec exec;
    Array<Two> two(1);
    LookBehind behind;
    const auto brought = [&] {
        behind.send(two.data());
        return behind.seen<Two>([](const Two& t) { return t.first.value > 0; }, 1);
    };
    Array<One> one(1);
    behind.send(one.data());  // smaller
    behind.forget();
    write_two(exec, two.data(), {{0}, {4}});
    CHECK_FALSE(brought());
    write_two(exec, two.data(), {{3}, {4}});
    const std::optional<Two> copy = brought();
    REQUIRE(copy);
    CHECK(copy->first.value == 3);
    CHECK(copy->second.value == 4);
}

TEST_CASE("max_of finds the largest, and its lowest where there is none") {
    for (const Index n : sizes) {
        std::vector<double> values = random_values(n);
        const double expected = n == 0 ? -5.0 : *std::max_element(values.begin(), values.end());
        const Array<double> device(values);
        for (const int threads : thread_counts) CHECK(max_values({threads, false}, device.data(), n) == expected);
        if (n < 2) continue;
        values[0] = std::nan("");  // counts as smaller than everything
        const double others = *std::max_element(values.begin() + 1, values.end());
        const Array<double> broken(values);
        CHECK(max_values({1, false}, broken.data(), n) == others);
    }
}
