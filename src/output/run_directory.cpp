#include "output/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

#include "base/error.hpp"
#include "output/atomic_file.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAllFiles[] = {RunFiles::scene,  RunFiles::frames,  RunFiles::xdmf,      RunFiles::series,
                                     RunFiles::solver, RunFiles::bonds,   RunFiles::fragments, RunFiles::checkpoint,
                                     RunFiles::log,    RunFiles::summary, RunFiles::fault};

/// Calls `use` with the path of every file that Scree writes into a run directory, also under its temporary name.
template <class Use>
void each_own_file(const std::string& directory, const Use& use) {
    for (const char* name : kAllFiles) {
        const std::string path = run_file(directory, name);
        use(path);
        use(temporary_name(path));
    }
}

void remove_own_files(const std::string& directory) {
    each_own_file(directory, [](const std::string& file) {
        std::error_code error;
        fs::remove(file, error);
        if (error) throw Error(file + ": cannot remove the old file: " + error.message());
    });
}

}  // namespace

std::string run_file(const std::string& directory, const char* name) {
    return (fs::path(directory) / name).string();
}

void check_run_directory(const std::string& directory, Reuse reuse, RunLock& lock) {
    lock.take(directory);
    std::error_code error;
    if (!fs::exists(directory, error)) {
        if (error) throw Error(directory + ": cannot look at the run directory: " + error.message());
        return;
    }
    if (!fs::is_directory(directory, error)) {
        throw Error(directory + ": is a file, but the run directory must be a folder; choose another with -o");
    }
    const bool empty = fs::is_empty(directory, error);
    if (error) throw Error(directory + ": cannot read the run directory: " + error.message());
    if (!empty && reuse == Reuse::Refuse) {
        throw Error(directory +
                    ": the run directory is not empty; choose another with -o, or add --overwrite to replace the old run's files");
    }
    if (::access(directory.c_str(), W_OK | X_OK) != 0) {
        throw Error(directory + ": the run directory cannot be written to; choose another with -o");
    }
}

void check_inputs_stay(const std::string& directory, const std::vector<std::string>& inputs) {
    each_own_file(directory, [&](const std::string& file) {
        for (const std::string& input : inputs) {
            std::error_code none;
            if (fs::equivalent(input, file, none))
                throw Error(directory + ": --overwrite would replace " + file + ", which this run reads; choose another directory with -o");
        }
    });
}

void open_run_directory(const std::string& directory, Reuse reuse, RunLock& lock) {
    check_run_directory(directory, reuse, lock);
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) throw Error(directory + ": cannot make the run directory: " + error.message());
    check_run_directory(directory, reuse, lock);  // another run may have made it first
    if (reuse == Reuse::Overwrite) remove_own_files(directory);
}

std::uint64_t free_bytes(const std::string& directory) {
    struct statvfs status {};
    fs::path place = fs::absolute(directory);
    std::error_code ignored;
    while (!fs::exists(place, ignored) && place.has_relative_path()) place = place.parent_path();
    if (::statvfs(place.c_str(), &status) != 0) return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

std::vector<std::string> own_files(const std::string& directory) {
    std::vector<std::string> files;
    for (const char* name : kAllFiles) {
        std::error_code error;
        if (std::string path = run_file(directory, name); fs::exists(path, error)) files.push_back(std::move(path));
    }
    return files;
}

double own_file_bytes(const std::string& directory) {
    double bytes = 0;
    each_own_file(directory, [&bytes](const std::string& file) {
        std::error_code error;
        const std::uintmax_t size = fs::file_size(file, error);
        if (!error) bytes += static_cast<double>(size);
    });
    return bytes;
}

void require_space(const std::string& directory, double needed) {
    const std::uint64_t free = free_bytes(directory);
    if (needed <= static_cast<double>(free)) return;
    throw Error(
        fmt::format("{}: too little space for this run: it needs about {}, {} are free; write fewer frames (output.every) or choose "
                    "another disk with -o",
                    directory, format_bytes(needed), format_bytes(static_cast<double>(free))));
}

void reserve_space(const std::string& path, std::uint64_t bytes) {
    const auto failed = [&](int error) {
        throw RunError(fmt::format("cannot write {}: {} are needed, {} free ({})", path, format_bytes(static_cast<double>(bytes)),
                                   format_bytes(static_cast<double>(free_bytes(path))), std::strerror(error)));
    };
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) failed(errno);
    struct stat status {};
    int error = ::fstat(descriptor, &status) == 0 ? 0 : errno;
    if (error == 0 && ::fallocate(descriptor, 0, status.st_size, static_cast<off_t>(bytes)) != 0) error = errno;
    // Where the file system cannot claim space ahead, counting the free bytes is the best there is.
    const bool unsupported = error == EOPNOTSUPP || error == ENOSYS;
    if (unsupported) error = bytes <= free_bytes(path) ? 0 : ENOSPC;
    if (error != 0 && !unsupported && ::ftruncate(descriptor, status.st_size) != 0) error = errno;
    ::close(descriptor);
    if (error != 0) failed(error);
}

std::string format_bytes(double bytes) {
    const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    while (bytes >= 999.5 && unit < 5) {
        bytes /= 1000;
        ++unit;
    }
    return fmt::format("{:.3g} {}", bytes, units[unit]);
}

}  // namespace scree
