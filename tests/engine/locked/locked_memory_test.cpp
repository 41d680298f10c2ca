// The guard of memory of kernels itself: it notices the host, and lets kernels and copies through.
#include <doctest/doctest.h>

#include <cmath>

#include "engine/exec/array.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Element 0, read or written by the host itself.
double peek(const Array<double>& values) {
    return *static_cast<const volatile double*>(values.data());
}
void poke(Array<double>& values) {
    *static_cast<volatile double*>(values.data()) = 1;
}

}  // namespace

/// values[i] = 2 values[i].
void double_all(const Exec& exec, Array<double>& values) {
    double* v = values.data();
    for_each(
        exec, "test/double_all", values.size(), SCREE_LAMBDA(Index i)->void { v[i] *= 2; });
}

TEST_CASE("locked memory: the host is noticed, each time anew") {
    LockedMemory& memory = LockedMemory::all();
    const int touched = memory.touched();
    Array<double> values(std::vector<double>(1000, 3.0));
    CHECK(memory.notices([&] { peek(values); }));
    CHECK(memory.notices([&] { poke(values); }));
    double_all(Exec{}, values);
    CHECK(memory.notices([&] { peek(values); }));
    CHECK_FALSE(memory.notices([] {}));
    CHECK(memory.touched() == touched);
}

TEST_CASE("locked memory: kernels and copies are let through") {
    const int touched = LockedMemory::all().touched();
    Exec exec;
    exec.threads = 4;
    Array<double> values(std::vector<double>(5000, 3.0));
    double_all(exec, values);
    values.resize(20000);  // grows: copied
    CHECK(values.at(0) == 6.0);
    CHECK(values.at(4999) == 6.0);
    CHECK(std::isnan(values.at(5000)));  // never written
    CHECK(LockedMemory::all().touched() == touched);
}

}  // namespace scree::SCREE_FLAVOR
