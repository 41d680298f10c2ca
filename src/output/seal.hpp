// A checksum at the end of a file, over all bytes before it: tells a damaged file from a whole one before anything else reads it, for
// readers that do not bear damage (HDF5's library reads past its memory). HDF5 does not mind bytes after its own.
#pragma once

#include <cstddef>
#include <string>

namespace scree {

inline constexpr std::size_t seal_bytes = 28;  // "scree seal ", 16 hexadecimal digits, end of line

/// Appends the seal. Throws RunError.
void seal_file(const std::string& path);

enum class Seal { Whole, Damaged, None };

/// None also where the file cannot be read.
Seal seal_of(const std::string& path);

}  // namespace scree
