// Files that are either the old or the new one, never half of each: written under a temporary name, then renamed.
#pragma once

#include <string>
#include <vector>

namespace scree {

/// The temporary name that stands for `path` while it is written.
std::string temporary_name(const std::string& path);

/// A file that a command is to write from `input`, looked at before long work. Throws scree::Error, which begins with `option`, where the
/// path is no file or cannot be made one, or where it, its temporary name, or one of `others` that are written on the way is the input
/// under any name; `read` says what the input holds.
void check_destination(const std::string& option, const std::string& path, const std::string& input, const std::string& read,
                       const std::vector<std::string>& others = {});

/// Replaces `path` by `text`. `durable` also waits until the disk has it. Throws RunError; the old file then stays.
void write_file_atomically(const std::string& path, const std::string& text, bool durable = false);

/// Waits until the disk has `temporary`, then renames it to `path`. Throws RunError.
void publish_file(const std::string& temporary, const std::string& path);

/// The whole of a text file. Throws Error where it cannot be read.
std::string read_file(const std::string& path);

}  // namespace scree
