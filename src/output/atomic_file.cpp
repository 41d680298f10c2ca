#include "output/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"

namespace scree {
namespace {

[[noreturn]] void failed(const std::string& path, int error) {
    throw RunError("cannot write " + path + ": " + std::strerror(error));
}

/// fsync of a file or a folder; a folder's makes the rename itself durable.
void sync_path(const std::string& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags);
    if (descriptor < 0) failed(path, errno);
    const int result = ::fsync(descriptor);
    const int error = errno;
    ::close(descriptor);
    // Some file systems know no fsync of folders (EINVAL): then there is nothing to wait for.
    if (result < 0 && error != EINVAL) failed(path, error);
}

void write_all(const std::string& path, const std::string& text) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) failed(path, errno);
    std::size_t done = 0;
    int error = 0;
    while (done < text.size() && error == 0) {
        const ssize_t n = ::write(descriptor, text.data() + done, text.size() - done);
        if (n >= 0) {
            done += static_cast<std::size_t>(n);
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    if (::close(descriptor) < 0 && error == 0) error = errno;
    if (error == 0) return;
    ::unlink(path.c_str());
    failed(path, error);
}

}  // namespace

std::string temporary_name(const std::string& path) {
    return path + ".tmp";
}

void check_destination(const std::string& option, const std::string& path, const std::string& input, const std::string& read,
                       const std::vector<std::string>& others) {
    const std::string begin = option + " " + path + ": ", temporary = temporary_name(path);
    std::error_code none;
    std::vector<std::string> written{path, temporary};
    written.insert(written.end(), others.begin(), others.end());
    for (const std::string& name : written) {
        if (std::filesystem::equivalent(input, name, none))
            throw Error(begin + "would overwrite " + read + " " + input + "; write to another file");
    }
    if (std::filesystem::is_directory(path, none)) throw Error(begin + "is a folder; name a file");
    if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none))
        throw Error(begin + "is a device or a pipe, which a file would replace; name a file");
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder, none)) throw Error(begin + "there is no folder " + folder.string());
    if (std::filesystem::exists(temporary, none)) return;  // perhaps somebody's: not touched before there is something to write
    std::FILE* probe = std::fopen(temporary.c_str(), "wb");
    if (probe == nullptr) throw Error(begin + "cannot be written: " + std::strerror(errno));
    std::fclose(probe);
    ::unlink(temporary.c_str());
}

void publish_file(const std::string& temporary, const std::string& path) {
    sync_path(temporary, O_RDONLY | O_CLOEXEC);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) failed(path, errno);
    const std::string folder = std::filesystem::path(path).parent_path().string();
    sync_path(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void write_file_atomically(const std::string& path, const std::string& text, bool durable) {
    const std::string temporary = temporary_name(path);
    write_all(temporary, text);
    if (durable) {
        publish_file(temporary, path);
    } else if (std::rename(temporary.c_str(), path.c_str()) != 0) {
        failed(path, errno);
    }
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf())) {
        // An empty file also leaves the stream failed, without a single character read.
        std::error_code none;
        if (in && std::filesystem::is_regular_file(path, none) && std::filesystem::file_size(path, none) == 0) return "";
        throw Error(path + ": cannot read the file: " + std::strerror(errno));
    }
    return text.str();
}

}  // namespace scree
