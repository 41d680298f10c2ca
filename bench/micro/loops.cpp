// Loops and reductions. Kernels stand in named functions with external linkage, as nvcc asks. Bytes count what the source reads and
// writes, as STREAM does: a cache that fetches a line before it is written moves more.
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "engine/exec/array.hpp"
#include "engine/exec/loops.hpp"
#include "engine/exec/reduce.hpp"
#include "micro/micro.hpp"

namespace scree::SCREE_FLAVOR::micro {

void copy(const Exec& exec, const Real* from, Real* to, Index n) {
    for_each(
        exec, "micro/copy", n, SCREE_LAMBDA(Index i)->void { to[i] = from[i]; });
}

void triad(const Exec& exec, const Real* b, const Real* c, Real* a, Index n) {
    for_each(
        exec, "micro/triad", n, SCREE_LAMBDA(Index i)->void { a[i] = b[i] + Real(1.5) * c[i]; });
}

void triad_simd(const Exec& exec, const Real* b, const Real* c, Real* a, Index n) {
    for_each_simd(
        exec, "micro/triad_simd", n, SCREE_LAMBDA(Index i)->void { a[i] = b[i] + Real(1.5) * c[i]; });
}

/// The arithmetic of a contact normal: two products, a root and a division.
void unit_simd(const Exec& exec, const Real* b, const Real* c, Real* a, Index n) {
    for_each_simd(
        exec, "micro/unit_simd", n, SCREE_LAMBDA(Index i)->void {
            const Real x = b[i], y = c[i];
            a[i] = x / std::sqrt(x * x + y * y + Real(1));
        });
}

/// No index raises anything: a batch's usual step.
void look_for_large(const Exec& exec, const double* values, std::uint32_t* word, Index n) {
    flag_each(
        exec, "micro/flag", n, word, SCREE_LAMBDA(Index i)->std::uint32_t { return values[i] > 1e9 ? 1u : 0u; });
}

double sum(const Exec& exec, const double* values, Index n) {
    return sum_of(
        exec, "micro/sum", n, SCREE_LAMBDA(Index i)->double { return values[i]; });
}

double largest(const Exec& exec, const double* values, Index n) {
    return max_of(
        exec, "micro/max", n, -1.0, SCREE_LAMBDA(Index i)->double { return values[i]; });
}

namespace {

void time_size(const Settings& settings, int threads, Index n, std::vector<Entry>& entries) {
    const Exec exec{threads, false};
    const auto count = static_cast<std::size_t>(n);
    Array<Real> a(std::vector<Real>(count, Real(0))), b(std::vector<Real>(count, Real(2))), c(std::vector<Real>(count, Real(3)));
    Array<double> values(std::vector<double>(count, 1.0));
    Array<std::uint32_t> word(std::vector<std::uint32_t>{0});
    double result = 0;
    const auto add = [&](const char* name, std::size_t bytes_each, const std::function<void()>& call) {
        Entry entry;
        entry.name = name;
        entry.n = n;
        entry.threads = on_device ? 0 : threads;
        entry.bytes = static_cast<double>(bytes_each * count);
        entries.push_back(time_calls(settings, entry, call));
    };
    add("for_each copy", 2 * sizeof(Real), [&] { copy(exec, b.data(), a.data(), n); });
    add("for_each triad", 3 * sizeof(Real), [&] { triad(exec, b.data(), c.data(), a.data(), n); });
    add("for_each_simd triad", 3 * sizeof(Real), [&] { triad_simd(exec, b.data(), c.data(), a.data(), n); });
    add("for_each_simd unit", 3 * sizeof(Real), [&] { unit_simd(exec, b.data(), c.data(), a.data(), n); });
    add("flag_each", sizeof(double), [&] { look_for_large(exec, values.data(), word.data(), n); });
    add("sum_of", sizeof(double), [&] { result = sum(exec, values.data(), n); });
    if (result != static_cast<double>(n)) throw RunError("sum_of gave a wrong sum");
    add("max_of", sizeof(double), [&] { result = largest(exec, values.data(), n); });
    if (result != 1.0) throw RunError("max_of gave a wrong value");
}

}  // namespace

void time_loops(const Settings& settings, std::vector<Entry>& entries) {
    for (const Index n : settings.sizes) {
        for (const int threads : settings.threads) time_size(settings, threads, n, entries);
    }
}

}  // namespace scree::SCREE_FLAVOR::micro
