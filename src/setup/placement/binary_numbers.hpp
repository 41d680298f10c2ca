// Numbers as files hold them in binary, of any width and order of bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace scree {

enum class NumberKind { Signed, Unsigned, Real };

/// The whole number of up to eight bytes.
inline std::uint64_t bits_of(std::string_view bytes, bool lowest_first) {
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < bytes.size(); ++k)
        bits = bits << 8 | static_cast<unsigned char>(bytes[lowest_first ? bytes.size() - 1 - k : k]);
    return bits;
}

/// The number of one, two, four or eight bytes, of which real ones have four or eight.
inline double number_of(std::string_view bytes, NumberKind kind, bool lowest_first) {
    const std::uint64_t bits = bits_of(bytes, lowest_first);
    if (kind == NumberKind::Unsigned) return static_cast<double>(bits);
    if (kind == NumberKind::Real)
        return bytes.size() == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                                 : std::bit_cast<double>(bits);
    const int unused = 64 - 8 * static_cast<int>(bytes.size());
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace scree
