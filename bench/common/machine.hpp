// What a result was measured on: processor, cores, compiler, day. Nothing that names the machine itself.
#pragma once

#include <ctime>
#include <fstream>
#include <string>
#include <thread>

#include "common/json.hpp"

namespace scree::bench {

/// What the system says of its first processor: the value of `key`.
inline std::string said_of_processor(const std::string& key) {
    std::ifstream info("/proc/cpuinfo");
    std::string line;
    while (std::getline(info, line)) {
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos) continue;
        const std::size_t end = line.find_last_not_of(" \t", colon - 1);
        if (line.substr(0, end + 1) == key) return line.substr(colon + 2);
    }
    return "unknown";
}

inline std::string processor_name() {
    return said_of_processor("model name");
}
/// Tells processors of one name apart.
inline std::string processor_model() {
    return "family " + said_of_processor("cpu family") + ", model " + said_of_processor("model");
}

/// The widest vectors the compiler was allowed to use.
inline const char* vector_instructions() {
#if defined(__AVX512F__)
    return "avx512";
#elif defined(__AVX2__)
    return "avx2";
#elif defined(__ARM_NEON)
    return "neon";
#else
    return "baseline";
#endif
}

inline std::string compiler_name() {
#if defined(__clang__)
    return std::string("clang ") + __clang_version__;
#else
    return std::string("gcc ") + __VERSION__;
#endif
}

inline std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
    return text;
}

inline void put_machine(JsonWriter& json) {
    json.open("machine");
    json.put("processor", processor_name());
    json.put("processor_model", processor_model());
    json.put("cores", static_cast<std::int64_t>(std::thread::hardware_concurrency()));
    json.put("vector_instructions", vector_instructions());
    json.put("compiler", compiler_name());
    json.put("date", today());
    json.close();
}

}  // namespace scree::bench
