// PLY, OFF and Collada files before the import library reads them: it does not return, or ends the program, where such a file is cut off.
#pragma once

#include <string>

#include "base/error.hpp"

namespace scree {

/// Throws scree::Error with the file's line (text) where a PLY file's header is wrong, where it holds less than the header announces, or
/// where a face names a vertex that is not there; at `place` (the key that names the file) where it cannot be read.
void check_ply(const std::string& path, const SourcePlace& place);
/// The same for an OFF file.
void check_off(const std::string& path, const SourcePlace& place);
/// Throws scree::Error with line and column where a Collada file has an index or count that is no number, or more than its length allows.
void check_collada(const std::string& path, const SourcePlace& place);

}  // namespace scree
