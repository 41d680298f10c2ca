#include "output/seal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace scree {
namespace {

constexpr const char* head = "scree seal ";

/// Of the first `bytes` bytes; false where they cannot be read.
bool seal_text(std::ifstream& in, std::uintmax_t bytes, std::string& text) {
    constexpr std::size_t at_once = std::size_t{1} << 20;
    std::vector<char> part(static_cast<std::size_t>(std::min<std::uintmax_t>(bytes, at_once)));
    std::uint64_t hash = bytes;
    for (std::uintmax_t left = bytes; left > 0;) {
        const std::size_t n = static_cast<std::size_t>(std::min<std::uintmax_t>(left, at_once));
        if (!in.read(part.data(), static_cast<std::streamsize>(n))) return false;
        for (std::size_t i = 0; i < n; i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, part.data() + i, std::min<std::size_t>(8, n - i));
            hash = hash_combine(hash, word);
        }
        left -= n;
    }
    text = fmt::format("{}{:016x}\n", head, hash);
    return true;
}

}  // namespace

void seal_file(const std::string& path) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    std::ifstream in(path, std::ios::binary);
    std::string seal;
    if (error || !seal_text(in, bytes, seal)) throw RunError("cannot read back " + path + ": " + std::strerror(errno));
    std::ofstream out(path, std::ios::binary | std::ios::app);
    if (!(out << seal) || !out.flush()) throw RunError("cannot write " + path + ": " + std::strerror(errno));
}

Seal seal_of(const std::string& path) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (error || bytes < seal_bytes) return Seal::None;
    std::ifstream in(path, std::ios::binary);
    std::string expected, found(seal_bytes, '\0');
    in.seekg(static_cast<std::streamoff>(bytes - seal_bytes));
    if (!in.read(found.data(), static_cast<std::streamsize>(seal_bytes)) || found.rfind(head, 0) != 0) return Seal::None;
    in.seekg(0);
    return seal_text(in, bytes - seal_bytes, expected) && expected == found ? Seal::Whole : Seal::Damaged;
}

}  // namespace scree
