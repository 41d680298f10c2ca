// Files that are either the old or the new one, never half of each: written under a temporary name, then renamed.
#pragma once

#include <string>

namespace scree {

/// The temporary name that stands for `path` while it is written.
std::string temporary_name(const std::string& path);

/// Replaces `path` by `text`. `durable` also waits until the disk has it. Throws RunError; the old file then stays.
void write_file_atomically(const std::string& path, const std::string& text, bool durable = false);

/// Waits until the disk has `temporary`, then renames it to `path`. Throws RunError.
void publish_file(const std::string& temporary, const std::string& path);

/// The whole of a text file. Throws Error where it cannot be read.
std::string read_file(const std::string& path);

}  // namespace scree
