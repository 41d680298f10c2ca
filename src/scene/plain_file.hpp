// What a file that the user names must be before it is read whole: a file of data, of a size that input of its kind may have.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.hpp"

namespace scree {

/// Most bytes of a scene. The largest of the examples has some 20,000.
constexpr std::uint64_t kMostSceneBytes = std::uint64_t{64} << 20;
/// Most bytes of a mesh or a table of rows: 40 million triangles of a binary STL.
constexpr std::uint64_t kMostDataBytes = std::uint64_t{2} << 30;

/// Throws Error at `place` unless `path` is a file of data (no folder, device, pipe or socket, which may never end) of at most `most`
/// bytes.
void require_plain_file(const std::string& path, std::uint64_t most, const SourcePlace& place);

/// The whole file, which require_plain_file lets through; reads `most` bytes at most, also of a file that grows or hides its size.
std::string read_plain_file(const std::string& path, std::uint64_t most, const SourcePlace& place);

}  // namespace scree
