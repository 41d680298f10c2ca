#include "render/film.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "output/atomic_file.hpp"

extern char** environ;

namespace scree {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The last line of ffmpeg's messages.
std::string last_line(const std::string& path) {
    std::ifstream in(path);
    std::string line, last;
    while (std::getline(in, line)) {
        if (!line.empty()) last = line;
    }
    return last;
}

}  // namespace

bool is_film_name(const std::string& path) {
    return ends_with(path, ".mp4") || ends_with(path, ".webm");
}

std::string find_ffmpeg() {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::string program = (folder.empty() ? "." : folder) + "/ffmpeg";
        if (::access(program.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(program)) return program;
    }
    throw Error(
        "films are made by the program ffmpeg, which is not on PATH: install it (Debian: apt install ffmpeg), or write pictures to a "
        "folder");
}

Film::Film(const std::string& path, PictureSize size, double pictures_per_second)
    : path_(path), temporary_(temporary_name(path)), messages_(path + ".messages.tmp"), size_(size) {
    const std::string program = find_ffmpeg();
    const bool webm = ends_with(path, ".webm");
    std::vector<std::string> words{program, "-hide_banner", "-loglevel", "error", "-nostats", "-y", "-f", "rawvideo", "-pix_fmt", "bgr0",
                                   "-video_size", fmt::format("{}x{}", size.width, size.height), "-framerate",
                                   fmt::format("{}", pictures_per_second), "-i", "-",
                                   // Players want even sizes.
                                   "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-pix_fmt", "yuv420p"};
    const std::vector<std::string> coding =
        webm ? std::vector<std::string>{"-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-row-mt", "1", "-f", "webm"}
             : std::vector<std::string>{"-c:v", "libx264", "-crf", "18", "-preset", "medium", "-movflags", "+faststart", "-f", "mp4"};
    words.insert(words.end(), coding.begin(), coding.end());
    words.push_back(temporary_);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);

    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw RunError(std::string("cannot start ffmpeg: ") + std::strerror(errno));
    ::signal(SIGPIPE, SIG_IGN);  // an ffmpeg that ends is a failed write
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    pid_t process = -1;
    const HeldSignals held;
    const int error = ::posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    pipe_ = ends[1];
    if (error != 0) {
        ::close(pipe_);
        throw RunError(fmt::format("cannot start {}: {}", program, std::strerror(error)));
    }
    process_ = process;
    removed_ = std::make_unique<RemovedOnSignal>(std::vector<std::string>{temporary_, messages_}, process);
}

Film::~Film() {
    removed_.reset();
    if (pipe_ >= 0) ::close(pipe_);
    if (process_ > 0) {
        ::kill(process_, SIGTERM);
        wait();
    }
    ::unlink(messages_.c_str());
    ::unlink(temporary_.c_str());
}

int Film::wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void Film::gave_up() {
    if (process_ > 0) wait();
    const std::string said = last_line(messages_);
    throw RunError(fmt::format("ffmpeg could not make {}{}", path_, said.empty() ? std::string() : ": " + said));
}

void Film::add(const std::uint8_t* rows, std::size_t row_bytes) {
    const std::size_t wanted = 4 * static_cast<std::size_t>(size_.width);
    for (int y = 0; y < size_.height; ++y) {
        const std::uint8_t* from = rows + static_cast<std::size_t>(y) * row_bytes;
        for (std::size_t done = 0; done < wanted;) {
            const ssize_t n = ::write(pipe_, from + done, wanted - done);
            if (n >= 0) {
                done += static_cast<std::size_t>(n);
            } else if (errno != EINTR) {
                ::close(pipe_);
                pipe_ = -1;
                gave_up();
            }
        }
    }
}

void Film::finish() {
    ::close(pipe_);
    pipe_ = -1;
    if (wait() != 0) gave_up();
    removed_ = std::make_unique<RemovedOnSignal>(std::vector<std::string>{temporary_, messages_});  // its writer is gone
    publish_file(temporary_, path_);
}

}  // namespace scree
