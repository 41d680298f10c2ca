#include "engine/levels.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

#if defined(__x86_64__) && defined(__linux__)
#if defined(__clang__)
#define _Bool bool  // NOLINT(bugprone-reserved-identifier): a word of C in the C library's header, which clang does not know in C++
#endif
#include <sys/platform/x86.h>
#undef _Bool
#define SCREE_HAS_LEVELS 1
#endif

namespace scree {

namespace {

struct Level {
    const char* name;
    std::vector<const char*> features;  // beside those of the level before
};

const std::vector<Level>& levels() {
    static const std::vector<Level> all{{"v2", {"CMPXCHG16B", "LAHF-SAHF", "POPCNT", "SSE3", "SSE4_1", "SSE4_2", "SSSE3"}},
                                        {"v3", {"AVX", "AVX2", "BMI1", "BMI2", "F16C", "FMA", "LZCNT", "MOVBE"}},
                                        {"v4", {"AVX512F", "AVX512BW", "AVX512CD", "AVX512DQ", "AVX512VL"}}};
    return all;
}

/// What a level and those before it ask for beyond these features, parted by commas.
std::string missing_for(const std::string& level, const Features& features) {
    std::string missing;
    for (const Level& one : levels()) {
        for (const char* feature : one.features) {
            if (features.count(feature) == 0) missing += (missing.empty() ? "" : ", ") + std::string(feature);
        }
        if (one.name == level) break;
    }
    return missing;
}

}  // namespace

// "Active": of the processor, and its registers are saved by the system.
Features processor_features() {
    Features found;
#if defined(SCREE_HAS_LEVELS)
    const std::pair<const char*, bool> all[] = {{"CMPXCHG16B", CPU_FEATURE_ACTIVE(CMPXCHG16B)},
                                                {"LAHF-SAHF", CPU_FEATURE_ACTIVE(LAHF64_SAHF64)},
                                                {"POPCNT", CPU_FEATURE_ACTIVE(POPCNT)},
                                                {"SSE3", CPU_FEATURE_ACTIVE(SSE3)},
                                                {"SSE4_1", CPU_FEATURE_ACTIVE(SSE4_1)},
                                                {"SSE4_2", CPU_FEATURE_ACTIVE(SSE4_2)},
                                                {"SSSE3", CPU_FEATURE_ACTIVE(SSSE3)},
                                                {"AVX", CPU_FEATURE_ACTIVE(AVX)},
                                                {"AVX2", CPU_FEATURE_ACTIVE(AVX2)},
                                                {"BMI1", CPU_FEATURE_ACTIVE(BMI1)},
                                                {"BMI2", CPU_FEATURE_ACTIVE(BMI2)},
                                                {"F16C", CPU_FEATURE_ACTIVE(F16C)},
                                                {"FMA", CPU_FEATURE_ACTIVE(FMA)},
                                                {"LZCNT", CPU_FEATURE_ACTIVE(LZCNT)},
                                                {"MOVBE", CPU_FEATURE_ACTIVE(MOVBE)},
                                                {"AVX512F", CPU_FEATURE_ACTIVE(AVX512F)},
                                                {"AVX512BW", CPU_FEATURE_ACTIVE(AVX512BW)},
                                                {"AVX512CD", CPU_FEATURE_ACTIVE(AVX512CD)},
                                                {"AVX512DQ", CPU_FEATURE_ACTIVE(AVX512DQ)},
                                                {"AVX512VL", CPU_FEATURE_ACTIVE(AVX512VL)}};
    for (const auto& [name, active] : all) {
        if (active) found.insert(name);
    }
#endif
    return found;
}

std::vector<std::string> levels_of(const Features& features) {
    std::vector<std::string> found;
    for (const Level& one : levels()) {
        if (missing_for(one.name, features).empty()) found.emplace_back(one.name);
    }
    return found;
}

std::vector<std::string> module_names(const std::string& flavor, const Features& features, const std::string& asked) {
    const std::string base = "base";
    if (asked == base) return {flavor};
    std::vector<std::string> names;
    for (const std::string& level : levels_of(features)) names.insert(names.begin(), flavor + "_" + level);
    names.push_back(flavor);
    if (asked.empty()) return names;
    const std::vector<Level>& all = levels();
    if (std::none_of(all.begin(), all.end(), [&](const Level& one) { return asked == one.name; }))
        throw Error("SCREE_LEVEL=" + asked + ": use base, v2, v3 or v4, or leave it unset");
    const std::string missing = missing_for(asked, features);
    if (!missing.empty())
        throw Error("SCREE_LEVEL=" + asked + ": this processor cannot run code of x86-64-" + asked + ": it lacks " + missing +
                    "; use a lower level, or leave it unset");
    return {flavor + "_" + asked};
}

}  // namespace scree
