#include "scene/plain_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace scree {
namespace {

const char* kind_name(std::filesystem::file_type type) {
    switch (type) {
        case std::filesystem::file_type::directory:
            return "a folder";
        case std::filesystem::file_type::fifo:
            return "a pipe";
        case std::filesystem::file_type::socket:
            return "a socket";
        default:
            return "a device";
    }
}

[[noreturn]] void refuse_size(const std::string& path, std::uint64_t most, const SourcePlace& place) {
    throw Error(place,
                fmt::format("\"{}\" has more than {} bytes, the most that is read of such a file; is it the right one?", path, most));
}

}  // namespace

void require_plain_file(const std::string& path, std::uint64_t most, const SourcePlace& place) {
    std::error_code fault;
    const std::filesystem::file_status status = std::filesystem::status(path, fault);
    if (!std::filesystem::exists(status))
        throw Error(place, fmt::format("cannot read \"{}\": {}", path, fault ? fault.message() : "there is no such file"));
    if (!std::filesystem::is_regular_file(status))
        throw Error(place, fmt::format("cannot read \"{}\": it is {}; give a file", path, kind_name(status.type())));
    const std::uintmax_t bytes = std::filesystem::file_size(path, fault);
    if (fault) throw Error(place, fmt::format("cannot read \"{}\": {}", path, fault.message()));
    if (bytes > most) refuse_size(path, most, place);
}

std::string read_plain_file(const std::string& path, std::uint64_t most, const SourcePlace& place) {
    require_plain_file(path, most, place);
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error(place, fmt::format("cannot read \"{}\": {}", path, errno != 0 ? std::strerror(errno) : "it does not open"));
    std::string text;
    std::array<char, 1 << 16> block;
    while (in.read(block.data(), block.size()) || in.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() > most) refuse_size(path, most, place);
    }
    if (in.bad()) throw Error(place, fmt::format("reading \"{}\" failed", path));
    return text;
}

}  // namespace scree
