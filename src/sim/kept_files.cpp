#include "sim/kept_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "scene/files_of.hpp"

namespace scree {
namespace {

std::string digest_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return {};
    std::array<char, 1 << 16> block{};
    std::uint64_t hash = 0;
    while (in.read(block.data(), block.size()) || in.gcount() > 0) {
        const auto bytes = static_cast<std::size_t>(in.gcount());
        for (std::size_t at = 0; at < bytes; at += sizeof hash) {
            std::uint64_t word = 0;
            std::memcpy(&word, block.data() + at, std::min(sizeof word, bytes - at));
            hash = hash_combine(hash, word);
        }
        hash = hash_combine(hash, bytes);
    }
    return fmt::format("{:016x}", hash);
}

}  // namespace

std::vector<std::string> digests_of_kept_files(const Scene& scene) {
    std::vector<std::string> digests;
    for (const InputFile& file : files_of(scene)) {
        if (file.stays) digests.push_back(digest_of(file.path));
    }
    return digests;
}

void require_kept_files(const Scene& scene, const std::vector<std::string>& now, const std::vector<std::string>& before,
                        const std::string& checkpoint) {
    std::size_t k = 0;
    for (const InputFile& file : files_of(scene)) {
        if (!file.stays) continue;
        if (k < before.size() && now[k] != before[k]) {
            throw Error(file.place,
                        fmt::format("\"{}\" is not as it was when {} was written; a restart needs the files of shapes, bodies and "
                                    "joints unchanged: put the old one back, or start anew",
                                    file.path, checkpoint));
        }
        ++k;
    }
}

}  // namespace scree
