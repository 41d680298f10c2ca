// Bytes of a fuzzer as a file, for readers that want a path. One file a process, in memory where the system has such a place.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.hpp"

namespace scree::fuzz {

class InputFile {
public:
    /// `extension` with its dot: readers go by it.
    InputFile(const std::uint8_t* bytes, std::size_t size, const std::string& extension) {
        static const std::string folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : std::filesystem::temp_directory_path().string();
        path_ = folder + "/scree_fuzz_" + std::to_string(getpid()) + extension;
        std::FILE* file = std::fopen(path_.c_str(), "wb");
        if (file == nullptr || std::fwrite(bytes, 1, size, file) != size || std::fclose(file) != 0) {
            std::perror(path_.c_str());
            std::abort();
        }
    }
    ~InputFile() { unlink(path_.c_str()); }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// Runs `read`. What the program answers wrong input with, an Error with a text, is right; anything else that is thrown ends the fuzzer.
template <class Read>
void expect_error_or_success(const Read& read) {
    try {
        read();
    } catch (const Error& error) {
        if (std::string(error.what()).empty()) std::abort();
    }
}

/// Ends the fuzzer where something that must hold does not.
inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

}  // namespace scree::fuzz
