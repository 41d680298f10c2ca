// Which modules of the host serve on which processor: levels of x86-64 by made-up features, and by those of this machine.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "engine/host_modules.hpp"
#include "engine/levels.hpp"

using namespace scree;

namespace {

using Names = std::vector<std::string>;

// Table 3.1 of the System V ABI for AMD64, version 1.0.
const Features second{"CMPXCHG16B", "LAHF-SAHF", "POPCNT", "SSE3", "SSE4_1", "SSE4_2", "SSSE3"};
const Features third{"AVX", "AVX2", "BMI1", "BMI2", "F16C", "FMA", "LZCNT", "MOVBE"};
const Features fourth{"AVX512F", "AVX512BW", "AVX512CD", "AVX512DQ", "AVX512VL"};

Features all_of(std::initializer_list<Features> sets) {
    Features all;
    for (const Features& one : sets) all.insert(one.begin(), one.end());
    return all;
}

std::string refusal(const Features& features, const std::string& asked) {
    try {
        module_names("host_double", features, asked);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("levels: each needs all features of its own and of those below it") {
    CHECK(levels_of({}).empty());
    CHECK(levels_of(second) == Names{"v2"});
    CHECK(levels_of(all_of({second, third})) == Names{"v2", "v3"});
    CHECK(levels_of(all_of({second, third, fourth})) == Names{"v2", "v3", "v4"});
    CHECK(levels_of(third).empty());
    CHECK(levels_of(all_of({second, fourth})) == Names{"v2"});
    for (const Features& level : {second, third, fourth}) {
        for (const std::string& feature : level) {
            CAPTURE(feature);
            Features features = all_of({second, third, fourth});
            features.erase(feature);
            Names expected;
            if (second.count(feature) == 0) expected.push_back("v2");
            if (fourth.count(feature) == 1) expected.push_back("v3");
            CHECK(levels_of(features) == expected);
        }
    }
}

TEST_CASE("levels: the highest that the processor can run goes first, the module without a level last") {
    CHECK(module_names("host_double", {}, "") == Names{"host_double"});
    CHECK(module_names("host_mixed", second, "") == Names{"host_mixed_v2", "host_mixed"});
    CHECK(module_names("host_double", all_of({second, third}), "") == Names{"host_double_v3", "host_double_v2", "host_double"});
    CHECK(module_names("host_double", all_of({second, third, fourth}), "") ==
          Names{"host_double_v4", "host_double_v3", "host_double_v2", "host_double"});
}

TEST_CASE("levels: one is asked for by name") {
    const Features both = all_of({second, third});
    CHECK(module_names("host_double", both, "base") == Names{"host_double"});
    CHECK(module_names("host_double", both, "v2") == Names{"host_double_v2"});
    CHECK(module_names("host_double", both, "v3") == Names{"host_double_v3"});
    CHECK(refusal(both, "v4").find("it lacks AVX512F, AVX512BW, AVX512CD, AVX512DQ, AVX512VL;") != std::string::npos);
    Features almost = both;
    almost.erase("FMA");
    almost.erase("SSE3");
    CHECK(refusal(almost, "v3").find("it lacks SSE3, FMA;") != std::string::npos);
    for (const char* word : {"v1", "v5", "V3", "x86-64-v3", "3", " "})
        CHECK(refusal(both, word).find("use base, v2, v3 or v4") != std::string::npos);
}

// The compiler's own look at the processor, by another way than the C library's.
TEST_CASE("levels: features of this machine") {
    const Features here = processor_features();
#if defined(__x86_64__) && defined(__linux__)
    __builtin_cpu_init();
    CHECK((here.count("POPCNT") == 1) == (__builtin_cpu_supports("popcnt") != 0));
    CHECK((here.count("SSE3") == 1) == (__builtin_cpu_supports("sse3") != 0));
    CHECK((here.count("SSSE3") == 1) == (__builtin_cpu_supports("ssse3") != 0));
    CHECK((here.count("SSE4_1") == 1) == (__builtin_cpu_supports("sse4.1") != 0));
    CHECK((here.count("SSE4_2") == 1) == (__builtin_cpu_supports("sse4.2") != 0));
    CHECK((here.count("AVX") == 1) == (__builtin_cpu_supports("avx") != 0));
    CHECK((here.count("AVX2") == 1) == (__builtin_cpu_supports("avx2") != 0));
    CHECK((here.count("BMI1") == 1) == (__builtin_cpu_supports("bmi") != 0));
    CHECK((here.count("BMI2") == 1) == (__builtin_cpu_supports("bmi2") != 0));
    CHECK((here.count("FMA") == 1) == (__builtin_cpu_supports("fma") != 0));
    CHECK((here.count("AVX512F") == 1) == (__builtin_cpu_supports("avx512f") != 0));
    CHECK((here.count("AVX512BW") == 1) == (__builtin_cpu_supports("avx512bw") != 0));
    CHECK((here.count("AVX512CD") == 1) == (__builtin_cpu_supports("avx512cd") != 0));
    CHECK((here.count("AVX512DQ") == 1) == (__builtin_cpu_supports("avx512dq") != 0));
    CHECK((here.count("AVX512VL") == 1) == (__builtin_cpu_supports("avx512vl") != 0));
#else
    CHECK(here.empty());
#endif
}

TEST_CASE("levels: the modules that serve here are told") {
    const Names lines = describe_host_modules();
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].find("CPU, double: libscree_host_double") == 0);
    CHECK(lines[1].find("CPU, mixed: libscree_host_mixed") == 0);
}
