// The directory of one run: its files' names, making it, clearing it, and whether the disk will hold what is to come.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/run_lock.hpp"

namespace scree {

/// Names of everything Scree writes into a run directory.
struct RunFiles {
    static constexpr const char* scene = "scene.toml";
    static constexpr const char* frames = "state.h5";
    static constexpr const char* xdmf = "state.xdmf";
    static constexpr const char* series = "series.csv";
    static constexpr const char* solver = "solver.csv";        // under the cone method
    static constexpr const char* bonds = "bonds.csv";          // where the scene has any: those that broke
    static constexpr const char* fragments = "fragments.csv";  // the parts that are left, as of the last checkpoint
    static constexpr const char* checkpoint = "checkpoint.h5";
    static constexpr const char* log = "log.txt";
    static constexpr const char* summary = "summary.json";
    static constexpr const char* fault = "fault.h5";
};

enum class Reuse {
    Refuse,     // the directory must be new or empty
    Overwrite,  // files that Scree writes are removed first; others stay
    Continue,   // a restart goes on in it
};

/// Throws Error where open_run_directory() would refuse; changes nothing, so that a long preparation need not end in a refusal. A directory
/// that is there already is taken with `lock`.
void check_run_directory(const std::string& directory, Reuse reuse, RunLock& lock);

/// Throws Error where Reuse::Overwrite would remove one of `inputs`, the files that the run is made from.
void check_inputs_stay(const std::string& directory, const std::vector<std::string>& inputs);

/// Makes or takes over a run directory, and takes it with `lock`. Throws Error where another run has it, where it holds something and may
/// not be reused, or where it cannot be written.
void open_run_directory(const std::string& directory, Reuse reuse, RunLock& lock);

/// "DIRECTORY/NAME".
std::string run_file(const std::string& directory, const char* name);

/// Bytes free to this user on the file system of `directory`, which need not exist yet; the largest number where that cannot be told.
std::uint64_t free_bytes(const std::string& directory);

/// Paths of the files in `directory` that Scree wrote there under their own names.
std::vector<std::string> own_files(const std::string& directory);

/// Bytes of the files in `directory` that Reuse::Overwrite removes.
double own_file_bytes(const std::string& directory);

/// Throws Error where fewer than `needed` bytes are free, naming both.
void require_space(const std::string& directory, double needed);

/// Claims `bytes` behind the end of a file, so that writing them cannot fail for want of space; HDF5 gives back what it leaves unused.
/// Throws RunError where they are not to be had (full disk, quota, size limit); the file is then as before.
void reserve_space(const std::string& path, std::uint64_t bytes);

/// "1.5 GB": three digits with a decimal prefix.
std::string format_bytes(double bytes);

}  // namespace scree
